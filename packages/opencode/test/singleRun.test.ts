import { assert, describe, it } from "@effect/vitest"
import { DecisionRecord } from "@reflexion/core/DecisionLog"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { Deferred, Effect, Fiber, FiberId, Option, Schema } from "effect"
import { Transcript } from "@reflexion/core/Transcript"
import * as SingleRun from "../src/plugin/singleRun.ts"
import { type Behaviour, fault } from "./support/host.ts"
import { agent, type Message, open, text, tool, user } from "./support/messages.ts"
import { inWorld, world } from "./support/world.ts"

const asked = "A 10 % discount on 50.00 should give 45.00. Fix it and make sure the tests pass."

const edit = tool("t1", "edit", {
  status: "completed",
  input: { filePath: "src/cart.js", oldString: "1", newString: "2" }
})

const work: ReadonlyArray<Message> = [user("u1", 0, asked), agent("a1", 1, [edit], { finish: "tool-calls" })]

const ends: Readonly<Record<string, object>> = {
  unknown: { finish: "unknown" },
  summary: { summary: true },
  error: { finish: undefined, error: { name: "APIError", data: {} } }
}

const last = open("a2", 3, [text("")])

interface Given extends Pick<Behaviour, "prompt"> {
  readonly message?: Message
}

/** A prompt on the command line, after which the host stored this message. */
const prompted = ({ message = last, ...behaviour }: Given) =>
  Effect.map(world({ stored: { ses_1: [...work, message] }, ...behaviour }), (made) => {
    const single = SingleRun.make()
    const spoke = (messageID: string) => single.spoke({ sessionID: "ses_1", messageID, text: done })
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
    return { ...made, spoke, called, ended, rest: single.rest }
  })

const test = inWorld(prompted)

const done = "The discount is a percentage of the total now."

const attempts = Effect.map(
  Effect.flatMap(ReviewStates, ({ load }) => load("ses_1")),
  (state) => state?.attempts ?? 0
)

const decisions = Effect.map(
  Effect.flatMap(DecisionRecord, (record) => record.decisions),
  (all) => all.map(({ decision, reason }) => `${decision}: ${reason}`)
)

const summary = { ...last, info: { ...last.info, summary: true, agent: "compaction" } }

/** The host's events in order, with `-` before those that cause nothing, and how often the agent is nudged. */
const stops: ReadonlyArray<readonly [title: string, told: string, nudges: number, message?: Message]> = [
  ["is reviewed when its last message ends", "says, end", 1],
  ["a compaction's summary is not a stop, although it ends like one", "says, -end summary, -end", 0, summary],
  ["no stop if the host runs a tool after the text, or ran one before", "says, tool, says, -end", 0],
  // The host may say only with the tool's input who runs the tool.
  ["is reviewed even if the provider ran its own tool before the text", "-tool, -tool provider, says, end", 1],
  ["is reviewed even if the provider ran its own tool after the text", "says, -tool provider, end", 1],
  ["no stop if the host does not know why the answer ended and asks again", "says, -end unknown, rest", 0],
  [
    "the stop is taken back if the last message fails or is a summary",
    "says, end summary, -end, says, end error, -end",
    0
  ]
]

describe("a prompt on the command line", () => {
  for (const [title, told, nudges, message = last] of stops)
    test(`${title}: ${told}`, { message }, function* ({ called, ended, prompts, rest, spoke }) {
      for (const step of told.split(", ")) {
        const [, isNothing, word, more] = /^(-?)(\w+) ?(.*)$/.exec(step) ?? []
        const due =
          word === "says"
            ? spoke("a2")
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
    })

  test(
    "a reminder that cannot be sent counts as no nudge, and is logged",
    { prompt: () => fault("rejected", "no such agent") },
    function* ({ ended, spoke }) {
      yield* spoke("a2")
      assert.strictEqual(yield* attempts, 1)
      yield* ended("a2") ?? Effect.dieMessage("nothing is due")
      assert.strictEqual(yield* attempts, 0)
      assert.match((yield* decisions).join("\n"), /^failure: the nudge could not be sent: .*no such agent.*$/)
    }
  )

  const sent = Deferred.unsafeMake<void>(FiberId.none)
  test(
    "ends only after the nudge it has begun",
    { prompt: () => Deferred.await(sent) },
    function* ({ ended, rest, spoke }) {
      yield* spoke("a2")
      yield* Effect.fork(ended("a2") ?? Effect.dieMessage("nothing is due"))
      const ending = yield* Effect.fork(rest)
      yield* Effect.yieldNow()
      assert.isNull(Option.getOrNull(yield* Fiber.poll(ending)))
      yield* Deferred.succeed(sent, undefined)
      yield* Fiber.join(ending)
      assert.lengthOf(yield* decisions, 1)
    }
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
    ["yes, once something was done", ["read", "edit", "The cart takes a percentage now."], true],
    ["yes, once success is claimed", ["All tests pass."], true],
    ["no, if nothing was done", ["read", "The percentage is subtracted as an amount."], false]
  ])("may be the last: %s", (_, moves, expected) => {
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
