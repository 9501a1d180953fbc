import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import { duration } from "../../src/judge/stuck/known.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import type { Transcript, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, mode, notice, run, transcript, user } from "../support/events.ts"
import { utmost, utmostContext } from "../support/utmost.ts"

const begin = Date.parse("2026-03-02T09:00:00.000Z")

const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString()

interface Looked {
  readonly silence?: number
  readonly config?: ReflexionConfig.PartialConfig
  readonly attempt?: number
  readonly session?: Partial<Transcript>
}

/** The session, one event a second, looked at so many seconds after its last: a minute unless said otherwise. */
const assessed = (events: ReadonlyArray<TranscriptEvent>, looked: Looked = {}): StuckAssessment.Assessed => {
  const timed = events.map((event, index) => ({ ...event, at: event.at ?? at(index) }))
  return StuckAssessment.assessTranscript(transcript(timed, looked.session ?? {}), {
    now: at(events.length - 1 + (looked.silence ?? 60)),
    context: { config: ReflexionConfig.merge(utmost, looked.config ?? {}) },
    ...(looked.attempt !== undefined && { attempt: looked.attempt })
  })
}

const assess = (events: ReadonlyArray<TranscriptEvent>, looked: Looked = {}): StuckAssessment.Assessment =>
  assessed(events, looked).assessment

const said = ({ reason, shouldNudge }: StuckAssessment.Assessment) => [reason, shouldNudge] as const

const task = user("Add a login page to the shop and write tests for it.")

const words = (
  text: string,
  rest: { readonly completed?: boolean | null; readonly outputTokens?: number }
): TranscriptEvent => ({
  type: "assistant_message",
  id: null,
  at: null,
  text,
  completed: rest.completed ?? null,
  outputTokens: rest.outputTokens ?? null,
  model: null
})

const open = (command: string) => call("Bash", { command }, { status: "running", output: null })

describe("the five scenarios", () => {
  it("`npm install` that has been running for 90 s is work", () => {
    const assessment = assess([task, agent("Let me install the dependencies."), open("npm install")], { silence: 90 })
    assert.deepStrictEqual(said(assessment), ["working", false])
    assert.deepStrictEqual(assessment.evidence, ["still running after 90 s: Bash: npm install"])
    assert.strictEqual(assessment.silence, 90)
  })

  it("`which database?` waits for the user", () => {
    for (const text of ["Which database?", "Which database should I use for this, PostgreSQL or SQLite?"])
      assert.deepStrictEqual(said(assess([task, agent(text)], { silence: 900 })), ["waiting_for_user", false])
  })

  it.each([
    ["I've looked at the module and will now change the", null],
    ["I'll start with the form. First I need to add the route, so I will create", false],
    ["The session is kept in a cookie,", null],
    ["```ts\nexport const login = (", null]
  ] as const)("%j breaks off, and is nudged once the silence counts", (text, completed) => {
    const events = [task, edit("src/login.ts"), words(text, { completed, outputTokens: 150 })]
    assert.deepStrictEqual(said(assess(events, { silence: 30 })), ["genuinely_stuck", true])
    assert.deepStrictEqual(said(assess(events, { silence: 29 })), ["working", false])
  })

  it("a build of an hour is work", () => {
    const assessment = assess([task, open("cargo build --release")], { silence: 3600 })
    assert.deepStrictEqual(said(assessment), ["working", false])
  })
})

describe("whatever the text says", () => {
  const asks = agent("Which database should I use?")
  const breaks = words("Now I will change the", { completed: false })

  it.each([
    ["a running tool", [open("make")], "working"],
    ["a pending tool", [call("Edit", { file_path: "a.ts" }, { status: "pending", output: null })], "working"],
    ["background work", [call("Bash", { command: "make" }, { background: true, status: "running" })], "working"],
    ["background work that the host tells of", [notice("background_running", "2 agents")], "working"],
    ["a permission question", [notice("permission_asked", "bash: rm")], "working"],
    ["a limit", [notice("rate_limited", "usage limit reached")], "working"],
    ["a failed request a minute ago", [notice("api_error", "Overloaded")], "working"],
    ["a queued message", [notice("input_queued")], "working"],
    ["a question tool", [call("AskUserQuestion", {}, { status: "pending", output: null })], "waiting_for_user"],
    ["a plan put up for approval", [call("ExitPlanMode", {}, { status: "pending", output: null })], "waiting_for_user"],
    ["Escape", [notice("aborted")], "waiting_for_user"],
    ["a refused tool", [call("Bash", { command: "make" }, { status: "denied" })], "waiting_for_user"]
  ] as const)("%s decides", (_, after, reason) => {
    for (const text of [asks, breaks, agent("Next I'll write the tests.")])
      assert.deepStrictEqual(said(assess([task, text, ...after])), [reason, false])
  })
})

