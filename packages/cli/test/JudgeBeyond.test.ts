/** `reflexion judge` beyond the record: a model, checks, conditions and reviewers, at real servers and in a real git repository. */
import { assert, describe, it } from "@effect/vitest"
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import * as ScriptedChat from "@reflexion/testing/servers/ScriptedChat"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { hooksHome } from "./hooksHome.ts"
import { bare } from "./runCli.ts"
import { claudeCode, failing, neutral, passing, text, type Turn, undecided } from "./sessions.ts"

const key = "sk-test-0123456789abcdefghijklmnop"

type Reply = ScriptedChat.Reply

type Settings = Readonly<Record<string, unknown>>

const edited = { command: "sed -i 's/a/b/' cart.mjs", exitCode: 0, output: "" }

/** The tests were asked for, and not run after the edit. */
const unchecked: Turn = {
  ask: "Fix the total of the cart. All tests must pass.",
  runs: [edited],
  answer: "I fixed the total of the cart. All tests pass now."
}

const checked: Turn = {
  ...unchecked,
  runs: [edited, { command: "npm test", exitCode: 0, output: "Tests: 4 passed, 4 total" }]
}

/** A change was asked for and none was made: evidence leaves open whether it had to be. */
const unchanged: Turn = {
  ask: "Add a retry to the fetch helper in src/http.ts.",
  runs: [{ command: "cat src/http.ts", exitCode: 0, output: "export const get = retry(3, fetch)" }],
  answer: "The helper in src/http.ts already retries three times, so there is nothing to add."
}

/** Read by no rule: done, or about to go on. */
const german: Turn = {
  ask: "Behebe den Parser und schreibe Tests dazu.",
  runs: [{ command: "sed -i s/a/b/ src/parser.ts", exitCode: 0, output: "" }],
  answer: "Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests für die Randfälle."
}

const open: Turn = { ask: "Behebe den Warenkorb.", runs: [edited], answer: "Der Warenkorb ist jetzt behoben." }

/** The same after a nudge of ours, which is a message of the session's, and after more work. */
const nudged = (): string => {
  const session = JSON.parse(neutral([german]))
  const said = { facts: ["The tests are missing."], actions: [], human: [] }
  const text = Feedback.render({ ...said, attempt: 1, maxAttempts: 3 })
  const [last] = session.events.slice(-1)
  const call = session.events.find(({ type }: { readonly type: string }) => type === "tool_call")
  const nudge = { type: "user_message", synthetic: true, text, id: "r1", at: last.at }
  return JSON.stringify({
    ...session,
    events: [...session.events, nudge, { ...call, id: "c9" }, { ...last, id: "a9" }]
  })
}

const complete: Reply = ModelScript.say(JSON.stringify(SampleAssessment.complete))

const announcing = (event: string): Reply => {
  const quote = "Als Nächstes schreibe ich die Tests"
  const remaining_work = [{ what: "the tests", kind: "step", event, quote, name: null }]
  const assessment = { ...SampleAssessment.complete, status: "in_progress", push: 0.9, remaining_work }
  return ModelScript.say(JSON.stringify(assessment))
}

const comment = {
  file: "cart.mjs",
  quote: '"SELECT * FROM carts WHERE id = " + id',
  comment: "The id goes into the query as it came: use a parameter.",
  severity: "HIGH"
}

const review = (...comments: ReadonlyArray<typeof comment>): Reply =>
  ModelScript.say(JSON.stringify({ complete: comments.length === 0, summary: "I read it.", comments }))

const refused: Reply = { status: 401, error: `bad key ${key}` }

const test = (result: number) => `
import { appendFileSync } from "node:fs"
import { test } from "node:test"
appendFileSync(new URL("../runs", import.meta.url), "ran\\n")
test("the cart › empties", () => { if (${result} !== 0) throw new Error("1 is left") })
test("the cart › adds", () => {})
`

const git = (directory: string, ...words: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    cwd: directory,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    stdio: "ignore"
  })

