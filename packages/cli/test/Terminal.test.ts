/** What a terminal shows: colours and width, lines, a clock, and the words for an error of the file system. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Fiber, TestClock } from "effect"
import { CliFailure } from "../src/process/CliError.ts"
import { CliProcess } from "../src/process/CliProcess.ts"
import { explain } from "../src/process/FileProblem.ts"
import { works } from "../../core/test/support/works.ts"
import * as Layout from "../src/terminal/Layout.ts"
import * as TerminalStyle from "../src/terminal/TerminalStyle.ts"
import * as Terminal from "../src/terminal/Terminal.ts"

const surroundings = {
  env: {},
  cwd: "/",
  stdin: async function* () {},
  ask: null,
  program: { node: "node", hooks: "/hooks" }
}

describe("TerminalStyle", () => {
  /** Variables, whether it is a terminal, its columns; colour and width. */
  it.each<readonly [env: string, isTerminal: boolean, columns: number | undefined, expected: string]>([
    ["", true, 72, "colour, 72"],
    ["", false, undefined, "plain, 100"],
    ["NO_COLOR=1", true, 72, "plain, 72"],
    ["NO_COLOR=", true, 72, "colour, 72"],
    ["FORCE_COLOR=1 NO_COLOR=1", false, undefined, "colour, 100"],
    ["FORCE_COLOR=0", true, 72, "plain, 72"],
    ["TERM=dumb", true, 72, "plain, 72"],
    ["LANG=de_DE.UTF-8", true, 400, "colour, 120"],
    ["LC_ALL=C.utf8", true, 10, "colour, 40"],
    ["LANG=C COLUMNS=64", false, undefined, "plain, 64"],
    ["LANG=en_US.UTF-8 LC_ALL=POSIX COLUMNS=wide", false, undefined, "plain, 100"]
  ])("%s, terminal %s of %s → %s", (variables, isTerminal, columns, expected) => {
    const env = Object.fromEntries(variables.split(" ").map((one) => one.split("=")))
    const { color, width } = TerminalStyle.detect({ env, isTerminal, columns })
    assert.strictEqual(`${color ? "colour" : "plain"}, ${width}`, expected)
  })
})

describe("Layout", () => {
  it.each([
    ["one two three\n\nfour", 8, ["one two", "three", "", "four"]],
    ["- one two three", 9, ["- one two", "  three"]],
    ["10. one two three", 11, ["10. one two", "    three"]],
    ["abcdefgh", 3, ["abc", "def", "gh"]],
    ["日本 e\u0301é👍✓", 5, ["日本", "e\u0301é👍✓"]]
  ] as const)("wraps %j to %i", (text, to, lines) => {
    assert.deepStrictEqual(Layout.wrap(text, to), lines)
  })

  it("wrap: no line is wider than asked, and no word is lost", () => {
    const words = fc.array(fc.stringMatching(/^[a-z日本-]{1,14}$/), { maxLength: 30 })
    fc.assert(
      fc.property(words, fc.integer({ min: 4, max: 60 }), (parts, to) => {
        const lines = Layout.wrap(parts.join(" "), to)
        for (const line of lines) assert.isAtMost(Layout.width(line), to)
        assert.strictEqual(lines.join("").replaceAll(" ", ""), parts.join(""))
      })
    )
  })

  it("clips to columns, and marks lines that are left out", () => {
    const clipped = ["abcdef", "abcd", "日本語"].map((text) => Layout.clip(text, 4, "…"))
    assert.deepStrictEqual(clipped, ["abc…", "abcd", "日…"])
    assert.deepStrictEqual(Layout.firstLines(["a", "b", "c"], { count: 2, to: 10, mark: "…" }), ["a", "b …"])
    assert.deepStrictEqual(Layout.firstLines(["a", "b"], { count: 2, to: 10, mark: "…" }), ["a", "b"])
  })
})

works("slowly: names work of more than a second, once, and only at a terminal", function* () {
  const console = yield* Effect.console
  const said: Array<unknown> = []
  const waits = (name: string, isTerminal: boolean, millis: number) =>
    Terminal.slowly(name)(Effect.sleep(millis)).pipe(
      Effect.provideService(CliProcess, { ...surroundings, stdout: { isTerminal, columns: 80 } }),
      Effect.withConsole({ ...console, error: (text) => Effect.sync(() => said.push(text)) })
    )
  const all = [waits("slow", true, 2500), waits("fast", true, 900), waits("piped", false, 2500)]
  const working = yield* Effect.fork(Effect.all(all, { concurrency: "unbounded" }))
  yield* TestClock.adjust("5 seconds")
  yield* Fiber.join(working)
  assert.deepStrictEqual(said, ["reflexion: slow …"])
})

describe("FileProblem", () => {
  it.each([
    ["EACCES", "/nowhere/settings.json", "/nowhere/settings.json: permission denied."],
    ["EACCES", "/nowhere/.settings.json.123.1a2b", "/nowhere/settings.json: permission denied."],
    ["ENOSPC", "/nowhere/x", "/nowhere/x: the disk is full."],
    ["EODD", "/nowhere/x", "/nowhere/x: EODD: something, open '/nowhere/x'."]
  ])("explains %s of %s", (code, path, expected) => {
    const thrown = Object.assign(new Error(`${code}: something, open '${path}'`), { code, path })
    assert.strictEqual(explain(thrown).problem, `${expected} Correct that, then run this again.`)
  })

  it("keeps a failure that is explained already, and explains values that are no errors", () => {
    const known = new CliFailure({ problem: "x" })
    assert.strictEqual(explain(known), known)
    assert.strictEqual(explain("odd", "/f").problem, "/f: odd. Correct that, then run this again.")
  })
})