describe("a limit", () => {
  it("is waited for however long it takes, but a full context passes by nothing", () => {
    const limited = [task, edit("src/a.ts"), notice("rate_limited", "limit resets at 19:00")]
    assert.deepStrictEqual(said(assess(limited, { silence: 20_000 })), ["working", false])
    const full = [task, edit("src/a.ts"), notice("rate_limited", "prompt is too long: 210000 tokens")]
    assert.deepStrictEqual(said(assess(full)), ["genuinely_stuck", false])
  })
})

const failed = (detail: string, silence: number, given: string | null = at(1)) =>
  said(assess([task, { ...notice("api_error", detail), at: given }], { silence }))

describe("a failed request", () => {
  it("is tried again for some minutes, and then by nobody", () => {
    assert.deepStrictEqual(failed("Overloaded", 100), ["working", false])
    assert.deepStrictEqual(failed("Overloaded", 200), ["genuinely_stuck", true])
  })

  it("of a context that is full is nothing that a word to the agent could mend", () => {
    assert.deepStrictEqual(failed("prompt is too long: 210000 tokens", 5), ["genuinely_stuck", false])
    assert.deepStrictEqual(failed("API Error: 400 maximum context length exceeded", 900), ["genuinely_stuck", false])
  })

  it("leaves a question that the user was asked as it is, while somebody is there", () => {
    const events = [task, agent("Which database should I use?"), { ...notice("api_error", "Overloaded"), at: at(2) }]
    assert.deepStrictEqual(said(assess(events, { silence: 200 })), ["waiting_for_user", false])
  })

  it("is for the user to mend where the account is refused", () => {
    assert.deepStrictEqual(failed("API Error: 401 authentication_error", 5), ["waiting_for_user", false])
  })

  it("is tried again as long as the host tells so itself", () => {
    const events = [task, { ...edit("src/a.ts"), at: at(0) }, notice("api_error", "Overloaded, attempt 4")]
    const state = events.reduce(
      (all, event) => StuckAssessment.step(all, event, utmostContext),
      StuckAssessment.initial
    )
    const { assessment } = StuckAssessment.assess(state, {
      session: transcript([]),
      context: utmostContext,
      now: at(900)
    })
    assert.deepStrictEqual(said(assessment), ["working", false])
  })
})