/** A server that tells a judge's question from a reviewer's. */
const serve = Effect.fnUntraced(function* (judges: Reply, reviews: Reply) {
  const server = yield* ScriptedChat.make({
    turns: [],
    rules: [
      { name: "judge", when: ({ system }) => system.includes("You assess, after the fact"), replies: [judges] },
      { name: "review", when: () => true, replies: [reviews] }
    ]
  })
  const asked = Effect.map(server.requests, (all) => all.map(({ answeredBy }) => answeredBy))
  return { asked, requests: server.requests, url: `${server.url}/v1` }
})

interface Given {
  readonly judges?: Reply
  readonly reviews?: Reply
  readonly result?: number
  readonly config?: Settings
  readonly models?: Settings
  readonly author?: string
}

/** A project under git with a test that ends so, a server that answers so, and sessions in it. */
const world = Effect.fnUntraced(function* (given: Given = {}) {
  const { config = {}, judges = complete, models = {}, result = 0, reviews = review() } = given
  const [work, two] = [yield* serve(judges, reviews), yield* serve(complete, reviews)]
  const home = yield* hooksHome
  const api = "chat-completions"
  const providers = {
    work: { api, url: work.url, keyEnv: "WORK_KEY" },
    two: { api, url: two.url },
    openai: { api, url: work.url },
    keyless: { api, url: work.url, keyEnv: "KEYLESS_KEY" }
  }
  const configure = (config: Settings) =>
    home.put(
      ".config/reflexion/config.json",
      JSON.stringify({ ...config, models: { timeout: 10, providers, ...models } })
    )
  configure({ checks: [{ name: "tests", command: "node --test cart.test.mjs" }], ...config })
  home.put("shop/cart.mjs", "export const query = (id) => id\n")
  home.put("shop/cart.test.mjs", test(result))
  const cwd = `${home.home}/shop`
  git(cwd, "init", "--quiet")
  git(cwd, "add", ".")
  git(cwd, "commit", "--quiet", "--message", "Begin", "--date", "2026-01-01T00:00:00Z")
  home.put("shop/cart.mjs", 'export const query = (id) => "SELECT * FROM carts WHERE id = " + id\n')
  const author = given.author === undefined ? open : { ...open, model: given.author }
  const sessions = {
    "unchecked.json": neutral([unchecked], { cwd }),
    "checked.json": neutral([checked], { cwd }),
    "two.json": neutral([checked, unchecked], { cwd }),
    "gone.json": neutral([unchecked], { cwd: "/nowhere/at/all" }),
    "open.json": neutral([author], { cwd }),
    "unchanged.json": neutral([unchanged]),
    "passing.json": neutral([passing]),
    "failing.json": neutral([failing]),
    "german.json": neutral([passing, german]),
    "nudged.json": nudged(),
    "several.jsonl": text(claudeCode([unchanged, passing, unchanged, undecided]))
  }
  for (const [name, content] of Object.entries(sessions)) home.put(`project/src/${name}`, content)
  const run = (words: string, env: Readonly<Record<string, string>> = {}) =>
    home.run(words, { env: { WORK_KEY: key, PATH: process.env["PATH"] ?? "", ...env } })
  return {
    home,
    work,
    two,
    configure,
    judge: (words: string, env = {}) => run(`judge ${words}`, env),
    read: (words: string) => Effect.map(run(`judge ${words} --format json`), ({ out }) => JSON.parse(out)),
    runs: () => (home.read("runs") ?? "").split("\n").length - 1,
    calls: Effect.map(work.asked, (all) => all.length)
  }
})

const reviewer = { crossReview: { reviewer: "work/large" } }

describe("reflexion judge", () => {
  it.scopedLive("asks nobody and runs nothing unless it is told to, whatever the configuration names", () =>
    Effect.gen(function* () {
      const { calls, judge, runs } = yield* world({ config: { ...reviewer, model: "work/large" } })
      for (const [words, code] of [
        ["unchecked.json checked.json", 1],
        ["unchanged.json --model off", 3],
        ["unchanged.json --show score", 0]
      ] as const)
        assert.strictEqual((yield* judge(words, { REFLEXION_MODEL: "work/large" })).code, code)
      assert.deepStrictEqual([runs(), yield* calls], [0, 0])
    })
  )
})

