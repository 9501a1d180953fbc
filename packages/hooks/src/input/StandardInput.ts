/**
 * The payload that a host writes to a hook's standard input. It is one JSON object, so its own end is the end: a host may
 * leave the pipe open.
 */
import * as FS from "node:fs"
import { uptime } from "../places/Uptime.ts"

/**
 * The payload, or why there is none.
 *
 * @category models
 */
export type Input =
  | { readonly _tag: "payload"; readonly value: unknown }
  | { readonly _tag: "refused"; readonly reason: string }

/**
 * As much as a provider takes as one request: no message and no result of a tool is larger.
 *
 * @category limits
 */
export const maxBytes = 32 * 1024 * 1024

/** The brackets that end a value. */
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d])

const refused = (reason: string): Input => ({ _tag: "refused", reason })

/** What has come, parsed as soon as it is whole. `isOver`: nothing more comes, for the reason that is given, if any. */
const gather = () => {
  const pieces: Array<Buffer> = []
  let length = 0
  let last = 0
  let looked = 0
  return {
    came: (piece: Buffer): Input | null => {
      pieces.push(piece)
      length += piece.length
      last = piece.findLast((byte) => byte > 32 || byte === 0) ?? last
      return length > maxBytes ? refused(`the payload is larger than ${maxBytes / 1024 / 1024} MB`) : null
    },
    look: (isOver = false, late = ""): Input | null => {
      if (length === 0) return isOver ? refused(`no payload came on standard input${late}`) : null
      // What ends otherwise is not whole yet.
      if (!isOver && (!closing.has(last) || looked === length)) return null
      looked = length
      try {
        // Some programs write a byte order mark in front of it.
        const text = Buffer.concat(pieces, length)
          .toString()
          .replace(/^\uFEFF/, "")
        return { _tag: "payload", value: JSON.parse(text) }
      } catch (cause) {
        if (!isOver) return null
        return refused(
          late === ""
            ? `the payload is no JSON: ${String(cause)}`
            : `only a part of the payload came on standard input${late}`
        )
      }
    }
  }
}

type Gathered = ReturnType<typeof gather>

const ended = (gathered: Gathered, late = ""): Input => gathered.look(true, late) ?? refused("no payload came")

/** What Node has of its own for pipes and sockets. */
interface Bound extends NodeJS.Process {
  readonly binding?: (name: "pipe_wrap") => {
    readonly Pipe: new (type: number) => { readonly open: (descriptor: number) => number }
    readonly constants: { readonly SOCKET: number }
  }
}

/**
 * Whether reads of standard input come back at once, where nothing is there yet as well. A `net.Socket` does this too, and takes
 * every hook 3 ms to load; where this way is closed one day, that one is taken. Windows has no such pipes.
 */
const isQuick = (): boolean => {
  const { binding, platform }: Bound = process
  try {
    if (platform === "win32") return false
    const found = FS.fstatSync(0)
    if (found.isFile() || binding === undefined) return found.isFile()
    const { constants, Pipe } = binding("pipe_wrap")
    return (found.isFIFO() || found.isSocket()) && new Pipe(constants.SOCKET).open(0) === 0
  } catch {
    return false
  }
}

/** Null where nothing is there yet. */
const pieceNow = (): Buffer | null => {
  const room = Buffer.allocUnsafe(64 * 1024)
  try {
    return room.subarray(0, FS.readSync(0, room))
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EAGAIN") return null
    throw cause
  }
}

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

const quickly = (late: string, until: number): Input => {
  const gathered = gather()
  for (;;) {
    // Asked before the read: what is there when the time is up is read to its end.
    const isLate = uptime() >= until
    const piece = pieceNow()
    const input = piece === null ? gathered.look() : piece.length === 0 ? ended(gathered) : gathered.came(piece)
    if (input !== null) return input
    if (piece === null && isLate) return ended(gathered, late)
    if (piece === null) pause(2)
  }
}

const byEvents = (late: string, waitMs: number): Promise<Input> =>
  new Promise((resolve) => {
    const gathered = gather()
    // Before this, what is there when the time is up comes in.
    const over = setTimeout(() => setImmediate(() => end(ended(gathered, late))), waitMs)
    const end = (input: Input | null): void => {
      if (input === null) return
      clearTimeout(over)
      process.stdin.pause()
      resolve(input)
    }
    process.stdin
      .on("data", (piece: Buffer) => end(gathered.came(piece) ?? gathered.look()))
      .on("end", () => end(ended(gathered)))
      .on("error", (cause) => end(refused(`standard input cannot be read: ${cause.message}`)))
  })

/**
 * Reads standard input, at once where that is possible without waiting for longer than `waitMs`.
 *
 * @category reading
 */
export const read = (waitMs: number): Input | Promise<Input> => {
  const late = ` within ${waitMs / 1000} s`
  try {
    return isQuick() ? quickly(late, uptime() + waitMs) : byEvents(late, waitMs)
  } catch (cause) {
    return refused(`standard input cannot be read: ${String(cause)}`)
  }
}
