import { assert, describe, it } from "@effect/vitest"
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import type * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import * as ScriptedChat from "@reflexion/testing/servers/ScriptedChat"
import { Effect } from "effect"
import { hooksHome, type Home } from "./hooksHome.ts"
import type { Surroundings } from "./runCli.ts"
import { claudeCode, failing, neutral, passing, text, type Turn, undecided } from "./sessions.ts"

const key = "sk-test-0123456789abcdefghijklmnop"

type Reply = ScriptedChat.Reply

const said = (over: Readonly<Record<string, unknown>> = {}): Reply => ({
  content: [{ text: JSON.stringify({ ...SampleAssessment.complete, ...over }) }]
})

/** A change was asked for and none was made: evidence leaves open whether it had to be. */
const unchanged: Turn = {
  ask: "Add a retry to the fetch helper in src/http.ts.",
  runs: [{ command: "cat src/http.ts", exitCode: 0, output: "export const get = retry(3, fetch)" }],
  answer: "The helper in src/http.ts already retries three times, so there is nothing to add."
}

const config = (url: string, over: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    models: {
      timeout: 10,
      providers: {
        work: { api: "chat-completions", url: `${url}/v1`, keyEnv: "WORK_KEY" },
        openai: { api: "chat-completions", url: `${url}/v1` },
        keyless: { api: "chat-completions", url: `${url}/v1`, keyEnv: "KEYLESS_KEY" }
      },
      ...over
    }
  })

/** Read by no rule: done, or about to go on. */
const german: Turn = {
  ask: "Behebe den Parser und schreibe Tests dazu.",
  runs: [{ command: "sed -i s/a/b/ src/parser.ts", exitCode: 0, output: "" }],
  answer: "Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests für die Randfälle."
}

const announced = (event: string) => ({
  what: "the tests",
  kind: "step",
  event,
  quote: "Als Nächstes schreibe ich die Tests",
  name: null
})

/** The same after a reminder of ours, which is a message of the session's, and after more work. */
const reminded = (): string => {
  const session = JSON.parse(neutral([german]))
  const said = { facts: ["The tests are missing."], actions: [], human: [] }
  const text = Feedback.render({ ...said, attempt: 1, maxAttempts: 3 })
  const [last] = session.events.slice(-1)
  const events = [
    ...session.events,
    { type: "user_message", synthetic: true, text, id: "r1", at: last.at },
    { ...session.events.find(({ type }: { readonly type: string }) => type === "tool_call"), id: "c9" },
    { ...last, id: "a9" }
  ]
  return JSON.stringify({ ...session, events })
}

interface World {
  readonly home: Home
  readonly server: ModelScript.Server
  readonly judge: (words: string, given?: Surroundings) => ReturnType<Home["run"]>
  readonly calls: Effect.Effect<number>
}

/** A home whose configuration names a server that answers so, and sessions to judge. */
const world = (...replies: readonly [Reply, ...ReadonlyArray<Reply>]) =>
  Effect.gen(function* () {
    const server = yield* ScriptedChat.make({ turns: [], rules: [{ name: "model", when: () => true, replies }] })
    const home = yield* hooksHome
    home.put(".config/reflexion/config.json", config(server.url))
    home.put("project/src/open.json", neutral([unchanged]))
    home.put("project/src/passing.json", neutral([passing]))
    home.put("project/src/failing.json", neutral([failing]))
    home.put("project/src/several.jsonl", text(claudeCode([unchanged, passing, unchanged, undecided])))
    const made: World = {
      home,
      server,
      judge: (words, given = {}) => home.run(`judge ${words}`, { ...given, env: { WORK_KEY: key, ...given.env } }),
      calls: Effect.map(server.requests, (requests) => requests.length)
    }
    return made
  })

