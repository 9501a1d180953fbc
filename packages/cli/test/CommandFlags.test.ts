import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { execFileSync } from "node:child_process"
import * as CommandSpec from "../src/command/CommandSpec.ts"
import * as Completions from "../src/command/Completions.ts"
import { plain } from "../src/terminal/TerminalStyle.ts"

const spec: CommandSpec.CommandSpec = {
  name: "paint",
  usage: "reflexion paint COLOUR [--dry-run]",
  summary: "Paints.",
  operands: ["red", "green"],
  options: [
    { name: "dry-run", value: null, description: "Only says what it would do." },
    { name: "coats", value: "N", description: "How many." }
  ],
  notes: []
}

const checked = (...words: ReadonlyArray<string>) => Either.getOrThrow(CommandSpec.check(spec, words))

const problem = (...words: ReadonlyArray<string>): string | undefined =>
  Either.getOrThrow(Either.flip(CommandSpec.check(spec, words))).message.split("\n")[0]

describe("flags", () => {
  it("take no word from what follows them", () => {
    assert.deepStrictEqual(checked("--dry-run", "red", "--coats", "2"), {
      options: ["--dry-run", "--coats", "2"],
      operands: ["red"]
    })
  })

  it("take no value and are given once", () => {
    assert.strictEqual(problem("--dry-run=yes"), "--dry-run takes no value")
    assert.strictEqual(problem("--dry-run", "--dry-run"), "--dry-run is given more than once")
    assert.strictEqual(problem("--dry-rum"), "unknown option --dry-rum; did you mean --dry-run?")
  })

  it("are not mixed up with words where a command takes none", () => {
    const refused = Either.flip(CommandSpec.check({ ...spec, operands: [] }, ["--dry-run", "red"]))
    assert.include(Either.getOrThrow(refused).message, 'takes no argument: "red"')
  })

  it("stand in the help without a value", () => {
    assert.match(CommandSpec.help(plain, spec), /--dry-run {2,}Only says/)
  })

  it("are completed, and so are the words that a command takes", () => {
    const offered = (...words: ReadonlyArray<string>): ReadonlyArray<string> => {
      const script = `${Completions.script("bash", [spec])}
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _reflexion; printf '%s\\n' "\${COMPREPLY[@]}"`
      return execFileSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" })
        .split("\n")
        .filter(Boolean)
    }
    assert.deepStrictEqual(offered("reflexion", "paint", "--d"), ["--dry-run"])
    assert.deepStrictEqual(offered("reflexion", "paint", "--dry-run", "r"), ["red"])
    assert.include(Completions.script("zsh", [spec]), "'--dry-run[Only says what it would do.]' \\")
    assert.include(Completions.script("fish", [spec]), "-l dry-run -d 'Only says")
  })
})
