import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, FastCheck as fc, Stream } from "effect"
import { gzipSync } from "node:zlib"
import { works } from "../../core/test/support/works.ts"
import * as Input from "../src/process/Input.ts"
import * as Zstd from "../src/process/Zstd.ts"

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

/** The same line 400 times, compressed by `zstd -19`. */
const packed = Buffer.from("KLUv/QRoHQEA2HsibGluZSI6ICJ0aGUgc2FtZSBhZ2FpbiJ9CgEASyjn5xjf8TE9", "base64")

const line = '{"line": "the same again"}\n'

/** A frame that is passed over. */
const skipped = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3)

const flipped = packed.map((byte, index) => (index === packed.length - 1 ? byte ^ 8 : byte))

const hugeWindow = Buffer.concat([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 30 << 3), Buffer.alloc(30)])

const unsupported =
  /^standard input: is packed with zstd, which Node \S+ cannot unpack: unpack it first \(zstd -d\), or run reflexion with Node 22\.15 or later$/

const tooMuch = /its packed data ask for too much memory or time; if you trust the file, unpack it first$/

describe("Input", () => {
  works("reads zstd data of several frames, or says what to do if Node cannot", function* () {
    const reading = read(() => inPieces(Buffer.concat([skipped, packed, skipped, packed, skipped]), 7))
    if (Zstd.isSupported) assert.strictEqual((yield* reading).toString(), line.repeat(800))
    else assert.match((yield* Effect.flip(reading)).message, unsupported)
  })

  it.effect.each<readonly [string, Uint8Array, RegExp]>([
    ["cut off", packed.subarray(0, -4), /its zstd data are damaged or cut off$/],
    ["changed after packing", flipped, /its zstd data are damaged, so it is not read/],
    ["followed by something else", Buffer.concat([packed, Buffer.from("more text")]), /its zstd data are damaged, so/],
    ["greedy by its window", hugeWindow, tooMuch],
    ["of too many frames", Buffer.concat(Array.from({ length: 1001 }, () => skipped)), tooMuch]
  ])("rejects zstd that is %s", ([, content, expected]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(() => inPieces(content, 64)))
      assert.match(error.message, Zstd.isSupported ? expected : unsupported)
    })
  )

  const rows: ReadonlyArray<readonly [string, Uint8Array]> = [
    ["what gzip unpacks to", gzipSync(Buffer.alloc(80 * 1024 ** 2))],
    ["short lines", gzipSync(Buffer.from("{}\n".repeat(1_200_000)))]
  ]
  for (const [what, content] of rows)
    works(`stops at packed data that ask for too much by ${what}`, function* () {
      const bytes = Input.chunks("-", { cwd: "/", stdin: () => inPieces(content, 65_536) })
      assert.match((yield* Effect.flip(Stream.runDrain(bytes))).message, tooMuch)
    })

  it("gives the same bytes, packed or not, in pieces of any size", () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 64 }), async (content, size) => {
        fc.pre(content[0] !== 0x1f)
        for (const each of [content, gzipSync(content)]) {
          const found = await Effect.runPromise(read(() => inPieces(each, size)))
          assert.deepStrictEqual([...found], [...content])
        }
      }),
      { numRuns: 12 }
    ))

  for (const [code, reason, message] of [
    ["EACCES", "unreadable", "standard input: may not be read (permission denied)"],
    ["EIO", "unreadable", "standard input: could not be read (stopped)"],
    ["EISDIR", "directory", "standard input: is a directory; name a session's file"],
    ["ENOENT", "missing", "standard input: no such file"]
  ] as const)
    works(`${code} is ${reason}`, function* () {
      const error = yield* Effect.flip(read(failsWith(code)))
      assert.deepStrictEqual([error.reason, error.message], [reason, message])
    })
})
