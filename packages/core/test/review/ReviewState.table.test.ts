import { assert, describe, it } from "@effect/vitest"
import * as ReviewState from "../../src/review/machine/ReviewState.ts"

type State = ReviewState.ReviewState

const now = 100_000

/** At rest, with a task of the user's. */
const armed: State = { ...ReviewState.initial, root: "u1", mode: "build", now }
const pushed: State = { ...armed, attempts: 1, mark: "0:a", reviews: 1 }
const spent: State = { ...pushed, attempts: 3 }
const settling = (state: State = armed): State => ({ ...state, phase: { _tag: "settling", until: now + 1500 } })
const reviewing = (state: State = armed): State => ({
  ...state,
  reviews: 7,
  phase: { _tag: "reviewing", review: 7, since: now, silentSince: null }
})
const rousing = (state: State = armed): State => ({
  ...state,
  reviews: 7,
  phase: { _tag: "reviewing", review: 7, since: now, silentSince: 5 }
})
const injecting = (stopped: boolean | null = null): State => ({
  ...pushed,
  reviews: 7,
  phase: { _tag: "injecting", review: 7, since: now, stopped }
})

const outcome = (more: Partial<ReviewState.ReviewOutcome> = {}): ReviewState.ReviewOutcome => ({
  status: "incomplete",
  severity: "HIGH",
  shouldContinue: true,
  gateRequired: true,
  tells: false,
  reason: "tests were not run",
  mark: "0:b",
  pushes: { count: 0, mark: null },
  ...more
})

const at = now + 10
const late = now + 130_000
const finished = (more: Partial<ReviewState.ReviewOutcome> = {}, review = 7): ReviewState.ReviewEvent => ({
  _tag: "ReviewFinished",
  review,
  outcome: outcome(more),
  at
})
const message = (id: string, genuine = true): ReviewState.ReviewEvent => ({ _tag: "UserMessage", id, genuine, at })
const idle: ReviewState.ReviewEvent = { _tag: "Idle", at }
const abort: ReviewState.ReviewEvent = { _tag: "Abort", at }

const action = (one: ReviewState.ReviewAction): string => {
  switch (one._tag) {
    case "Review":
      return one.silentSince === null ? "review" : "review the silence"
    case "Inject":
      return `push ${one.attempt}${one.last ? ", the last" : ""}${one.silentSince === null ? "" : ", of the silence"}`
    case "Notify":
      return `tell ${one.notice}`
    case "Wake":
      return `wake in ${one.at - at}`
    case "CancelReview":
      return "cancel"
    case "Record":
      return one.decision
  }
}

/** What differs, but for the time. */
const changed = (before: State, after: State): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(after).flatMap(([key, value]) => {
      if (key === "phase") return before.phase._tag === after.phase._tag ? [] : [[key, after.phase._tag]]
      const was: unknown = Object.entries(before).find(([other]) => other === key)?.[1]
      return key === "now" || JSON.stringify(was) === JSON.stringify(value) ? [] : [[key, value]]
    })
  )

type Row = readonly [
  what: string,
  state: State,
  event: ReviewState.ReviewEvent,
  actions: ReadonlyArray<string>,
  after: Readonly<Record<string, unknown>>,
  options?: Partial<ReviewState.ReviewOptions>
]

const rest = { phase: "quiet" }

const stops: ReadonlyArray<Row> = [
  ["a stop waits for an abort that may follow", armed, idle, ["wake in 1500"], { phase: "settling" }],
  [
    "a stop of a host that tells aborts",
    armed,
    idle,
    ["review"],
    { phase: "reviewing", reviews: 1 },
    { raceWindow: 0 }
  ],
  ["a stop that waits", settling(), { _tag: "Clock", at }, ["wake in 1490"], {}],
  [
    "a stop that has waited",
    settling(),
    { _tag: "Clock", at: now + 1500 },
    ["review"],
    { phase: "reviewing", reviews: 1 }
  ],
  ["a second stop while one waits", settling(), idle, [], {}],
  [
    "a stop after an abort waits longer",
    { ...armed, abortedAt: now - 1000 },
    idle,
    ["wake in 8990"],
    { phase: "settling" }
  ],
  [
    "a stop by a clock that was set back",
    armed,
    { _tag: "Idle", at: now - 60_000 },
    ["wake in 1490"],
    { phase: "settling" }
  ],
  ["a silence", armed, { _tag: "Silence", since: 5, at }, ["review the silence"], { phase: "reviewing", reviews: 1 }],
  ["a silence within the cooldown", { ...armed, abortedAt: now - 1000 }, { _tag: "Silence", since: 5, at }, [], {}],
  ["a silence while a stop waits", settling(), { _tag: "Silence", since: 5, at }, [], {}],
  ["a stop while its silence is reviewed", rousing(), idle, ["cancel", "none", "wake in 1500"], { phase: "settling" }]
]

