import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { existsSync, readdirSync } from "node:fs"
import { basename, join, relative, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { cpuTime } from "./support/cpuTime.ts"
import { attacks, type Found, isNested, parse, regexpsOf, sourceFiles } from "./support/regexps.ts"

const packages = fileURLToPath(new URL("../../", import.meta.url))

const files = readdirSync(packages)
  .map((name) => resolve(packages, name, "src"))
  .filter((folder) => existsSync(folder))
  .flatMap(sourceFiles)

const literals = files.flatMap((file) => regexpsOf(file, relative(packages, file)))

/** What the modules of core build out of parts while they load, and on first use. */
const built: Array<Found> = []

/** Makes every table that waits for its first use. */
const useTables = async (): Promise<void> => {
  const { secretRules } = await import("../src/ground/redaction/secretRules.ts")
  for (const { on } of secretRules()) assert.isTrue(on.global)
  const { findSecrets } = await import("../src/ground/redaction/Redaction.ts")
  assert.deepStrictEqual(findSecrets("none"), [])
  const { summarize } = await import("../src/session/output/RunnerOutput.ts")
  assert.isNull(summarize("none", { kind: "tests", runner: null }))
  const { readClaims } = await import("../src/session/claims/Claims.ts")
  const { readProse } = await import("../src/ground/text/AgentSentences.ts")
  assert.strictEqual(readClaims(readProse("All tests pass.")).length, 1)
  const { writtenByCode } = await import("../src/session/shell/writes.ts")
  assert.deepStrictEqual(writtenByCode("open('a', 'w')"), ["a"])
  const { asksOf } = await import("../src/session/task/requestedGates.ts")
  assert.deepStrictEqual(asksOf("Don't run the tests.").forbids, ["tests"])
  const { initial, read } = await import("../src/session/stop/StopSignal.ts")
  assert.isNotEmpty(read({ ...initial, spokeLast: true, text: "The tests are not implemented yet." }).unfinished)
  const { instructedGates } = await import("../src/session/project/instructions.ts")
  const { empty } = await import("../src/session/shell/Scripts.ts")
  assert.deepStrictEqual(instructedGates("Always run the tests.", empty), ["tests"])
  const { everyGuarded } = await import("../src/ground/text/Guarded.ts")
  assert.isAbove(everyGuarded.map(({ pattern }) => pattern()).length, 80)
}

const Native = globalThis.RegExp

beforeAll(async () => {
  let loading = false
  globalThis.RegExp = new Proxy(Native, {
    construct: (target, [source, flags]: [unknown, unknown]) => {
      if (loading && typeof source === "string")
        built.push({ name: "built in core", source, flags: typeof flags === "string" ? flags : "" })
      return new target(String(source), flags === undefined ? "" : String(flags))
    }
  })
  const own = files.filter((file) => file.startsWith(join(packages, "core", "src")) && basename(file) !== "index.ts")
  // What another file of tests has loaded in this process would not be built again.
  vi.resetModules()
  loading = true
  await Promise.all(own.map((file) => import(pathToFileURL(file).href)))
  await useTables()
  loading = false
}, 60_000)

afterAll(() => {
  globalThis.RegExp = Native
})

const all = (): ReadonlyArray<Found> => [...literals, ...built]

/** The length to which the texts are clipped before most of these expressions read them. */
const line = 2000

/** A linear or quadratic expression takes a few milliseconds, a cubic one a minute. */
const longest = 200

const units = [
  "9",
  " ",
  "a",
  "a ",
  "(",
  "`",
  '"',
  "run the ",
  "the ",
  "passed ",
  "1 passed, ",
  "x/",
  "- ",
  ".",
  "\t",
  "*",
  "=",
  "I'll ",
  "error: ",
  "A_"
]

const once = (expression: RegExp, text: string): number =>
  cpuTime(() => {
    if (expression.global) text.replaceAll(expression, "")
    else expression.test(text)
  })

/** Measured again where it took long: what the engine did meanwhile is no slow expression. */
const elapsed = (expression: RegExp, text: string): number => {
  const first = once(expression, text)
  return first > longest ? Math.min(first, once(expression, text)) : first
}

const slowest = ({ flags, source }: Found, line: number): { readonly time: number; readonly text: string } => {
  const expression = new Native(source, flags)
  let worst = { time: 0, text: "" }
  for (const text of [
    ...units.map((unit) => unit.repeat(Math.ceil(line / unit.length)).slice(0, line)),
    ...attacks(source, flags, line)
  ]) {
    const time = elapsed(expression, text)
    if (time > worst.time) worst = { time, text }
    if (time > longest) break
  }
  return worst
}

describe("the finder of slow expressions", () => {
  it.each([
    ["(a+)+$", ""],
    ["(?:\\w+\\s?)*x", ""],
    ["(?:[a-z]*)*", ""],
    ["(?:\\d+|[a-z])+\\d*$", "i"]
  ])("knows /%s/%s as nested", (source, flags) => {
    assert.isTrue(isNested(source, flags))
  })

  it.each([
    ["(?:the |all )*tests?", "i"],
    ["(?:\\w+ )*x", ""],
    ["(?:[^,]+,)*", ""],
    ["^\\s{0,8}[\\w-]+$", ""],
    ["[\\]*+]+(?=x*)", ""]
  ])("lets /%s/%s pass", (source, flags) => {
    assert.isFalse(isNested(source, flags))
  })

  it.each([["id: \\w*\\w*\\w*;", "u"]])("finds the text on which /%s/%s is slow", (source, flags) => {
    assert.isAbove(slowest({ name: "sample", source, flags }, 900).time, 10)
  })

  it("reads every expression to its end", () => {
    for (const { flags, name, source } of all()) assert.doesNotThrow(() => parse(source, flags), name)
  })
})

describe("every regular expression", () => {
  it("is found", () => {
    assert.isAbove(literals.length, 300)
    assert.isAbove(built.length, 120)
  })

  it("nests no endless repetition over overlapping characters", () => {
    assert.deepStrictEqual(
      all().flatMap(({ flags, name, source }) => (isNested(source, flags) ? [`${name} /${source}/`] : [])),
      []
    )
  })

  it("reads a hostile line of 2,000 characters in a moment", () => {
    assert.deepStrictEqual(
      all().flatMap((found) => {
        const { text, time } = slowest(found, line)
        return time > longest
          ? [`${found.name} /${found.source}/ takes ${Math.round(time)} ms on ${JSON.stringify(text.slice(0, 60))}`]
          : []
      }),
      []
    )
  }, 300_000)
})

/** Far over what it takes, far under what a quadratic rule would take on a megabyte. */
const patience = 5000

const huge = ["0", " ", "run the ", "the ", "x/", "A_", "is it? ", "1. a\n", "I'll run "]

describe("judging a megabyte of", () => {
  it.each(huge)("%j in any field is quick", async (unit) => {
    const { judge } = await import("../src/judge/verdict/Judgment.ts")
    const { agent, run, transcript, user } = await import("./support/events.ts")
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    const sessions = {
      "the user's text": [user(text), agent("Done.")],
      "the final text": [user("Fix it and run the tests."), agent(text)],
      "a command": [user("Fix it."), run(text, 0), agent("Done.")],
      "an output": [user("Fix it."), run("npm test | cat", 0, text), agent("All tests pass.")]
    }
    for (const [field, events] of Object.entries(sessions)) {
      const took = cpuTime(() => assert.isAbove(judge(transcript(events)).reason.length, 0))
      assert.isBelow(took, patience, field)
    }
  })
})