describe("reflexion judge --model", () => {
  it.scopedLive("lets a model settle what evidence leaves open, once for each turn of work", () =>
    Effect.gen(function* () {
      const { calls, judge, read } = yield* world()
      const verdict = yield* read("unchanged.json --model work/large")
      assert.deepStrictEqual([verdict.status, verdict.source, verdict.cost.modelCalls], ["complete", "model", 1])
      assert.isAbove(verdict.cost.inputTokens, 0)
      assert.strictEqual((yield* judge("failing.json --model work/large")).code, 1)
      assert.strictEqual(yield* calls, 1, "nothing is asked about what a finding nudges for")
      const all = yield* read("several.jsonl --turn all --model work/large")
      assert.deepStrictEqual(
        all.map((one: typeof verdict) => [one.status, one.cost.modelCalls]),
        [
          ["complete", 1],
          ["complete", 0],
          ["complete", 1],
          ["abstained", 1]
        ]
      )
    })
  )

  it.scopedLive("nudges for what the model shows in the record, and counts the nudges that the session had", () =>
    Effect.gen(function* () {
      const { read, work } = yield* world({ judges: announcing("e5") })
      const verdict = yield* read("german.json --model work/large")
      assert.deepStrictEqual([verdict.status, verdict.shouldContinue], ["incomplete", true])
      const payload = (yield* work.requests)[0]?.payload ?? ""
      assert.include(payload, "[e3] user: Behebe den Parser")
      assert.isBelow(payload.indexOf(passing.ask), payload.indexOf("What the user ordered:"))
      const again = yield* world({ judges: announcing("a9") })
      assert.include((yield* again.read("nudged.json --model work/large")).feedback, "[reflexion 2/3]")
    })
  )

  it.scopedLive("leaves evidence's verdict where the model fails, and names the failure", () =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world({ judges: refused })
      const { code, err, out } = yield* judge("unchanged.json --model work/large --format json")
      const verdict = JSON.parse(out)
      assert.deepStrictEqual([code, verdict.status, verdict.source, yield* calls], [3, "abstained", "evidence", 1])
      assert.match(err, /^reflexion: unchanged\.json: turn 0: .*unavailable/u)
      assert.include(verdict.reason, "(unavailable): the provider answered HTTP 401: bad key")
      assert.notInclude(err + out, key)
    })
  )

  it.scopedLive("takes auto from the configuration, without one from the keys, and none from a foreign project", () =>
    Effect.gen(function* () {
      const { judge, work } = yield* world({ models: { fallback: ["keyless/large", "work/other"] } })
      const asked = Effect.map(work.requests, (requests) => requests.at(-1)?.model)
      assert.strictEqual((yield* judge("unchanged.json --model auto")).code, 0)
      assert.strictEqual(yield* asked, "other")
      const plain = yield* world()
      const last = Effect.map(plain.work.requests, (requests) => requests.at(-1)?.model)
      yield* plain.judge("unchanged.json --model auto", { OPENAI_API_KEY: key })
      assert.strictEqual(yield* last, "gpt-5.1")
      yield* plain.judge("unchanged.json --model auto", { OPENAI_API_KEY: key, REFLEXION_MODEL: "work/large" })
      assert.strictEqual(yield* last, "large")
      plain.home.put("project/.reflection/config.json", JSON.stringify({ model: "work/large" }))
      assert.strictEqual((yield* plain.judge("unchanged.json --model auto")).code, 2)
    })
  )

  it.scopedLive("refuses what cannot be asked before anything is read", () =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world()
      for (const [model, problem] of [
        ["nobody/large", 'no provider "nobody" is known'],
        ["keyless/large", "KEYLESS_KEY is not set"],
        ["work/gpt-5-mini", 'too weak to judge ("mini" in models.weak)'],
        ["auto", "no provider's key is in the environment"]
      ] as const) {
        const { code, err, out } = yield* judge(`nothing.json passing.json --model ${model}`)
        assert.deepStrictEqual([code, out, yield* calls], [2, "", 0])
        for (const said of [problem, "reflexion doctor --show models"]) assert.include(err, said)
        assert.notInclude(err, "nothing.json")
      }
    })
  )

  it.scopedLive("names in a score what a model finds, and lowers it by what the record shows alone", () =>
    Effect.gen(function* () {
      const { calls, read } = yield* world({ judges: announcing("e5") })
      const before = yield* read("german.json --show score")
      const after = yield* read("german.json --show score --model work/large")
      assert.isBelow(after.score, before.score)
      assert.include(after.reasons.join("\n"), "a step that the last words announce")
      assert.strictEqual(yield* calls, 1)
      const failed = yield* world({ judges: refused })
      assert.strictEqual((yield* failed.read("unchanged.json --show score --model work/large")).source, "evidence")
    })
  )
})

