import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, FastCheck as fc, Stream } from "effect"
import { gzipSync } from "node:zlib"
import * as Input from "../src/process/Input.ts"

const read = (stdin: () => AsyncIterable<Uint8Array>) =>
  Effect.map(Stream.runCollect(Input.chunks("-", { cwd: "/", stdin })), (chunks) =>
    Buffer.concat(Chunk.toReadonlyArray(chunks))
  )

const inPieces = async function* (content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

const failsWith = (code: string) =>
  async function* (): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(123, 125)
    throw Object.assign(new Error("stopped"), { code })
  }

const block = (part: Uint8Array, last: number) => {
  const head = (part.length << 3) | last
  return Buffer.concat([Uint8Array.of(head & 255, (head >> 8) & 255, head >> 16), part])
}

/** A frame of blocks that are kept as they are, by RFC 8878. */
const zstdRaw = (content: Uint8Array): Uint8Array => {
  const half = content.length >> 1
  const head = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0)
  return Buffer.concat([head, block(content.subarray(0, half), 0), block(content.subarray(half), 1)])
}

/** A frame of blocks, behind a descriptor of its window of 2^`log` bytes. */
const zstdFrame = (log: number, ...blocks: ReadonlyArray<Uint8Array>): Uint8Array =>
  Buffer.concat([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3), ...blocks])

/** So many times one byte, in a block of four. */
const zstdRepeat = (count: number, last: number): Uint8Array => {
  const head = (count << 3) | 2 | last
  return Uint8Array.of(head & 255, (head >> 8) & 255, head >> 16, 32)
}

/** A frame that is passed over. */
const zstdSkipped = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3)

/** A frame of one byte in a single segment. */
const zstdByte = Buffer.concat([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, 1), block(Buffer.from("{"), 1)])

/** As `zstd -19` wrote it. */
const zstdReal = Buffer.from("KLUv/QRoHQEA2HsibGluZSI6ICJ0aGUgc2FtZSBhZ2FpbiJ9CgEASyjn5xjf8TE9", "base64")

/** `abc` as it is, with its length and checksum: the low half of XXH64's published 44bc2cf5ad770999. */
const zstdKept = Buffer.concat([
  Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x24, 3),
  block(Buffer.from("abc"), 1),
  Uint8Array.of(0x99, 0x09, 0x77, 0xad)
])

const flipped = (packed: Uint8Array, at: number, bit: number): Uint8Array =>
  packed.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte))

