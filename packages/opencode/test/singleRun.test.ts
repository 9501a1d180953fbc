import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { AgentHost, AgentHostError } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import { DecisionLog, DecisionRecord } from "@reflexion/core/DecisionLog"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { type Context, Deferred, Effect, Fiber, Layer, Option, Schema } from "effect"
import { Transcript } from "@reflexion/core/Transcript"
import * as SingleRun from "../src/plugin/singleRun.ts"
import { OpenCodeClient } from "../src/host/OpenCodeClient.ts"
import { agent, type Message, open, text, tool, user } from "./support/messages.ts"
import { storedHost } from "./support/storedHost.ts"

const asked = "A 10 % discount on 50.00 should give 45.00. Fix it and make sure the tests pass."

const edit = tool("t1", "edit", {
  status: "completed",
  input: { filePath: "src/cart.js", oldString: "1", newString: "2" }
})

const work: ReadonlyArray<Message> = [user("u1", 0, asked), agent("a1", 1, [edit], { finish: "tool-calls" })]

type Client = Context.Tag.Service<OpenCodeClient>

/** A prompt on the command line in which these messages were stored. */
const begin = (messages: ReadonlyArray<Message>, prompt?: Client["prompt"]) => {
  const host = storedHost()
  const client = Layer.effect(
    OpenCodeClient,
    Effect.map(OpenCodeClient, (known) => ({ ...known, ...(prompt !== undefined && { prompt }) }))
  )
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
    Layer.provideMerge(Layer.provide(client, host.layer)),
    Layer.provideMerge(NodeContext.layer)
  )
  const spoke = (messageID: string, words: string) => single.spoke({ sessionID: "ses_1", messageID, text: words })
  const ended = (messageID: string, over: object = {}) =>
    single.happened({
      type: "message.updated",
      properties: { sessionID: "ses_1", info: { id: messageID, role: "assistant", finish: "stop", ...over } }
    })
  const called = (messageID: string, over: object = {}) =>
    single.happened({
      type: "message.part.updated",
      properties: { part: { type: "tool", sessionID: "ses_1", messageID, callID: "c1", ...over } }
    })
  return { ...host, layer, spoke, called, ended, rest: single.rest }
}

const refused = () => new AgentHostError({ reason: "rejected", sessionId: "ses_1", detail: "no such agent" })

const done = "The discount is a percentage of the total now."