describe("reflexion judge --checks", () => {
  it.scopedLive("tells the failing test's name, and runs nothing again on the same files", () =>
    Effect.gen(function* () {
      const { home, judge, read, runs } = yield* world({ result: 1 })
      const { code, err, out } = yield* judge("unchecked.json --checks")
      assert.strictEqual(code, 1)
      assert.match(err, /^reflexion: running `node --test cart\.test\.mjs` in .*shop$/u)
      assert.include(
        out,
        "Checks     ✗ tests: `node --test cart.test.mjs` failed: 1 passed, 1 failed (the cart › empties)"
      )
      assert.include(out, 'Make "the cart › empties" pass')
      const verdict = yield* read("unchecked.json --checks")
      assert.deepStrictEqual([verdict.status, verdict.source, runs()], ["incomplete", "verification", 2])
      assert.deepNestedInclude(verdict, { "checks[0].cached": true, "checks[0].failing[0].name": "the cart › empties" })
      home.put("shop/cart.test.mjs", test(0))
      const fixed = yield* judge("unchecked.json --checks")
      assert.deepStrictEqual([fixed.code, runs()], [0, 3])
      assert.include(fixed.out, "Checks     ✓ tests")
    })
  )

  it.scopedLive("says why nothing was run, and runs no check of a project that is not trusted", () =>
    Effect.gen(function* () {
      const { configure, home, judge, runs } = yield* world()
      const said = (words: string) => Effect.map(judge(words), ({ err }) => err)
      assert.include(yield* said("gone.json --checks"), "--checks did nothing: the session's directory is not there")
      assert.include(yield* said("two.json --checks --turn 0"), "as the session's last turn left it")
      assert.include(yield* said("checked.json --checks"), "nothing was run: no required gate lacks a result")
      configure({})
      const check = { name: "tests", command: "node --test cart.test.mjs" }
      home.put("shop/.reflection/config.json", JSON.stringify({ checks: [check] }))
      assert.include(yield* said("unchecked.json --checks"), "no check is configured")
      assert.strictEqual(runs(), 0)
    })
  )
})

