/** Reads the bytes of a session's record from a file or standard input. Unpacks gzip and Zstandard. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { SessionError } from "./CliError.ts"
import * as Zstd from "./Zstd.ts"

const chunkSize = 512 * 1024

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

const chain = async function* (head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

/** Reads enough bytes to recognize the format. */
const readHead = async (bytes: AsyncIterator<Uint8Array>): Promise<Uint8Array> => {
  let head: Uint8Array = new Uint8Array()
  while (head.length < Zstd.headBytes) {
    const next = await bytes.next()
    if (next.done === true) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  return head
}

/**
 * The maximum size of an unpacked record, against decompression bombs: `first` bytes plus `perPackedByte` for each
 * packed byte. Each line also counts as `perLine` bytes, because it takes time, and no real record has such short
 * lines.
 */
const mostUnpacked = { first: 64 * 1024 ** 2, perPackedByte: 100, perLine: 64 }

const lineBreak = 10

const costOf = (piece: Uint8Array): number => {
  let cost = piece.length
  for (let at = piece.indexOf(lineBreak); at >= 0; at = piece.indexOf(lineBreak, at + 1)) cost += mostUnpacked.perLine
  return cost
}

/** Unpacks a stream and fails if the result is larger than a record can be. */
const bounded = async function* (
  packed: AsyncIterable<Uint8Array>,
  unpack: (packed: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
): AsyncGenerator<Uint8Array> {
  let left = mostUnpacked.first
  const counted = async function* () {
    for await (const piece of packed) {
      left += piece.length * mostUnpacked.perPackedByte
      yield piece
    }
  }
  for await (const piece of unpack(counted())) {
    left -= costOf(piece)
    if (left < 0) throw Object.assign(new Error("its unpacked data are too large"), { code: "Z_GREEDY" })
    yield piece
  }
}

const gunzipped = (packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
  const bytes = Readable.from(packed, { objectMode: false })
  const gunzip = createGunzip({ chunkSize })
  bytes.on("error", (error) => gunzip.destroy(error))
  return bytes.pipe(gunzip)
}

const unpack = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = source[Symbol.asyncIterator]()
  const head = await readHead(bytes)
  if (Zstd.isZstd(head)) {
    yield* bounded(chain(head, bytes), Zstd.unpack)
    return
  }
  if (!isGzip(head)) {
    yield* chain(head, bytes)
    return
  }
  yield* bounded(chain(head, bytes), gunzipped)
}

const open = async function* (path: string): AsyncGenerator<Uint8Array> {
  if ((await stat(path)).isDirectory()) throw Object.assign(new Error("is a directory"), { code: "EISDIR" })
  yield* createReadStream(path, { highWaterMark: chunkSize })
}

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

const explain =
  (file: string) =>
  (cause: unknown): SessionError => {
    const code = codeOf(cause)
    if (code === "ENOENT" || code === "ENOTDIR")
      return new SessionError({ file, reason: "missing", problem: "no such file" })
    if (code === "EISDIR")
      return new SessionError({ file, reason: "directory", problem: "is a directory; name a session's file" })
    const unreadable = (problem: string) => new SessionError({ file, reason: "unreadable", problem })
    if (code === "EACCES" || code === "EPERM") return unreadable("may not be read (permission denied)")
    if (code === "Z_ZSTD_GREEDY" || code === "Z_GREEDY") {
      const problem = "its packed data ask for too much memory or time; if you trust it, unpack it first"
      return new SessionError({ file, reason: "damaged", problem })
    }
    if (code === "Z_ZSTD_MISSING")
      return unreadable(
        `is packed with zstd, which Node ${process.versions.node} cannot unpack: unpack it first (zstd -d), or run reflexion with Node 22.15 or later`
      )
    if (code === "Z_ZSTD_ALTERED")
      return unreadable("its zstd data are damaged, so it is not read: name an undamaged copy (`zstd -t` checks it)")
    if (code.startsWith("Z_")) {
      const format = code === "Z_ZSTD" ? "zstd" : "gzip"
      return new SessionError({ file, reason: "damaged", problem: `its ${format} data are damaged or cut off` })
    }
    return unreadable(`could not be read (${cause instanceof Error ? cause.message : String(cause)})`)
  }

/**
 * Streams a file in chunks of half a megabyte. `-` means standard input. The first bytes show whether it is packed.
 *
 * @category streams
 */
export const chunks = (
  file: string,
  options: { readonly cwd: string; readonly stdin: () => AsyncIterable<Uint8Array> }
): Stream.Stream<Uint8Array, SessionError> =>
  Stream.suspend(() =>
    Stream.fromAsyncIterable(unpack(file === "-" ? options.stdin() : open(resolve(options.cwd, file))), explain(file))
  )

/**
 * Unpacks a stream if it is packed in the way that Codex packs sessions.
 *
 * @category streams
 */
export const unpacked = <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, SessionError> =>
  Stream.fromAsyncIterable(unpack(Stream.toAsyncIterable(bytes)), explain("a packed session"))

export const isDirectory = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false
    )
  )
