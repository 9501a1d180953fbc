/** A stop at which the host's own small model is asked, by a program in its place. */
import { assert, describe, it } from "@effect/vitest"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as ScriptedChat from "@reflexion/testing/servers/ScriptedChat"
import { Effect } from "effect"
import * as Trust from "../src/config/Trust.ts"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as OwnModels from "../src/config/OwnModels.ts"
import * as Support from "./support/session.ts"
import { configure, noticeOf, reasons, scratch, type Scratch, session, type Session } from "./support/session.ts"

/** The rules read no German. */
const german = "Behebe den Parser und schreibe Tests dazu."
const done = "Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests für die Randfälle."

const inProgress = SampleAssessment.announced("Als Nächstes schreibe ich die Tests", "e3")

const claudeSaid = (text: string): string =>
  JSON.stringify({
    type: "result",
    subtype: "success",
    is_error: false,
    result: text,
    usage: { input_tokens: 3000, cache_read_input_tokens: 600, output_tokens: 12 },
    modelUsage: { "claude-haiku-4-5": { outputTokens: 12 } }
  })

const codexSaid = (text: string): string =>
  [
    { type: "thread.started", thread_id: "t" },
    { type: "item.completed", item: { type: "agent_message", text } },
    { type: "turn.completed", usage: { input_tokens: 3600, output_tokens: 12 } }
  ]
    .map((event) => JSON.stringify(event))
    .join("\n")

/** A program instead of a host's, which prints a text and writes down its words; the user is logged in. */
const program = (made: Scratch, name: "claude" | "codex", printed: string, status = 0) => {
  const bin = join(made.home, "bin")
  const [words, out] = [join(made.home, "words"), join(made.home, "printed")]
  mkdirSync(bin, { recursive: true })
  writeFileSync(out, printed)
  writeFileSync(join(bin, name), `#!/bin/sh\ncat >/dev/null\necho "$@" >>'${words}'\ncat '${out}'\nexit ${status}\n`)
  chmodSync(join(bin, name), 0o755)
  for (const folder of [".codex", ".claude"]) mkdirSync(join(made.home, folder), { recursive: true })
  writeFileSync(join(made.home, ".claude", ".credentials.json"), '{ "claudeAiOauth": {} }')
  writeFileSync(join(made.home, ".codex", "auth.json"), '{ "tokens": { "access_token": "t" } }')
  const host = name === "claude" ? "claude-code" : "codex"
  const env = { HOME: made.home, PATH: `${bin}:/usr/bin:/bin` }
  const command = name === "claude" ? "/reflection" : "reflection"
  return {
    scratched: { ...made, hook: { ...made.hook, host, env, command } },
    asked: () => (existsSync(words) ? readFileSync(words, "utf8").trim().split("\n") : [])
  }
}

const agree = ({ hook }: Scratch): void =>
  OwnModels.keep(hook.directories, hook.host, { asked: true, at: "2026-11-27T10:00:00.000Z" })

const undecided = (scratched: Scratch, id = "s1"): Session => {
  scratched.put("package.json", "{}")
  return session(scratched, id).user(german).edits("src/parser.js").says(done)
}

const stop = (agent: Session) => Effect.promise(() => agent.consulted(done))

const say = (scratched: Scratch, agent: Session, prompt: string): string =>
  Support.replyOf(Support.type(scratched, agent, prompt))

/** What is kept of the questions. */
const kept = ({ hook }: Scratch): ReadonlyArray<unknown> => {
  const folder = join(hook.directories.state, "models")
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith("asks-")) : []
  const lines = names.flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
  return lines.filter((text) => text.includes('"session"')).map((text): unknown => JSON.parse(text))
}

const answers = { claude: claudeSaid, codex: codexSaid }

const words = { claude: /^-p --safe-mode .*--model haiku$/, codex: /^exec .*--model gpt-6-luna -$/ }

