import { assert, describe, it } from "@effect/vitest"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import * as ScriptedChat from "@reflexion/testing/servers/ScriptedChat"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { HookAnswer } from "../src/input/HookEvent.ts"
import * as Trust from "../src/config/Trust.ts"
import { configure, reasons, record, scratch, type Scratch, session, type Session, type } from "./support/session.ts"

const task = "Fix the rounding in src/total.js and make sure that the tests pass."
const claim = "Done, the rounding is fixed and all tests pass."

const failing = `import { test } from "node:test"
import assert from "node:assert"
test("rounds half up", () => assert.equal(1, 2))
`

/** A project whose one test fails, and a check that counts its runs where nothing of the project is. */
const project = (scratched: Scratch): { readonly runs: () => number } => {
  const counter = join(scratched.home, "runs")
  scratched.put("package.json", '{"type":"module","scripts":{"test":"node --test"}}')
  scratched.put("test/total.test.js", failing)
  execFileSync("git", ["-C", scratched.root, "init", "--quiet"])
  const command = `echo ran >> ${counter}; npm test`
  configure(scratched, { checks: [{ name: "tests", command }] })
  return { runs: () => (existsSync(counter) ? readFileSync(counter, "utf8").trim().split("\n").length : 0) }
}

const said = (scratched: Scratch): Session => session(scratched, "s1").user(task).edits("src/total.js").says(claim)

const wait = (answered: () => Promise<HookAnswer>) => Effect.promise(answered)

describe("a stop that checks are run for", () => {
  it.scopedLive("tells the agent the failing test's name, and runs nothing again where nothing changed", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const { runs } = project(scratched)
      const agent = said(scratched)
      const first = yield* wait(() => agent.consulted(claim))
      assert.strictEqual(first._tag, "push")
      assert.include(first._tag === "push" ? first.feedback : "", "rounds half up")
      assert.strictEqual(runs(), 2)
      const checked = { "evidence.checks[0].failing[0].name": "rounds half up", progress: null }
      assert.deepNestedInclude(record(scratched), checked)
      agent.told(first).says("It is as I said.")
      const second = yield* wait(() => agent.consulted("It is as I said."))
      assert.strictEqual(second._tag, "notice")
      assert.strictEqual(runs(), 2)
      assert.deepNestedInclude(record(scratched), { "evidence.checks[0].cached": true, "progress.followed": "none" })
    })
  )

  it.scopedLive("is asked about by one hook alone, however many there are", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const { runs } = project(scratched)
      const agent = said(scratched)
      const first = agent.consulted(claim)
      const second = yield* wait(() => agent.consulted(claim))
      assert.strictEqual(second._tag, "nothing")
      assert.strictEqual((yield* wait(() => first))._tag, "push")
      assert.strictEqual(runs(), 2)
    })
  )

  const meanwhile: ReadonlyArray<readonly [string, string, (scratched: Scratch, agent: Session) => void]> = [
    [
      "has written on",
      "the user wrote on while the stop was judged",
      (_, agent) => void agent.user("Never mind the tests, what does total do?").says("It adds up.")
    ],
    [
      "has stopped reflexion",
      "the user stopped reflexion in this session",
      (scratched, agent) => void type(scratched, agent, "/reflection stop")
    ],
    [
      "has interrupted the agent",
      "the user interrupted the agent",
      (_, agent) => void agent.user("[Request interrupted by user]")
    ]
  ]

  it.scopedLive.each(meanwhile)("says and counts nothing where the user %s meanwhile", ([, reason, happens]) =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const hold = join(scratched.home, "hold")
      writeFileSync(hold, "")
      const command = `while [ -e ${hold} ]; do sleep 0.02; done; exit 1`
      configure(scratched, { checks: [{ name: "tests", command }] })
      scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
      const agent = said(scratched)
      const first = agent.consulted(claim)
      happens(scratched, agent)
      assert.strictEqual((yield* wait(() => first))._tag, "nothing")
      assert.include(reasons(scratched), `abstain: ${reason}`)
      assert.notInclude(reasons(scratched), "push")
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
      scratched.put("test/total.test.js", failing.replace("equal(1, 2)", "equal(1, 1)"))
      configure(scratched, {
        checks: [{ name: "tests", command: "npm test" }],
        crossReview: { reviewer: "local/reviewer-1" },
        models: { providers }
      })
      const agent = session(scratched, "s1").user(task).edits("src/total.js")
      const large = "Word for word. ".repeat(140_000)
      for (const _ of Array.from({ length: 10 })) agent.says(large)
      agent.says(claim)
      yield* wait(() => agent.consulted(claim))
      assert.deepNestedInclude(record(scratched), { "evidence.checks[0].result": "passed", "verdict.complete": true })
      assert.include(reasons(scratched), "no cross review: the record of its task is too long")
      assert.notInclude(reasons(scratched), "to ask a model about it")
      assert.deepStrictEqual(yield* server.requests, [])
    })
  )
})