describe("reflexion judge --done-when", () => {
  it.scopedLive("lists each condition with what shows it, and runs its command only with --checks", () =>
    Effect.gen(function* () {
      const { configure, home, judge, read } = yield* world()
      configure({ doneWhen: ["$ test -d ../shop"] })
      home.put("shop/.reflection/config.json", JSON.stringify({ doneWhen: ["$ touch pwned"] }))
      home.put("done.md", "- `test -f shop-is-ready` exits 0\n- the docs name the flag\n")
      const words = `unchecked.json --done-when ${home.home}/done.md`
      const { code, out } = yield* judge(words)
      assert.strictEqual(code, 1)
      assert.match(out, /Done when {2}. d1 not run: test -d \.\.\/shop/u)
      assert.match(bare(out), /not run: `test -f shop-is-ready` exits 0/u)
      assert.match(out, /unknown: the docs name the flag/u)
      const results = Effect.map(read(`${words} --checks`), ({ acceptance }) =>
        acceptance.map(({ result }: { readonly result: string }) => result)
      )
      assert.deepStrictEqual(yield* results, ["passed", "unknown", "failed", "unknown"])
      home.put("shop/shop-is-ready", "")
      assert.deepStrictEqual(yield* results, ["passed", "unknown", "passed", "unknown"])
      assert.isNull(home.read("shop/pwned"))
    })
  )

  it.scopedLive("says what is wrong with its file", () =>
    Effect.gen(function* () {
      const { home, judge } = yield* world()
      home.put("empty.md", "# Done when\n\n---\n")
      const absent = yield* judge(`unchecked.json --done-when ${home.home}/nowhere.md`)
      assert.deepStrictEqual([absent.code, /--done-when: .*nowhere\.md is not there/u.test(absent.err)], [2, true])
      const empty = yield* judge(`unchecked.json --done-when ${home.home}/empty.md`)
      assert.deepStrictEqual([empty.code, /has no condition in it/u.test(empty.err)], [2, true])
    })
  )
})

describe("reflexion judge --cross-review", () => {
  it.scopedLive("shows what a reviewer dissents on, where, and who was left out", () =>
    Effect.gen(function* () {
      const config = { crossReview: { reviewer: "work/large", auditor: "work/gpt-5-mini" } }
      const { calls, judge, read } = yield* world({ reviews: review(comment), config })
      const { code, err, out } = yield* judge("checked.json --cross-review")
      assert.deepStrictEqual([code, err, yield* calls], [1, "", 1])
      assert.include(out, "Review     ✗ cart.mjs: The id goes into the query as it came")
      assert.include(out, "HIGH, says the reviewer work/large")
      assert.include(out, "the auditor work/gpt-5-mini was left out: too weak to judge")
      const verdict = yield* read("checked.json --cross-review")
      assert.deepStrictEqual([verdict.source, verdict.complete], ["cross_review", false])
      assert.deepNestedInclude(verdict, { "crossReview.consensus.dissent[0].quote": comment.quote })
    })
  )

  it.scopedLive("leaves complete what nobody shows a defect in", () =>
    Effect.gen(function* () {
      const { judge } = yield* world({ config: reviewer })
      const agreed = yield* judge("checked.json --cross-review")
      assert.strictEqual(agreed.code, 0)
      assert.include(agreed.out, "✓ the reviewer work/large finds nothing that blocks it")
      const failing = yield* world({ reviews: refused, config: reviewer })
      const failed = yield* failing.judge("checked.json --cross-review")
      assert.strictEqual(failed.code, 0)
      assert.include(failed.out, "the reviewer work/large was left out")
      assert.notInclude(failed.out + failed.err, key)
    })
  )

  it.scopedLive("refuses what nobody can review, and says why nobody was asked", () =>
    Effect.gen(function* () {
      const { calls, configure, judge } = yield* world()
      const nobody = yield* judge("nothing.json --cross-review")
      assert.deepStrictEqual([nobody.code, nobody.out], [2, ""])
      assert.include(nobody.err, "--cross-review: nobody is named to review")
      assert.notInclude(nobody.err, "nothing.json")
      assert.strictEqual((yield* judge("checked.json --cross-review --model work/large")).code, 0)
      assert.strictEqual(yield* calls, 2, "the model that was named reviews")
      const open = yield* judge("unchecked.json --cross-review --model work/large")
      assert.include(open.err, "--cross-review: nobody was asked: it is not judged complete")
      configure({ crossReview: { reviewer: "nobody/x" } })
      const unknown = yield* judge("checked.json --cross-review")
      assert.strictEqual(unknown.code, 2)
      assert.include(unknown.err, '--cross-review: nobody/x: no provider "nobody" is known')
    })
  )
})
