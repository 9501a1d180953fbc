import { assert, describe, it } from "@effect/vitest"
import { AgentHost, type Injection } from "@reflexion/core/AgentHost"
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import { Effect, Fiber, Layer, Stream, TestClock } from "effect"
import { works } from "../../core/test/support/works.ts"
import * as Mark from "../src/decoder/Mark.ts"
import type { Status } from "../src/host/OpenCodeClient.ts"
import * as OpenCodeHost from "../src/host/OpenCodeHost.ts"
import { agent, type Fields, type Message, text, user } from "./support/messages.ts"
import { fakeHost } from "./support/host.ts"

const injection: Injection = {
  text: "[reflexion 1/3] The task is not done yet.",
  attempt: 1,
  maxAttempts: 3,
  reviewId: "s1/1",
  userMessageId: "m0001",
  silentSince: null,
  notice: ""
}

/** To an agent that hangs. */
const silent: Injection = { ...injection, userMessageId: "m1", silentSince: 1000 }

const nothing = { facts: [], actions: [], human: [] }

const idOf = (index: number): string => `m${String(index).padStart(4, "0")}`

const chosen = { agent: "careful", model: { providerID: "p", modelID: "other" }, variant: "high" }

const mine = { agent: "careful", model: { providerID: "p", modelID: "other", variant: "high" } }

/** A user's message, our feedback after it if `reminded`, and so many messages of the agent's. */
const turn = (answers: number, reminded: boolean): ReadonlyArray<Message> => {
  const metadata = Mark.feedback({ attempt: 1, maxAttempts: 3, reviewId: "s1/0" })
  const reminder = user(idOf(2), 2, [text("[reflexion 1/3] The task is not done yet.", { metadata })], mine)
  const said = [user(idOf(1), 1, "Fix it.", mine), ...(reminded ? [reminder] : [])]
  return [...said, ...Array.from({ length: answers }, (_, index) => agent(idOf(index + 3), index + 3, "Working."))]
}

/** What is sent into a session with these messages, or why nothing is. */
const sent = Effect.fnUntraced(function* (messages: ReadonlyArray<Message>, over: Partial<Injection> = {}) {
  const { layer, prompts } = fakeHost({ stored: { s1: messages } })
  const injecting = Effect.flatMap(AgentHost, ({ inject }) => inject("s1", { ...injection, ...over }))
  const context = Layer.provide(OpenCodeHost.layer({ root: "/repo", raceWindow: 0 }), layer)
  const fiber = yield* Effect.fork(Effect.provide(injecting, context))
  // The host never shows the sent message. After this time, nobody waits for it.
  yield* TestClock.adjust("6 seconds")
  const exit = yield* Fiber.await(fiber)
  return { prompts, refusal: JSON.stringify(exit) }
})

describe("OpenCodeHost.inject", () => {
  for (const answers of [3, 63, 64, 1200])
    for (const reminded of [false, true])
      works(`keeps agent, model and variant after ${answers} messages, reminded before: ${reminded}`, function* () {
        const { prompts } = yield* sent(turn(answers, reminded))
        const { agent: by, model, variant } = prompts[0] ?? {}
        assert.deepStrictEqual({ agent: by, model, variant, count: prompts.length }, { ...chosen, count: 1 })
      })

  works("continues with the model that a route names, if the host has it", function* () {
    const models = yield* Effect.forEach(["p/routed", "p/unknown", "nonsense"], (model) =>
      Effect.map(sent(turn(3, false), { model }), ({ prompts }) => [prompts[0]?.model?.modelID, prompts[0]?.variant])
    )
    assert.deepStrictEqual(models, [
      ["routed", null],
      ["other", "high"],
      ["other", "high"]
    ])
  })

  works("does not treat its own text as the user's, even if the user resends it", function* () {
    const again = user("m5000", 5000, [text(Feedback.render({ ...nothing, attempt: 1, maxAttempts: 3 }))], mine)
    const { prompts } = yield* sent([...turn(3, false), again, agent("m5001", 5001, "Working.")])
    assert.lengthOf(prompts, 1)
  })

  works("sends nothing if the user has written since or has taken the message back", function* () {
    for (const [userMessageId, why] of [
      ["m0000", "the user has written since"],
      ["m9999", "the user has taken the message back"]
    ] as const) {
      const { prompts, refusal } = yield* sent(turn(100, false), { userMessageId })
      assert.lengthOf(prompts, 0)
      assert.include(refusal, why)
    }
  })
})

