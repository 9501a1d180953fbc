/** What a check prints, kept in bounds: its beginning and its end, which is what the reading of a run's output looks at. */

const part = 65_536

export interface OutputBuffer {
  /** Takes a piece of one of the two streams; says how many bytes there were in all. */
  readonly push: (stream: "out" | "err", bytes: Uint8Array) => number
  readonly text: () => string
}

export const make = (): OutputBuffer => {
  // A character may be cut in two by a piece's end, and the other stream's piece may come between.
  const decoders = { out: new TextDecoder(), err: new TextDecoder() }
  let [head, tail] = ["", ""]
  let [bytes, length] = [0, 0]
  const keep = (text: string): void => {
    length += text.length
    const free = part - head.length
    head += text.slice(0, free)
    tail = (tail + text.slice(free)).slice(-part)
  }
  return {
    push: (stream, piece) => {
      bytes += piece.length
      keep(decoders[stream].decode(piece, { stream: true }))
      return bytes
    },
    text: () => (length <= 2 * part ? head + tail : `${head}\n[…]\n${tail}`)
  }
}
