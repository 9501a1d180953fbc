import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome } from "../../src/memory/outcomes/AttemptOutcome.ts"
import * as State from "../../src/memory/cycle/state.ts"

const now = Date.parse("2026-03-01T12:00:00Z")
const window = 86_400_000
const many = State.limits.seen + 10_000

const outcomeAt = (index: number, at: number): AttemptOutcome => ({
  id: `o${index}`,
  taskId: "nightly",
  sessionId: "s1",
  objective: "Refresh the price list",
  status: "completed",
  durationMs: 1000,
  tools: [],
  loaded: [],
  resultLength: 400,
  backend: "codex",
  at: new Date(at).toISOString()
})

const orders: ReadonlyArray<readonly [string, (index: number) => number]> = [
  ["newest first", (index) => now - index * 10],
  ["all at the same time", () => now - 1000]
]

/** Looks at what is wanted of so many outcomes; says how many those were. */
const passed = (state: State.CycleState, timeOf: (index: number) => number, [from, to]: readonly [number, number]) => {
  const known = State.knownOf(state)
  let wanted = 0
  for (let index = from; index < to; index += 1) {
    const outcome = outcomeAt(index, timeOf(index))
    if (!State.isWanted(state, outcome, { window, known })) continue
    state.rules.now = Math.max(state.rules.now, Math.min(Date.parse(outcome.at), now))
    State.markSeen(state, outcome, { now, window })
    wanted += 1
  }
  return wanted
}

describe("more outcomes of a window than are remembered", () => {
  it.each(orders)("are all looked at in one pass, and none of them in the next: %s", (_, timeOf) => {
    const state = State.initial()
    assert.strictEqual(passed(state, timeOf, [0, many]), many)
    assert.isAtMost(state.seen.size, State.limits.seen)
    assert.strictEqual(passed(state, timeOf, [0, many]), 0)
    assert.strictEqual(
      passed(state, () => now, [many, many + 10]),
      10
    )
    assert.isBelow(state.floor, now)
  })

  it("move nothing where they are of earlier windows", () => {
    const state = State.initial()
    passed(state, (index) => now - window - (many - index), [0, State.limits.seen])
    passed(state, (index) => now - (many - index), [State.limits.seen, many])
    assert.strictEqual(state.floor, 0)
  })
})

describe("an outcome of a clock that is ahead", () => {
  it("is looked at once, also when it was taken to be of a window that is over", () => {
    const ahead = outcomeAt(0, now + 8 * 3_600_000)
    const state = State.initial()
    state.rules.now = now
    assert.isTrue(State.isWanted(state, ahead, { window }))
    State.markSeen(state, ahead, { now, window })
    const later = now + window + 3_600_000
    state.rules.now = later
    const restarted = State.ofSaved(State.toSave(state, window))
    assert.isFalse(State.isWanted(restarted, ahead, { window }))
    restarted.rules.now = later + 8 * 3_600_000
    assert.lengthOf(State.toSave(restarted, window).seen, 0)
  })

  it("moves what is forgotten no further than now", () => {
    const state = State.initial()
    state.rules.now = now
    passed(state, (index) => now + 365 * window + index, [0, many])
    assert.isAtMost(state.floor, now)
    assert.isAtMost(state.seen.size, State.limits.seen)
  })
})
