/**
 * The payload that a host writes to a hook's standard input. It is one JSON object, so its own end is the end: a host may
 * leave the pipe open. Nothing that comes, and nothing that does not come, is waited for longer than the caller allows.
 */
import * as FS from "node:fs"
import { uptime } from "../places/Uptime.ts"
import * as WholeObject from "./wholeObject.ts"

/**
 * The payload's text, or why there is none.
 *
 * @category models
 */
export type Input =
  | { readonly _tag: "payload"; readonly text: string }
  | { readonly _tag: "refused"; readonly reason: string }

/**
 * As much as a provider takes as one request: no message and no result of a tool is larger.
 *
 * @category limits
 */
export const maxBytes = 32 * 1024 * 1024

const refused = (reason: string): Input => ({ _tag: "refused", reason })

const refusals = {
  none: "what came on standard input is no payload: that is one JSON object",
  deep: `the payload is nested more than ${WholeObject.maxDepth} deep`,
  many: `the payload has more than ${WholeObject.maxValues} values`,
  large: `the payload is larger than ${maxBytes / 1024 / 1024} MB`
} as const

/** The first byte of UTF-16's two byte order marks, which no other text begins with. */
const [bigEndian, littleEndian] = [0xfe, 0xff]

const isWide = (bytes: Uint8Array): boolean => bytes[0] === bigEndian || bytes[0] === littleEndian

const wideText = (bytes: Buffer): string => {
  const units = bytes.subarray(0, bytes.length - (bytes.length % 2))
  return (bytes[0] === bigEndian ? units.swap16() : units).toString("utf16le")
}

/** Without the byte order mark that some programs write in front of it. */
const textOf = (bytes: Buffer): string => {
  const text = isWide(bytes) ? wideText(bytes) : bytes.toString()
  return text.startsWith("\uFEFF") ? text.slice(1) : text
}

/** What has come of standard input, until it is a payload or cannot become one. */
interface Gathered {
  /** Where to write what comes next, with some space. */
  readonly room: () => Uint8Array
  /** So many more bytes are there. Null where more may come behind them. */
  readonly came: (bytes: number) => Input | null
  /** What there is by now; null where it is no payload yet. */
  readonly look: () => Input | null
  /** What there is when nothing more comes, or not in time. */
  readonly end: (late: string) => Input
}

/** What fits in here is parsed as it is: nothing in it can become large. */
const leastRoom = 64 * 1024

const gather = (): Gathered => {
  let bytes = Buffer.allocUnsafe(leastRoom)
  let [length, seen] = [0, 0]
  let see: ReturnType<typeof WholeObject.make> | null = null
  const payload = (): Input => ({ _tag: "payload", text: textOf(bytes.subarray(0, length)) })
  const found = (what: WholeObject.Seen): Input | null => {
    if (what === "more") return null
    return what === "whole" ? payload() : refused(refusals[what])
  }
  const look = (): Input | null => {
    // A byte of two says nothing by itself.
    if (length === 0 || isWide(bytes)) return null
    see ??= WholeObject.make()
    const piece = bytes.subarray(seen, length)
    seen = length
    return found(see(piece))
  }
  return {
    room: () => {
      if (length === bytes.length) {
        const larger = Buffer.allocUnsafe(Math.min(2 * length, maxBytes + 1))
        bytes.copy(larger)
        bytes = larger
      }
      return bytes.subarray(length)
    },
    came: (more) => {
      length += more
      if (length > maxBytes) return refused(refusals.large)
      return length === bytes.length ? look() : null
    },
    look,
    end: (late) => {
      if (length === 0) return refused(`no payload came on standard input${late}`)
      if (late === "" && bytes.length === leastRoom) return payload()
      const last = isWide(bytes) ? found(WholeObject.make()(Buffer.from(textOf(bytes.subarray(0, length))))) : look()
      return last ?? refused(`only a part of the payload came on standard input${late}`)
    }
  }
}

const late = (waitMs: number): string => ` within ${waitMs / 1000} s`

/** What Node has of its own for pipes and sockets. */
interface Bound extends NodeJS.Process {
  readonly binding?: (name: "pipe_wrap") => {
    readonly Pipe: new (type: number) => { readonly open: (descriptor: number) => number }
    readonly constants: { readonly SOCKET: number }
  }
}

/**
 * Has reads of standard input give up where nothing is there yet. A `net.Socket` does this too, and takes every hook 3 ms
 * to load; where this way is closed one day, that one is taken.
 */
const unblock = (): boolean => {
  const { binding }: Bound = process
  try {
    if (binding === undefined) return false
    const { constants, Pipe } = binding("pipe_wrap")
    return new Pipe(constants.SOCKET).open(0) === 0
  } catch {
    return false
  }
}

/** Whether a read of standard input comes back at once. Windows has no such pipes. */
const isQuick = (): boolean => {
  if (process.platform === "win32") return false
  const found = FS.fstatSync(0)
  return found.isFile() || ((found.isFIFO() || found.isSocket()) && unblock())
}

const isNothingYet = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "EAGAIN"

/** Null where nothing is there yet, and 0 at the end. */
const readInto = (room: Uint8Array): number | null => {
  try {
    return FS.readSync(0, room)
  } catch (cause) {
    if (isNothingYet(cause)) return null
    throw cause
  }
}

const longestPauseMs = 16

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

const quickly = (waitMs: number): Input => {
  const gathered = gather()
  const until = uptime() + waitMs
  for (let next = 1; ;) {
    // Asked before the read: what is there when the time is up is read to its end.
    const isLate = uptime() >= until
    const count = readInto(gathered.room())
    const input = count === null ? gathered.look() : count === 0 ? gathered.end("") : gathered.came(count)
    if (input !== null) return input
    if (count === null && isLate) return gathered.end(late(waitMs))
    if (count === null) pause(next)
    next = count === null ? Math.min(next * 2, longestPauseMs) : 1
  }
}

/** A piece is taken apart where there is less room. */
const taken = (gathered: Gathered, piece: Uint8Array): Input | null => {
  const room = gathered.room()
  room.set(piece.subarray(0, room.length))
  const input = gathered.came(Math.min(room.length, piece.length))
  if (input !== null) return input
  return piece.length > room.length ? taken(gathered, piece.subarray(room.length)) : gathered.look()
}

const byEvents = (waitMs: number): Promise<Input> =>
  new Promise((resolve) => {
    const gathered = gather()
    let pieces = 0
    // Between this and its work, what is there when the time is up comes in.
    const giveUp = (before: number): void => {
      setImmediate(() => {
        if (pieces === before) end(gathered.end(late(waitMs)))
        else giveUp(pieces)
      })
    }
    const over = setTimeout(() => giveUp(-1), waitMs)
    const end = (input: Input | null): void => {
      if (input === null) return
      clearTimeout(over)
      process.stdin.pause()
      resolve(input)
    }
    process.stdin
      .on("data", (piece: Buffer) => {
        pieces += 1
        end(taken(gathered, piece))
      })
      .on("end", () => end(gathered.end("")))
      .on("error", (cause) => end(refused(`standard input cannot be read: ${cause.message}`)))
  })

/**
 * Reads standard input, at once where that is possible without waiting for longer than `waitMs`.
 *
 * @category reading
 */
export const read = (waitMs: number): Input | Promise<Input> => {
  try {
    return isQuick() ? quickly(waitMs) : byEvents(waitMs)
  } catch (cause) {
    return refused(`standard input cannot be read: ${String(cause)}`)
  }
}
