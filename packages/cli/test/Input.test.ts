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

describe("Input", () => {
  it("gives the same bytes, gzip or not, in whatever pieces they come", () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 64 }), async (content, size) => {
        fc.pre(content[0] !== 0x1f)
        for (const packed of [content, gzipSync(content)]) {
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
