/** Reads the bytes of a session's record from a file or standard input. Unpacks gzip and Zstandard. */
import { codeOf } from "@reflexion/core/internal/base/system/PlainFiles"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { SessionError } from "./CliError.ts"
import * as Zstd from "./Zstd.ts"

const chunkSize = 512 * 1024

const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

const chain = async function* (head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

const readHead = async (bytes: AsyncIterator<Uint8Array>): Promise<Uint8Array> => {
  let head: Uint8Array = new Uint8Array()
  while (head.length < Zstd.headBytes) {
    const next = await bytes.next()
    if (next.done === true) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  return head
}

/** In bytes, against decompression bombs. Each line also counts, because millions of tiny lines take time. */
const mostUnpacked = { first: 64 * 1024 ** 2, perPackedByte: 100, perLine: 64 }

const lineBreak = 10

const costOf = (piece: Uint8Array): number => {
  let cost = piece.length
  for (let at = piece.indexOf(lineBreak); at >= 0; at = piece.indexOf(lineBreak, at + 1)) cost += mostUnpacked.perLine
  return cost
}

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
  const whole = chain(head, bytes)
  if (Zstd.isZstd(head)) yield* bounded(whole, Zstd.unpack)
  else if (isGzip(head)) yield* bounded(whole, gunzipped)
  else yield* whole
}

const open = async function* (path: string): AsyncGenerator<Uint8Array> {
  if ((await stat(path)).isDirectory()) throw Object.assign(new Error("is a directory"), { code: "EISDIR" })
  yield* createReadStream(path, { highWaterMark: chunkSize })
}

const packedTooMuch = "its packed data ask for too much memory or time; if you trust the file, unpack it first"
const noZstd = `is packed with zstd, which Node ${process.versions.node} cannot unpack: unpack it first (zstd -d), or run reflexion with Node 22.15 or later`

const reasons: Readonly<Record<string, readonly [reason: SessionError["reason"], problem: string]>> = {
  ENOENT: ["missing", "no such file"],
  ENOTDIR: ["missing", "no such file"],
  EISDIR: ["directory", "is a directory; name a session's file"],
  EACCES: ["unreadable", "may not be read (permission denied)"],
  EPERM: ["unreadable", "may not be read (permission denied)"],
  Z_GREEDY: ["damaged", packedTooMuch],
  Z_ZSTD_GREEDY: ["damaged", packedTooMuch],
  Z_ZSTD_MISSING: ["unreadable", noZstd],
  Z_ZSTD_ALTERED: [
    "unreadable",
    "its zstd data are damaged, so it is not read: name an undamaged copy (`zstd -t` checks it)"
  ],
  Z_ZSTD: ["damaged", "its zstd data are damaged or cut off"]
}

const explain =
  (file: string) =>
  (cause: unknown): SessionError => {
    const code = codeOf(cause) ?? ""
    const message = cause instanceof Error ? cause.message : String(cause)
    const [reason, problem] =
      reasons[code] ??
      (code.startsWith("Z_")
        ? (["damaged", "its gzip data are damaged or cut off"] as const)
        : (["unreadable", `could not be read (${message})`] as const))
    return new SessionError({ file, reason, problem })
  }

/** The first bytes show whether the data are packed. */
export const chunks = (
  file: string,
  options: { readonly cwd: string; readonly stdin: () => AsyncIterable<Uint8Array> }
): Stream.Stream<Uint8Array, SessionError> =>
  Stream.suspend(() =>
    Stream.fromAsyncIterable(unpack(file === "-" ? options.stdin() : open(resolve(options.cwd, file))), explain(file))
  )

/** Codex packs its old sessions. */
export const unpacked = <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, SessionError> =>
  Stream.fromAsyncIterable(unpack(Stream.toAsyncIterable(bytes)), explain("a packed session"))

export const isDirectory = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false
    )
  )