/** What forbids a review: a stop gets none, one that waits gets none, and one under review is dropped. */
const forbidden: ReadonlyArray<readonly [what: string, state: Partial<State>]> = [
  ["nobody asked for anything", { root: null }],
  ["it is a subagent's session", { kind: "subagent" }],
  ["it is a judge's session", { kind: "judge" }],
  ["the user said stop", { enabled: false }],
  ["the user interrupted the agent", { halted: "aborted" }],
  ["the turn failed", { halted: "failed" }],
  ["the context is compacted", { compacting: true }],
  ["the agent plans", { mode: "plan" }],
  ["a question is open", { asked: ["q1"] }],
  ["work goes on in the background", { background: 1 }],
  ["a message waits", { queued: 1 }]
]

const heard: ReadonlyArray<Row> = [
  ["an abort at rest", armed, abort, ["abstain"], { halted: "aborted", abortedAt: at }],
  ["an abort while a stop waits", settling(), abort, ["abstain"], { ...rest, halted: "aborted", abortedAt: at }],
  [
    "an abort under review",
    reviewing(),
    abort,
    ["cancel", "none", "abstain"],
    { ...rest, halted: "aborted", abortedAt: at }
  ],
  ["an abort of a push", injecting(), abort, ["abstain"], { ...rest, halted: "aborted", abortedAt: at }],
  ["an error", reviewing(), { _tag: "Error", at }, ["cancel", "none"], { ...rest, halted: "failed" }],
  ["an error after an abort", { ...armed, halted: "aborted" }, { _tag: "Error", at }, [], {}],
  ["work after an error", { ...armed, halted: "failed" }, { _tag: "AssistantMessage", at }, [], { halted: null }],
  ["work after an abort", { ...armed, halted: "aborted" }, { _tag: "AssistantMessage", at }, [], {}],
  [
    "a message after an abort",
    { ...pushed, halted: "aborted" },
    message("u2"),
    ["rearm"],
    { root: "u2", halted: null, attempts: 0, mark: null }
  ],
  [
    "a message under review",
    reviewing(pushed),
    message("u2"),
    ["cancel", "none", "rearm"],
    { ...rest, root: "u2", attempts: 0, mark: null }
  ],
  ["the same message again", pushed, message("u1"), [], {}],
  ["a message of the harness", pushed, message("s1", false), [], {}],
  ["a message of the harness under review", reviewing(), message("s1", false), ["cancel", "none"], rest],
  ["our own feedback as it is sent", injecting(), message("s1", false), [], {}],
  [
    "plan mode under review",
    reviewing(),
    { _tag: "ModeChanged", mode: "plan", at },
    ["cancel", "none"],
    { ...rest, mode: "plan" }
  ],
  [
    "plan mode while a stop waits",
    settling(),
    { _tag: "ModeChanged", mode: "plan", at },
    ["none"],
    { ...rest, mode: "plan" }
  ],
  [
    "a question under review",
    reviewing(),
    { _tag: "Asked", id: "q1", at },
    ["cancel", "none"],
    { ...rest, asked: ["q1"] }
  ],
  [
    "a question while a stop waits",
    settling(),
    { _tag: "Asked", id: "q1", at },
    ["abstain"],
    { ...rest, asked: ["q1"] }
  ],
  ["an answer", { ...armed, asked: ["q1"] }, { _tag: "Answered", id: "q1", at }, [], { asked: [] }],
  [
    "background work under review",
    reviewing(),
    { _tag: "Background", running: 1, at },
    ["cancel", "none"],
    { ...rest, background: 1 }
  ],
  [
    "input that waits, under review",
    reviewing(),
    { _tag: "Queued", waiting: 1, at },
    ["cancel", "none"],
    { ...rest, queued: 1 }
  ],
  [
    "a compaction under review",
    reviewing(),
    { _tag: "Compaction", running: true, at },
    ["cancel", "none"],
    { ...rest, compacting: true }
  ],
  [
    "stop",
    reviewing(),
    { _tag: "Command", command: "stop", at },
    ["cancel", "none", "stop", "tell off"],
    { ...rest, enabled: false }
  ],
  [
    "start",
    { ...armed, enabled: false },
    { _tag: "Command", command: "start", at },
    ["start", "tell on"],
    { enabled: true }
  ],
  ["status", armed, { _tag: "Command", command: "status", at }, ["tell on"], {}],
  ["the end of the session", reviewing(), { _tag: "Deleted", at }, ["cancel", "none"], { ...rest, ended: true }],
  ["a stop after the end", { ...armed, ended: true }, idle, [], {}]
]

