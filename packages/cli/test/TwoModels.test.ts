import { assert, describe, it } from "@effect/vitest"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import * as ScriptedChat from "@reflexion/testing/servers/ScriptedChat"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { hooksHome } from "./hooksHome.ts"
import { neutral, type Turn } from "./sessions.ts"

/** The rules read no German. */
const open: Turn = {
  ask: "Behebe den Warenkorb.",
  runs: [{ command: "sed -i 's/a/b/' cart.mjs", exitCode: 0, output: "" }],
  answer: "Der Warenkorb ist jetzt behoben."
}

const comment = {
  file: "cart.mjs",
  quote: '"SELECT * FROM carts WHERE id = " + id',
  comment: "The id goes into the query as it came: use a parameter.",
  severity: "HIGH"
}

const complete = ModelScript.say(JSON.stringify(SampleAssessment.complete))

const review = (...comments: ReadonlyArray<typeof comment>) =>
  ModelScript.say(JSON.stringify({ complete: comments.length === 0, summary: "I read it.", comments }))

interface Model {
  readonly judges: ScriptedChat.Reply
  readonly reviews: ScriptedChat.Reply
}

/** A server of its own, which tells a judge's question from a reviewer's. */
const serve = Effect.fnUntraced(function* ({ judges, reviews }: Model) {
  const server = yield* ScriptedChat.make({
    turns: [],
    rules: [
      { name: "judge", when: ({ system }) => system.includes("You assess, after the fact"), replies: [judges] },
      { name: "review", when: () => true, replies: [reviews] }
    ]
  })
  const asked = Effect.map(server.requests, (all) => all.map(({ answeredBy }) => answeredBy))
  const models = Effect.map(server.requests, (all) => all.map(({ model }) => model))
  return { url: `${server.url}/v1`, asked, models }
})

const git = (directory: string, ...words: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    cwd: directory,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    stdio: "ignore"
  })

const provider = (url: string) => ({ api: "chat-completions", url })

/** A user's configuration with two models, each at a server of its own: one judges, both may review. */
const world = Effect.fnUntraced(function* (given: {
  readonly one: Model
  readonly two: Model
  readonly author?: string
}) {
  const one = yield* serve(given.one)
  const two = yield* serve(given.two)
  const home = yield* hooksHome
  const config = {
    model: "one/large",
    models: {
      timeout: 10,
      fallback: ["one/large", "two/huge"],
      providers: { one: provider(one.url), two: provider(two.url) }
    },
    crossReview: { reviewer: "two/huge", auditor: "one/large" }
  }
  home.put(".config/reflexion/config.json", JSON.stringify(config))
  home.put("shop/cart.mjs", "export const query = (id) => id\n")
  const directory = `${home.home}/shop`
  git(directory, "init", "--quiet")
  git(directory, "add", ".")
  git(directory, "commit", "--quiet", "--message", "Begin", "--date", "2026-01-01T00:00:00Z")
  home.put("shop/cart.mjs", 'export const query = (id) => "SELECT * FROM carts WHERE id = " + id\n')
  home.put(
    "project/src/open.json",
    neutral([given.author === undefined ? open : { ...open, model: given.author }], { cwd: directory })
  )
  const judge = (words: string) => home.run(`judge ${words}`, { env: { PATH: process.env["PATH"] ?? "" } })
  return { one, two, judge }
})

/** Three failures of one task, now: what the rules find in them is analysed by a model. */
const failures = () => {
  const failure = {
    taskId: "nightly-deploy",
    sessionId: "s1",
    objective: "Deploy the shop.",
    status: "failed",
    durationMs: 61_000,
    tools: ["bash"],
    loaded: [],
    resultLength: 400,
    backend: "codex",
    at: new Date().toISOString()
  }
  return ["o1", "o2", "o3"].map((id) => `${JSON.stringify({ id, ...failure })}\n`).join("")
}

const folded = (text: string): string => text.replaceAll(/\s+/g, " ")

