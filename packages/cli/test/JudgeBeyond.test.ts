/** `reflexion judge` beyond the record: a model, checks, conditions and reviewers, at a real server and in a real git repository. */
import { assert, describe } from "@effect/vitest"
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import * as ScriptedChat from "@reflexion/testing/servers/ScriptedChat"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { type Home, hooksHome, loggedIn } from "./hooksHome.ts"
import { escaped, scenes } from "./scenes.ts"
import { claudeCode, failing, neutral, passing, text, turn, undecided } from "./sessions.ts"

const key = "sk-test-0123456789abcdefghijklmnop"

/** The tests were asked for, and not run after the edit. */
const unchecked = turn(
  "Fix the total of the cart. All tests must pass. / $ sed -i 's/a/b/' cart.mjs / I fixed the total of the cart. All tests pass now."
)

const checked = turn(
  "Fix the total of the cart. All tests must pass. / $ sed -i 's/a/b/' cart.mjs / $ npm test => Tests: 4 passed, 4 total / All tests pass now."
)

/** A change was asked for and none was made: evidence leaves open whether it had to be. */
const unchanged = turn(
  "Add a retry to the fetch helper in src/http.ts. / $ cat src/http.ts => export const get = retry(3, fetch) / " +
    "The helper in src/http.ts already retries three times, so there is nothing to add."
)

/** No rule reads German: the agent may be done, or about to go on. */
const german = turn(
  "Behebe den Parser und schreibe Tests dazu. / $ sed -i s/a/b/ src/parser.ts / " +
    "Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests für die Randfälle."
)

/** The German session after a nudge of ours, which is a message in it, and after more work. */
const nudged = (): string => {
  const { events, ...session } = JSON.parse(neutral([german]))
  const [asked, call, last] = events
  const said = { facts: ["The tests are missing."], actions: [], human: [], attempt: 1, maxAttempts: 3 }
  const nudge = { ...asked, id: "r1", at: last.at, synthetic: true, text: Feedback.render(said) }
  return JSON.stringify({ ...session, events: [...events, nudge, { ...call, id: "c9" }, { ...last, id: "a9" }] })
}

const announcing = (event: string) => {
  const quote = "Als Nächstes schreibe ich die Tests"
  const remaining_work = [{ what: "the tests", kind: "step", event, quote, name: null }]
  return ModelScript.say(
    JSON.stringify({ ...SampleAssessment.complete, status: "in_progress", push: 0.9, remaining_work })
  )
}

const comment = {
  file: "cart.mjs",
  quote: '"SELECT * FROM carts WHERE id = " + id',
  comment: "The id goes into the query as it came: use a parameter.",
  severity: "HIGH"
}

const review = (...comments: ReadonlyArray<typeof comment>) =>
  ModelScript.say(JSON.stringify({ complete: comments.length === 0, summary: "I read it.", comments }))

/** The server's answers to a judge's or a reviewer's question, by name. */
const replies: Readonly<Record<string, ScriptedChat.Reply>> = {
  "judge complete": ModelScript.say(JSON.stringify(SampleAssessment.complete)),
  "judge announces": announcing("e5"),
  "judge announces-again": announcing("a9"),
  "judge refuses": { status: 401, error: `bad key ${key}` },
  "review agrees": review(),
  "review dissents": review(comment),
  "review refuses": { status: 401, error: `bad key ${key}` }
}

const test = (result: number): string => `import { appendFileSync } from "node:fs"
import { test } from "node:test"
appendFileSync(new URL("../runs", import.meta.url), "ran\\n")
test("the cart › empties", () => { if (${result} !== 0) throw new Error("1 is left") })
test("the cart › adds", () => {})
`

const git = (cwd: string, ...words: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    cwd,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    stdio: "ignore"
  })

interface Work {
  readonly server: ModelScript.Server
  readonly answers: Set<string>
}

const works = new WeakMap<Home, Work>()

const workOf = (home: Home): Work => works.get(home) ?? assert.fail("there is no server")