const found: ReadonlyArray<Row> = [
  ["the first push", reviewing(), finished(), ["push 1", "push"], { phase: "injecting", attempts: 1, mark: "0:b" }],
  [
    "the second, where something moved",
    reviewing(pushed),
    finished(),
    ["push 2", "push"],
    { phase: "injecting", attempts: 2, mark: "0:b" }
  ],
  [
    "the third is the last",
    reviewing({ ...pushed, attempts: 2 }),
    finished(),
    ["push 3, the last", "push"],
    { phase: "injecting", attempts: 3, mark: "0:b" }
  ],
  ["no fourth", reviewing(spent), finished(), ["tell exhausted", "notice"], { ...rest, told: ["exhausted"] }],
  [
    "no push where nothing moved",
    reviewing(pushed),
    finished({ mark: "0:a" }),
    ["tell unmoved", "notice"],
    { ...rest, told: ["unmoved"] }
  ],
  [
    "no push where the record has lost what it was pushed for",
    reviewing({ ...pushed, mark: "0:5:tests=failed@4" }),
    finished({ mark: "0:3:tests=failed@2" }),
    ["tell unmoved", "notice"],
    { ...rest, mark: "0:3:tests=failed@2", told: ["unmoved"] }
  ],
  ["which is told once", reviewing({ ...pushed, told: ["unmoved"] }), finished({ mark: "0:a" }), ["none"], rest],
  [
    "no second push where the first is not known",
    reviewing({ ...pushed, mark: null }),
    finished(),
    ["tell unmoved", "notice"],
    { ...rest, told: ["unmoved"] }
  ],
  [
    "the transcript shows more pushes than the state",
    reviewing(),
    finished({ pushes: { count: 3, mark: "0:b" } }),
    ["tell exhausted", "notice"],
    { ...rest, attempts: 3, mark: "0:b", told: ["exhausted"] }
  ],
  [
    "no push where none are allowed",
    reviewing(),
    finished(),
    ["tell incomplete", "notice"],
    { ...rest, told: ["incomplete"] },
    { pushes: false }
  ],
  ["nothing to say of what asks for no push", reviewing(), finished({ shouldContinue: false }), ["none"], rest],
  [
    "something that the user is to read",
    reviewing(),
    finished({ shouldContinue: false, tells: true }),
    ["tell incomplete", "notice"],
    { ...rest, told: ["incomplete"] }
  ],
  [
    "done, with a gate",
    reviewing(),
    finished({ status: "complete", shouldContinue: false }),
    ["tell complete", "notice"],
    { ...rest, told: ["complete"] }
  ],
  [
    "done, without one",
    reviewing(),
    finished({ status: "complete", shouldContinue: false, gateRequired: false }),
    ["none"],
    rest
  ],
  [
    "the agent waits",
    reviewing(),
    finished({ status: "waiting_for_user" }),
    ["tell waiting_for_user", "notice"],
    { ...rest, told: ["waiting_for_user"] }
  ],
  ["nobody can tell", reviewing(), finished({ status: "abstained" }), ["abstain"], rest],
  [
    "a silence that hangs",
    rousing(),
    finished({ status: "stuck" }),
    ["push 1, of the silence", "push"],
    { phase: "injecting", attempts: 1, mark: "0:b" }
  ],
  ["a silence that is work", rousing(), finished({ status: "working" }), ["abstain"], rest],
  ["the answer of an older review", reviewing(), finished({}, 6), [], {}],
  ["an answer that nobody waits for", armed, finished(), [], {}],
  ["a judge that failed", reviewing(), { _tag: "ReviewFailed", review: 7, reason: "timeout", at }, ["failure"], rest],
  ["a judge that hangs", reviewing(), { _tag: "Clock", at: late }, ["cancel", "none", "failure"], rest],
  ["a push that was sent", injecting(), { _tag: "InjectionDone", review: 7, at }, [], rest],
  [
    "a push that could not be sent counts",
    injecting(),
    { _tag: "InjectionFailed", review: 7, reason: "gone", at },
    ["failure"],
    rest
  ],
  ["a push that hangs", injecting(), { _tag: "Clock", at: late }, ["failure"], rest],
  ["a stop while a silence is pushed", injecting(false), idle, [], {}],
  [
    "which is a stop where the push failed",
    injecting(true),
    { _tag: "InjectionFailed", review: 7, reason: "gone", at },
    ["failure", "wake in 1500"],
    { phase: "settling" }
  ]
]

describe("ReviewState, row by row", () => {
  const rows = [...stops, ...heard, ...found].map((row) => [row[0], row] as const)

  it.each(rows)("%s", (_, [, state, event, actions, after, options = {}]) => {
    const [next, taken] = ReviewState.decide(state, event, { ...ReviewState.defaultOptions, ...options })
    assert.deepStrictEqual([taken.map(action), changed(state, next)], [actions, after])
  })

  it.each(forbidden)("reviews no stop and no silence where %s", (_, more) => {
    const state: State = { ...armed, ...more }
    const none = (from: State, event: ReviewState.ReviewEvent) =>
      ReviewState.decide(from, event, { ...ReviewState.defaultOptions, raceWindow: 0 })[1].map(action)
    assert.deepStrictEqual(none(state, idle), ["abstain"])
    assert.deepStrictEqual(none(state, { _tag: "Silence", since: 5, at }), [])
    assert.deepStrictEqual(none(settling(state), { _tag: "Clock", at: now + 1500 }), ["abstain"])
  })
})
