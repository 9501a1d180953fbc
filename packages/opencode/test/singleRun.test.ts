import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { AgentHost } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import { DecisionLog, DecisionRecord } from "@reflexion/core/DecisionLog"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { Effect, Layer } from "effect"
import * as SingleRun from "../src/internal/singleRun.ts"
import { agent, type Message, open, text, tool, user } from "./support/messages.ts"
import { storedHost } from "./support/storedHost.ts"

const asked = "A 10 % discount on 50.00 should give 45.00. Fix it and make sure the tests pass."

const edit = tool("t1", "edit", {
  status: "completed",
  input: { filePath: "src/cart.js", oldString: "1", newString: "2" }
})

const work: ReadonlyArray<Message> = [user("u1", 0, asked), agent("a1", 1, [edit], { finish: "tool-calls" })]

/** A prompt on the command line in which these messages were stored. */
const begin = (messages: ReadonlyArray<Message>) => {
  const host = storedHost()
  host.messages.set("ses_1", messages)
  const single = SingleRun.make()
  const layer = Layer.mergeAll(
    AgentHost.Test({ raceWindow: 0 }),
    JudgeService.Evidence,
    Artifacts.Test,
    DecisionLog.Memory,
    ReviewStates.Test
  ).pipe(
    Layer.provideMerge(Layer.succeed(CurrentConfig, defaults)),
    Layer.provideMerge(host.layer),
    Layer.provideMerge(NodeContext.layer)
  )
  const spoke = (messageID: string, words: string) => single.spoke({ sessionID: "ses_1", messageID, text: words })
  const ended = (messageID: string, over: object = {}) =>
    single.happened({
      type: "message.updated",
      properties: { sessionID: "ses_1", info: { id: messageID, role: "assistant", finish: "stop", ...over } }
    })
  return { ...host, layer, spoke, ended }
}

const decisions = Effect.flatMap(DecisionRecord, ({ decisions }) => decisions)

describe("a prompt on the command line", () => {
  it.effect("is reviewed when its last message ends", () => {
    const { ended, layer, prompts, spoke } = begin([...work, open("a2", 3, [text("")])])
    return Effect.gen(function* () {
      yield* spoke("a2", "The discount is a percentage of the total now.")
      assert.deepStrictEqual(prompts, [])
      yield* ended("a2") ?? Effect.dieMessage("nothing is due")
      assert.match(prompts[0]?.text ?? "", /\[reflexion 1\/3\]/)
      assert.deepStrictEqual(
        (yield* decisions).map(({ decision }) => decision),
        ["push"]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("takes the summary of a compaction for no stop, which ends as one does", () => {
    const summary = open("a2", 3, [text("")])
    const { ended, layer, prompts, spoke } = begin([
      ...work,
      { ...summary, info: { ...summary.info, summary: true, agent: "compaction" } }
    ])
    return Effect.gen(function* () {
      yield* spoke("a2", "## Goal\nFix the discount; the tests have still to be run.")
      assert.isNull(ended("a2", { summary: true }))
      assert.isNull(ended("a2"))
      assert.deepStrictEqual(prompts, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("takes it back where its last message fails, or proves to be a summary", () => {
    const { ended, layer, prompts, spoke } = begin([...work, open("a2", 3, [text("")])])
    return Effect.gen(function* () {
      for (const over of [{ summary: true }, { finish: undefined, error: { name: "APIError", data: {} } }]) {
        yield* spoke("a2", "The discount is a percentage of the total now.")
        yield* ended("a2", over) ?? Effect.dieMessage("nothing is taken back")
        const { attempts } = (yield* Effect.flatMap(ReviewStates, ({ load }) => load("ses_1"))) ?? {}
        assert.strictEqual(attempts, 0)
        assert.isNull(ended("a2"))
      }
      assert.deepStrictEqual([prompts, yield* decisions], [[], []])
    }).pipe(Effect.provide(layer))
  })
})
