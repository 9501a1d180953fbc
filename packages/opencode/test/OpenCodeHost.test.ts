import { assert, describe, it } from "@effect/vitest"
import { AgentHost, type Injection } from "@reflexion/core/AgentHost"
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import { Effect, Fiber, Layer, TestClock } from "effect"
import * as Mark from "../src/decoder/Mark.ts"
import * as OpenCodeHost from "../src/host/OpenCodeHost.ts"
import { agent, type Message, text, user } from "./support/messages.ts"
import { storedHost } from "./support/storedHost.ts"

const injection: Injection = {
  text: "[reflexion 1/3] The task is not done yet.",
  attempt: 1,
  maxAttempts: 3,
  reviewId: "s1/1",
  userMessageId: "m0001",
  silentSince: null,
  notice: ""
}

const nothing = { facts: [], actions: [], human: [] }

const idOf = (index: number): string => `m${String(index).padStart(4, "0")}`

const mine = { agent: "careful", model: { providerID: "p", modelID: "other", variant: "high" } }

/** A user's message, feedback of ours after it if it is wanted, and so many messages of the agent's. */
const turn = (answers: number, reminded: boolean): ReadonlyArray<Message> => {
  const metadata = Mark.feedback({ attempt: 1, maxAttempts: 3, reviewId: "s1/0" })
  const reminder = user(idOf(2), 2, [text("[reflexion 1/3] The task is not done yet.", { metadata })], mine)
  const said = [user(idOf(1), 1, "Fix it.", mine), ...(reminded ? [reminder] : [])]
  return [...said, ...Array.from({ length: answers }, (_, index) => agent(idOf(index + 3), index + 3, "Working."))]
}

/** What is sent into a session with these messages, or why nothing is. */
const sent = (messages: ReadonlyArray<Message>, over: Partial<Injection> = {}) =>
  Effect.gen(function* () {
    const { layer, messages: stored, prompts } = storedHost()
    stored.set("s1", messages)
    const injecting = Effect.flatMap(AgentHost, ({ inject }) => inject("s1", { ...injection, ...over }))
    const context = Layer.provide(OpenCodeHost.layer({ root: "/repo", raceWindow: 0 }), layer)
    const fiber = yield* Effect.fork(Effect.provide(injecting, context))
    // The host never shows what it was sent, which is waited for no longer.
    yield* TestClock.adjust("6 seconds")
    const exit = yield* Fiber.await(fiber)
    return { prompts, refusal: JSON.stringify(exit) }
  })

describe("OpenCodeHost.inject", () => {
  for (const answers of [3, 63, 64, 1200]) {
    for (const reminded of [false, true]) {
      it.effect(
        `keeps agent, model and variant after ${answers} messages, ${reminded ? "once reminded" : "unreminded"}`,
        () =>
          Effect.gen(function* () {
            const { prompts } = yield* sent(turn(answers, reminded))
            assert.deepStrictEqual(
              prompts.map(({ agent, model, variant }) => ({ agent, model, variant })),
              [{ agent: "careful", model: { providerID: "p", modelID: "other" }, variant: "high" }]
            )
          })
      )
    }
  }

  it.effect("lets the model that a route names go on, if the host has it", () =>
    Effect.gen(function* () {
      const models = yield* Effect.forEach(["p/routed", "p/unknown", "nonsense"], (model) =>
        Effect.map(sent(turn(3, false), { model }), ({ prompts }) => [prompts[0]?.model?.modelID, prompts[0]?.variant])
      )
      assert.deepStrictEqual(models, [
        ["routed", null],
        ["other", "high"],
        ["other", "high"]
      ])
    })
  )

  it.effect("takes its own words for no message of the user's, also where the user sends them again", () =>
    Effect.gen(function* () {
      const again = user("m5000", 5000, [text(Feedback.render({ ...nothing, attempt: 1, maxAttempts: 3 }))], mine)
      const { prompts } = yield* sent([...turn(3, false), again, agent("m5001", 5001, "Working.")])
      assert.lengthOf(prompts, 1)
    })
  )

  it.effect("sends nothing where the user has written since, or has taken the message back", () =>
    Effect.gen(function* () {
      for (const [userMessageId, why] of [
        ["m0000", "the user has written since"],
        ["m9999", "the user has taken the message back"]
      ] as const) {
        const { prompts, refusal } = yield* sent(turn(100, false), { userMessageId })
        assert.lengthOf(prompts, 0)
        assert.include(refusal, why)
      }
    })
  )
})
