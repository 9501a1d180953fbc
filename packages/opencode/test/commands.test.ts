import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { DecisionLog, DecisionRecord } from "@reflexion/core/DecisionLog"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { ReviewStates, TestReviewStates } from "@reflexion/core/ReviewStates"
import { Effect, Layer } from "effect"
import * as Commands from "../src/plugin/commands.ts"
import * as Decided from "../src/plugin/decided.ts"
import * as OpenCodeHost from "../src/host/OpenCodeHost.ts"
import { storedHost } from "./support/storedHost.ts"

const say = (word: Commands.Word) => Commands.shown(Commands.perform("ses_1", word, "user"))

/** A plugin in which nothing reviews by the host's events. */
const begin = (problem: string | null) => {
  const host = storedHost()
  const layer = Layer.mergeAll(DecisionLog.Memory, ReviewStates.Test).pipe(
    Layer.provideMerge(OpenCodeHost.layer({ root: "/repo", raceWindow: 0 })),
    Layer.provideMerge(Layer.succeed(CurrentConfig, defaults)),
    Layer.provideMerge(Layer.succeed(Decided.CurrentProblem, problem)),
    Layer.provideMerge(host.layer),
    Layer.provideMerge(NodeContext.layer)
  )
  return { ...host, layer, messages: () => host.toasts.map(({ message }) => message) }
}

const decisions = Effect.map(
  Effect.flatMap(DecisionRecord, (record) => record.decisions),
  (all) => all.map(({ decision, reason }) => `${decision}: ${reason}`)
)

const isStopped = Effect.flatMap(ReviewStates, (states) => states.isStopped("ses_1"))

describe("the user's commands", () => {
  it.effect("are kept on the command line, and answered", () => {
    const { layer, messages } = begin(null)
    return Effect.gen(function* () {
      assert.match(yield* say("stop"), /is off in this session/)
      assert.isTrue(yield* isStopped)
      assert.match(yield* say("status"), /is off in this session/)
      assert.match(yield* say("start"), /is on in this session/)
      assert.isFalse(yield* isStopped)
      assert.deepStrictEqual(yield* decisions, ["stop: by the user", "start: by the user"])
      assert.lengthOf(messages(), 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("are kept under a broken configuration, and the answer names what is broken", () => {
    const { layer, messages } = begin("`foo` is no option")
    return Effect.gen(function* () {
      assert.match(yield* say("status"), /^reflexion is paused until this is fixed: `foo`/)
      assert.match(yield* say("stop"), /is off in this session.*`foo` is no option/)
      assert.isTrue(yield* isStopped)
      assert.match(yield* say("status"), /is off in this session.*`foo` is no option/)
      assert.notMatch(yield* say("start"), /is on/)
      assert.isFalse(yield* isStopped)
      for (const message of messages()) assert.include(message, "`foo` is no option")
    }).pipe(Effect.provide(layer))
  })

  it.effect("that cannot be kept are answered so, and the next is taken", () => {
    const { layer } = begin(null)
    return Effect.gen(function* () {
      const { fail } = yield* TestReviewStates
      yield* fail(true)
      assert.match(yield* say("stop"), /cannot read or write down how it stands/)
      yield* fail(false)
      assert.match(yield* say("stop"), /is off in this session/)
    }).pipe(Effect.provide(layer))
  })
})

describe("a broken configuration", () => {
  it.effect("is told of on the screen, in the host's log and in the decision log", () => {
    const { layer, logged, messages } = begin("`foo` is no option")
    return Effect.gen(function* () {
      yield* Decided.tellProblem("ses_1", "`foo` is no option")
      assert.deepStrictEqual(yield* decisions, ["failure: `foo` is no option"])
      for (const told of [logged, messages()]) {
        assert.deepStrictEqual(told, ["reflexion is paused until this is fixed: `foo` is no option"])
      }
    }).pipe(Effect.provide(layer))
  })
})