/** The rules read no German. */
const german = "Behebe den Parser und schreibe Tests dazu."
const done = "Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests für die Randfälle."

const undecided = (scratched: Scratch): Session => {
  scratched.put("package.json", "{}")
  return session(scratched, "s1").user(german).edits("src/parser.js").says(done)
}

const assessment = SampleAssessment.announced("Als Nächstes schreibe ich die Tests", "e3")

const served = Effect.fnUntraced(function* (scratched: Scratch, reply: ScriptedChat.Reply) {
  const server = yield* ScriptedChat.make({
    turns: [],
    rules: [{ name: "reader", when: () => true, replies: [reply] }]
  })
  const providers = { local: { api: "chat-completions", url: `${server.url}/v1` } }
  configure(scratched, { model: "local/reader-1", models: { providers } })
  return { asked: Effect.map(server.requests, (all) => all.filter(({ answeredBy }) => answeredBy === "reader")) }
})

describe("a stop that a model is asked about", () => {
  it.scopedLive("asks once what evidence leaves open, and nothing where it decides", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const { asked } = yield* served(scratched, ModelScript.say(JSON.stringify(assessment)))
      const agent = undecided(scratched)
      const answer = yield* wait(() => agent.consulted(done))
      assert.strictEqual(answer._tag, "push", reasons(scratched))
      assert.lengthOf(yield* asked, 1)
      assert.include((yield* asked)[0]?.payload, german)
      const other = session(scratched, "s2").user("What does src/http.ts do?").says("It fetches.")
      assert.strictEqual(other.stop("It fetches.")._tag, "nothing")
      assert.lengthOf(yield* asked, 1)
    })
  )

  it.scopedLive("pushes nobody where the model fails, and the log has its name", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const { asked } = yield* served(scratched, { status: 401, error: "Bad key" })
      const agent = undecided(scratched)
      const answer = yield* wait(() => agent.consulted(done))
      assert.strictEqual(answer._tag, "nothing")
      assert.lengthOf(yield* asked, 1)
      assert.match(reasons(scratched), /failure: .* the model did not answer \(unavailable\): .* HTTP 401: Bad key/)
    })
  )

  it.scopedLive("tells the reader what the user wants looked at, in projects that they trust alone", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const { asked } = yield* served(scratched, ModelScript.say("{}"))
      scratched.put(".reflection.md", "Look at the retries with care.")
      const agent = undecided(scratched)
      yield* wait(() => agent.consulted(done))
      const before = (yield* asked).length
      assert.isFalse((yield* asked).some(({ payload }) => payload.includes("Look at the retries with care.")))
      const { directories } = scratched.hook
      Trust.trust(directories, Trust.Workspace.at(directories, scratched.root))
      agent.user(`${german} Bitte.`).edits("src/parser.js").says(done)
      yield* wait(() => agent.consulted(done))
      const after = (yield* asked).slice(before)
      assert.isAbove(after.length, 0)
      assert.isTrue(after.every(({ payload }) => payload.includes("Look at the retries with care.")))
    })
  )
})