const configured = (home: Home, config: object, models: object = {}): void => {
  const api = "chat-completions"
  const url = `${workOf(home).server.url}/v1`
  const providers = {
    work: { api, url, keyEnv: "WORK_KEY" },
    openai: { api, url },
    keyless: { api, url, keyEnv: "KEYLESS_KEY" }
  }
  home.put(
    ".config/reflexion/config.json",
    JSON.stringify({ ...config, models: { timeout: 10, providers, ...models } })
  )
}

const check = { name: "tests", command: "node --test cart.test.mjs" }

/** A project under git with a test, a server, and sessions in it. */
const world = Effect.gen(function* () {
  const answers = new Set(["judge complete", "review agrees"])
  const rules = Object.entries(replies).map(([name, reply]) => ({
    name,
    when: ({ system }: { readonly system: string }) =>
      answers.has(name) && system.includes("You assess, after the fact") === name.startsWith("judge"),
    replies: [reply] as const
  }))
  const server = yield* ScriptedChat.make({ turns: [], rules })
  const home = yield* hooksHome
  works.set(home, { server, answers })
  configured(home, { checks: [check] })
  home.put("shop/cart.mjs", "export const query = (id) => id\n")
  home.put("shop/cart.test.mjs", test(0))
  const cwd = `${home.home}/shop`
  git(cwd, "init", "--quiet")
  git(cwd, "add", ".")
  git(cwd, "commit", "--quiet", "--message", "Begin", "--date", "2026-01-01T00:00:00Z")
  home.put("shop/cart.mjs", 'export const query = (id) => "SELECT * FROM carts WHERE id = " + id\n')
  const sessions = {
    "unchecked.json": neutral([unchecked], { cwd }),
    "checked.json": neutral([checked], { cwd }),
    "two.json": neutral([checked, unchecked], { cwd }),
    "gone.json": neutral([unchecked], { cwd: "/nowhere/at/all" }),
    "unchanged.json": neutral([unchanged]),
    "passing.json": neutral([passing]),
    "failing.json": neutral([failing]),
    "german.json": neutral([passing, german]),
    "nudged.json": nudged(),
    "several.jsonl": text(claudeCode([unchanged, passing, unchanged, undecided]))
  }
  for (const [name, content] of Object.entries(sessions)) home.put(`project/src/${name}`, content)
  return home
})

