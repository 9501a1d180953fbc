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

/** As `zstd -19` wrote it. */
const zstdReal = Buffer.from("KLUv/QRoHQEA2HsibGluZSI6ICJ0aGUgc2FtZSBhZ2FpbiJ9CgEASyjn5xjf8TE9", "base64")

describe("Input", () => {
  it.effect("reads what zstd wrote, also several frames in one file", () =>
    Effect.gen(function* () {
      const line = '{"line": "the same again"}\n'
      const one = yield* read(() => inPieces(zstdReal, 7))
      assert.strictEqual(one.toString(), line.repeat(400))
      const two = yield* read(() => inPieces(Buffer.concat([zstdReal, zstdReal]), 1000))
      assert.strictEqual(two.toString(), line.repeat(800))
    })
  )

  it.effect.each<readonly [string, Uint8Array]>([
    ["cut off", zstdReal.subarray(0, -4)],
    ["damaged", Buffer.concat([zstdReal.subarray(0, 9), Buffer.alloc(30, 255)])],
    ["greedy", Buffer.concat([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0xff), Buffer.alloc(30)])]
  ])("names zstd that is %s", ([, packed]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(() => inPieces(packed, 64)))
      assert.deepStrictEqual(
        [error.reason, error.message],
        ["damaged", "standard input: its zstd data are damaged or cut off"]
      )
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
      { numRuns: 30 }
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
