import { assert, beforeAll, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { basename } from "node:path"
import { setImmediate } from "node:timers/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import { everyGuarded, guarded } from "../../src/ground/text/Guarded.ts"
import { instructedGates } from "../../src/session/project/instructions.ts"
import { empty as noScripts } from "../../src/session/shell/Scripts.ts"
import { initial, read } from "../../src/session/stop/StopSignal.ts"
import { matchWithout } from "../support/guards.ts"
import { sourceFiles } from "../support/regexps.ts"
import { realLines } from "../support/texts.ts"

const groupsOf = (words: string): ReadonlyArray<ReadonlyArray<string>> =>
  words.split("&").map((group) => group.split("|"))

/** The pattern alone, and behind its guard. */
const agrees = (text: string): void => {
  for (const { pattern, test, words } of everyGuarded) {
    const expression = pattern()
    expression.lastIndex = 0
    const alone = expression.test(text)
    expression.lastIndex = 0
    // Millions of texts and patterns: only a difference is worth an assertion.
    if (test(text) !== alone) assert.fail(`${words}: ${text}`)
    expression.lastIndex = 0
  }
}

const sources = sourceFiles(fileURLToPath(new URL("../../src", import.meta.url)))

/** Loads every module, and makes what waits for its first use. */
beforeAll(async () => {
  const modules = sources.filter((file) => basename(file) !== "index.ts")
  await Promise.all(modules.map((file) => import(pathToFileURL(file).href)))
  assert.deepStrictEqual(instructedGates("Always run the tests.", noScripts), ["tests"])
  assert.isFalse(read({ ...initial, spokeLast: true, text: "Tests not done. I did not finish." }).instructs)
}, 600_000)

describe("the proof", () => {
  it.each([
    [/\bruns? (?:the|all) tests?\b/i, ["run"]],
    [/\bruns? (?:the|all) tests?\b/i, [" test"]],
    [/a(?:bc|xbcx)+d/, ["bc"]],
    [/\b(?:do not|don't) \w{1,20}\b/i, ["n't", "not"]],
    [/(?:x{3,}|xxx)y/, ["xxx"]]
  ])("finds that every match of %s has one of %j", (pattern, words) => {
    assert.isNull(matchWithout(pattern, words))
  })

  it.each([
    [/\bruns? (?:the|all) tests?\b/i, ["the"]],
    [/tests?/i, ["tests"]],
    [/(?:un)?fix/, ["un"]],
    [/re\w{0,3}d/, ["read", "reed"]],
    [/[^a]b/, ["ab"]]
  ])("finds a match of %s without %j", (pattern, words) => {
    const text = matchWithout(pattern, words)
    assert.isNotNull(text)
    assert.isFalse(words.some((word) => (text ?? "").includes(word)))
  })
})

describe("a guarded pattern", () => {
  it("is compiled for a text with its words alone", () => {
    let made = 0
    const pattern = guarded("run|start&test", () => {
      made += 1
      return /\b(?:run|start) the tests?\b/i
    })
    assert.isFalse(pattern.test("Start the server."))
    assert.isNull(pattern.exec("The tests."))
    assert.strictEqual(pattern.replace("Start it.", "x"), "Start it.")
    assert.strictEqual(made, 0)
    assert.isTrue(pattern.test("RUN the TEST"))
    assert.strictEqual(pattern.replace("Now run the tests.", "rest"), "Now rest.")
    assert.strictEqual(made, 1)
  })

  it("sees a letter that only Unicode takes for an ASCII one", () => {
    assert.isTrue(guarded("task", () => /task/iu).test("TAſK"))
  })
})

describe("every guard", () => {
  it("is found", () => {
    assert.isAbove(everyGuarded.length, 80)
  })

  it("has words in lower case", () => {
    for (const { words } of everyGuarded) assert.strictEqual(words, words.toLowerCase())
    for (const { words } of everyGuarded) assert.isFalse(groupsOf(words).flat().includes(""), words)
  })

  // The proof of all of them takes ten seconds.
  it.runIf(process.env["REFLEXION_TESTS"] === "night")("lets every match of its pattern through", async () => {
    const refuted: Array<string> = []
    for (const { pattern, words } of everyGuarded) {
      for (const group of groupsOf(words)) {
        const text = matchWithout(pattern(), group)
        if (text !== null)
          refuted.push(`${group.join("|")} is not in "${text}", a match of ${pattern().source.slice(0, 80)}`)
      }
      // A worker that is silent for a minute counts as lost.
      await setImmediate()
    }
    assert.deepStrictEqual(refuted, [])
  })

  it("agrees with its pattern on any mixture of words", () => {
    const lines = realLines()
    const some = fc.constantFrom(...everyGuarded.flatMap(({ words }) => groupsOf(words).flat()))
    const piece = fc
      .tuple(fc.constantFrom(...lines), fc.nat(60), fc.nat(30))
      .map(([line, from, length]) => line.slice(from, from + length))
    const text = fc
      .tuple(
        fc.array(fc.oneof(some, piece, fc.constantFrom("ſ", "K", "😀", "✅", "’")), { maxLength: 8 }),
        fc.boolean()
      )
      .map(([parts, upper]) => (upper ? parts.join(" ").toUpperCase() : parts.join(" ")))
    assert.isNull(fc.check(fc.property(text, agrees), { numRuns: 60 }).counterexample)
  })
})
