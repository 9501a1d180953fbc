/** The law of nudges, written down a second time without looking at the rules. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { transcript, user } from "../support/events.ts"
import { session } from "../support/sessions.ts"
import { list } from "../support/rows.ts"

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

const begin = (): World => ({
  state: StuckAssessment.initial,
  now: Date.parse("2026-03-02T09:00:00.000Z"),
  known: facts()
})

const failsAfterAQuestion = session(
  "> Add a login page and write tests for it. / Which database should I use? / notice api_error"
)

describe("a nudge", () => {
  it("is bounded per message, and never goes to who waits, works, was stopped or plans", () => {
    fc.assert(
      fc.property(script, (happenings) => {
        const world = begin()
        for (const [given, silence] of happenings) {
          happen(world, given)
          assert.isNull(look(world, silence))
        }
      }),
      { numRuns: 30, examples: [[failsAfterAQuestion.map((given) => [given, given.type === "notice" ? 200 : 0])]] }
    )
  })

  it("is sent once to an agent that does not move, however often somebody looks", () => {
    fc.assert(
      fc.property(script, fc.array(fc.constantFrom(40, 400, 4000), { minLength: 3, maxLength: 10 }), (past, looks) => {
        const world = begin()
        for (const [given] of past) happen(world, given)
        world.known.nudges = 0
        for (const silence of looks) assert.isNull(look(world, silence))
        assert.isAtMost(world.known.nudges, 1)
      }),
      { numRuns: 60, examples: [[failsAfterAQuestion.map((given) => [given, 0]), [40, 40, 400]]] }
    )
  })

  it("is the same whether the state was kept or made again, and goes there and back as JSON", () => {
    fc.assert(
      fc.property(script, (happenings) => {
        const world = begin()
        const events = happenings.map(([given, silence]) => {
          world.now += silence * 1000
          return { ...given, at: new Date(world.now).toISOString() }
        })
        const now = new Date(world.now + 60_000).toISOString()
        const { assessment } = StuckAssessment.assessTranscript({ ...info, events }, { now, context })
        const kept = StuckAssessment.assess(StuckAssessment.replay({ ...info, events }, context), {
          session: info,
          context,
          now
        })
        assert.deepStrictEqual(kept.assessment, assessment)
        const json = JSON.stringify(Schema.encodeSync(StuckAssessment.Assessment)(assessment))
        assert.deepStrictEqual(Schema.decodeSync(StuckAssessment.Assessment)(JSON.parse(json)), assessment)
      }),
      { numRuns: 30 }
    )
  })
})