describe("a stop of a host whose own model the user lets be asked", () => {
  for (const name of ["claude", "codex"] as const)
    it.scopedLive(`asks it through ${name}, nudges on what it finds, and says what that took`, () =>
      Effect.gen(function* () {
        const { asked, scratched } = program(yield* scratch, name, answers[name](JSON.stringify(inProgress)))
        const quiet = yield* stop(undecided(scratched, "before"))
        assert.deepStrictEqual([quiet._tag, asked().length], ["nothing", 0])
        agree(scratched)
        const answer = yield* stop(undecided(scratched))
        assert.strictEqual(answer._tag, "nudge")
        assert.lengthOf(asked(), 1)
        assert.match(asked()[0] ?? "", words[name])
        const host = scratched.hook.host
        assert.match(noticeOf(answer), new RegExp(`\\nreflexion asked ${host}/small: \\d+\\.\\d s, 3,612 tokens\\.$`))
        const [line, ...more] = kept(scratched)
        const answered = { session: "s1", model: `${host}/small`, end: "answered", attended: true }
        assert.deepInclude(line, { ...answered, inputTokens: 3600, outputTokens: 12 })
        assert.deepStrictEqual(more, [])
      })
    )

  it.scopedLive("asks nobody where a key would pay, whatever was agreed or said in the session", () =>
    Effect.gen(function* () {
      const { asked, scratched } = program(yield* scratch, "claude", claudeSaid("{}"))
      agree(scratched)
      const env = { ...scratched.hook.env, ANTHROPIC_API_KEY: "sk-secret" }
      const keyed = { ...scratched, hook: { ...scratched.hook, env } }
      const agent = undecided(keyed)
      assert.strictEqual((yield* stop(agent))._tag, "nothing")
      const refused = say(keyed, agent, "/reflection model on")
      assert.include(refused, "ANTHROPIC_API_KEY is set")
      assert.include(refused, '"model": "claude-code/small"')
      assert.include(refused, join(scratched.hook.directories.config, "config.json"))
      assert.notInclude(refused, "sk-secret")
      assert.deepStrictEqual(asked(), [])
    })
  )

  it.scopedLive("goes by evidence where it fails, and is off after three of them, which is said once", () =>
    Effect.gen(function* () {
      const { asked, scratched } = program(yield* scratch, "claude", "no such model", 1)
      agree(scratched)
      const agent = undecided(scratched)
      const said: Array<string> = []
      for (const round of [1, 2, 3, 4, 5]) {
        said.push(noticeOf(yield* stop(agent)))
        agent.user(`${german} ${round}`).edits("src/parser.js").says(done)
      }
      assert.lengthOf(asked(), 3)
      assert.deepStrictEqual(
        [...said.slice(0, 2), ...said.slice(3)],
        Array.from({ length: 4 }, () => "(nothing)")
      )
      assert.include(said[2], "three questions in a row to claude-code/small had no answer")
      assert.include(said[2], "`/reflection model on` asks again.")
      assert.include(say(scratched, agent, "/reflection model"), "none is asked in this session any more")
      assert.strictEqual(noticeOf(yield* stop(undecided(scratched, "s2"))), "(nothing)")
      assert.lengthOf(asked(), 4)
      assert.lengthOf(Support.failures(scratched), 4)
    })
  )
})

