/** Keeps the beginning and the end of a check's output, because only these parts are read for the result. */

const part = 65_536

export interface OutputBuffer {
  /** Returns the total number of bytes. */
  readonly push: (stream: "out" | "err", bytes: Uint8Array) => number
  readonly text: () => string
}

export const make = (): OutputBuffer => {
  // A piece may end inside a character, and the next piece may come from the other stream.
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
