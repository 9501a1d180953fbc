import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { type Constraints, constraints, Mutator } from "@reflexion/core/Mutator"
import * as RecommendedAction from "@reflexion/core/RecommendedAction"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as CodexMutator from "../src/CodexMutator.ts"
import * as MutatorEvents from "../src/internal/mutatorEvents.ts"

const long = 60_000

const event = (type: "started" | "completed", id: string, kind = "command_execution"): string =>
  JSON.stringify({ type: `item.${type}`, item: { id, type: kind } })

/** At which of the lines, from 0, the rounds are used up; null where they are not. */
const overAt = (lines: ReadonlyArray<string>, maxRounds: number): number | null => {
  const over = MutatorEvents.over({ tools: [], maxRounds })
  const at = lines.findIndex((line) => over(line))
  return at < 0 ? null : at
}

describe("the rounds of codex exec", () => {
  it("are counted by the calls that begin, those that run side by side as one", () => {
    const one = (id: string) => [event("started", id), event("completed", id)]
    assert.strictEqual(overAt(["a", "b", "c"].flatMap(one), 3), 4)
    assert.isNull(overAt(["a", "b"].flatMap(one), 3))
    const together = [event("started", "a"), event("started", "b"), event("completed", "a"), event("completed", "b")]
    assert.isNull(overAt(together, 2))
    assert.strictEqual(overAt([...together, event("started", "c")], 2), 4)
  })

  it("are none for words, and one for a call of which only the end is told", () => {
    const words = ["agent_message", "reasoning", "todo_list", "error"].map((kind) => event("completed", kind, kind))
    assert.isNull(overAt([...words, "no JSON", "{}", '{"type":"turn.completed"}'], 1))
    assert.strictEqual(overAt([event("completed", "a", "file_change")], 1), 0)
  })
})

const action = RecommendedAction.make({ target: "deploy", change: "Log in first.", reason: "" })

const lines = (...events: ReadonlyArray<object>): string => events.map((one) => `${JSON.stringify(one)}\n`).join("")

const said = (text: string) =>
  lines(
    { type: "thread.started", thread_id: "t" },
    { type: "turn.started" },
    { type: "item.completed", item: { id: "item_0", type: "agent_message", text } },
    { type: "turn.completed", usage: {} }
  )

const over = Effect.fnUntraced(function* (printing: HostProgram.Printing, given: Constraints = constraints) {
  const fs = yield* FileSystem.FileSystem
  const repository = yield* fs.makeTempDirectoryScoped()
  const git = (...words: ReadonlyArray<string>) =>
    execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...words])
  git("init", "--quiet")
  git("commit", "--quiet", "--allow-empty", "--message=Begin")
  const { program, ...kept } = yield* HostProgram.fake(printing)
  const layer = CodexMutator.layer({ repository, program, model: "gpt-5.5", env: { CODEX_HOME: "/nowhere" } })
  const error = yield* Effect.flatMap(Mutator, (mutator) =>
    Effect.flip(mutator.propose(action ?? assert.fail("no action"), given))
  ).pipe(Effect.provide(layer))
  return { ...kept, error }
})

describe("CodexMutator", () => {
  it.scopedLive(
    "keeps Codex in its sandbox and hooks, servers and sessions out, and the change out of the arguments",
    () =>
      Effect.gen(function* () {
        const { env, error, question, words } = yield* over({ out: said("Not here.") })
        assert.match(error.message, /unchanged.*it said: Not here\.$/)
        const line = (yield* words).join(" ")
        for (const part of [
          "exec --json --ephemeral",
          "--disable hooks",
          "--sandbox workspace-write",
          "-c sandbox_workspace_write.network_access=false",
          "-c sandbox_workspace_write.exclude_slash_tmp=true",
          "-c features.apps=false",
          "--model gpt-5.5 -"
        ])
          assert.include(line, part)
        assert.notInclude(line, "shell_tool")
        assert.notInclude(line, "Log in first.")
        assert.include(yield* question, "Log in first.")
        assert.include(yield* env, "REFLEXION_ASKING=1")
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )

  it.scopedLive(
    "only reads where nothing else is allowed",
    () =>
      Effect.gen(function* () {
        const { words } = yield* over({ out: said("") }, { tools: ["read", "search"], maxRounds: 5 })
        assert.include((yield* words).join(" "), "--sandbox read-only")
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )

  it.scopedLive(
    "fails with what Codex says",
    () =>
      Effect.gen(function* () {
        const { error } = yield* over({ err: "Not logged in", code: 1 })
        assert.strictEqual(error.reason, "failed")
        assert.include(error.message, "Not logged in")
      }).pipe(Effect.provide(NodeContext.layer)),
    long
  )
})