describe("Input", () => {
  it.effect("reads what zstd wrote, also several frames in one file", () =>
    Effect.gen(function* () {
      const line = '{"line": "the same again"}\n'
      const one = yield* read(() => inPieces(zstdReal, 7))
      assert.strictEqual(one.toString(), line.repeat(400))
      const two = yield* read(() => inPieces(Buffer.concat([zstdReal, zstdReal]), 1000))
      assert.strictEqual(two.toString(), line.repeat(800))
      const passedOver = Buffer.concat([zstdReal, zstdSkipped, zstdReal, zstdSkipped])
      for (const size of [1, 7, 1000])
        assert.strictEqual((yield* read(() => inPieces(passedOver, size))).toString(), line.repeat(800))
    })
  )

  it.effect.each<readonly [string, Uint8Array]>([
    ["the window of its first frame", Buffer.concat([zstdFrame(40), Buffer.alloc(30)])],
    ["the window of a later frame", Buffer.concat([zstdReal, zstdFrame(30, zstdRepeat(1, 1))])],
    ["the window of a frame behind one that is passed over", Buffer.concat([zstdReal, zstdSkipped, zstdFrame(30)])],
    ["small blocks in a large window", zstdFrame(27, ...Array.from({ length: 4000 }, () => zstdRepeat(1, 0)))],
    ["many frames", Buffer.concat(Array.from({ length: 4000 }, () => zstdFrame(27, zstdRepeat(0, 1))))],
    ["many frames of a byte each", Buffer.concat(Array.from({ length: 50_000 }, () => zstdByte))],
    ["what it unpacks to", zstdFrame(17, ...Array.from({ length: 100_000 }, () => zstdRepeat(131_072, 0)))],
    ["what gzip unpacks to", gzipSync(Buffer.alloc(80 * 1024 ** 2))],
    ["short lines", gzipSync(Buffer.from("{}\n".repeat(1_200_000)))]
  ])("stops at packed data that ask for too much by %s", ([, packed]) =>
    Effect.gen(function* () {
      const bytes = Input.chunks("-", { cwd: "/", stdin: () => inPieces(packed, 65_536) })
      const error = yield* Effect.flip(Stream.runDrain(bytes))
      assert.deepStrictEqual(
        [error.reason, error.message],
        ["damaged", "standard input: its packed data ask for too much memory or time; if you trust it, unpack it first"]
      )
    })
  )

  it.effect.each<readonly [string, Uint8Array]>([
    ["cut off", zstdReal.subarray(0, -4)],
    ["damaged", Buffer.concat([zstdReal.subarray(0, 9), Buffer.alloc(30, 255)])],
    ["cut off in a frame that is passed over", Buffer.concat([zstdReal, zstdSkipped.subarray(0, -1)])],
    ["followed by something else", Buffer.concat([zstdReal, Buffer.from("and then some more text")])]
  ])("names zstd that is %s", ([, packed]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(() => inPieces(packed, 64)))
      assert.deepStrictEqual(
        [error.reason, error.message],
        ["damaged", "standard input: its zstd data are damaged or cut off"]
      )
    })
  )

  const damaged =
    "standard input: its zstd data are damaged, so nothing in it counts: name a whole copy, which `zstd -t` passes"

  const refused = Effect.fnUntraced(function* (packed: Uint8Array) {
    const error = yield* Effect.flip(read(() => inPieces(packed, 64)))
    assert.deepStrictEqual([error.reason, error.message], ["unreadable", damaged])
  })

  it.effect.each<readonly [string, Uint8Array]>([
    ["is garbage", Buffer.concat([zstdReal.subarray(0, 9), Buffer.alloc(300, 255)])],
    ["has another checksum", flipped(zstdReal, zstdReal.length - 1, 3)],
    ["has another length", flipped(zstdKept, 5, 2)],
    ["has another byte in a later frame", Buffer.concat([zstdReal, zstdSkipped, flipped(zstdKept, 11, 0)])]
  ])("refuses zstd that %s", ([, packed]) => refused(packed))

  it.effect("refuses a flip of a bit anywhere in what zstd packed", () =>
    Effect.gen(function* () {
      // Behind the heads of the frame and of its only block.
      for (let at = 11; at < zstdReal.length; at++) yield* refused(flipped(zstdReal, at, at % 8))
    })
  )

  it.effect("reads what begins with a frame that is passed over", () =>
    Effect.gen(function* () {
      const found = yield* read(() => inPieces(Buffer.concat([zstdSkipped, zstdKept]), 3))
      assert.strictEqual(found.toString(), "abc")
    })
  )

  it("gives the same bytes, packed or not, in whatever pieces they come", () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 64 }), async (content, size) => {
        fc.pre(content[0] !== 0x1f)
        for (const packed of [content, gzipSync(content), zstdRaw(content)]) {
          const found = await Effect.runPromise(read(() => inPieces(packed, size)))
          assert.deepStrictEqual([...found], [...content])
        }
      }),
      { numRuns: 12 }
    ))

  it.effect.each([
    ["EACCES", "unreadable", "standard input: may not be read (permission denied)"],
    ["EPERM", "unreadable", "standard input: may not be read (permission denied)"],
    ["EIO", "unreadable", "standard input: could not be read (stopped)"],
    ["EISDIR", "directory", "standard input: is a directory; name a session's file"],
    ["ENOENT", "missing", "standard input: no such file"]
  ] as const)("%s is %s", ([code, reason, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(failsWith(code)))
      assert.deepStrictEqual([error.reason, error.message], [reason, message])
    })
  )
})
