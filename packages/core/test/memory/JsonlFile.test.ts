import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import * as FS from "node:fs"
import { join } from "node:path"
import * as JsonlFile from "../../src/memory/log/JsonlFile.ts"
import { instead } from "../support/changedDisk.ts"
import { light } from "../support/stores.ts"

const textOf = (path: string): string => (FS.existsSync(path) ? FS.readFileSync(path, "utf8") : "")

const lineOf = (value: number): string => `{"value":${value},"of":"ä"}\n`

/** What a follower was told since the file was another one, and whether it ends in the middle. */
const following = (path: string) => {
  let lines: Array<string> = []
  const refresh = JsonlFile.follow(path, {
    reset: () => {
      lines = []
    },
    line: (line) => {
      if (line !== "") lines.push(line)
    }
  })
  return () => {
    refresh()
    return { lines }
  }
}

type Operation =
  | { readonly _tag: "append"; readonly values: ReadonlyArray<number> }
  | { readonly _tag: "drop"; readonly value: number }
  | { readonly _tag: "tear"; readonly cut: number }
  | { readonly _tag: "unbroken"; readonly value: number }
  | { readonly _tag: "look" }

const value = fc.integer({ min: 0, max: 4 })

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ _tag: fc.constant("append" as const), values: fc.array(value, { maxLength: 3 }) }),
  fc.record({ _tag: fc.constant("drop" as const), value }),
  fc.record({ _tag: fc.constant("tear" as const), cut: fc.integer({ min: 1, max: 15 }) }),
  fc.record({ _tag: fc.constant("unbroken" as const), value }),
  fc.constant({ _tag: "look" as const })
)

describe("a file of lines", () => {
  it.effect("does what a list of lines does, whatever a killed writer left, for each that follows it", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(operation, { maxLength: 25 }), (operations) =>
          Effect.runPromise(
            Effect.scoped(
              Effect.gen(function* () {
                const path = join(yield* light, "memory", "lines.jsonl")
                const always = following(path)
                let lines: ReadonlyArray<string> = []
                let tail = ""
                for (const one of operations) {
                  switch (one._tag) {
                    case "append": {
                      const added = one.values.map(lineOf)
                      JsonlFile.append(path, () => added.join(""))
                      lines = [...lines, ...added]
                      tail = ""
                      break
                    }
                    case "drop": {
                      const gone = lineOf(one.value)
                      const count = JsonlFile.rewrite(path, (all) => all.map((line) => `${line.toString()}\n` === gone))
                      assert.strictEqual(count, lines.filter((line) => line === gone).length)
                      lines = lines.filter((line) => line !== gone)
                      tail = ""
                      break
                    }
                    case "tear":
                      if (tail !== "" || !FS.existsSync(path)) break
                      tail = lineOf(7).slice(0, one.cut)
                      FS.appendFileSync(path, tail)
                      break
                    case "unbroken":
                      if (tail !== "" || !FS.existsSync(path)) break
                      FS.appendFileSync(path, lineOf(one.value).trimEnd())
                      lines = [...lines, lineOf(one.value)]
                      break
                    case "look":
                      always()
                  }
                  if (one._tag !== "unbroken" || !FS.existsSync(path)) continue
                  JsonlFile.append(path, () => "")
                  tail = ""
                }
                for (const look of [always, following(path)]) {
                  const seen = look()
                  assert.deepStrictEqual(
                    seen.lines.map((line) => `${line}\n`),
                    lines
                  )
                }
                assert.deepStrictEqual(
                  JsonlFile.lastLines(path, 1e9).map((line) => `${line}\n`),
                  lines
                )
                JsonlFile.append(path, () => "")
                assert.strictEqual(textOf(path), lines.join(""))
                assert.isFalse(FS.readdirSync(join(path, "..")).some((name) => /lock|next/.test(name)))
              })
            )
          )
        ),
        { numRuns: process.env["REFLEXION_TESTS"] === "night" ? 1000 : 60 }
      )
    )
  )

  it.scoped("takes a last line without its break for one, and gives it its break", () =>
    Effect.gen(function* () {
      const path = join(yield* light, "lines.jsonl")
      FS.writeFileSync(path, `${lineOf(1)}${lineOf(2).trimEnd()}`)
      const look = following(path)
      assert.lengthOf(look().lines, 2)
      JsonlFile.append(path, () => lineOf(3))
      assert.lengthOf(look().lines, 3)
      assert.strictEqual(textOf(path), [1, 2, 3].map(lineOf).join(""))
    })
  )

  it.scoped("says what was put aside, and keeps every byte of it", () =>
    Effect.gen(function* () {
      const path = join(yield* light, "lines.jsonl")
      FS.writeFileSync(path, Buffer.concat([Buffer.from(lineOf(1)), Buffer.from([123, 0xff, 0xfe])]))
      const said: Array<string> = []
      JsonlFile.append(path, () => lineOf(2), { warn: (words) => said.push(words) })
      assert.deepStrictEqual(said, [
        `${path} ended in the middle of a line: its 3 bytes were moved to ${JsonlFile.tornOf(path)}`
      ])
      assert.deepStrictEqual([...FS.readFileSync(JsonlFile.tornOf(path))], [123, 0xff, 0xfe, 10])
    })
  )

  it.scoped("is what it was where the disk is full, and where another program adds while it is rewritten", () =>
    Effect.gen(function* () {
      const path = join(yield* light, "lines.jsonl")
      JsonlFile.append(path, () => [1, 2].map(lineOf).join(""))
      const before = textOf(path)
      const drop = () => JsonlFile.rewrite(path, (lines) => lines.map((_, index) => index === 0))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* instead(
            "writeSync",
            (real) => (descriptor: number, bytes: NodeJS.ArrayBufferView | string) =>
              typeof bytes === "string" ? real(descriptor, bytes) : real(descriptor, bytes, 0, bytes.byteLength >> 1)
          )
          assert.throws(() => JsonlFile.append(path, () => lineOf(3)), "there is no room for all of it")
        })
      )
      assert.strictEqual(textOf(path), before)
      let isAdded = false
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* instead("fsyncSync", (real) => (descriptor) => {
            if (!isAdded) FS.appendFileSync(path, lineOf(4))
            isAdded = true
            real(descriptor)
          })
          assert.throws(drop, "another program changed")
        })
      )
      assert.strictEqual(textOf(path), `${before}${lineOf(4)}`)
      assert.isFalse(FS.existsSync(`${path}.next`))
      assert.strictEqual(drop(), 1)
    })
  )
})
