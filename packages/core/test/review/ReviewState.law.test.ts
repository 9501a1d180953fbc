import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type * as ReviewState from "../../src/review/machine/ReviewState.ts"
import { type Happening, play } from "../support/antiLoop.ts"
import { setImmediate } from "node:timers/promises"

const failures = fc.constantFrom<{ readonly failures?: string }>({}, { failures: "f1" }, { failures: "f2" })

const evidence = fc.record({
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constant("incomplete" as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...(["stuck", "complete", "needs_human", "waiting_for_user", "working", "abstained"] as const)
      )
    }
  ),
  severity: fc.constantFrom("LOW" as const, "HIGH" as const),
  shouldContinue: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  gateRequired: fc.boolean(),
  tells: fc.boolean(),
  reason: fc.constant("tests were not run"),
  mark: fc.constantFrom("m1", "m2", "m3", "m4"),
  nudges: fc.oneof(
    { weight: 8, arbitrary: fc.constant({ count: 0, mark: null }) },
    {
      weight: 1,
      arbitrary: fc.record({ count: fc.integer({ min: 0, max: 4 }), mark: fc.constantFrom("m1", "m2", null) })
    }
  )
})

const outcome: fc.Arbitrary<ReviewState.ReviewOutcome> = fc
  .tuple(evidence, failures)
  .map(([found, failing]) => ({ ...found, ...failing }))

const after = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1500, max: 4000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 1499 }) },
  { weight: 1, arbitrary: fc.integer({ min: 4000, max: 200_000 }) }
)

const event = (weight: number, ...events: ReadonlyArray<ReviewState.ReviewEvent>) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant("event" as const), event: fc.constantFrom(...events), after })
})

const rarely = (weight: number): fc.Arbitrary<boolean> =>
  fc.oneof({ weight, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })

const happening: fc.Arbitrary<Happening> = fc.oneof(
  event(80, { _tag: "Idle", at: 0 }),
  event(80, { _tag: "Clock", at: 0 }),
  event(20, { _tag: "Silence", since: 0, at: 0 }, { _tag: "Silence", since: 7, at: 0 }),
  {
    weight: 120,
    arbitrary: fc.record({ kind: fc.constant("answer" as const), outcome, stale: rarely(9), after })
  },
  { weight: 60, arbitrary: fc.record({ kind: fc.constant("injected" as const), ok: fc.boolean(), after }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("fail" as const), stale: fc.boolean(), after }) },
  { weight: 6, arbitrary: fc.constant({ kind: "restart" as const }) },
  event(20, { _tag: "AssistantMessage", at: 0 }),
  event(
    12,
    { _tag: "UserMessage", id: "u1", genuine: true, at: 0 },
    { _tag: "UserMessage", id: "u2", genuine: true, at: 0 },
    { _tag: "UserMessage", id: "s1", genuine: false, at: 0 }
  ),
  event(6, { _tag: "Abort", at: 0 }, { _tag: "Error", at: 0 }),
  event(12, { _tag: "Error", limitEnd: 900, at: 0 }, { _tag: "Error", limitEnd: 20_000, at: 0 }),
  event(6, { _tag: "Compaction", running: true, at: 0 }, { _tag: "Compaction", running: false, at: 0 }),
  event(6, { _tag: "ModeChanged", mode: "plan", at: 0 }, { _tag: "ModeChanged", mode: "build", at: 0 }),
  event(6, { _tag: "Asked", id: "q1", at: 0 }, { _tag: "Answered", id: "q1", at: 0 }),
  event(6, { _tag: "Background", running: 1, at: 0 }, { _tag: "Background", running: 0, at: 0 }),
  event(6, { _tag: "Queued", waiting: 1, at: 0 }, { _tag: "Queued", waiting: 0, at: 0 }),
  event(
    6,
    { _tag: "Command", command: "stop", at: 0 },
    { _tag: "Command", command: "start", at: 0 },
    { _tag: "Command", command: "status", at: 0 }
  ),
  event(
    1,
    { _tag: "ChildSession", kind: "subagent", at: 0 },
    { _tag: "ChildSession", kind: "judge", at: 0 },
    { _tag: "Deleted", at: 0 }
  )
)

/** A stop as it mostly goes: it settles, is reviewed, and the feedback is sent. */
const stop: fc.Arbitrary<ReadonlyArray<Happening>> = fc
  .tuple(outcome, after, fc.boolean())
  .map(([found, later, ok]) => [
    { kind: "event", event: { _tag: "Idle", at: 0 }, after: later },
    { kind: "event", event: { _tag: "Clock", at: 0 }, after: 1500 },
    { kind: "answer", outcome: found, stale: false, after: 10 },
    { kind: "injected", ok, after: 10 }
  ])

const part = fc.oneof(
  { weight: 1, arbitrary: stop },
  { weight: 3, arbitrary: fc.array(happening, { minLength: 1, maxLength: 3 }) }
)

const options: fc.Arbitrary<ReviewState.ReviewOptions> = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  nudges: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  continuesAfterLimit: fc.boolean(),
  raceWindow: fc.constantFrom(0, 1500),
  cooldown: fc.constantFrom(0, 10_000),
  timeout: fc.constant(120_000)
})

const begun: Happening = { kind: "event", event: { _tag: "UserMessage", id: "u0", genuine: true, at: 0 }, after: 0 }

describe("ReviewState: the anti-loop law", () => {
  // With REFLEXION_TESTS=night it is 100,000 histories.
  const parts = process.env["REFLEXION_TESTS"] === "night" ? 100 : 2

  it(`holds for ${parts * 1000} random histories`, async () => {
    const nudges = [0, 0, 0]
    const histories = fc.array(part, { minLength: 2, maxLength: 18, size: "max" })
    const law = fc.property(histories, options, (history, chosen) => {
      const { actions, broken } = play([begun, ...history.flat()], chosen)
      for (const action of actions)
        if (action._tag === "Inject") nudges[action.attempt - 1] = (nudges[action.attempt - 1] ?? 0) + 1
      assert.isNull(broken)
    })
    for (let part = 0; part < parts; part += 1) {
      fc.assert(law, { numRuns: 1000 })
      // A worker that is silent for a minute counts as lost.
      await setImmediate()
    }
    // Histories that never come to a nudge would not test the law.
    assert.isAbove(nudges[0] ?? 0, 200 * parts)
    assert.isAbove(nudges[1] ?? 0, 30 * parts)
    assert.isAbove(nudges[2] ?? 0, parts)
  })
})
