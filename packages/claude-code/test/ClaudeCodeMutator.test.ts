import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Mutator } from "@reflexion/core/Mutator"
import * as RecommendedAction from "@reflexion/core/RecommendedAction"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { worksWith } from "../../core/test/support/works.ts"
import * as ClaudeCodeMutator from "../src/ClaudeCodeMutator.ts"

const live = worksWith(NodeContext.layer, it.scopedLive)

const action = RecommendedAction.make({ target: "deploy", change: "Log in first.", reason: "" })

const result = (more: object): string => JSON.stringify({ type: "result", subtype: "success", result: "", ...more })

const over = Effect.fnUntraced(function* (printing: HostProgram.Printing) {
  const fs = yield* FileSystem.FileSystem
  const repository = yield* fs.makeTempDirectoryScoped()
  const git = (...words: ReadonlyArray<string>) =>
    execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...words])
  git("init", "--quiet")
  git("commit", "--quiet", "--allow-empty", "--message=Begin")
  const { program, ...kept } = yield* HostProgram.fake(printing)
  const error = yield* Effect.flatMap(Mutator, (mutator) =>
    Effect.flip(mutator.propose(action ?? assert.fail("no action")))
  ).pipe(Effect.provide(ClaudeCodeMutator.layer({ repository, program, model: "opus" })))
  return { ...kept, error }
})

const line =
  "-p --bare --tools Read,Grep,Glob,Edit,Write --permission-mode acceptEdits --strict-mcp-config --no-session-persistence --max-turns 5 --output-format json --model opus"

live("ClaudeCodeMutator passes the allowed tools, a limit of rounds, and the change on standard input", function* () {
  const { env, error, question, words } = yield* over({ out: result({ result: "Not here." }) })
  assert.match(error.message, /unchanged.*the agent said: Not here\.$/)
  assert.deepStrictEqual((yield* words).join(" "), line)
  assert.include(yield* question, "Log in first.")
  assert.include(yield* env, "REFLEXION_ASKING=1")
})

live(
  "ClaudeCodeMutator fails with Claude Code's message; after the last round, nothing counts as changed",
  function* () {
    const keyless = yield* over({ out: result({ is_error: true, result: "Not logged in" }), code: 1 })
    assert.strictEqual(keyless.error.reason, "failed")
    assert.include(keyless.error.message, "ANTHROPIC_API_KEY")
    const used = yield* over({ out: result({ subtype: "error_max_turns" }), code: 1 })
    assert.strictEqual(used.error.reason, "unchanged")
    assert.include(used.error.message, "all 5 rounds were used up")
  }
)
