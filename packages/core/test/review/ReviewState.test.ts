/** What the machine does by itself where its driver comes before it in a scene. */
import { assert, describe, it } from "@effect/vitest"
import * as ReviewState from "../../src/review/machine/ReviewState.ts"

type State = ReviewState.ReviewState

const now = 100_000

/** At rest, with a task of the user's. */
const armed: State = { ...ReviewState.initial, root: "u1", mode: "build", now }

/** What forbids a review. */
const forbidding: Readonly<Record<string, Partial<State>>> = {
  "nobody asked": { root: null },
  "a subagent": { kind: "subagent" },
  "a judge": { kind: "judge" },
  off: { enabled: false },
  aborted: { halted: "aborted" },
  failed: { halted: "failed" },
  compacting: { compacting: true },
  plans: { mode: "plan" },
  asked: { asked: ["q1"] },
  busy: { background: 1 },
  queued: { queued: 1 }
}

const underReview = { _tag: "reviewing", review: 7, since: now, silentSince: null } as const

const decided = (state: State, event: ReviewState.ReviewEvent) => {
  const [after, actions] = ReviewState.decide(state, event, { ...ReviewState.defaultOptions, raceWindow: 0 })
  const told = actions.map((action) => (action._tag === "Record" ? action.decision : action._tag))
  return [after.phase._tag, ...told].join()
}

describe("ReviewState", () => {
  it.each(Object.entries(forbidding))("reviews no stop and no silence: %s", (_, more) => {
    const state = { ...armed, ...more }
    assert.strictEqual(decided(state, { _tag: "Idle", at: now }), "quiet,abstain")
    assert.strictEqual(decided(state, { _tag: "Silence", since: 5, at: now }), "quiet")
    const settling: State = { ...state, phase: { _tag: "settling", until: now } }
    assert.strictEqual(decided(settling, { _tag: "Clock", at: now }), "quiet,abstain")
  })

  it.each<readonly [State["phase"], string]>([
    [underReview, "quiet,CancelReview,none,failure"],
    [{ _tag: "injecting", review: 7, since: now, stopped: null }, "quiet,failure"]
  ])("gives up what takes too long: %j", (phase, expected) => {
    const late = { _tag: "Clock", at: now + ReviewState.defaultOptions.timeout } as const
    assert.strictEqual(decided({ ...armed, reviews: 7, phase }, late), expected)
    assert.strictEqual(decided({ ...armed, reviews: 7, phase }, { ...late, at: late.at - 1 }), phase._tag)
  })

  const notice = "quiet,Notify,notice"

  it.each<readonly [Partial<State>, Partial<ReviewState.ReviewOutcome>, string]>([
    [{}, {}, "quiet,none"],
    [{ attempts: 1 }, {}, notice],
    [{ attempts: 1, told: ["incomplete"] }, {}, "quiet,none"],
    [{}, { status: "abstained" }, "quiet,abstain"],
    [{}, { tells: true }, notice],
    [{}, { status: "complete" }, "quiet,none"],
    [{ attempts: 1 }, { status: "complete" }, notice],
    [{}, { status: "complete", gateRequired: true }, notice]
  ])("tells how it ended who was told of a nudge, or has something to hear: %j, %j", (before, more, told) => {
    const open = { status: "incomplete", severity: "HIGH", shouldContinue: false, gateRequired: false } as const
    const outcome = { ...open, tells: false, reason: "", mark: "b", nudges: { count: 0, mark: null }, ...more }
    const reviewing: State = { ...armed, ...before, reviews: 7, phase: underReview }
    assert.strictEqual(decided(reviewing, { _tag: "ReviewFinished", review: 7, outcome, at: now }), told)
  })
})