describe("reflexion judge", () => {
  scenes(
    String.raw`
    # asks no model and runs nothing without a flag, whatever the configuration names
    configure {"checks":[${JSON.stringify(check)}],"crossReview":{"reviewer":"work/large"},"model":"work/large"}
    $1 REFLEXION_MODEL=work/large judge unchecked.json checked.json
    $3 REFLEXION_MODEL=work/large judge unchanged.json --model off
    $ REFLEXION_MODEL=work/large judge unchanged.json --show score ¦ asked 0 ¦ runs 0

    # --model lets a model settle what evidence leaves open, once for each turn of work
    $ judge unchanged.json --model work/large --format json ¦ json status "complete" ¦ json source "model" ¦ json cost.modelCalls 1
    ~ "inputTokens": [1-9]
    $1 judge failing.json --model work/large ¦ asked 1
    $3 judge several.jsonl --turn all --model work/large --format json
    json *.status ["complete","complete","complete","abstained"] ¦ json *.cost.modelCalls [1,0,1,1]

    # --model nudges for what the model shows in the record, and counts earlier nudges
    answers judge announces
    $1 judge german.json --model work/large --format json ¦ json status "incomplete" ¦ json shouldContinue true
    payload \[e3\] user: Behebe den Parser ¦ payload ${passing.ask}.*What the user ordered:
    answers judge announces-again
    $1 judge nudged.json --model work/large ¦ + [reflexion 2/3]

    # if the model fails, --model keeps evidence's verdict and names the failure
    answers judge refuses
    $3 judge unchanged.json --model work/large --format json ¦ json status "abstained" ¦ json source "evidence" ¦ asked 1
    !~ ^reflexion: unchanged\.json: turn 0: .*unavailable ¦ + (unavailable): the provider answered HTTP 401: bad key ¦ - ${key}
    $ judge unchanged.json --show score --model work/large --format json ¦ json source "evidence"

    # --model auto is the configured model, else that of a key, never a project's
    $ OPENAI_API_KEY=${key} judge unchanged.json --model auto ¦ model gpt-5.1
    $ OPENAI_API_KEY=${key} REFLEXION_MODEL=work/large judge unchanged.json --model auto ¦ model large
    put project/.reflection/config.json {"model":"work/large"}
    $2 judge unchanged.json --model auto
    configure {} {"fallback":["keyless/large","work/other"]}
    $ judge unchanged.json --model auto ¦ model other

    # --model refuses a model that cannot be asked, before any file is read
    $2 judge nothing.json passing.json --model nobody/large ¦ = ¦ ! unknown provider "nobody" ¦ - nothing.json
    $2 judge nothing.json passing.json --model keyless/large ¦ = ¦ ! KEYLESS_KEY is not set ¦ ! reflexion doctor --show models
    $2 judge nothing.json passing.json --model work/gpt-5-mini ¦ = ¦ ! too weak to judge ("mini" in models.weak) ¦ - nothing.json
    $2 judge nothing.json passing.json --model auto ¦ = ¦ ! no provider's key is in the environment ¦ - nothing.json
    asked 0

    # --model adds the model's findings to a score; only what the record shows lowers it
    answers judge announces
    $ judge german.json --show score --format json ¦ json score 4
    $ judge german.json --show score --model work/large --format json ¦ json score 3 ¦ + a step that the last words announce ¦ asked 1

    # --checks names the failing test, and runs nothing again on the same files
    put shop/cart.test.mjs ${escaped(test(1))}
    $1 judge unchecked.json --checks ¦ !~ ^reflexion: running {tick}node --test cart\.test\.mjs{tick} in .*shop$
    + Checks ✗ tests: {tick}node --test cart.test.mjs{tick} failed: 1 passed, 1 failed (the cart › empties) ¦ + Make "the cart › empties" pass
    $1 judge unchecked.json --checks --format json ¦ json status "incomplete" ¦ json source "verification"
    json checks.0.cached true ¦ json checks.0.failing.0.name "the cart › empties" ¦ runs 2
    put shop/cart.test.mjs ${escaped(test(0))}
    $ judge unchecked.json --checks ¦ + Checks ✓ tests ¦ runs 3

    # --checks says why nothing was run, and runs no check of a project that is not trusted
    $1 judge gone.json --checks ¦ ! --checks had no effect: the session's directory does not exist
    $ judge two.json --checks --turn 0 ¦ ! as the session's last turn left it
    $ judge checked.json --checks ¦ ! nothing was run: every required gate has a result
    configure {}
    put shop/.reflection/config.json {"checks":[${JSON.stringify(check)}]}
    $1 judge unchecked.json --checks ¦ ! nothing was run: the configuration has no check for it under checks ¦ runs 0

    # --done-when lists each condition with what shows it, and runs its command only with --checks
    configure {"doneWhen":["$ test -d ../shop"]}
    put shop/.reflection/config.json {"doneWhen":["$ touch pwned"]}
    put done.md - {tick}test -f shop-is-ready{tick} exits 0\n- the docs name the flag\n
    $1 judge unchecked.json --done-when {home}/done.md ¦ ~ Done when . d1 not run: test -d \.\./shop
    + not run: {tick}test -f shop-is-ready{tick} exits 0 ¦ + unknown: the docs name the flag
    $1 judge unchecked.json --done-when {home}/done.md --checks --format json
    json acceptance.*.result ["passed","unknown","failed","unknown"]
    put shop/shop-is-ready
    $1 judge unchecked.json --done-when {home}/done.md --checks --format json
    json acceptance.*.result ["passed","unknown","passed","unknown"] ¦ shop/pwned gone

    # --done-when says what is wrong with its file
    put empty.md # Done when\n\n---\n
    $2 judge unchecked.json --done-when {home}/nowhere.md ¦ !~ --done-when: .*nowhere\.md does not exist
    $2 judge unchecked.json --done-when {home}/empty.md ¦ ! has no condition

    # --cross-review shows each dissent with its place, and which reviewer was left out
    configure {"crossReview":{"reviewer":"work/large","auditor":"work/gpt-5-mini"}}
    answers review dissents
    $1 judge checked.json --cross-review ¦ !~ ^$ ¦ asked 1 ¦ + Review ✗ cart.mjs: The id goes into the query as it came
    + HIGH, says the reviewer work/large ¦ + the auditor work/gpt-5-mini was left out: too weak to judge
    $1 judge checked.json --cross-review --format json ¦ json source "cross_review" ¦ json complete false
    json crossReview.consensus.dissent.0.quote ${JSON.stringify(comment.quote)}

    # --cross-review keeps a turn complete if no reviewer shows a defect
    configure {"crossReview":{"reviewer":"work/large"}}
    $ judge checked.json --cross-review ¦ + ✓ the reviewer work/large finds nothing that blocks the change
    answers review refuses
    $ judge checked.json --cross-review ¦ + the reviewer work/large was left out ¦ - ${key}

    # --cross-review fails without a usable reviewer, and says why no model was asked
    $2 judge nothing.json --cross-review ¦ = ¦ ! --cross-review: no reviewer is named ¦ - nothing.json
    $ judge checked.json --cross-review --model work/large ¦ asked 2
    $1 judge unchecked.json --cross-review --model work/large ¦ ! --cross-review: no model was asked: the turn is not judged complete
    configure {"crossReview":{"reviewer":"nobody/x"}}
    $2 judge checked.json --cross-review ¦ ! --cross-review: nobody/x: unknown provider "nobody"
    `,
    {
      live: true,
      home: world,
      env: () => ({ WORK_KEY: key, PATH: process.env["PATH"] ?? "" }),
      words: { tick: "`" },
      verbs: {
        answers: (name, home) => {
          const { answers } = workOf(home)
          for (const one of answers) if (one.split(" ")[0] === name.split(" ")[0]) answers.delete(one)
          answers.add(name)
        },
        configure: (rest, home) => {
          const [, config = "", models = "{}"] = /^(\{.*?\})(?: (\{.*\}))?$/s.exec(rest) ?? []
          configured(home, JSON.parse(config), JSON.parse(models))
        },
        asked: (count, home) => Effect.map(workOf(home).server.requests, (all) => assert.lengthOf(all, Number(count))),
        model: (name, home) =>
          Effect.map(workOf(home).server.requests, (all) => assert.strictEqual(all.at(-1)?.model, name)),
        payload: (expected, home) =>
          Effect.map(workOf(home).server.requests, (all) =>
            assert.match(all[0]?.payload ?? "", new RegExp(expected, "s"))
          ),
        runs: (count, home) => assert.strictEqual((home.read("runs") ?? "").split("\n").length - 1, Number(count))
      }
    }
  )
})

