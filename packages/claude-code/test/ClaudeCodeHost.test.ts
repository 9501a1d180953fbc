import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { DecisionRecord } from "@reflexion/core/DecisionLog"
import * as HeldStops from "@reflexion/testing/samples/HeldStops"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect, Layer } from "effect"
import * as ClaudeCodeHost from "../src/ClaudeCodeHost.ts"

const services = Layer.provideMerge(HeldStops.services(ClaudeCodeHost.layer()), NodeContext.layer)

const recorded = (name: string) => `${Recordings.folder("claude-code")}/${name}.jsonl`

const payload = (name: string, rest: object = {}) => ({
  session_id: "s1",
  prompt_id: "p1",
  transcript_path: recorded(name),
  cwd: "/home/dev/shop",
  hook_event_name: "Stop",
  permission_mode: "default",
  stop_hook_active: false,
  background_tasks: [],
  session_crons: [],
  ...rest
})

const feedback = (said: object | null): string | null => {
  const { additionalContext, hookEventName } = Object(Object(said).hookSpecificOutput)
  return hookEventName === "Stop" ? String(additionalContext) : null
}

const reasons = Effect.map(
  Effect.flatMap(DecisionRecord, ({ decisions }) => decisions),
  (all) => all.map(({ reason }) => reason)
)

describe("ClaudeCodeHost", () => {
  it.scopedLive("has each recorded session go on where its task is not done, and no other", () =>
    Effect.gen(function* () {
      yield* HeldStops.started
      for (const { expected, file, name } of yield* Recordings.list("claude-code")) {
        const said = yield* HeldStops.told({ ...payload(name), transcript_path: file, session_id: name })
        assert.strictEqual(feedback(said) !== null, expected.shouldContinue, name)
        if (expected.shouldContinue) assert.match(String(feedback(said)), /^\[reflexion 1\/3\]/, name)
        assert.includeMembers(["hookSpecificOutput", "systemMessage"], Object.keys(said ?? {}), name)
      }
    }).pipe(Effect.provide(services))
  )

  it.scopedLive("tells no agent twice that did nothing in between", () =>
    Effect.gen(function* () {
      yield* HeldStops.started
      assert.isNotNull(feedback(yield* HeldStops.told(payload("nothing-run"))))
      assert.hasAllKeys(yield* HeldStops.told(payload("nothing-run", { stop_hook_active: true })), ["systemMessage"])
    }).pipe(Effect.provide(services))
  )

  it.scopedLive("leaves alone an agent that plans, waits for the background or has failed", () =>
    Effect.gen(function* () {
      yield* HeldStops.started
      const running = [{ id: "b1", type: "shell", status: "running", description: "server" }]
      const quiet = [
        payload("nothing-run", { permission_mode: "plan" }),
        payload("nothing-run", { background_tasks: running }),
        payload("nothing-run", { hook_event_name: "StopFailure", error: "server_error" }),
        payload("nothing-run")
      ]
      for (const one of quiet) assert.isNull(yield* HeldStops.told(one))
      assert.deepStrictEqual(yield* reasons, [
        "the agent is in plan mode",
        "work goes on in the background",
        "the turn failed with an error of the host"
      ])
      const prompt = payload("nothing-run", { hook_event_name: "UserPromptSubmit", prompt: "Again." })
      assert.isNull(yield* HeldStops.told(prompt))
      const ended = [{ id: "b1", type: "shell", status: "completed", description: "server" }]
      assert.isNotNull(feedback(yield* HeldStops.told(payload("nothing-run", { background_tasks: ended }))))
    }).pipe(Effect.provide(services))
  )

  it.scopedLive("says nothing where the user has written while the stop was reviewed", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      yield* HeldStops.started
      const file = path.join(yield* fs.makeTempDirectoryScoped(), "s1.jsonl")
      const record = yield* fs.readFileString(recorded("nothing-run"))
      const queued = { type: "queue-operation", operation: "enqueue", sessionId: "s1", content: "Leave it." }
      yield* fs.writeFileString(file, `${record.trimEnd()}\n${JSON.stringify(queued)}\n`)
      const said = yield* HeldStops.told({ ...payload("nothing-run"), transcript_path: file })
      assert.isNull(feedback(said))
    }).pipe(Effect.provide(services))
  )
})
