import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { AgentHost } from "@reflexion/core/AgentHost"
import { DecisionRecord } from "@reflexion/core/DecisionLog"
import { HookInbox } from "@reflexion/core/HookedHost"
import * as HeldStops from "@reflexion/testing/samples/HeldStops"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect, Layer } from "effect"
import * as CodexHost from "../src/CodexHost.ts"

const services = Layer.provideMerge(HeldStops.services(CodexHost.layer()), NodeContext.layer)

/** Nobody reviews: each stop is let go. */
const impatient = Layer.provide(CodexHost.layer({ patience: "1 millis" }), NodeContext.layer)

const recorded = (name: string) => `${Recordings.folder("codex")}/${name}.jsonl`

const payload = (name: string, rest: object = {}) => ({
  session_id: "s1",
  turn_id: "t1",
  transcript_path: recorded(name),
  cwd: "/home/dev/shop",
  hook_event_name: "Stop",
  permission_mode: "bypassPermissions",
  stop_hook_active: false,
  ...rest
})

const decisions = Effect.flatMap(DecisionRecord, ({ decisions: all }) => all)

describe("CodexHost", () => {
  it.scopedLive("has each recorded session go on where its task is not done, and no other", () =>
    Effect.gen(function* () {
      yield* HeldStops.started
      for (const { expected, file, name } of yield* Recordings.list("codex")) {
        if (name === "exec-stream") continue
        const said = yield* HeldStops.told({ ...payload(name), transcript_path: file, session_id: name })
        assert.strictEqual(said?.["decision"] === "block", expected.shouldContinue, name)
        if (expected.shouldContinue) assert.match(String(said?.["reason"]), /^\[reflexion 1\/3\]/, name)
        assert.includeMembers(["decision", "reason", "systemMessage"], Object.keys(said ?? {}), name)
      }
    }).pipe(Effect.provide(services))
  )

  it.scopedLive("tells no agent twice that did nothing in between", () =>
    Effect.gen(function* () {
      yield* HeldStops.started
      const first = yield* HeldStops.told(payload("tests-failing"))
      const second = yield* HeldStops.told(payload("tests-failing", { stop_hook_active: true }))
      assert.strictEqual(first?.["decision"], "block")
      assert.hasAllKeys(second, ["systemMessage"])
      assert.deepStrictEqual(
        (yield* decisions).map(({ decision }) => decision),
        ["push", "notice"]
      )
    }).pipe(Effect.provide(services))
  )

  it.scopedLive("says nothing at other events, at a subagent's stop and to what is no payload", () =>
    Effect.gen(function* () {
      yield* HeldStops.started
      const { deliver } = yield* HookInbox
      const quiet = [
        payload("tests-failing", { hook_event_name: "UserPromptSubmit", prompt: "Go on." }),
        payload("tests-failing", { hook_event_name: "SessionStart" }),
        payload("tests-failing", { agent_id: "a1" }),
        payload("tests-failing", { session_id: "" }),
        "{",
        "",
        null,
        []
      ]
      for (const one of quiet) assert.strictEqual(yield* deliver(one), "")
      assert.deepStrictEqual(yield* decisions, [])
      assert.include(yield* deliver(JSON.stringify(payload("tests-failing"))), '"decision":"block"')
    }).pipe(Effect.provide(services))
  )

  it.scopedLive("leaves alone what the user interrupted, and a session without a record", () =>
    Effect.gen(function* () {
      yield* HeldStops.started
      assert.isNotNull(yield* HeldStops.told(payload("tests-failing")))
      assert.isNull(yield* HeldStops.told(payload("tests-failing", { hook_event_name: "Interrupt" })))
      assert.isNull(yield* HeldStops.told(payload("tests-failing")))
      const [, ...rest] = yield* decisions
      assert.deepStrictEqual(
        rest.map(({ reason }) => reason),
        ["the user interrupted the agent", "the user interrupted the agent"]
      )
      assert.isNull(yield* HeldStops.told(payload("tests-failing", { session_id: "s2", transcript_path: null })))
    }).pipe(Effect.provide(services))
  )

  it.live("has the payload's last words where the record lacks them", () =>
    Effect.gen(function* () {
      const host = yield* AgentHost
      const { deliver } = yield* HookInbox
      const spoken = Effect.map(host.transcript("s1"), ({ events }) =>
        events.flatMap((event) => (event.type === "assistant_message" ? [event.text] : []))
      )
      yield* deliver(payload("fixed-and-tested"))
      const before = yield* spoken
      yield* deliver(payload("fixed-and-tested", { last_assistant_message: ` ${before.at(-1)}\n` }))
      assert.deepStrictEqual(yield* spoken, before)
      yield* deliver(payload("fixed-and-tested", { last_assistant_message: "A or B?" }))
      assert.deepStrictEqual(yield* spoken, [...before, "A or B?"])
    }).pipe(Effect.provide(impatient))
  )

  it.live("is spoken to in answer to a stop alone, and holds none for ever", () =>
    Effect.gen(function* () {
      const host = yield* AgentHost
      const { deliver } = yield* HookInbox
      assert.strictEqual(yield* deliver(payload("tests-failing")), "")
      const injection = {
        text: "[reflexion 1/3] Go on.",
        attempt: 1,
        maxAttempts: 3,
        reviewId: "s1/1",
        userMessageId: null,
        silentSince: null,
        notice: ""
      }
      const refused = yield* Effect.flip(host.inject("s1", injection))
      assert.strictEqual(refused.reason, "rejected")
      assert.strictEqual(
        (yield* Effect.flip(host.notify("s1", { kind: "complete", text: "Done." }))).reason,
        "rejected"
      )
      assert.strictEqual((yield* Effect.flip(host.transcript("unknown"))).reason, "session_gone")
      assert.isNull(yield* host.activity("s1"))
    }).pipe(Effect.provide(impatient))
  )
})
