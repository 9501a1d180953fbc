import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import * as Completions from "../src/command/Completions.ts"
import * as CompactionCommand from "../src/compaction/CompactionCommand.ts"
import { spec } from "../src/judge/JudgeCommand.ts"
import * as MemoryCommand from "../src/memory/MemoryCommand.ts"
import * as ScoreCommand from "../src/score/ScoreCommand.ts"
import * as StuckCommand from "../src/stuck/StuckCommand.ts"

const specs = [
  spec,
  StuckCommand.spec,
  CompactionCommand.spec,
  ScoreCommand.spec,
  ...Object.values(MemoryCommand.specs)
]

const offered = (...words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const script = `${Completions.script("bash", specs)}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _reflexion; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean)
}

describe("Completions", () => {
  it("bash: offers commands, options and an option's choices", () => {
    assert.deepStrictEqual(offered("reflexion", "ju"), ["judge"])
    assert.deepStrictEqual(offered("reflexion", "judge", "--fo"), ["--format"])
    assert.deepStrictEqual(offered("reflexion", "judge", "--format", "json"), ["json", "jsonl"])
    assert.deepStrictEqual(offered("reflexion", "judge", "a", "--profile", "st"), ["strict"])
    assert.deepStrictEqual(offered("reflexion", "judge", "--cwd", "/us"), ["/usr"])
    assert.deepStrictEqual(offered("reflexion", "judge", "a"), [])
    assert.deepStrictEqual(offered("reflexion", "judge", "a", "--model", ""), ["off", "auto"])
    assert.deepStrictEqual(offered("reflexion", "judge", "a", "--model", "openai/"), [])
    assert.deepStrictEqual(offered("reflexion", "--completions", "f"), ["fish"])
    assert.deepStrictEqual(offered("reflexion", "st"), ["stuck", "stats"])
    assert.deepStrictEqual(offered("reflexion", "outcome", "--s"), ["--success", "--store"])
    assert.deepStrictEqual(offered("reflexion", "outcome", ""), [])
    assert.deepStrictEqual(offered("reflexion", "stuck", "--n"), ["--now"])
    assert.deepStrictEqual(offered("reflexion", "compaction", "--"), [
      "--host",
      "--cwd",
      "--task",
      "--profile",
      "--format",
      "--help"
    ])
  })

  it.each(Completions.shells)("%s: knows every option", (shell) => {
    const script = Completions.script(shell, specs)
    for (const { choices, name, suggestions } of specs.flatMap(({ options }) => options)) {
      assert.include(script, shell === "fish" ? `-l ${name} ` : `--${name}`)
      assert.include(script, (choices ?? suggestions)?.join(" ") ?? "")
    }
  })
})