describe("two models of the user's", () => {
  it.scopedLive("one judges, the other reviews, and who has judged is left out as reviewer", () =>
    Effect.gen(function* () {
      const { judge, one, two } = yield* world({
        one: { judges: complete, reviews: review() },
        two: { judges: complete, reviews: review() }
      })
      const { code, out } = yield* judge("open.json --cross-review --model one/large")
      assert.strictEqual(code, 0, out)
      assert.deepStrictEqual([yield* one.asked, yield* two.asked], [["judge"], ["review"]])
      assert.include(folded(out), "the reviewer two/huge finds nothing that blocks it")
      assert.include(folded(out), "the auditor one/large was left out: it judged the turn itself")
    })
  )

  it.scopedLive("the fallback that judged in its place reviews nothing either", () =>
    Effect.gen(function* () {
      const { judge, one, two } = yield* world({
        one: { judges: { status: 401, error: "Bad key" }, reviews: review() },
        two: { judges: complete, reviews: review(comment) }
      })
      const { out } = yield* judge("open.json --cross-review --model auto")
      assert.deepStrictEqual([yield* one.asked, yield* two.asked], [["judge", "review"], ["judge"]])
      assert.include(folded(out), "the reviewer two/huge was left out: it judged the turn itself")
    })
  )

  it.scopedLive("who wrote the turn reviews nothing of it: the other is asked once, and the record says so", () =>
    Effect.gen(function* () {
      const wrote = "the auditor one/large was left out: it wrote this turn itself; name another in crossReview.auditor"
      const { judge, one, two } = yield* world({
        one: { judges: complete, reviews: review() },
        two: { judges: complete, reviews: review() },
        author: "one/large"
      })
      const { code, out } = yield* judge("open.json --cross-review --model one/large")
      assert.strictEqual(code, 0, out)
      assert.deepStrictEqual([yield* one.asked, yield* two.asked], [["judge"], ["review"]])
      assert.include(folded(out), "the reviewer two/huge finds nothing that blocks it")
      assert.notInclude(folded(out), "the auditor two/huge")
      assert.include(folded(out), wrote)
    })
  )

  it.scopedLive("where one wrote the turn and the other judged it nobody reviews it", () =>
    Effect.gen(function* () {
      const { judge, one, two } = yield* world({
        one: { judges: { status: 401, error: "Bad key" }, reviews: review() },
        two: { judges: complete, reviews: review(comment) },
        author: "one/large"
      })
      const { out } = yield* judge("open.json --cross-review --model auto")
      assert.deepStrictEqual([yield* one.asked, yield* two.asked], [["judge"], ["judge"]])
      assert.include(
        folded(out),
        "the auditor one/large was left out: it wrote this turn itself; name another in crossReview.auditor"
      )
      assert.include(folded(out), "the reviewer two/huge was left out: it judged the turn itself")
    })
  )

  it.scopedLive("whoever dissents on a line of the change lowers it, and the judge is left out there, too", () =>
    Effect.gen(function* () {
      const { judge } = yield* world({
        one: { judges: complete, reviews: review() },
        two: { judges: complete, reviews: review(comment) }
      })
      const { code, out } = yield* judge("open.json --cross-review --model one/large --format json")
      const verdict = JSON.parse(out)
      assert.deepStrictEqual([code, verdict.source, verdict.complete], [1, "cross_review", false])
      assert.deepNestedInclude(verdict, { "crossReview.consensus.dissent[0].quote": comment.quote })
      assert.deepNestedInclude(verdict, { "crossReview.consensus.leftOut[0].modelId": "one/large" })
    })
  )

  it.scopedLive("a small question goes to models.fast of the provider that judges", () =>
    Effect.gen(function* () {
      const one = yield* serve({ judges: complete, reviews: review() })
      const two = yield* serve({ judges: complete, reviews: review() })
      const providers = { one: provider(one.url), two: provider(two.url) }
      const fast = { one: ["quick"], two: ["swift"] }
      for (const model of ["one/large", "two/huge"]) {
        const home = yield* hooksHome
        home.put("project/.reflection/outcomes.jsonl", failures())
        home.put(".config/reflexion/config.json", JSON.stringify({ model, models: { timeout: 10, providers, fast } }))
        yield* home.run("cycle --analyse")
      }
      const asked = [new Set(yield* one.models), new Set(yield* two.models)]
      assert.deepStrictEqual(asked, [new Set(["quick"]), new Set(["swift"])])
    })
  )

  it.scopedLive("the model for reflection that does not answer leaves it to the fast one of who judges", () =>
    Effect.gen(function* () {
      const one = yield* serve({ judges: complete, reviews: { status: 401, error: "Bad key" } })
      const two = yield* serve({ judges: complete, reviews: review() })
      const home = yield* hooksHome
      const providers = { one: provider(one.url), two: provider(two.url) }
      const models = { timeout: 10, providers, fast: { two: ["swift"] }, reflection: "one/large" }
      home.put("project/.reflection/outcomes.jsonl", failures())
      home.put(".config/reflexion/config.json", JSON.stringify({ model: "two/huge", models }))
      yield* home.run("cycle --analyse")
      assert.deepStrictEqual([yield* one.models, (yield* two.models)[0]], [["large"], "swift"])
    })
  )
})