describe("the user's word on the model", () => {
  it.scopedLive("turns it on and off in a session, over what was agreed", () =>
    Effect.gen(function* () {
      const { asked, scratched } = program(yield* scratch, "claude", claudeSaid(JSON.stringify(inProgress)))
      const agent = undecided(scratched)
      const before = say(scratched, agent, "/reflection model")
      assert.match(before, /asks no model, for nobody agreed .*Nothing was asked today\.$/)
      assert.strictEqual((yield* stop(agent))._tag, "nothing")
      assert.include(say(scratched, agent, "/reflection model on"), "asks claude-code/small at stops")
      agent.user(`${german} Bitte.`).edits("src/parser.js").says(done)
      assert.strictEqual((yield* stop(agent))._tag, "nudge")
      const after = say(scratched, agent, "/reflection model")
      assert.match(after, /Today: 1 question, 1 answered, a median wait of \d+\.\d s, 3,600 tokens in and 12 out\.$/)
      agree(scratched)
      assert.include(say(scratched, agent, "/reflection model off"), "you turned it off")
      agent.user(`${german} Danke.`).edits("src/parser.js").says(done)
      yield* stop(agent)
      assert.lengthOf(asked(), 1)
      assert.strictEqual((yield* stop(undecided(scratched, "other")))._tag, "nudge")
      assert.lengthOf(asked(), 2)
    })
  )

  it.scopedLive("to turn it off holds over a configuration, which holds over the word to turn it on", () =>
    Effect.gen(function* () {
      const { asked, scratched } = program(yield* scratch, "claude", claudeSaid(JSON.stringify(inProgress)))
      configure(scratched, { model: "claude-code/small" })
      const agent = undecided(scratched)
      assert.include(say(scratched, agent, "/reflection model"), "claude-code/small, by your configuration,")
      assert.include(say(scratched, agent, "/reflection model off"), "you turned it off")
      assert.strictEqual((yield* stop(agent))._tag, "nothing")
      configure(scratched, { model: "off" })
      const other = undecided(scratched, "s2")
      assert.include(say(scratched, other, "/reflection model on"), "that holds before what is said here")
      agree(scratched)
      assert.strictEqual((yield* stop(other))._tag, "nothing")
      assert.deepStrictEqual(asked(), [])
    })
  )
})

describe("a stop of a session whose record is too long to be held", () => {
  it.scopedLive("has its checks run and no change reviewed, and the log says why", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const server = yield* ScriptedChat.make({ turns: [], rules: [] })
      const providers = { local: { api: "chat-completions", url: `${server.url}/v1` } }
      scratched.put("package.json", '{"type":"module","scripts":{"test":"node --test"}}')
      configure(scratched, {
        checks: [{ name: "tests", command: "echo 'Tests  3 passed (3)'" }],
        crossReview: { reviewer: "local/reviewer-1" },
        models: { providers }
      })
      const agent = session(scratched, "s1").user(Support.task).edits("src/total.js")
      const large = "Word for word. ".repeat(140_000)
      for (const _ of Array.from({ length: 10 })) agent.says(large)
      agent.says(Support.claim)
      yield* Effect.promise(() => agent.consulted(Support.claim))
      assert.deepNestedInclude(Support.record(scratched), {
        "evidence.checks[0].result": "passed",
        "verdict.complete": true
      })
      assert.include(reasons(scratched), "no cross review: the record of its task is too long")
      assert.notInclude(reasons(scratched), "to ask a model about it")
      assert.deepStrictEqual(yield* server.requests, [])
    })
  )
})

describe("a stop that a model is asked about", () => {
  it.scopedLive("tells the reader what the user wants looked at, in projects that they trust alone", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const rules = [{ name: "reader", when: () => true, replies: [ModelScript.say("{}")] }]
      const { requests, url } = yield* ScriptedChat.make({ turns: [], rules })
      const providers = { local: { api: "chat-completions", url: `${url}/v1` } }
      configure(scratched, { model: "local/reader-1", models: { providers } })
      scratched.put(".reflection.md", "Look at the retries with care.")
      const agent = undecided(scratched)
      yield* stop(agent)
      const before = yield* requests
      assert.isTrue(before.length > 0 && !before.some(({ payload }) => payload.includes("Look at the retries")))
      const { directories } = scratched.hook
      Trust.trust(directories, Trust.Workspace.at(directories, scratched.root))
      agent.user(`${german} Bitte.`).edits("src/parser.js").says(done)
      yield* stop(agent)
      const after = (yield* requests).slice(before.length)
      assert.isTrue(after.length > 0 && after.every(({ payload }) => payload.includes("Look at the retries")))
    })
  )
})
