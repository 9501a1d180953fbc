import { assert, describe } from "@effect/vitest"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { Effect, FastCheck as fc, Stream } from "effect"
import { spawn } from "node:child_process"
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "../../../../scripts/bundler.mjs"
import * as JsonlFile from "../../src/memory/log/JsonlFile.ts"
import { folder, handle } from "../support/stores.ts"
import { live, works } from "../support/works.ts"

const textOf = (path: string): string => (fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "")

const lineOf = (value: number): string => `{"value":${value},"of":"ä"}\n`

/** The lines that a follower got since the file was last replaced. */
const following = (path: string) => {
  let lines: Array<string> = []
  const refresh = JsonlFile.follow(path, {
    reset: () => {
      lines = []
    },
    line: (line) => {
      if (line !== "") lines.push(`${line}\n`)
    }
  })
  return () => {
    refresh()
    return lines
  }
}

type Real<Name extends "fsyncSync" | "writeSync"> = (typeof fs)[Name]

/** Does something while a call of the file system does something else. */
const during = <Name extends "fsyncSync" | "writeSync">(
  name: Name,
  make: (real: Real<Name>) => Real<Name>,
  work: () => void
): void => {
  const real = fs[name]
  const put = (call: Real<Name>): void => {
    fs[name] = call
    syncBuiltinESMExports()
  }
  put(make(real))
  try {
    work()
  } finally {
    put(real)
  }
}

const value = fc.integer({ min: 0, max: 4 })

const operation = fc.oneof(
  fc.record({ append: fc.array(value, { maxLength: 3 }) }),
  fc.record({ drop: value }),
  fc.record({ tear: fc.integer({ min: 1, max: 15 }) }),
  fc.record({ unbroken: value }),
  fc.constant("look" as const)
)

const isNight = process.env["REFLEXION_TESTS"] === "night"

describe("a file of lines", () => {
  works("holds the same lines as a list, for every follower, even after a killed writer", function* () {
    const place = yield* folder
    let count = 0
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 25 }), (operations) => {
        const path = join(place, `${(count += 1)}`, "lines.jsonl")
        const always = following(path)
        let lines: ReadonlyArray<string> = []
        for (const one of operations) {
          if (one === "look") always()
          else if ("append" in one) {
            JsonlFile.append(path, () => one.append.map(lineOf).join(""))
            lines = [...lines, ...one.append.map(lineOf)]
          } else if ("drop" in one) {
            const gone = lineOf(one.drop)
            const dropped = JsonlFile.rewrite(path, (all) => all.map((line) => `${line.toString()}\n` === gone))
            assert.strictEqual(dropped, lines.filter((line) => line === gone).length)
            lines = lines.filter((line) => line !== gone)
          } else if (fs.existsSync(path) && !/[^\n]$/.test(textOf(path))) {
            fs.appendFileSync(path, "tear" in one ? lineOf(7).slice(0, one.tear) : lineOf(one.unbroken).trimEnd())
            if ("unbroken" in one) lines = [...lines, lineOf(one.unbroken)]
          }
        }
        for (const look of [always, following(path)]) assert.deepStrictEqual(look(), lines)
        assert.deepStrictEqual(
          JsonlFile.lastLines(path, 1e9).map((line) => `${line}\n`),
          lines
        )
        JsonlFile.append(path, () => "")
        assert.strictEqual(textOf(path), lines.join(""))
        assert.isFalse(fs.readdirSync(join(path, "..")).some((name) => /lock|next/.test(name)))
      }),
      { numRuns: isNight ? 1000 : 60 }
    )
  })

  works("a torn last line: moves every byte of it to another file, and warns", function* () {
    const path = join(yield* folder, "lines.jsonl")
    fs.writeFileSync(path, Buffer.concat([Buffer.from(lineOf(1)), Buffer.from([123, 0xff, 0xfe])]))
    const said: Array<string> = []
    JsonlFile.append(path, () => lineOf(2), { warn: (words) => said.push(words) })
    assert.deepStrictEqual(said, [
      `${path} ended in the middle of a line: its 3 bytes were moved to ${JsonlFile.tornOf(path)}`
    ])
    assert.deepStrictEqual([...fs.readFileSync(JsonlFile.tornOf(path))], [123, 0xff, 0xfe, 10])
    assert.strictEqual(textOf(path), lineOf(1) + lineOf(2))
  })

  works("a full disk or another program's append fails the write, and loses no line", function* () {
    const path = join(yield* folder, "lines.jsonl")
    JsonlFile.append(path, () => [1, 2].map(lineOf).join(""))
    const before = textOf(path)
    const drop = () => JsonlFile.rewrite(path, (lines) => lines.map((_, index) => index === 0))
    during(
      "writeSync",
      (real) => (descriptor: number, bytes: NodeJS.ArrayBufferView | string) =>
        typeof bytes === "string" ? real(descriptor, bytes) : real(descriptor, bytes, 0, bytes.byteLength >> 1),
      () => assert.throws(() => JsonlFile.append(path, () => lineOf(3)), "there is no room for all of it")
    )
    assert.strictEqual(textOf(path), before)
    let isAdded = false
    during(
      "fsyncSync",
      (real) => (descriptor) => {
        if (!isAdded) fs.appendFileSync(path, lineOf(4))
        isAdded = true
        real(descriptor)
      },
      () => assert.throws(drop, "another program changed")
    )
    assert.strictEqual(textOf(path), `${before}${lineOf(4)}`)
    assert.isFalse(fs.existsSync(`${path}.next`))
    assert.strictEqual(drop(), 1)
  })
})

/** Kills a writer `delay` ms after its first output. Returns the ids that it acknowledged. */
const killed = (words: ReadonlyArray<string>, delay: number) =>
  Effect.async<ReadonlyArray<string>>((resume) => {
    const child = spawn(process.execPath, [...words], { stdio: ["ignore", "pipe", "inherit"], env: {} })
    let said = ""
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text: string) => {
      if (said === "") setTimeout(() => child.kill("SIGKILL"), delay)
      said += text
    })
    // If the kill cut the last line short, nobody knows whether it was acknowledged.
    child.on("close", () => resume(Effect.succeed(said.split("\n").slice(0, -1).join(" ").split(" "))))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const kills = isNight ? 300 : 4

live(
  `killed writers lose no acknowledged lesson and leave no lock: ${kills} kills`,
  function* () {
    const place = yield* folder
    const entry = fileURLToPath(new URL("../support/writer.ts", import.meta.url))
    const program = join(place, "writer.mjs")
    yield* Effect.promise(() => bundle({ entry, outfile: program, minify: true }))
    const path = join(place, "reflections.jsonl")
    const said = yield* Effect.forEach(
      Array.from({ length: kills }, (_, index) => `${index}`),
      (name) => killed([program, path, name], Math.random() * 40),
      { concurrency: 2 }
    )
    const acknowledged = said.flat()
    assert.notInclude(acknowledged, "failed")
    assert.isAbove(acknowledged.length, kills)
    const store = yield* handle(ReflexionStore, ReflexionStore.Live({ path }))
    const missing = Effect.map(Stream.runCollect(store.stream), (all) => {
      const ids = new Set([...all].map(({ id }) => id))
      return acknowledged.filter((id) => !ids.has(id))
    })
    assert.deepStrictEqual(yield* missing, [])
    yield* store.prune({ where: ({ tags }) => tags.includes("doomed") })
    assert.deepStrictEqual([yield* missing, yield* store.unreadable], [[], 0])
    assert.isFalse(fs.existsSync(`${path}.lock`))
  },
  1_800_000
)
