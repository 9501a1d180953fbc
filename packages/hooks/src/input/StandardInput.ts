/** Reads the payload of a hook: one JSON object. A host may leave the pipe open after the object. */

export type Input =
  | { readonly _tag: "payload"; readonly value: unknown }
  | { readonly _tag: "refused"; readonly reason: string }

/** No provider accepts a larger request, so every message and tool result is smaller. */
const maxBytes = 32 * 1024 * 1024

const refused = (reason: string): Input => ({ _tag: "refused", reason })

const parsed = (pieces: ReadonlyArray<Buffer>): Input => {
  if (pieces.length === 0) return refused("no payload came on standard input")
  try {
    // Some programs write a byte order mark first.
    return {
      _tag: "payload",
      value: JSON.parse(
        Buffer.concat(pieces)
          .toString()
          .replace(/^\uFEFF/, "")
      )
    }
  } catch (cause) {
    return refused(`the payload is not JSON, or is incomplete: ${String(cause)}`)
  }
}

/** Input that ends with a closing bracket or brace may be complete. */
const mayEnd = (piece: Buffer): boolean => /[}\]]\s*$/.test(piece.toString("latin1", Math.max(0, piece.length - 100)))

/** Reads until a JSON value is complete, the input ends, or `waitMs` milliseconds have passed. */
export const read = (waitMs: number): Promise<Input> =>
  new Promise((resolve) => {
    const pieces: Array<Buffer> = []
    let length = 0
    // `setImmediate` gives input that has already arrived the chance to be read.
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
