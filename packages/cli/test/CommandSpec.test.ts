import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as CommandSpec from "../src/command/CommandSpec.ts"
import * as CycleCommand from "../src/cycle/CycleCommand.ts"
import { spec } from "../src/judge/JudgeCommand.ts"
import { width } from "../src/terminal/Layout.ts"
import * as MemoryCommand from "../src/memory/MemoryCommand.ts"
import { plain } from "../src/terminal/TerminalStyle.ts"

const checked = (...words: ReadonlyArray<string>) => Either.getOrThrow(CommandSpec.check(spec, words))

const problem = (...words: ReadonlyArray<string>): string =>
  Either.getOrThrow(Either.flip(CommandSpec.check(spec, words))).message

describe("CommandSpec", () => {
  it("takes options anywhere, with a space or an equals sign", () => {
    assert.deepStrictEqual(checked("a", "--turn", "all", "b", "--format=json", "-"), {
      options: ["--turn", "all", "--format", "json"],
      operands: ["a", "b", "-"]
    })
  })

  it("takes everything after -- as operands", () => {
    assert.deepStrictEqual(checked("a", "--", "--turn", "-x"), { options: [], operands: ["a", "--turn", "-x"] })
  })

  it("keeps a value that looks like an option or has an equals sign", () => {
    assert.deepStrictEqual(checked("--task", "--format"), { options: ["--task", "--format"], operands: [] })
    assert.deepStrictEqual(checked("--task=a=b"), { options: ["--task", "a=b"], operands: [] })
  })

  it.each([
    [["--formt", "json"], "unknown option --formt; did you mean --format?"],
    [["-x"], "unknown option -x"],
    [["--bogus=1", "a"], "unknown option --bogus"],
    [["--turn"], "--turn needs a value: TURN"],
    [["--format"], "--format needs a value: text, json, jsonl"],
    [["--turn", "1", "--turn=2"], "--turn is given more than once"],
    [["--format", "jsn"], '--format: "jsn" is none of text, json, jsonl; did you mean json?'],
    [["--host", "emacs"], '--host: "emacs" is none of auto, claude-code, codex, opencode, transcript'],
    [["--profile", "lax"], '--profile: "lax" is none of balanced, strict, advisory']
  ])("%j: %s", (words, expected) => {
    const [first, second] = problem(...words).split("\n")
    assert.strictEqual(first, expected)
    assert.strictEqual(second, "Try 'reflexion judge --help'.")
  })

  it("shows no control character of what was typed", () => {
    assert.notInclude(problem("--format", "\u001b[31mx"), "\u001b")
  })

  it.each([spec, MemoryCommand.spec, CycleCommand.spec])(
    "explains every option, within the terminal's width",
    (spec) => {
      const text = CommandSpec.help({ ...plain, width: 72 }, spec)
      for (const { name } of spec.options) assert.include(text, `--${name}`)
      for (const line of text.split("\n")) assert.isAtMost(width(line), 72)
    }
  )

  it("lists the commands under what they are for, in one column", () => {
    const text = CommandSpec.overview(plain, [
      ["On a session", [spec]],
      ["And more", [CycleCommand.spec]]
    ])
    const of = (part: string): string => text.split("\n").find((line) => line.includes(part)) ?? ""
    assert.strictEqual(of("Decides").indexOf("Decides"), of("Finds by").indexOf("Finds"))
    assert.isBelow(text.indexOf("And more"), text.indexOf("  cycle"))
    assert.isAbove(text.indexOf("And more"), text.indexOf("  judge"))
  })
})
