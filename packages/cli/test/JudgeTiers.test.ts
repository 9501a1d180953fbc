import { assert, describe, it } from "@effect/vitest"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import * as ScriptedChat from "@reflexion/testing/servers/ScriptedChat"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { hooksHome } from "./hooksHome.ts"
import type { Surroundings } from "./runCli.ts"
import { neutral, type Turn } from "./sessions.ts"

const key = "sk-test-0123456789abcdefghijklmnop"

const query = 'export const query = (id) => "SELECT * FROM carts WHERE id = " + id'

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

/** The rules read no German. */
const open: Turn = {
  ask: "Behebe den Warenkorb.",
  runs: [edited],
  answer: "Der Warenkorb ist jetzt behoben."
}

const test = (result: number) => `
import { appendFileSync } from "node:fs"
import { test } from "node:test"
appendFileSync(new URL("../runs", import.meta.url), "ran\\n")
test("the cart › empties", () => { if (${result} !== 0) throw new Error("1 is left") })
test("the cart › adds", () => {})
`

const comment = {
  file: "cart.mjs",
  quote: '"SELECT * FROM carts WHERE id = " + id',
  comment: "The id goes into the query as it came: use a parameter.",
  severity: "HIGH"
}

type Reply = ScriptedChat.Reply

const reviewed = (comments: ReadonlyArray<typeof comment>): Reply => ({
  content: [{ text: JSON.stringify({ complete: comments.length === 0, summary: "I read it.", comments }) }]
})

const check = { name: "tests", command: "node --test cart.test.mjs" }

interface Given {
  readonly reply?: Reply
  readonly result?: number
  readonly config?: Readonly<Record<string, unknown>>
}

const git = (directory: string, ...words: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    cwd: directory,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    stdio: "ignore"
  })

/** A project under git with a test that ends so, a server that reviews so, and sessions in it. */
const world = Effect.fnUntraced(function* ({ config = {}, reply = reviewed([]), result = 0 }: Given = {}) {
  const server = yield* ScriptedChat.make({
    turns: [],
    rules: [
      {
        name: "judge",
        when: ({ system }) => system.includes("You assess, after the fact"),
        replies: [ModelScript.say(JSON.stringify(SampleAssessment.complete))]
      },
      { name: "model", when: () => true, replies: [reply] }
    ]
  })
  const home = yield* hooksHome
  const models = {
    timeout: 10,
    providers: { work: { api: "chat-completions", url: `${server.url}/v1`, keyEnv: "WORK_KEY" } }
  }
  home.put(".config/reflexion/config.json", JSON.stringify({ checks: [check], models, ...config }))
  home.put("shop/cart.mjs", "export const query = (id) => id\n")
  home.put("shop/cart.test.mjs", test(result))
  const directory = `${home.home}/shop`
  git(directory, "init", "--quiet")
  git(directory, "add", ".")
  git(directory, "commit", "--quiet", "--message", "Begin", "--date", "2026-01-01T00:00:00Z")
  home.put("shop/cart.mjs", `${query}\n`)
  home.put("project/src/unchecked.json", neutral([unchecked], { cwd: directory }))
  home.put("project/src/checked.json", neutral([checked], { cwd: directory }))
  home.put("project/src/open.json", neutral([open], { cwd: directory }))
  home.put("project/src/two.json", neutral([checked, unchecked], { cwd: directory }))
  home.put("project/src/gone.json", neutral([unchecked], { cwd: "/nowhere/at/all" }))
  const env = { WORK_KEY: key, PATH: process.env["PATH"] ?? "" }
  const runs = () => (home.read("runs") ?? "").split("\n").length - 1
  return {
    home,
    runs,
    judge: (words: string, given: Surroundings = {}) =>
      home.run(`judge ${words}`, { ...given, env: { ...env, ...given.env } }),
    calls: Effect.map(server.requests, (requests) => requests.length)
  }
})

const reviewer = { crossReview: { reviewer: "work/large" } }

