import { assert, describe, it } from "@effect/vitest"
import * as AppendLog from "@reflexion/core/internal/learn/log/AppendLog"
import { LogDisk } from "@reflexion/core/LogDisk"
import * as ReadOnlyDisk from "@reflexion/core/internal/learn/log/ReadOnlyDisk"
import { Effect, Exit, FastCheck, Layer, Logger } from "effect"
import { machine } from "../support/powerDisk.ts"

const path = "/fleet/outcomes.jsonl"

const silent = Logger.replace(Logger.defaultLogger, Logger.none)

const decoder = new TextDecoder()

const put = (disk: LogDisk["Type"], name: string, text: string): void => {
  const file = disk.open(name, { create: true })
  file?.append(new TextEncoder().encode(text))
  file?.sync()
  file?.close()
}

describe("ReadOnlyDisk", () => {
  it.effect.prop(
    "gives a log the lines of its file, the last of them with or without its break, and leaves the disk as it is",
    {
      whole: FastCheck.array(FastCheck.stringMatching(/^[a-z{}":]{0,20}$/), { maxLength: 5 }),
      half: FastCheck.stringMatching(/^[a-z{}":]{0,20}$/),
      journal: FastCheck.option(FastCheck.string({ maxLength: 20 }))
    },
    ({ half, journal, whole }) =>
      Effect.gen(function* () {
        const power = machine(null)
        const { disk } = power.process()
        put(disk, path, whole.map((line) => `${line}\n`).join("") + half)
        if (journal !== null) put(disk, AppendLog.journalOf(path), journal)
        const before = power.paths().map((one) => [one, power.contentOf(one)])
        const read: Array<string> = []
        const program = Effect.gen(function* () {
          const log = yield* AppendLog.open({
            path,
            follower: {
              reset: () => 0,
              line: (chunk, from, to) => void read.push(decoder.decode(chunk.subarray(from, to)))
            }
          })
          log.refresh()
          const added = yield* Effect.exit(log.append("more\n"))
          const dropped = yield* Effect.exit(log.rewrite(() => () => false))
          return [Exit.isFailure(added), Exit.isFailure(dropped)]
        })
        const only = Layer.provide(ReadOnlyDisk.layer({ path }), Layer.succeed(LogDisk, disk))
        const refused = yield* Effect.provide(Effect.scoped(program), Layer.merge(only, silent))
        assert.deepStrictEqual(refused, [true, true])
        assert.deepStrictEqual(read, half === "" ? whole : [...whole, half])
        assert.deepStrictEqual(
          power.paths().map((one) => [one, power.contentOf(one)]),
          before
        )
      }),
    { fastCheck: { numRuns: 12 } }
  )

  it.effect("gives a line anew that was not finished, once it is", () =>
    Effect.gen(function* () {
      const { disk } = machine(null).process()
      put(disk, path, "one\ntw")
      let read: Array<string> = []
      const log = yield* AppendLog.open({
        path,
        follower: {
          reset: () => {
            read = []
            return 0
          },
          line: (chunk, from, to) => void read.push(decoder.decode(chunk.subarray(from, to)))
        }
      }).pipe(Effect.provide(ReadOnlyDisk.layer({ path })), Effect.provideService(LogDisk, disk))
      const seen = () => {
        assert.isTrue(log.refresh())
        return read
      }
      assert.deepStrictEqual(seen(), ["one", "tw"])
      const before = read
      assert.strictEqual(seen(), before, "nothing is read twice of a file that stays as it is")
      put(disk, path, "o\nthree\n")
      assert.deepStrictEqual(seen(), ["one", "two", "three"])
      put(disk, path, "fo")
      assert.deepStrictEqual(seen(), ["one", "two", "three", "fo"])
      put(disk, path, "ur\n")
      assert.deepStrictEqual(seen(), ["one", "two", "three", "four"])
    }).pipe(Effect.scoped)
  )

  it("reads what stands there, wherever it is asked to begin and to end", () => {
    const { disk } = machine(null).process()
    put(disk, path, "one\ntwo")
    const file = ReadOnlyDisk.of(disk, path).open(path, { create: false }) ?? assert.fail("it is there")
    assert.strictEqual(file.size(), 8)
    for (let from = 0; from <= 9; from += 1)
      for (let length = 0; length <= 10 - from; length += 1) {
        const expected = "one\ntwo\n".slice(from, from + length)
        assert.strictEqual(decoder.decode(file.read(from, length)), expected)
        const target = new Uint8Array(length)
        assert.strictEqual(decoder.decode(target.subarray(0, file.readInto(target, from))), expected)
      }
  })

  it("is seen to have changed once its last line went on by a byte, or got its break", () => {
    for (const [text, more] of [
      ["one\ntwo", "x"],
      ["one\ntwo", "\n"],
      ["one\ntwo\n", "x"]
    ] as const) {
      let stat = text.length
      const { disk } = machine(null).process()
      put(disk, path, text)
      // As a disk does that asks for no more than the size.
      const bySize: LogDisk["Type"] = {
        ...disk,
        open: (one, options) => {
          const file = disk.open(one, options)
          return file === null ? null : { ...file, isUnchanged: (end) => end === stat }
        }
      }
      const file = ReadOnlyDisk.of(bySize, path).open(path, { create: false }) ?? assert.fail("it is there")
      const known = file.size()
      assert.isTrue(file.isUnchanged(known))
      stat += more.length
      assert.isFalse(file.isUnchanged(known))
    }
  })

  it("sees no other file, and makes none", () => {
    const { disk } = machine(null).process()
    put(disk, "/fleet/other.jsonl", "x\n")
    const only = ReadOnlyDisk.of(disk, path)
    assert.isNull(only.open(path, { create: true }))
    assert.isNull(only.open("/fleet/other.jsonl", { create: false }))
    assert.isNull(only.find("/fleet/other.jsonl"))
    assert.isFalse(only.has("/fleet/other.jsonl"))
    assert.isFalse(disk.has(path))
    assert.throws(() => only.remove("/fleet/other.jsonl"), /it is only read here/)
    assert.throws(() => only.replace(path), /it is only read here/)
  })
})