/** A user who agreed that their hosts' models are asked at stops. */
const agreed = Effect.tap(loggedIn, (home) =>
  Effect.sync(() => {
    const state = { state: `${home.home}/.local/state/reflexion` }
    for (const host of ["claude-code", "codex"])
      OwnModels.keep(state, host, { asked: true, at: new Date().toISOString() })
    home.put("project/src/open.jsonl", text(claudeCode([unchanged])))
  })
)

const leavesWord = 'require("node:fs").appendFileSync("{home}/asked", process.argv.slice(2).join(" "))'

describe("the host's own small model", () => {
  scenes(
    String.raw`
    # no command asks it about a finished session, despite consent, unless --model names it
    program bin/claude ${leavesWord}
    program bin/codex ${leavesWord}
    $* judge open.jsonl ¦ asked gone ¦ $* judge open.jsonl --model off ¦ asked gone ¦ $* judge open.jsonl --model auto ¦ asked gone
    $* judge open.jsonl --checks ¦ asked gone ¦ $* judge open.jsonl --model auto --host claude-code ¦ asked gone
    $* judge open.jsonl --show score ¦ asked gone ¦ $* judge open.jsonl --show stuck ¦ asked gone
    $* judge open.jsonl --show compaction ¦ asked gone ¦ $* cycle --analyse ¦ asked gone
    rm .local/state
    $* judge open.jsonl --model claude-code/small ¦ asked + -p
    `,
    { live: true, home: agreed, env: ({ home }) => ({ PATH: `${home}/bin` }) }
  )
})