describe("reflexion judge --checks", () => {
  it.scopedLive("runs nothing unless it is told to, whatever the configuration names", () =>
    Effect.gen(function* () {
      const { calls, judge, runs } = yield* world({ config: { ...reviewer, model: "work/large" } })
      const { code, err } = yield* judge("unchecked.json checked.json")
      assert.deepStrictEqual([code, err, runs(), yield* calls], [1, "", 0, 0])
    })
  )

  it.scopedLive("tells the failing test's name, and runs nothing again on the same files", () =>
    Effect.gen(function* () {
      const { home, judge, runs } = yield* world({ result: 1 })
      const { code, err, out } = yield* judge("unchecked.json --checks")
      assert.strictEqual(code, 1)
      assert.match(err, /^reflexion: running `node --test cart\.test\.mjs` in .*shop$/u)
      assert.match(
        out,
        /Checks {5}✗ tests: `node --test cart\.test\.mjs` failed: 1 passed, 1 failed \(the cart › empties\)/u
      )
      assert.include(out, 'Make "the cart › empties" pass')
      assert.include(out, "by verification")
      const again = yield* judge("unchecked.json --checks --format json")
      assert.strictEqual(again.err, "")
      const verdict = JSON.parse(again.out)
      assert.deepStrictEqual([verdict.status, verdict.source, runs()], ["incomplete", "verification", 2])
      assert.deepNestedInclude(verdict, { "checks[0].cached": true, "checks[0].failing[0].name": "the cart › empties" })
      home.put("shop/cart.test.mjs", test(0))
      const fixed = yield* judge("unchecked.json --checks")
      assert.deepStrictEqual([fixed.code, runs()], [0, 3])
      assert.include(fixed.out, "Checks     ✓ tests")
    })
  )

  it.scopedLive("goes by what the runner says where the project's script hides its exit status", () =>
    Effect.gen(function* () {
      const { home, judge } = yield* world({ result: 1, config: { checks: [{ name: "tests", command: "npm test" }] } })
      const script = (text: string) => home.put("shop/package.json", JSON.stringify({ scripts: { test: text } }))
      script("node --test cart.test.mjs || true")
      const { code, out } = yield* judge("unchecked.json --checks")
      assert.strictEqual(code, 1)
      assert.include(out, "`npm test` failed: 1 passed, 1 failed (the cart › empties)")
      script("node silent.mjs || true")
      home.put("shop/silent.mjs", "process.exit(1)\n")
      const silent = yield* judge("unchecked.json --checks")
      assert.strictEqual(silent.code, 1)
      assert.include(silent.out, "its exit status is masked")
    })
  )

  it.scopedLive("believes no script that lets its tests fail and exits 0 all the same", () =>
    Effect.gen(function* () {
      const { home, judge } = yield* world({ result: 1, config: { checks: [{ name: "tests", command: "sh all.sh" }] } })
      home.put("shop/all.sh", "node --test cart.test.mjs\ntrue\n")
      const { code, out } = yield* judge("unchecked.json --checks")
      assert.strictEqual(code, 1)
      assert.include(out, "! tests: `sh all.sh` gave no result")
      assert.include(out, "1 failed")
    })
  )

  it.scopedLive("says why nothing was run", () =>
    Effect.gen(function* () {
      const { home, judge, runs } = yield* world()
      const said = Effect.fnUntraced(function* (words: string) {
        return (yield* judge(words)).err
      })
      assert.include(yield* said("gone.json --checks"), "--checks did nothing: the session's directory is not there")
      assert.include(yield* said("two.json --checks --turn 0"), "as the session's last turn left it")
      assert.include(yield* said("checked.json --checks"), "nothing was run: no required gate lacks a result")
      home.put(".config/reflexion/config.json", "{}")
      assert.include(yield* said("unchecked.json --checks"), "no check is configured")
      assert.strictEqual(runs(), 0)
    })
  )

  it.scopedLive("runs no check of a project that is not trusted", () =>
    Effect.gen(function* () {
      const { home, judge, runs } = yield* world()
      home.put(".config/reflexion/config.json", "{}")
      home.put("shop/.reflection/config.json", JSON.stringify({ checks: [check] }))
      assert.include((yield* judge("unchecked.json --checks")).err, "no check is configured")
      assert.strictEqual(runs(), 0)
      yield* home.run("trust", { cwd: `${home.home}/shop` })
      assert.strictEqual((yield* judge("unchecked.json --checks")).code, 0)
      assert.strictEqual(runs(), 1)
    })
  )
})

