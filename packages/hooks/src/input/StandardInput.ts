/** The payload on a hook's standard input: one JSON object, whose own end is the end, for a host may leave the pipe open. */

export type Input =
  | { readonly _tag: "payload"; readonly value: unknown }
  | { readonly _tag: "refused"; readonly reason: string }

/** As much as a provider takes as one request: no message and no result of a tool is larger. */
const maxBytes = 32 * 1024 * 1024

const refused = (reason: string): Input => ({ _tag: "refused", reason })

const parsed = (pieces: ReadonlyArray<Buffer>): Input => {
  if (pieces.length === 0) return refused("no payload came on standard input")
  try {
    // Some programs write a byte order mark in front of it.
    return {
      _tag: "payload",
      value: JSON.parse(
        Buffer.concat(pieces)
          .toString()
          .replace(/^\uFEFF/, "")
      )
    }
  } catch (cause) {
    return refused(`the payload is no JSON, or only a part of it came: ${String(cause)}`)
  }
}

/** What ends otherwise is not whole yet. */
const mayEnd = (piece: Buffer): boolean => /[}\]]\s*$/.test(piece.toString("latin1", Math.max(0, piece.length - 100)))

/** Reads standard input until a value is whole, until its end, or for `waitMs`. */
export const read = (waitMs: number): Promise<Input> =>
  new Promise((resolve) => {
    const pieces: Array<Buffer> = []
    let length = 0
    // Before the second, what is there when the time is up comes in.
    const over = setTimeout(() => setImmediate(() => end(parsed(pieces))), waitMs)
    const end = (input: Input): void => {
      clearTimeout(over)
      process.stdin.pause()
      resolve(input)
    }
    process.stdin
      .on("data", (piece: Buffer) => {
        pieces.push(piece)
        length += piece.length
        if (length > maxBytes) return end(refused(`the payload is larger than ${maxBytes / 1024 / 1024} MB`))
        const found = mayEnd(piece) ? parsed(pieces) : null
        if (found?._tag === "payload") end(found)
      })
      .on("end", () => end(parsed(pieces)))
      .on("error", (cause) => end(refused(`standard input cannot be read: ${cause.message}`)))
  })