const attempts = Effect.map(
  Effect.flatMap(ReviewStates, ({ load }) => load("ses_1")),
  (state) => state?.attempts ?? null
)

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
        ["nudge"]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("takes the summary of a compaction for no stop, which ends as one does", () => {
    const summary = open("a2", 3, [text("")])
    const info = { ...summary.info, summary: true, agent: "compaction" }
    const { ended, layer, prompts, spoke } = begin([...work, { ...summary, info }])
    return Effect.gen(function* () {
      yield* spoke("a2", "## Goal\nFix the discount; the tests have still to be run.")
      assert.isNull(ended("a2", { summary: true }))
      assert.isNull(ended("a2"))
      assert.deepStrictEqual(prompts, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is taken back where the host runs a tool after the text, and is none where it ran one before", () => {
    const { called, ended, layer, prompts, spoke } = begin([...work, open("a2", 3, [text("")])])
    return Effect.gen(function* () {
      yield* spoke("a2", done)
      yield* called("a2") ?? Effect.dieMessage("nothing is taken back")
      assert.strictEqual(yield* attempts, 0)
      yield* spoke("a2", done)
      assert.isNull(ended("a2"))
      assert.deepStrictEqual([prompts, yield* decisions], [[], []])
    }).pipe(Effect.provide(layer))
  })

  for (const when of ["before", "after"] as const) {
    it.effect(`is reviewed though the provider ran a tool of its own ${when} the text`, () => {
      const { called, ended, layer, prompts, spoke } = begin([...work, open("a2", 3, [text("")])])
      const byProvider = { metadata: { providerExecuted: true } }
      return Effect.gen(function* () {
        // Who runs it may be told only with its input.
        if (when === "before") called("a2")
        if (when === "before") called("a2", byProvider)
        yield* spoke("a2", done)
        if (when === "after") assert.isNull(called("a2", byProvider))
        yield* ended("a2") ?? Effect.dieMessage("nothing is due")
        assert.lengthOf(prompts, 1)
      }).pipe(Effect.provide(layer))
    })
  }

  it.effect("is no stop where the host does not know why the answer ended: it asks once more", () => {
    const { ended, layer, prompts, rest, spoke } = begin([...work, open("a2", 3, [text("")])])
    return Effect.gen(function* () {
      yield* spoke("a2", done)
      assert.isNull(ended("a2", { finish: "unknown" }))
      yield* rest
      assert.deepStrictEqual([prompts, yield* decisions, yield* attempts], [[], [], 0])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is no nudge where the reminder cannot be sent, which is written down", () => {
    const { ended, layer, spoke } = begin([...work, open("a2", 3, [text("")])], refused)
    return Effect.gen(function* () {
      yield* spoke("a2", done)
      assert.strictEqual(yield* attempts, 1)
      yield* ended("a2") ?? Effect.dieMessage("nothing is due")
      assert.strictEqual(yield* attempts, 0)
      const [one, ...more] = yield* decisions
      assert.deepStrictEqual([one?.decision, more], ["failure", []])
      assert.match(one?.reason ?? "", /^the reminder could not be sent: .*no such agent/)
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends no sooner than what it has begun", () =>
    Effect.gen(function* () {
      const sent = yield* Deferred.make<void>()
      const { ended, layer, rest, spoke } = begin([...work, open("a2", 3, [text("")])], () => Deferred.await(sent))
      yield* Effect.gen(function* () {
        yield* spoke("a2", done)
        yield* Effect.fork(ended("a2") ?? Effect.dieMessage("nothing is due"))
        const ending = yield* Effect.fork(rest)
        yield* Effect.yieldNow()
        assert.isNull(yield* Fiber.poll(ending).pipe(Effect.map(Option.getOrNull)))
        yield* Deferred.succeed(sent, undefined)
        yield* Fiber.join(ending)
        assert.deepStrictEqual(
          (yield* decisions).map(({ decision }) => decision),
          ["nudge"]
        )
      }).pipe(Effect.provide(layer))
    })
  )

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

const isSingle = (words: string) => SingleRun.isSingleRun(["bun", "/$bunfs/root/index.js", ...words.split(" ")])

describe("the host's command line", () => {
  it.each([
    "run fix it",
    "--print-logs --log-level DEBUG run fix it",
    "run serve the dish",
    "--agent plan run fix it",
    "--title serve run fix it",
    "-c run --command reflection stop",
    "run -- -i is no option"
  ])("answers one prompt and ends: %s", (words) => assert.isTrue(isSingle(words)))

  it.each([
    "",
    ".",
    "serve --port 4096",
    "--prompt run",
    "--agent run",
    "-c --prompt run",
    "acp",
    "github run",
    "run -i",
    "run --interactive fix it"
  ])("goes on after a prompt: %s", (words) => assert.isFalse(isSingle(words)))
})

describe("a complete text on the command line", () => {
  it.each([
    ["once something was done", ["read", "edit", "The cart takes a percentage now."], true],
    ["once it is claimed", ["All tests pass."], true],
    ["not where nothing was done", ["read", "The percentage is subtracted as an amount."], false]
  ])("may be the last %s", (_, moves, expected) => {
    const said = moves.map((move) =>
      move === "read" || move === "edit"
        ? { type: "tool_call", tool: move, input: {}, output: "ok" }
        : { type: "assistant_message", text: move, completed: true }
    )
    const events = [{ type: "user_message", text: "Fix the cart and make sure the tests pass." }, ...said]
    const transcript = Schema.decodeUnknownSync(Transcript)({ version: 1, host: "opencode", events })
    assert.strictEqual(SingleRun.mayBeLast(transcript), expected)
  })
})
