import { assert, describe, it } from "@effect/vitest"
import { AgentHost, type Injection } from "@reflexion/core/AgentHost"
import { Effect, Fiber, Layer, Stream, TestClock } from "effect"
import { OpenCodeClient, type Status } from "../src/host/OpenCodeClient.ts"
import * as OpenCodeHost from "../src/host/OpenCodeHost.ts"
import { agent, type Fields, text, user } from "./support/messages.ts"
import { storedHost } from "./support/storedHost.ts"

const injection: Injection = {
  text: "[reflexion 1/3] The task is not done yet.",
  attempt: 1,
  maxAttempts: 3,
  reviewId: "s1/1",
  userMessageId: "m1",
  silentSince: 1000,
  notice: ""
}

const event = (type: string, properties: Fields): unknown => ({ type, properties: { sessionID: "s1", ...properties } })

const aborted = event("session.error", { error: { name: "MessageAbortedError" } })

interface Play {
  readonly status?: Status
  /** The agent's message once it was aborted. */
  readonly ends?: Fields
  /** What the host reports before, while and after the agent is aborted, and once it was sent something. */
  readonly before?: ReadonlyArray<unknown>
  readonly during?: ReadonlyArray<unknown>
  readonly after?: ReadonlyArray<unknown>
}

/** A session whose agent hangs, and what becomes of a word to it: what was done to the host, and what was heard of it. */
const play = (over: Play) =>
  Effect.gen(function* () {
    const stored = storedHost()
    const calls: Array<string> = []
    const heard: Array<string> = []
    let status = over.status ?? "busy"
    stored.messages.set("s1", [user("m1", 1, "Fix it."), { ...agent("m2", 2, ""), info: { role: "assistant" } }])
    const entrance: { offer?: (event: unknown) => void } = {}
    const tell = (events: ReadonlyArray<unknown> = []) => events.forEach((one) => entrance.offer?.(one))
    const client = Layer.effect(
      OpenCodeClient,
      Effect.map(OpenCodeClient, (given) => ({
        ...given,
        status: () => Effect.sync(() => status),
        abort: () =>
          Effect.sync(() => {
            calls.push("abort")
            tell(over.during ?? [aborted, event("session.idle", {})])
            status = "idle"
            const info = over.ends ?? { role: "assistant", error: { name: "MessageAbortedError" } }
            stored.messages.set("s1", [user("m1", 1, "Fix it."), { ...agent("m2", 2, ""), info }])
          }),
        prompt: (_, prompt) =>
          Effect.sync(() => {
            calls.push("prompt")
            const said = text(prompt.text, { metadata: prompt.metadata })
            stored.messages.set("s1", [user("m1", 1, "Fix it."), user("m3", 3, [said])])
            tell(over.after)
          })
      }))
    ).pipe(Layer.provide(stored.layer))
    yield* Effect.gen(function* () {
      const host = yield* AgentHost
      const inbox = yield* OpenCodeHost.EventInbox
      entrance.offer = inbox.offer
      yield* Effect.forkScoped(Stream.runForEach(host.events, (one) => Effect.sync(() => heard.push(one.event._tag))))
      yield* TestClock.setTime(1000)
      tell([event("message.updated", { info: { id: "m1", role: "user" } })])
      tell([event("message.part.updated", { part: { messageID: "m1", type: "text", text: "Fix it." } })])
      tell([event("message.updated", { info: { id: "m2", role: "assistant", parentID: "m1", time: {} } })])
      yield* TestClock.setTime(200_000)
      tell(over.before)
      const fiber = yield* Effect.fork(Effect.exit(host.inject("s1", injection)))
      yield* TestClock.adjust("6 seconds")
      calls.push((yield* Fiber.join(fiber))._tag)
    }).pipe(Effect.scoped, Effect.provide(Layer.provide(OpenCodeHost.layer({ root: "/repo", raceWindow: 0 }), client)))
    return {
      calls,
      heard: heard.filter((tag) => tag !== "UserMessage" && tag !== "AssistantMessage" && tag !== "ModeChanged")
    }
  })

const delta = event("message.part.delta", { delta: "Now" })

const finished = { role: "assistant", finish: "stop" }

const stopped = [
  event("message.updated", { info: { id: "m2", ...finished, time: {} } }),
  event("session.status", { status: { type: "busy" } }),
  event("session.idle", {})
]

describe("an agent that hangs", () => {
  it.effect("is aborted and asked to go on, and the abort is nobody's but ours", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* play({}), { calls: ["abort", "prompt", "Success"], heard: [] })
    })
  )

  it.effect("is left alone once it has given a sign, or the host is about to ask the model again", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* play({ before: [delta] }), { calls: ["Failure"], heard: [] })
      assert.deepStrictEqual(yield* play({ status: "retry" }), { calls: ["Failure"], heard: [] })
    })
  )

  it.effect("is not aborted where nothing runs any more", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* play({ status: "idle" }), { calls: ["prompt", "Success"], heard: [] })
    })
  )

  it.effect("is told nothing if it has stopped of its own meanwhile, and that stop is heard", () =>
    Effect.gen(function* () {
      const { calls, heard } = yield* play({ during: stopped, ends: finished })
      assert.deepStrictEqual(calls, ["abort", "Failure"])
      assert.deepStrictEqual(heard, ["Idle"])
    })
  )

  it.effect("is the user's to interrupt, during our abort and after our word", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* play({ during: [aborted, aborted] })).heard, ["Abort"])
      assert.deepStrictEqual((yield* play({ after: [aborted] })).heard, ["Abort"])
      assert.deepStrictEqual((yield* play({ before: [aborted] })).heard, ["Abort"])
    })
  )
})