describe("reflexion judge --cross-review", () => {
  it.scopedLive("shows what a reviewer dissents on, where, and who was left out", () =>
    Effect.gen(function* () {
      const config = { crossReview: { reviewer: "work/large", auditor: "work/gpt-5-mini" } }
      const { calls, judge } = yield* world({ reply: reviewed([comment]), config })
      const { code, err, out } = yield* judge("checked.json --cross-review")
      assert.deepStrictEqual([code, err, yield* calls], [1, "", 1])
      assert.include(out, "Review     ✗ cart.mjs: The id goes into the query as it came")
      assert.include(out, "HIGH, says the reviewer work/large")
      assert.include(out, "the auditor work/gpt-5-mini was left out: too weak to judge")
      const verdict = JSON.parse((yield* judge("checked.json --cross-review --format json")).out)
      assert.deepStrictEqual([verdict.source, verdict.cost.modelCalls], ["cross_review", 1])
      assert.deepNestedInclude(verdict, { "crossReview.consensus.dissent[0].quote": comment.quote })
    })
  )

  it.scopedLive("leaves complete what nobody shows a defect in", () =>
    Effect.gen(function* () {
      const agreeing = yield* world({ config: reviewer })
      const agreed = yield* agreeing.judge("checked.json --cross-review")
      assert.strictEqual(agreed.code, 0)
      assert.include(agreed.out, "✓ the reviewer work/large finds nothing that blocks it")
      const grave = { ...comment, quote: "not in the diff", severity: "BLOCKER" }
      const { calls, judge } = yield* world({ reply: reviewed([grave]), config: reviewer })
      const { code, out } = yield* judge("checked.json --cross-review")
      assert.strictEqual(code, 0)
      assert.include(out, "the reviewer work/large objects, and shows nothing in the change that blocks it")
      assert.notInclude(out, "✓ the reviewer")
      assert.include(out.replaceAll(/\s+/g, " "), "it quotes nothing that the change did, so it does not count")
      assert.strictEqual(yield* calls, 1)
    })
  )

  it.scopedLive("says which part of a long change was reviewed", () =>
    Effect.gen(function* () {
      const { home, judge } = yield* world({ config: reviewer })
      home.put("shop/cart.mjs", "export const one = 1\n".repeat(5000))
      const { out } = yield* judge("checked.json --cross-review")
      assert.match(out, /! reviewed the first 59,9\d\d of 1\d\d,\d{3} characters of the diff/)
    })
  )

  it.scopedLive("reviews what a check that was run makes complete", () =>
    Effect.gen(function* () {
      const { calls, judge, runs } = yield* world({ reply: reviewed([comment]), config: reviewer })
      const { code, out } = yield* judge("unchecked.json --checks --cross-review")
      assert.deepStrictEqual([code, runs(), yield* calls], [1, 1, 1])
      assert.match(out, /Checks {5}✓ tests[^]*Review {5}✗ cart\.mjs/u)
    })
  )

  it.scopedLive("has the model of --model review where nobody else is named", () =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world({ reply: reviewed([]) })
      assert.strictEqual((yield* judge("checked.json --cross-review --model work/large")).code, 0)
      assert.strictEqual(yield* calls, 2)
      const nobody = yield* judge("nothing.json --cross-review")
      assert.deepStrictEqual([nobody.code, nobody.out], [2, ""])
      assert.include(nobody.err, "--cross-review: nobody is named to review")
      assert.notInclude(nobody.err, "nothing.json")
    })
  )

  it.scopedLive("has no model review what it has judged itself, and says whom to name", () =>
    Effect.gen(function* () {
      const { calls, home, judge } = yield* world()
      const { code, out } = yield* judge("open.json --cross-review --model work/large")
      assert.deepStrictEqual([code, yield* calls], [0, 1])
      assert.include(
        out.replaceAll(/\s+/g, " "),
        "! the reviewer work/large was left out: it judged the turn itself; name another in crossReview.reviewer"
      )
      home.put(
        ".config/reflexion/config.json",
        JSON.stringify({
          ...JSON.parse(home.read(".config/reflexion/config.json") ?? "{}"),
          crossReview: { reviewer: "work/other" }
        })
      )
      const other = yield* judge("open.json --cross-review --model work/large")
      assert.strictEqual(yield* calls, 3)
      assert.include(other.out, "the reviewer work/other finds nothing that blocks it")
    })
  )

  it.scopedLive("refuses reviewers of whom none can be asked", () =>
    Effect.gen(function* () {
      const { judge } = yield* world({ config: { crossReview: { reviewer: "nobody/x" } } })
      const { code, err } = yield* judge("checked.json --cross-review")
      assert.strictEqual(code, 2)
      assert.include(err, '--cross-review: nobody/x: no provider "nobody" is known')
    })
  )

  it.scopedLive("asks nobody about what is not complete, and says so", () =>
    Effect.gen(function* () {
      const { calls, judge } = yield* world({ config: reviewer })
      const { code, err } = yield* judge("unchecked.json --cross-review")
      assert.deepStrictEqual([code, yield* calls], [1, 0])
      assert.include(err, "--cross-review: nobody was asked: it is not judged complete")
    })
  )

  it.scopedLive("leaves the verdict where a reviewer fails, and names it", () =>
    Effect.gen(function* () {
      const { judge } = yield* world({ reply: { status: 401, error: `bad key ${key}` }, config: reviewer })
      const { code, err, out } = yield* judge("checked.json --cross-review")
      assert.strictEqual(code, 0)
      assert.include(out, "the reviewer work/large was left out")
      assert.notInclude(out + err, key)
    })
  )
})