const event = (type: string, properties: Fields): unknown => ({ type, properties: { sessionID: "s1", ...properties } })

const aborted = event("session.error", { error: { name: "MessageAbortedError" } })

interface Play {
  readonly status?: Status
  /** The agent's message once it was aborted. */
  readonly ends?: Fields
  /** What the host reports before the agent is aborted, while it is aborted, and after it was sent something. */
  readonly before?: ReadonlyArray<unknown>
  readonly during?: ReadonlyArray<unknown>
  readonly after?: ReadonlyArray<unknown>
}

/**
 * Sends feedback to a session whose agent hangs. Returns the requests to the host, and the events that came from it.
 */
const play = Effect.fnUntraced(function* (over: Play) {
  const heard: Array<string> = []
  let status = over.status ?? "busy"
  const order = user("m1", 1, "Fix it.")
  const working = (info: Fields) => [order, { ...agent("m2", 2, ""), info }]
  const entrance: { offer?: (event: unknown) => void } = {}
  const tell = (events: ReadonlyArray<unknown> = []) => events.forEach((one) => entrance.offer?.(one))
  const { calls, layer, messages } = fakeHost({
    stored: { s1: working({ role: "assistant" }) },
    status: Effect.sync(() => status),
    abort: Effect.sync(() => {
      tell(over.during ?? [aborted, event("session.idle", {})])
      status = "idle"
      messages.set("s1", working(over.ends ?? { role: "assistant", error: { name: "MessageAbortedError" } }))
    }),
    prompt: (prompt) =>
      Effect.sync(() => {
        messages.set("s1", [order, user("m3", 3, [text(prompt.text, { metadata: prompt.metadata })])])
        tell(over.after)
      })
  })
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
    const fiber = yield* Effect.fork(Effect.exit(host.inject("s1", silent)))
    yield* TestClock.adjust("6 seconds")
    calls.push((yield* Fiber.join(fiber))._tag)
  }).pipe(Effect.scoped, Effect.provide(Layer.provide(OpenCodeHost.layer({ root: "/repo", raceWindow: 0 }), layer)))
  return { calls, heard: heard.filter((tag) => !["UserMessage", "AssistantMessage", "ModeChanged"].includes(tag)) }
})

const delta = event("message.part.delta", { delta: "Now" })

const finished = { role: "assistant", finish: "stop" }

const stopped = [
  event("message.updated", { info: { id: "m2", ...finished, time: {} } }),
  event("session.status", { status: { type: "busy" } }),
  event("session.idle", {})
]

type Row = readonly [title: string, play: Play, calls: string | null, heard: string]

describe("an agent that hangs", () => {
  it.effect.each<Row>([
    ["is aborted and asked to go on; the abort is not reported as the user's", {}, "abort prompt Success", ""],
    ["is left alone once it has given a sign of life", { before: [delta] }, "Failure", ""],
    ["is left alone if the host is about to ask the model again", { status: "retry" }, "Failure", ""],
    ["is not aborted if nothing runs any more", { status: "idle" }, "prompt Success", ""],
    [
      "gets no feedback if it stopped by itself, and that stop is reported",
      { during: stopped, ends: finished },
      "abort Failure",
      "Idle"
    ],
    ["an interrupt by the user during our abort is reported", { during: [aborted, aborted] }, null, "Abort"],
    ["an interrupt by the user after our feedback is reported", { after: [aborted] }, null, "Abort"],
    ["an interrupt by the user before our abort is reported", { before: [aborted] }, null, "Abort"]
  ])("%s", ([, over, calls, heard]) =>
    Effect.map(play(over), (came) => {
      if (calls !== null) assert.strictEqual(came.calls.join(" "), calls)
      assert.strictEqual(came.heard.join(" "), heard)
    })
  )
})
