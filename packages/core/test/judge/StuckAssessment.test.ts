/** A silent agent: whether it works, waits, is done or is stuck, and whether a nudge may go to it. */
import { assert, describe, it } from "@effect/vitest"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import { duration } from "../../src/judge/stuck/known.ts"
import type { SessionInfo, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { call, transcript, user } from "../support/events.ts"
import { session, table } from "../support/sessions.ts"
import { utmost, utmostContext } from "../support/utmost.ts"
import { list } from "../support/rows.ts"
import { FastCheck as fc, Schema } from "effect"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"

const words = {
  T: "> Add a login page to the shop and write tests for it.",
  P: "> Add pagination to the orders endpoint and cover it with tests.",
  S: "edit src/login.ts",
  nothing: "",
  stops:
    "> Add a login page to the shop and write tests for it. / edit src/login.ts / ~ The page is there. Now I'll write the",
  looks: Array.from({ length: 14 }, (_, at) => `call Read {"file_path":"src/${at}.ts"} => ${at}`).join(" / "),
  bench: "$ npm test -- checkout => 1 passed",
  plan: String.raw`Here is my plan:\n1. Extend the query parser\n2. Write tests\n\nI will start once you approve.`
}

const begin = Date.parse("2026-03-02T09:00:00.000Z")

const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString()

interface Looked {
  readonly silence?: number
  readonly attempt?: number
  readonly config?: ReflexionConfig.PartialConfig
  readonly info?: Partial<SessionInfo>
}

/** Assesses these events, one a second, `silence` seconds after the last one. */
const looked = (events: ReadonlyArray<TranscriptEvent>, { attempt, config = {}, info, silence = 60 }: Looked = {}) => {
  const timed = events.map((event, index) => ({ ...event, at: at(index) }))
  const context = { ...utmostContext, config: ReflexionConfig.merge(utmost, config) }
  const now = at(events.length - 1 + silence)
  const options = { context, now, ...(attempt !== undefined && { attempt }) }
  const found = StuckAssessment.assessTranscript(transcript(timed, info), options)
  assert.isTrue(found.assessment.confidence > 0 && found.assessment.confidence <= 1)
  return found
}

const assess = (line: string, more: Looked = {}): StuckAssessment.Assessment =>
  looked(session(line, words), more).assessment

const said = ({ reason, shouldNudge }: StuckAssessment.Assessment): string =>
  `${reason}${shouldNudge ? ", nudged" : ""}`

/** Seconds of silence, the assessment then, and the events. */
const rows = String.raw`
  // The first scenarios.
  90 :: working :: T / Let me install the dependencies. / $running npm install ¦ 900 :: waiting_for_user :: T / Which database?
  30 :: genuinely_stuck, nudged :: T / S / ~ I've looked at the module and will now change the
  29 :: working :: T / S / ~ I've looked at the module and will now change the ¦ 30 :: genuinely_stuck, nudged :: T / S / ~ \`\`\`ts\nexport const login = (
  3600 :: working :: T / $running cargo build --release ¦ 120 :: working :: T / #g1 call? grep / $running ./import.sh / #g1 call grep => src/import.ts:12
  300 :: waiting_for_user :: > Bau bitte eine Datenbank ein. / Gern. Welche Datenbank soll ich verwenden, PostgreSQL oder SQLite?
  900 :: waiting_for_user :: T / S / To test it I need your Stripe sandbox secret key. Please add it to \`.env\` as STRIPE_SECRET_KEY and let me know.
  3600 :: complete :: > Fix the rounding and run npm test. / S / $ npm test => Tests: 32 passed, 32 total / It is fixed, and all 32 tests pass.
  900 :: genuinely_stuck, nudged :: T / S / notice compacted: auto / >> This session is being continued from a previous conversation.
  3600 :: genuinely_stuck, nudged :: > Stage the fixes and commit them. / $ git add -A / API Error: 500 Internal server error
  // What the host says decides, whatever the text.
  5 :: working :: T / S / Done. / >> The build in the background finished.
  60 :: working :: T / … Now I will change the / $running make ¦ 60 :: working :: T / … Now I will change the / call? Edit {"file_path":"a.ts"}
  60 :: working :: T / … Now I will change the / $background make ¦ 60 :: working :: T / … Now I will change the / notice background_running: 2 agents
  60 :: working :: T / … Now I will change the / notice permission_asked: bash: rm
  60 :: working :: T / … Now I will change the / notice rate_limited: usage limit reached ¦ 60 :: working :: T / … Now I will change the / notice input_queued
  60 :: waiting_for_user :: T / … Now I will change the / call? AskUserQuestion ¦ 60 :: waiting_for_user :: T / … Now I will change the / call? ExitPlanMode
  60 :: waiting_for_user :: T / … Now I will change the / notice aborted ¦ 60 :: waiting_for_user :: T / … Now I will change the / $denied make
  // Limits and failed requests.
  20000 :: working :: T / S / notice rate_limited: limit resets at 19:00
  60 :: genuinely_stuck :: T / S / notice rate_limited: prompt is too long: 210000 tokens ¦ 100 :: working :: T / notice api_error: Overloaded
  200 :: genuinely_stuck, nudged :: T / notice api_error: Overloaded
  900 :: genuinely_stuck :: T / notice api_error: API Error: 400 maximum context length exceeded
  200 :: waiting_for_user :: T / Which database should I use? / notice api_error: Overloaded
  5 :: waiting_for_user :: T / notice api_error: API Error: 401 authentication_error
  60 :: genuinely_stuck :: T / 4x notice api_error: prompt is too long: 210000 tokens > 200000
  // No output.
  179 :: working :: T ¦ 180 :: genuinely_stuck, nudged :: T ¦ 179 :: working :: T / $ npm test => Tests: 5 passed, 5 total
  180 :: genuinely_stuck, nudged :: T / $ npm test => Tests: 5 passed, 5 total ¦ 179 :: working :: T / …  / $ npm test => ok
  180 :: genuinely_stuck, nudged :: T / …  / $ npm test => ok
  900 :: complete :: > What does the flag do? / #b1 $running sleep 100 / It makes the install fail when the lock file does not match. / #b1 $ sleep 100
  // Plans, steps and questions for the user.
  90 :: waiting_for_user :: P / plan ¦ 60 :: complete :: > How would you add a login page? / Here is my plan:\n\n1. Add the route\n2. Add the form
  // The user has the next word.
  300 :: waiting_for_user :: P / S / The parser takes an offset now. / > stop
  300 :: waiting_for_user :: P / S / The parser takes an offset now. / > Let's continue later.
  300 :: genuinely_stuck, nudged :: P / S / The parser takes an offset now. / > go on
  300 :: genuinely_stuck, nudged :: P / S / The parser takes an offset now. / > and the tests?
  // Loops.
  60 :: working :: > Fix the crash in src/part-3.ts. / looks ¦ 600 :: genuinely_stuck, nudged :: > Fix the crash in src/part-3.ts. / looks
  60 :: genuinely_stuck, nudged :: > Fix the crash. / 4x $1 npm test => Tests: 1 failed, 3 passed, 4 total
`

describe("a silent agent", () => {
  it.each(table(rows))("after %s s is %s: %s", (silence, expected, line = "") => {
    assert.strictEqual(said(assess(line, { silence: Number(silence) })), expected)
  })

  it.each(list`
    Say "go" and I start. ¦ Happy to start if this matches what you had in mind. ¦ Ready when you are. ¦ On approval I begin with the parser.
    Let me hear any objections. ¦ Pending sign-off, I begin with the parser. ¦ The tests need the VPN. Connect it and I will run them.
    Renew the key and I will run them. ¦ Grant me write access, and I will push. ¦ Merge #12 first and I will rebase. ¦ Start Docker, then I'll run the tests.
    The login page works.\\n\\nNext steps for you:\\n1. Set SESSION_SECRET in production\\n2. Deploy
  `)("is not stuck if the next step is left to the user: %s", (hold) => {
    const { shouldNudge, stuck } = assess(`P / S / The parser is done. ${hold}`, { silence: 90 })
    assert.deepStrictEqual([stuck, shouldNudge], [false, false])
  })

  it.each(list`hmm ¦ lunch ¦ thanks ¦ Stopp ¦ arrête ¦ 停 ¦ don't do anything yet`)(
    "gets no nudge after the user says: %s",
    (word) => {
      assert.isFalse(assess(`P / S / The parser takes an offset now. / > ${word}`, { silence: 300 }).shouldNudge)
    }
  )

  it("is stuck sooner if the host has begun an empty answer, or if configured so", () => {
    const begun = [...session("T", words), { ...session("… x")[0], text: "", outputTokens: 0 } as TranscriptEvent]
    const found = [59, 60].map((silence) => said(looked(begun, { silence }).assessment))
    assert.deepStrictEqual(found, ["working", "genuinely_stuck, nudged"])
    assert.strictEqual(said(assess("T", { silence: 40, config: { stuck: { stall: 40 } } })), "genuinely_stuck, nudged")
    assert.isFalse(assess("stops", { config: { stuck: { silence: 90 } } }).shouldNudge)
    assert.isTrue(assess("stops", { silence: 6, config: { stuck: { silence: 5 } } }).shouldNudge)
  })

  it("in another language: undecided, and counted as working until a model decides", () => {
    const line = "> Behebe den Parser. / edit src/a.ts / Der Parser ist behoben. Ich werde die Tests noch schreiben."
    const { assessment, decided } = looked(session(line))
    assert.deepStrictEqual([decided, said(assessment), assessment.confidence <= 0.5], [false, "working", true])
  })

  it("in plan mode, reading is no loop and an announced step is not stuck", () => {
    assert.isNotEmpty(assess("P / looks").loops)
    assert.isEmpty(assess("P / looks", { info: { mode: "plan" } }).loops)
    assert.isFalse(assess("P / The endpoint is clear, and now I'll write the tests.", { info: { mode: "plan" } }).stuck)
  })

  it("is working if the host gives no times, or retries a request", () => {
    const now = at(9000)
    const { assessment } = StuckAssessment.assessTranscript(transcript(session("T", words)), { now })
    assert.deepStrictEqual([said(assessment), assessment.silence], ["working", null])
    const retried = session("S / notice api_error: Overloaded, attempt 4", words)
    const state = retried.reduce((all, event, index) => {
      const timed = { ...event, at: index === 0 ? at(0) : null }
      return StuckAssessment.step(all, timed, utmostContext)
    }, StuckAssessment.initial)
    const options = { session: transcript([]), context: utmostContext, now: at(900) }
    assert.strictEqual(said(StuckAssessment.assess(state, options).assessment), "working")
  })
})

describe("the facts", () => {
  it.each(
    table(String.raw`
    T / $running npm install :: 90 :: still running after 90 s: Bash: npm install
    P / S / @a1 $running npm test / ~ The parser is extended, and the :: 90 :: of a subagent, still running after 91 s: Bash: npm test
    T / $2 npm run build => error :: 600 :: no word from the agent for 10 min since its last tool call; the last tool call failed: Bash: npm run build
  `)
  )("of %s after %s s", (line = "", silence, evidence) => {
    assert.strictEqual(assess(line, { silence: Number(silence) }).evidence.join("; "), evidence)
  })

  it("state that the context window is full, and durations in readable units", () => {
    const { evidence } = assess("T / 4x notice api_error: prompt is too long: 210000 tokens > 200000")
    assert.match(evidence[0] ?? "", /^the context window is full: prompt is too long/)
    const lasted = ([119, 179, 124_199, 259_199] as const).map(duration)
    assert.deepStrictEqual(lasted, ["119 s", "2 min", "34 h", "2 days"])
  })

  it("a subagent's call is over when it ends, the Task returns or the user speaks", () => {
    for (const over of ["#in @a1 $ npm test", 'call Task {"prompt":"Test it"}', "> Go on with the tests, please."])
      assert.isTrue(assess(`P / S / #in @a1 $running npm test / ${over} / ~ It is extended, and the`).stuck, over)
  })

  it("silence counts from the last sign of life, and is never negative", () => {
    const timed = transcript(session("stops", words).map((event, index) => ({ ...event, at: at(index) })))
    const of = (now: string | null, heardAt: string | null = null) => {
      const { assessment } = StuckAssessment.assessTranscript(timed, { context: utmostContext, now, heardAt })
      return [said(assessment), assessment.silence]
    }
    assert.deepStrictEqual(of(null), ["genuinely_stuck", 0])
    assert.deepStrictEqual(of(at(100), at(90)), ["working", 10])
    assert.strictEqual(assess("stops", { silence: -500 }).silence, 0)
  })
})

const reminded = (count: number): string =>
  [1, 2, 3]
    .slice(0, count)
    .map((attempt) => ` / >> [reflexion ${attempt}/3] The task is not done yet.`)
    .join("")

describe("no nudge", () => {
  it.each<readonly [string, string, Looked]>([
    ["in plan mode", "mode plan / stops", {}],
    ["in a session begun in plan mode", "stops", { info: { mode: "plan" } }],
    ["in a subagent", "stops", { info: { parentSessionId: "p" } }],
    ["under the advisory profile", "stops", { config: { profile: "advisory" } }],
    ["more often than allowed", "stops", { config: { maxAttempts: 2 }, attempt: 3 }],
    ["again where nothing moved", `stops${reminded(1)} / ~ Now I'll write the`, {}],
    ["a fourth time", `stops${reminded(3)} / edit src/b.ts / ~ Now I'll write the`, {}]
  ])("%s", (_, line, more) => {
    const { evidence, nudge, shouldNudge, stuck } = assess(line, more)
    assert.deepStrictEqual([shouldNudge, nudge, stuck], [false, null, true])
    assert.match(evidence.at(-1) ?? "", /^not nudged: /)
  })

  it("the evidence moved → a nudge with the next number", () => {
    const { nudge } = assess(`stops${reminded(1)} / edit src/b.ts / ~ Now I'll write the`)
    assert.strictEqual(Feedback.attemptOf(nudge ?? ""), 2)
  })

  it("for a prompt that a hook stopped", () => {
    assert.isFalse(assess("T / >> Operation stopped by hook: another session is active", { silence: 900 }).shouldNudge)
  })
})

describe("a nudge", () => {
  it.each([
    ["of the verdict", "T / edit src/a.ts / ~ Now I'll write the", 60, ""],
    ["of our own", "T", 600, ""],
    ["of a failed call", "T / $2 npm run build => error", 600, "Read the error of the last call"],
    ["of a loop", "T / 4x $1 npm run build => Error: Cannot find module 'terser'", 60, "STOP: Action Loop Detected"],
    ["of a plan", "> Fix the crash in src/part-3.ts. / looks", 600, "STOP: Planning Loop Detected"]
  ] as const)("%s is recognised as reflexion's", (_, line, silence, part) => {
    for (const attempt of [1, 2, 3]) {
      const { nudge } = assess(line, { silence, attempt })
      assert.strictEqual(Feedback.attemptOf(nudge ?? ""), attempt)
      assert.isAtMost(nudge?.length ?? 0, Feedback.maxLength)
      assert.include(nudge, part)
    }
  })

  it("neither the nudge nor the facts hold a secret", () => {
    const secret = "ghp_R8d2Kq7VbX0mTz4LwYc9NfJ3sHgP1uEa6iQo"
    const command = `curl -H "Authorization: Bearer ${secret}" https://api.acme.dev`
    for (const one of [`$running ${command}`, `3x $1 ${command} => no`, `S / Next steps:\\n1. Add ${secret}\\n2. Test`])
      assert.notInclude(JSON.stringify(assess(`T / ${one}`, { silence: 600 })), secret)
  })
})

describe("repetitions", () => {
  it.each([
    ["Run `npm test -- checkout` 3x please.", 3],
    ["Benchmark the checkout 6 times and give me the median.", 6],
    ["Repeat the checkout test until you are sure.", 12]
  ])("repetitions that the user asked for are no loop: %s", (order, count) => {
    assert.deepStrictEqual(assess(`> ${order} / ${count}x bench`).loops, [])
  })

  it.each(["Run the checkout test 3 times.", "Fix the checkout test."])(
    "more repetitions than the user asked for are a loop: %s",
    (order) => {
      assert.isNotEmpty(assess(`> ${order} / 7x bench`).loops)
    }
  )

  it.each(["Pagination is in and covered by tests; all 22 tests pass.", "Which page size should I use?"])(
    "repetitions are no loop if the agent has answered: %s",
    (last) => {
      const { loops, stuck } = assess(`P / edit src/a.ts / edit a.test.ts / 4x $ npm test => 22 passed (22) / ${last}`)
      assert.deepStrictEqual([stuck, loops], [false, []])
    }
  )
})

const long = (index: number): string => `${"x".repeat(50_000)}${index}`

it("long ids are kept shortened and stay distinct", () => {
  const running = { status: "running", output: null } as const
  const calls = Array.from({ length: 40 }, (_, index) => [
    call("Bash", { command: `job ${index}` }, { id: long(index), ...running }),
    call("t".repeat(50_000), {}, { id: long(index + 100), agentId: "a", ...running })
  ]).flat()
  const ended = call("Bash", { command: "job 39" }, { id: long(39) })
  const spoken = { ...session("On it.")[0], id: long(1) } as TranscriptEvent
  const all = transcript([...session("T", words), ...calls, ended, spoken])
  const { judgment, pulse } = StuckAssessment.replay(all, utmostContext)
  assert.isBelow(JSON.stringify([judgment.stop, pulse]).length, 40_000)
  assert.deepStrictEqual([pulse.open.length, judgment.stop.pending.length], [31, 31])
})

// The law of nudges, written down a second time without looking at the rules.
const texts = list`
    Now I'll write the tests. ¦ Next steps:\\n1. Implement the form\\n2. Write the tests ¦ I will change the ¦ Which database should I use?
    Should I drop the table? This cannot be undone. ¦ All tests pass. ¦ Der Parser ist behoben, und ich werde noch die Tests schreiben.
`
const calls = list`$running npm install ¦ $ npm test => x ¦ $1 npm test => x ¦ $denied npm test ¦ $interrupted npm test`
const notices = list`aborted ¦ compacted ¦ api_error ¦ rate_limited ¦ permission_asked ¦ input_queued`
const others = list`
    > Add a login page and write tests for it. ¦ > Fix the parser and run npm test. ¦ > What does it do? ¦ > stop ¦ edit /repo/src/a.ts ¦ edit /repo/src/b.ts
    $ npm test => Tests: 3 passed ¦ $1 npm test => Tests: 1 failed ¦ mode plan ¦ mode build ¦ todo [ ] write the tests
    >> <system-reminder>Be brief.</system-reminder>
`

const lines = [
  ["", "… ", "~ "].flatMap((how) => texts.map((text) => `${how}${text}`)),
  ["#c1", "#c2", "#c3"].flatMap((id) => calls.map((call) => `${id} ${call}`)),
  notices.map((kind) => `notice ${kind}`),
  others
].flat()

const event: fc.Arbitrary<TranscriptEvent> = fc.constantFrom(...lines.flatMap((line) => session(line)))

const facts = () => ({
  nudges: 0,
  open: new Set<string>(),
  halted: false,
  plan: false,
  queued: false,
  limited: false,
  permission: false,
  asks: false
})

type Facts = ReturnType<typeof facts>

const note = (known: Facts, happened: TranscriptEvent): void => {
  switch (happened.type) {
    case "user_message":
      if (happened.synthetic) return
      return void Object.assign(known, { ...facts(), plan: known.plan, halted: happened.text === "stop" })
    case "assistant_message":
      if (happened.text === "") return
      return void Object.assign(known, { asks: happened.text.includes("?"), limited: false, permission: false })
    case "tool_call":
      known.open[happened.status === "running" ? "add" : "delete"](happened.id ?? "")
      return void Object.assign(known, { asks: false, limited: false, permission: false })
    case "mode_change":
      known.plan = happened.mode === "plan"
      return
    case "notice":
      if (happened.kind === "aborted") known.halted = true
      if (happened.kind === "input_queued") known.queued = true
      if (happened.kind === "compacted" || happened.kind === "input_queued") return
      known.limited = happened.kind === "rate_limited"
      known.permission = happened.kind === "permission_asked"
      return
    default:
  }
}

/** Why a nudge is forbidden, decided from nothing but what happened. */
const forbids = (known: Facts, silence: number, floor: number): string | null => {
  if (silence < floor) return "under the floor"
  if (known.halted) return "aborted"
  if (known.plan) return "plan mode"
  if (known.open.size > 0) return "a tool runs"
  if (known.queued) return "a message is queued"
  if (known.limited || known.permission) return "the host waits"
  if (known.asks) return "the user was asked"
  return known.nudges >= 3 ? "reminded three times" : null
}

const config = ReflexionConfig.defaults
const context: Judgment.JudgmentContext = { ...Judgment.defaultContext, config, cwd: "/repo" }
const info = transcript([], { mode: "unknown" })

interface World {
  state: StuckAssessment.StuckState
  now: number
  readonly known: Facts
}

const happen = (world: World, given: TranscriptEvent): void => {
  const timed = { ...given, at: new Date(world.now).toISOString() }
  world.state = StuckAssessment.step(world.state, timed, context)
  note(world.known, timed)
}

/** Assesses the session for a caller that sends every nudge. Returns the clause that this breaks, null for none. */
const look = (world: World, silence: number): string | null => {
  world.now += silence * 1000
  const now = new Date(world.now).toISOString()
  const looked = StuckAssessment.assess(world.state, { session: info, context, now })
  const { nudge, reason, shouldNudge, stuck } = looked.assessment
  if (stuck !== (reason === "genuinely_stuck")) return "stuck and its reason differ"
  if (shouldNudge !== (nudge !== null)) return "a nudge without a text, or a text without a nudge"
  if (nudge === null) return null
  const forbidden = stuck ? forbids(world.known, silence, config.stuck.silence) : "not stuck"
  if (forbidden !== null) return `${forbidden}: ${nudge}`
  world.known.nudges += 1
  if ((Feedback.attemptOf(nudge) ?? 0) < world.known.nudges) return `not known again as nudge ${world.known.nudges}`
  happen(world, user(nudge, { synthetic: true }))
  return null
}

const script = fc.array(fc.tuple(event, fc.constantFrom(0, 5, 29, 31, 200, 5000)), { minLength: 1, maxLength: 40 })

const newWorld = (): World => ({ state: StuckAssessment.initial, now: begin, known: facts() })

const failsAfterAQuestion = session("T / Which database should I use? / notice api_error", words)

describe("a nudge", () => {
  it("three per message at most, and none while waiting, working, planning or stopped", () => {
    fc.assert(
      fc.property(script, (happenings) => {
        const world = newWorld()
        for (const [given, silence] of happenings) {
          happen(world, given)
          assert.isNull(look(world, silence))
        }
      }),
      { numRuns: 30, examples: [[failsAfterAQuestion.map((given) => [given, given.type === "notice" ? 200 : 0])]] }
    )
  })

  it("an agent that does not move gets one nudge, however often it is assessed", () => {
    fc.assert(
      fc.property(script, fc.array(fc.constantFrom(40, 400, 4000), { minLength: 3, maxLength: 10 }), (past, looks) => {
        const world = newWorld()
        for (const [given] of past) happen(world, given)
        world.known.nudges = 0
        for (const silence of looks) assert.isNull(look(world, silence))
        assert.isAtMost(world.known.nudges, 1)
      }),
      { numRuns: 60, examples: [[failsAfterAQuestion.map((given) => [given, 0]), [40, 40, 400]]] }
    )
  })

  it("the assessment is the same from a kept or replayed state, and after JSON encoding", () => {
    fc.assert(
      fc.property(script, (happenings) => {
        const world = newWorld()
        const events = happenings.map(([given, silence]) => {
          world.now += silence * 1000
          return { ...given, at: new Date(world.now).toISOString() }
        })
        const now = new Date(world.now + 60_000).toISOString()
        const { assessment } = StuckAssessment.assessTranscript({ ...info, events }, { now, context })
        const state = StuckAssessment.replay({ ...info, events }, context)
        const kept = StuckAssessment.assess(state, { session: info, context, now })
        assert.deepStrictEqual(kept.assessment, assessment)
        const json = JSON.stringify(Schema.encodeSync(StuckAssessment.Assessment)(assessment))
        assert.deepStrictEqual(Schema.decodeSync(StuckAssessment.Assessment)(JSON.parse(json)), assessment)
      }),
      { numRuns: 30 }
    )
  })
})