describe("no output", () => {
  it.each([
    ["the user's message", [task]],
    ["the result of a call", [task, run("npm test", 0, "Tests: 5 passed, 5 total")]],
    ["a failed call", [task, run("npm run build", 2, "error TS2322")]],
    ["an empty message of which nobody knows whether it is whole", [task, words("", { outputTokens: 0 })]],
    ["a call that an empty beginning led to", [task, words("", { completed: false }), run("npm test", 0, "ok")]]
  ] as const)("after %s is work until it has lasted long", (_, events) => {
    assert.deepStrictEqual(said(assess(events, { silence: 179 })), ["working", false])
    assert.deepStrictEqual(said(assess(events, { silence: 180 })), ["genuinely_stuck", true])
    assert.deepStrictEqual(said(assess(events, { silence: 40, config: { stuck: { stall: 40 } } })), [
      "genuinely_stuck",
      true
    ])
  })

  it("is a sign after a minute where the host has begun an answer", () => {
    const events = [task, words("", { completed: false, outputTokens: 0 })]
    assert.deepStrictEqual(said(assess(events, { silence: 59 })), ["working", false])
    assert.deepStrictEqual(said(assess(events, { silence: 60 })), ["genuinely_stuck", true])
  })

  it("is explained by a context that is full, which no word to the agent mends", () => {
    const events = [task, ...[1, 2, 3, 4].map(() => notice("api_error", "prompt is too long: 210000 tokens > 200000"))]
    const { evidence, reason, shouldNudge } = assess(events, { silence: 60 })
    assert.deepStrictEqual([reason, shouldNudge], ["genuinely_stuck", false])
    assert.match(evidence[0] ?? "", /^the context window is full: prompt is too long/)
  })

  it("names the call that failed", () => {
    const { evidence, nudge } = assess([task, run("npm run build", 2, "error")], { silence: 600 })
    assert.deepStrictEqual(evidence, [
      "no word of the agent for 10 min since its last tool call",
      "the last tool call failed: Bash: npm run build"
    ])
    assert.include(nudge ?? "", "Read the error of the last call")
  })

  it("is owed to no prompt that a hook stopped", () => {
    const refused = user("Operation stopped by hook: another session is active", { synthetic: true })
    assert.deepStrictEqual(said(assess([task, refused], { silence: 900 }))[1], false)
  })

  it("is owed to nobody once a call ends that was out at the answer", () => {
    const id = { id: "b1" }
    const events = [
      user("What does the flag do?"),
      call("Bash", { command: "sleep 100" }, { ...id, status: "running", output: null }),
      agent("It makes the install fail when the lock file does not match."),
      call("Bash", { command: "sleep 100" }, { ...id, exitCode: 0 })
    ]
    assert.deepStrictEqual(said(assess(events, { silence: 900 })), ["complete", false])
  })

  it("without times is nobody's", () => {
    const bare = transcript([task])
    const { assessment } = StuckAssessment.assessTranscript(bare, { now: at(9000) })
    assert.deepStrictEqual([...said(assessment), assessment.silence], ["working", false, null])
  })
})

describe("silence", () => {
  const stops = [task, edit("src/login.ts"), words("The page is there. Now I'll write the", {})]

  it("is none where the moment is that of the last event", () => {
    const timed = stops.map((event, index) => ({ ...event, at: at(index) }))
    const { assessment } = StuckAssessment.assessTranscript(transcript(timed), { context: utmostContext, now: null })
    assert.deepStrictEqual([...said(assessment), assessment.silence], ["genuinely_stuck", false, 0])
  })

  it("counts from the last sign of life that the host knows of", () => {
    const timed = stops.map((event, index) => ({ ...event, at: at(index) }))
    const { assessment } = StuckAssessment.assessTranscript(transcript(timed), {
      context: utmostContext,
      now: at(100),
      heardAt: at(90)
    })
    assert.deepStrictEqual([...said(assessment), assessment.silence], ["working", false, 10])
  })

  it("never runs backwards", () => {
    assert.strictEqual(assess(stops, { silence: -500 }).silence, 0)
  })

  it("has a floor that is configured", () => {
    assert.isFalse(assess(stops, { silence: 60, config: { stuck: { silence: 90 } } }).shouldNudge)
    assert.isTrue(assess(stops, { silence: 6, config: { stuck: { silence: 5 } } }).shouldNudge)
  })
})

const reminder = (attempt: number) => user(`[reflexion ${attempt}/3] The task is not done yet.`, { synthetic: true })

describe("nobody is nudged", () => {
  const stops = [task, edit("src/login.ts"), words("The page is there. Now I'll write the", {})]

  it.each<readonly [string, ReadonlyArray<TranscriptEvent>, Looked]>([
    ["in plan mode", [mode("plan"), ...stops], {}],
    ["in a session begun in plan mode", stops, { session: { mode: "plan" } }],
    ["in a subagent", stops, { session: { parentSessionId: "p" } }],
    ["under the advisory profile", stops, { config: { profile: "advisory" } }],
    ["more often than allowed", stops, { config: { maxAttempts: 2 }, attempt: 3 }],
    ["again where nothing moved", [...stops, reminder(1), words("Now I'll write the", {})], {}],
    ["a fourth time", [...stops, reminder(1), reminder(2), reminder(3), edit("src/b.ts"), stops[2] ?? task], {}]
  ])("%s", (_, events, looked) => {
    const assessment = assess(events, looked)
    assert.isFalse(assessment.shouldNudge)
    assert.isNull(assessment.nudge)
    assert.isTrue(assessment.stuck)
    assert.match(assessment.evidence.at(-1) ?? "", /^not nudged: /)
  })

  it("but again where the evidence moved, with the next number", () => {
    const { nudge } = assess([...stops, reminder(1), edit("src/b.ts"), words("Now I'll write the", {})])
    assert.strictEqual(Feedback.attemptOf(nudge ?? ""), 2)
  })
})

