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

const ends: Readonly<Record<string, object>> = {
  unknown: { finish: "unknown" },
  summary: { summary: true },
  error: { finish: undefined, error: { name: "APIError", data: {} } }
}

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

const done = "The discount is a percentage of the total now."

const attempts = Effect.map(
  Effect.flatMap(ReviewStates, ({ load }) => load("ses_1")),
  (state) => state?.attempts ?? 0
)

const decisions = Effect.map(
  Effect.flatMap(DecisionRecord, (record) => record.decisions),
  (all) => all.map(({ decision, reason }) => `${decision}: ${reason}`)
)

const last = open("a2", 3, [text("")])

const summary = { ...last, info: { ...last.info, summary: true, agent: "compaction" } }

/** What the host tells of in its order, `-` before what nothing is due at; and how often the agent is sent on. */
const stops: ReadonlyArray<readonly [title: string, told: string, nudges: number, message?: Message]> = [
  ["is reviewed when its last message ends", "says, end", 1],
  ["takes the summary of a compaction for no stop, which ends as one does", "says, -end summary, -end", 0, summary],
  [
    "is taken back where the host runs a tool after the text, and is none where it ran one before",
    "says, tool, says, -end",
    0
  ],
  // Who runs it may be told only with its input.
  ["is reviewed though the provider ran a tool of its own before the text", "-tool, -tool provider, says, end", 1],
  ["is reviewed though the provider ran a tool of its own after the text", "says, -tool provider, end", 1],
  ["is no stop where the host does not know why the answer ended: it asks once more", "says, -end unknown, rest", 0],
  [
    "is taken back where its last message fails, or proves to be a summary",
    "says, end summary, -end, says, end error, -end",
    0
  ]
]

describe("a prompt on the command line", () => {
  it.effect.each(stops)("%s: %s", ([, told, nudges, message = last]) => {
    const { called, ended, layer, prompts, rest, spoke } = begin([...work, message])
    return Effect.gen(function* () {
      for (const step of told.split(", ")) {
        const [, isNothing, word, more] = /^(-?)(\w+) ?(.*)$/.exec(step) ?? []
        const due =
          word === "says"
            ? spoke("a2", done)
            : word === "rest"
              ? rest
              : word === "tool"
                ? called("a2", more === "provider" ? { metadata: { providerExecuted: true } } : {})
                : ended("a2", ends[more ?? ""])
        if (isNothing === "-") assert.isNull(due, step)
        else yield* due ?? Effect.dieMessage(`nothing is due: ${step}`)
        assert.lengthOf(prompts, step === "end" ? nudges : 0)
      }
      assert.strictEqual(yield* attempts, nudges)
      assert.deepStrictEqual([prompts.length, (yield* decisions).length], [nudges, nudges])
      for (const prompt of prompts) assert.match(prompt.text, /\[reflexion 1\/3\]/)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is no nudge where the reminder cannot be sent, which is written down", () => {
    const refused = new AgentHostError({ reason: "rejected", sessionId: "ses_1", detail: "no such agent" })
    const { ended, layer, spoke } = begin([...work, last], () => refused)
    return Effect.gen(function* () {
      yield* spoke("a2", done)
      assert.strictEqual(yield* attempts, 1)
      yield* ended("a2") ?? Effect.dieMessage("nothing is due")
      assert.strictEqual(yield* attempts, 0)
      assert.match((yield* decisions).join("\n"), /^failure: the nudge could not be sent: .*no such agent.*$/)
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends no sooner than what it has begun", () =>
    Effect.gen(function* () {
      const sent = yield* Deferred.make<void>()
      const { ended, layer, rest, spoke } = begin([...work, last], () => Deferred.await(sent))
      yield* Effect.gen(function* () {
        yield* spoke("a2", done)
        yield* Effect.fork(ended("a2") ?? Effect.dieMessage("nothing is due"))
        const ending = yield* Effect.fork(rest)
        yield* Effect.yieldNow()
        assert.isNull(Option.getOrNull(yield* Fiber.poll(ending)))
        yield* Deferred.succeed(sent, undefined)
        yield* Fiber.join(ending)
        assert.lengthOf(yield* decisions, 1)
      }).pipe(Effect.provide(layer))
    })
  )
})

const isSingle = (words: string) => SingleRun.isSingleRun(["bun", "/$bunfs/root/index.js", ...words.split(" ")])

describe("the host's command line", () => {
  const single = `run fix it
--print-logs --log-level DEBUG run fix it
run serve the dish
--agent plan run fix it
--title serve run fix it
-c run --command reflection stop
run -- -i is no option`

  it.each(single.split("\n"))("answers one prompt and ends: %s", (words) => assert.isTrue(isSingle(words)))

  const lasting = ["", ".", "serve --port 4096", "--prompt run", "--agent run", "-c --prompt run", "acp", "github run"]
  it.each([...lasting, "run -i", "run --interactive fix it"])("goes on after a prompt: %s", (words) =>
    assert.isFalse(isSingle(words))
  )
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
