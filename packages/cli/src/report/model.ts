/** What a report says, as plain JSON: both its page and its text are drawn from this, and from nothing else. */
import { CheckResult } from "@reflexion/core/internal/checks/CheckResult"
import { NoticeKind, Outcome } from "./words.ts"
import { Contradiction, Gate, Severity, Status, StopKind, StopPattern, Verdict } from "@reflexion/core/Verdict"
import { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import * as Schema from "effect/Schema"

/**
 * The most of everything that a report shows; what is beyond is counted and said.
 *
 * @category limits
 */
export const limits = {
  /** Sessions with a timeline, the newest. */
  sessions: 30,
  /** Entries of one timeline, the newest. */
  entries: 150,
  reflections: 100,
  findings: 50,
  changes: 50,
  analyses: 20,
  failures: 20,
  /** Past sessions read of each host. */
  pastSessions: 10,
  text: 2000
} as const

const Usage = Schema.Struct({
  modelCalls: Schema.Number,
  inputTokens: Schema.Number,
  outputTokens: Schema.Number
})

/**
 * What a model was asked about a stop. `model` is null where none answered; `problem` says why.
 *
 * @category models
 */
export const Asked = Schema.Struct({
  model: Schema.NullOr(Schema.String),
  problem: Schema.NullOr(Schema.String)
})

/**
 * One stop of an agent. `origin`: a review that a hook or plugin made then, or a past session that was judged for this
 * report, which pushed nobody. `at` is epoch ms, null where nobody knows it; `pushed`: the agent was told to go on, or
 * would have been; `userMessageAt` and `stoppedAt` are the record's own times, by which the stop is found again in it.
 * `durationMs` is the review's own time.
 *
 * @category models
 */
export const Stop = Schema.Struct({
  id: Schema.String,
  origin: Schema.Literal("review", "session"),
  host: Schema.String,
  sessionId: Schema.String,
  at: Schema.NullOr(Schema.Number),
  turn: Schema.Number,
  userMessageAt: Schema.NullOr(Schema.String),
  stoppedAt: Schema.NullOr(Schema.String),
  task: Schema.String,
  status: Status,
  outcome: Outcome,
  pushed: Schema.Boolean,
  severity: Severity,
  reason: Schema.String,
  feedback: Schema.NullOr(Schema.String),
  missing: Schema.Array(Schema.String),
  confidence: Schema.Number,
  source: Verdict.fields.source,
  kind: StopKind,
  pattern: Schema.NullOr(StopPattern),
  gates: Schema.Array(Gate),
  contradictions: Schema.Array(Contradiction),
  checks: Schema.Array(
    CheckResult.pick("gate", "command", "result", "exitCode", "detail", "at", "durationMs", "cached")
  ),
  attempt: Schema.NullOr(Schema.Number),
  maxAttempts: Schema.Number,
  decision: Schema.String,
  notice: Schema.NullOr(NoticeKind),
  progress: Schema.NullOr(Schema.Struct({ followed: Schema.Literal("all", "some", "none"), summary: Schema.String })),
  asked: Schema.NullOr(Asked),
  reviewers: Schema.NullOr(Usage),
  usage: Usage,
  durationMs: Schema.Number
})

export type Stop = typeof Stop.Type

/**
 * What a push achieved by the next stop of the same turn. `green`: all gates that were open passed, or, where none was,
 * the turn was complete; `some`: some did, or work was done; `nothing`: nothing moved; `unknown`: there was no next stop.
 *
 * @category models
 */
export const Effect = Schema.Literal("green", "some", "nothing", "unknown")

export type Effect = typeof Effect.Type

/**
 * A push, by the id of its stop. `gates` are those that were open, with what became of each; `ended` how the turn's last
 * stop ended; `doubts` why it may have been wrong to push, none where nothing speaks for that; `doubt` how much they weigh.
 *
 * @category models
 */
export const Push = Schema.Struct({
  stop: Schema.String,
  effect: Effect,
  gates: Schema.Array(
    Schema.Struct({
      gate: Schema.String,
      before: Gate.fields.result,
      after: Schema.NullOr(Gate.fields.result)
    })
  ),
  ended: Schema.NullOr(Status),
  doubts: Schema.Array(Schema.String),
  doubt: Schema.Number
})

export type Push = typeof Push.Type

const Counts = Schema.Struct({ key: Schema.String, count: Schema.Number })

/**
 * How stops ended, in numbers. `reasons` are why stops were not judged or pushed, the most frequent first.
 *
 * @category models
 */
export const Tally = Schema.Struct({
  stops: Schema.Number,
  outcomes: Schema.Record({ key: Outcome, value: Schema.Number }),
  abstained: Schema.Array(Counts),
  left: Schema.Array(Counts)
})

export type Tally = typeof Tally.Type

/**
 * How far reviews went, and what that took: each counts once, at the furthest tier that it reached.
 *
 * @category models
 */
export const Tier = Schema.Struct({
  tier: Schema.Literal("evidence", "checks", "model", "cross_review"),
  reviews: Schema.Number,
  ...Usage.fields,
  durationMs: Schema.Number
})

export type Tier = typeof Tier.Type

/**
 * The questions that were put to models at the stops of one host; `medianMs` is the wait, null where nobody was asked.
 *
 * @category models
 */
export const Questions = Schema.Struct({
  host: Schema.String,
  calls: Schema.Number,
  answered: Schema.Number,
  medianMs: Schema.NullOr(Schema.Number),
  inputTokens: Schema.Number,
  outputTokens: Schema.Number
})

export type Questions = typeof Questions.Type

/**
 * One day of the reviews, in UTC: stops by outcome, and tokens.
 *
 * @category models
 */
export const Day = Schema.Struct({
  day: Schema.String,
  outcomes: Schema.Record({ key: Outcome, value: Schema.Number }),
  inputTokens: Schema.Number,
  outputTokens: Schema.Number
})

export type Day = typeof Day.Type

/**
 * An entry of a session's timeline: a command that proves a gate, a check that reflexion ran, or a stop, by its id. `sign`
 * says how it went.
 *
 * @category models
 */
export const Entry = Schema.Struct({
  kind: Schema.Literal("run", "check", "stop"),
  at: Schema.NullOr(Schema.Number),
  sign: Schema.Literal("good", "bad", "open", "neutral"),
  title: Schema.String,
  detail: Schema.String,
  stop: Schema.NullOr(Schema.String)
})

export type Entry = typeof Entry.Type

/**
 * One session with what happened in it, oldest first; `leftOut` counts the oldest entries, which are not shown.
 *
 * @category models
 */
export const Session = Schema.Struct({
  id: Schema.String,
  host: Schema.String,
  origin: Stop.fields.origin,
  task: Schema.String,
  from: Schema.NullOr(Schema.Number),
  to: Schema.NullOr(Schema.Number),
  stops: Schema.Number,
  pushes: Schema.Number,
  ended: Outcome,
  entries: Schema.Array(Entry),
  leftOut: Schema.Number
})

export type Session = typeof Session.Type

const Rate = Schema.NullOr(Schema.Number)

/**
 * What is remembered and what came of it. `helpfulness` is between 0 and 1, 0.5 where nothing is known; `isNew`: learned in
 * the report's time; `isResolved`: the user said that its failure is over; `prune` says why it might go, null where nothing speaks for that.
 *
 * @category models
 */
export const Lesson = Schema.Struct({
  id: Schema.String,
  createdAt: Schema.String,
  category: Schema.String,
  source: Schema.String,
  analysis: Schema.String,
  suggestion: Schema.String,
  given: Schema.Number,
  succeeded: Schema.Number,
  failed: Schema.Number,
  helpfulness: Schema.Number,
  isNew: Schema.Boolean,
  isResolved: Schema.Boolean,
  prune: Schema.NullOr(Schema.String)
})

export type Lesson = typeof Lesson.Type

/**
 * `withLessons` and `without`: how attempts ended that had reflections, and that had none.
 *
 * @category models
 */
export const Memory = Schema.Struct({
  reflections: Schema.Number,
  tasks: Schema.Number,
  learned: Schema.Number,
  helped: Schema.Number,
  toPrune: Schema.Number,
  withLessons: Schema.Struct({ succeeded: Schema.Number, failed: Schema.Number, rate: Rate }),
  without: Schema.Struct({ succeeded: Schema.Number, failed: Schema.Number, rate: Rate }),
  lessons: Schema.Array(Lesson),
  leftOut: Schema.Number
})

export type Memory = typeof Memory.Type

/**
 * A change that is proposed in a file: its heading, and what stands below. `reference` is the file's place in the project,
 * `at` epoch ms.
 *
 * @category models
 */
export const Change = Schema.Struct({
  reference: Schema.String,
  at: Schema.Number,
  title: Schema.String,
  text: Schema.String
})

export type Change = typeof Change.Type

/**
 * What a model said of findings (`of`, as far as the log says which), and the references of what came of it (`left`).
 *
 * @category models
 */
export const Analysis = Schema.Struct({
  id: Schema.String,
  at: Schema.String,
  observations: Schema.String,
  recommended: Schema.Array(Schema.String),
  left: Schema.Array(Schema.String),
  of: Schema.Array(ReflectionFinding.pick("rule", "subjectType", "subjectId"))
})

export type Analysis = typeof Analysis.Type

/**
 * What the reflection cycle said and left.
 *
 * @category models
 */
export const Cycle = Schema.Struct({
  changes: Schema.Array(Change),
  changesLeftOut: Schema.Number,
  analyses: Schema.Array(Analysis),
  analysesLeftOut: Schema.Number
})

export type Cycle = typeof Cycle.Type

/**
 * The whole report. Times are ISO 8601; `since` is null where all that is kept was looked at. `problems` are parts that
 * could not be read, and why; `marked` counts the pushes that the user called wrong; `past` is null unless past sessions were asked for.
 *
 * @category models
 */
export const ReportData = Schema.Struct({
  version: Schema.Literal(1),
  project: Schema.String,
  madeAt: Schema.String,
  since: Schema.NullOr(Schema.String),
  problems: Schema.Array(Schema.String),
  tally: Tally,
  days: Schema.Array(Day),
  tiers: Schema.Array(Tier),
  models: Schema.Array(Counts),
  questions: Schema.Struct({ all: Questions, hosts: Schema.Array(Questions) }),
  stops: Schema.Array(Stop),
  pushes: Schema.Array(Push),
  effects: Schema.Record({ key: Effect, value: Schema.Number }),
  byGate: Schema.Array(
    Schema.Struct({ gate: Schema.String, green: Schema.Number, open: Schema.Number, unknown: Schema.Number })
  ),
  past: Schema.NullOr(Tally),
  sessions: Schema.Array(Session),
  sessionsLeftOut: Schema.Number,
  attempts: Schema.Struct({ completed: Schema.Number, failed: Schema.Number, timeout: Schema.Number }),
  memory: Memory,
  findings: Schema.Array(
    ReflectionFinding.pick("id", "at", "rule", "severity", "subjectType", "subjectId", "detail", "actionTaken")
  ),
  findingsLeftOut: Schema.Number,
  cycle: Cycle,
  reminders: Schema.Number,
  marked: Schema.Number,
  failures: Schema.Array(Schema.Struct({ at: Schema.String, reason: Schema.String })),
  failuresLeftOut: Schema.Number
})

export type ReportData = typeof ReportData.Type
