/** Splits a byte stream into lines. A line keeps its line break, so joining the lines gives the same bytes. */
const newline = 10

export const splitter = () => {
  let kept: Array<Uint8Array> = []
  const rest = (): Uint8Array => Buffer.concat(kept.splice(0))
  const push = (chunk: Uint8Array): ReadonlyArray<Uint8Array> => {
    const lines: Array<Uint8Array> = []
    let start = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
      kept.push(chunk.subarray(start, at + 1))
      lines.push(rest())
      start = at + 1
    }
    if (start < chunk.length) kept.push(chunk.slice(start))
    return lines
  }
  return { push, rest }
}