describe("a nudge", () => {
  const failing = Array.from({ length: 4 }, () => run("npm run build", 1, "Error: Cannot find module 'terser'"))

  it.each<readonly [string, ReadonlyArray<TranscriptEvent>, number]>([
    ["of the verdict", [task, edit("src/a.ts"), words("Now I'll write the", {})], 60],
    ["of our own", [task], 600],
    ["of a loop", [task, ...failing], 60]
  ])("%s is known again as ours", (_, events, silence) => {
    for (const attempt of [1, 2, 3]) {
      const { nudge } = assess(events, { silence, attempt })
      assert.strictEqual(Feedback.attemptOf(nudge ?? ""), attempt)
      assert.isAtMost(nudge?.length ?? 0, Feedback.maxLength)
    }
  })

  it("has no secret in it, nor have the facts", () => {
    const secret = "ghp_R8d2Kq7VbX0mTz4LwYc9NfJ3sHgP1uEa6iQo"
    const command = `curl -H "Authorization: Bearer ${secret}" https://api.acme.dev`
    for (const events of [
      [task, open(command)],
      [task, run(command, 1, "refused"), run(command, 1, "refused"), run(command, 1, "refused")],
      [task, edit("a.ts"), agent(`Next steps:\n1. Add the login token ${secret}\n2. Write the tests`)]
    ]) {
      const assessment = assess(events, { silence: 600 })
      assert.notInclude(JSON.stringify(assessment), secret)
    }
  })
})

describe("what evidence leaves open", () => {
  it.each<readonly [string, ReadonlyArray<TranscriptEvent>]>([
    [
      "another language",
      [
        user("Behebe den Parser."),
        edit("src/a.ts"),
        agent("Der Parser ist behoben. Ich werde die Tests noch für die Randfälle schreiben.")
      ]
    ]
  ])("%s is undecided, and work till a model says more", (_, events) => {
    const { assessment, decided } = assessed(events)
    assert.isFalse(decided)
    assert.deepStrictEqual(said(assessment), ["working", false])
    assert.isAtMost(assessment.confidence, 0.5)
  })
})

describe("plans and steps", () => {
  it("are an answer where a plan was asked for", () => {
    const plan = agent("Here is my plan:\n\n1. Add the route\n2. Add the form")
    assert.isFalse(assess([user("How would you add a login page?"), plan]).shouldNudge)
    assert.isFalse(assess([user("Make a plan for a login page, don't change anything yet."), plan]).shouldNudge)
  })

  it("for the user are no steps of the agent's", () => {
    const text = "The login page works.\n\nNext steps for you:\n1. Set SESSION_SECRET in production\n2. Deploy"
    assert.deepStrictEqual(said(assess([task, edit("src/a.ts"), agent(text)]))[1], false)
  })
})

describe("the schemas", () => {
  it("take an assessment there and back as JSON", () => {
    const events = [task, run("npm test", 1, "Tests: 1 failed"), open("npm install"), agent("Now I'll")]
    const assessment = assess(events)
    const json = JSON.stringify(Schema.encodeSync(StuckAssessment.Assessment)(assessment))
    assert.deepStrictEqual(Schema.decodeSync(StuckAssessment.Assessment)(JSON.parse(json)), assessment)
  })
})

describe("how long something lasted", () => {
  it.each([
    [119, "119 s"],
    [179, "2 min"],
    [124_199, "34 h"],
    [259_199, "2 days"]
  ])("of %d seconds is %s: no unit is counted before it is over", (seconds, words) => {
    assert.strictEqual(duration(seconds), words)
  })
})