describe("reflexion judge --model", () => {
  it.scopedLive("asks nobody unless it is told to, whatever the configuration names", () =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world(said())
      const env = { REFLEXION_MODEL: "work/large" }
      assert.strictEqual((yield* judge("open.json", { env })).code, 3)
      assert.strictEqual((yield* judge("open.json --model off", { env })).code, 3)
      assert.strictEqual(yield* calls, 0)
    })
  )

  it.scopedLive("lets a model settle what evidence leaves open, and counts what that cost", () =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world(said())
      const { code, err, out } = yield* judge("open.json --model work/large --format json")
      const verdict = JSON.parse(out)
      assert.deepStrictEqual([code, err, verdict.status, verdict.source], [0, "", "complete", "model"])
      assert.deepStrictEqual([verdict.cost.modelCalls, yield* calls], [1, 1])
      assert.isAbove(verdict.cost.inputTokens, 0)
      assert.include((yield* judge("open.json --model work/large")).out, "by model")
    })
  )

  it.scopedLive("asks nothing about what a finding pushes", () =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world(said())
      const { code, err } = yield* judge("failing.json --model work/large")
      assert.deepStrictEqual([code, err, yield* calls], [1, "", 0])
    })
  )

  it.scopedLive("pushes for what the model shows in the record, under the session's own numbers", () =>
    Effect.gen(function* () {
      const work = [announced("e5")]
      const { home, judge, server } = yield* world(said({ status: "in_progress", push: 0.9, remaining_work: work }))
      home.put("project/src/german.json", neutral([passing, german]))
      const { code, out } = yield* judge("german.json --model work/large --format json")
      const verdict = JSON.parse(out)
      assert.deepStrictEqual([code, verdict.status, verdict.shouldContinue], [1, "incomplete", true])
      const [asked] = yield* server.requests
      assert.include(asked?.payload ?? "", "[e3] user: Behebe den Parser")
      const payload = asked?.payload ?? ""
      assert.isBelow(payload.indexOf(passing.ask), payload.indexOf("What the user ordered:"))
    })
  )

  it.scopedLive("counts the reminders that the session had", () =>
    Effect.gen(function* () {
      const work = [announced("a9")]
      const { home, judge, server } = yield* world(said({ status: "in_progress", push: 0.9, remaining_work: work }))
      home.put("project/src/reminded.json", reminded())
      const { code, err, out } = yield* judge("reminded.json --model work/large --format json")
      assert.deepStrictEqual([code, err], [1, ""])
      assert.include(JSON.parse(out).feedback, "[reflexion 2/3]")
      assert.include((yield* server.requests)[0]?.payload ?? "", "this would be reminder 2 of 3")
    })
  )

  it.scopedLive("asks about every judged turn of work, once each", () =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world(said())
      const { out } = yield* judge("several.jsonl --turn all --model work/large --format json")
      const found: ReadonlyArray<{ readonly status: string; readonly cost: { readonly modelCalls: number } }> =
        JSON.parse(out)
      assert.deepStrictEqual(
        found.map(({ cost, status }) => [status, cost.modelCalls]),
        [
          ["complete", 1],
          ["complete", 0],
          ["complete", 1],
          ["abstained", 1]
        ]
      )
      assert.strictEqual(yield* calls, 3)
      assert.strictEqual((yield* judge("several.jsonl --turn 1 --model work/large")).code, 0)
      assert.strictEqual(yield* calls, 3)
    })
  )

  it.scopedLive("leaves evidence's verdict where the model fails, and names the failure", () =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world({ status: 401, error: `bad key ${key}` })
      const { code, err, out } = yield* judge("open.json --model work/large --format json")
      const verdict = JSON.parse(out)
      assert.deepStrictEqual([code, verdict.status, verdict.source, yield* calls], [3, "abstained", "evidence", 1])
      assert.match(err, /^reflexion: open\.json: turn 0: .*unavailable/u)
      assert.include(verdict.reason, "(unavailable): the provider answered HTTP 401: bad key")
      assert.notInclude(err + out, key)
    })
  )

  it.scopedLive("says that an answer cannot be read", () =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world({ content: [{ text: "Looks fine." }] })
      const { code, err } = yield* judge("open.json --model work/large")
      assert.deepStrictEqual([code, yield* calls], [3, 2])
      assert.include(err, "unparseable")
    })
  )

  it.scopedLive("takes auto from the configuration, and without one from the keys", () =>
    Effect.gen(function* () {
      const { home, judge, server } = yield* world(said())
      const asked = Effect.map(server.requests, (requests) => requests.at(-1)?.model)
      assert.strictEqual((yield* judge("open.json --model auto", { env: { OPENAI_API_KEY: key } })).code, 0)
      assert.strictEqual(yield* asked, "gpt-5.1")
      const env = { REFLEXION_MODEL: "work/large", OPENAI_API_KEY: key }
      assert.strictEqual((yield* judge("open.json --model auto", { env })).code, 0)
      assert.strictEqual(yield* asked, "large")
      home.put(".config/reflexion/config.json", config(server.url, { fallback: ["keyless/large", "work/other"] }))
      assert.strictEqual((yield* judge("open.json --model auto")).code, 0)
      assert.strictEqual(yield* asked, "other")
    })
  )

  it.scopedLive.each([
    ["nobody/large", 'no provider "nobody" is known'],
    ["keyless/large", "KEYLESS_KEY is not set"],
    ["work/gpt-5-mini", 'too weak to judge ("mini" in models.weak)'],
    ["auto", "no provider's key is in the environment"],
    ["large", '"large" is not off, auto or a name']
  ] as const)("refuses %s before anything is read", ([model, problem]) =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world(said())
      const { code, err, out } = yield* judge(`nothing.json passing.json --model ${model}`)
      assert.deepStrictEqual([code, out, yield* calls], [2, "", 0])
      assert.include(err, problem)
      assert.notInclude(err, "nothing.json")
    })
  )

  it.scopedLive("takes no model from a project that is not trusted", () =>
    Effect.gen(function* () {
      const { home, judge, server } = yield* world(said())
      home.put("project/.reflection/config.json", JSON.stringify({ model: "work/large" }))
      assert.strictEqual((yield* judge("open.json --model auto")).code, 2)
      yield* home.run("trust")
      assert.strictEqual((yield* judge("open.json --model auto")).code, 0)
      assert.strictEqual((yield* server.requests).length, 1)
    })
  )
})

const score = ({ home }: World, words: string) =>
  Effect.map(home.run(`score ${words} --format json`, { env: { WORK_KEY: key } }), (run) => ({
    ...run,
    ...JSON.parse(run.out === "" ? "{}" : run.out)
  }))

describe("reflexion score --model", () => {
  it.scopedLive("asks nobody unless it is told to, and its yes changes nothing that is proved", () =>
    Effect.gen(function* () {
      const made = yield* world(said())
      const [off, passes] = [yield* score(made, "open.json"), yield* score(made, "passing.json --model work/large")]
      assert.deepStrictEqual([off.source, passes.source, passes.score], ["evidence", "evidence", 5])
      assert.strictEqual(yield* made.calls, 0)
    })
  )

  it.scopedLive("names what a model finds where evidence cannot tell", () =>
    Effect.gen(function* () {
      const made = yield* world(said())
      const before = yield* score(made, "open.json")
      const after = yield* score(made, "open.json --model work/large")
      assert.deepStrictEqual([after.code, after.err, after.source, after.score], [0, "", "model", before.score])
      assert.include(before.reasons.join("\n"), "cannot tell whether it is done")
      assert.include(after.reasons.join("\n"), "by a model: ")
      const drawn = yield* made.home.run("score open.json --model work/large", { env: { WORK_KEY: key } })
      assert.include(drawn.out, "by model")
    })
  )

  it.scopedLive("lets a model lower it by what the record shows, and by nothing else", () =>
    Effect.gen(function* () {
      const work = [announced("e2")]
      const made = yield* world(said({ status: "in_progress", push: 0.9, remaining_work: work }))
      made.home.put("project/src/german.json", neutral([german]))
      const before = yield* score(made, "german.json")
      const after = yield* score(made, "german.json --model work/large")
      assert.isBelow(after.score, before.score)
      assert.include(after.reasons.join("\n"), "a step that the last words announce")
      const open = yield* score(made, "open.json --model work/large")
      assert.strictEqual(open.score, (yield* score(made, "open.json")).score)
    })
  )

  it.scopedLive("names what keeps a model from answering, and refuses a name that is none", () =>
    Effect.gen(function* () {
      const made = yield* world({ status: 401, error: `bad key ${key}` })
      const failed = yield* score(made, "open.json --model work/large")
      assert.deepStrictEqual([failed.code, failed.source], [0, "evidence"])
      assert.match(failed.err, /^reflexion: open\.json: turn 0: .*unavailable/u)
      const refused = yield* score(made, "open.json --model large")
      assert.deepStrictEqual([refused.code, refused.out], [2, ""])
      assert.include(refused.err, '"large" is not off, auto or a name')
    })
  )
})
