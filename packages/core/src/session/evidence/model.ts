/** The data that the evidence consists of: runs, edits, pushes and more. */
import * as Schema from "effect/Schema"
import type { Check } from "../config/model.ts"
import type { DeclaredGate } from "../config/ReflexionConfig.ts"
import type { RepoSignals } from "../project/RepoSignals.ts"

/**
 * A test that a run reported as failing.
 *
 * @category models
 */
export const FailingTest = Schema.Struct({
  name: Schema.String,
  file: Schema.NullOr(Schema.String),
  line: Schema.NullOr(Schema.Number)
})

export type FailingTest = typeof FailingTest.Type

/**
 * One run of one gate.
 *
 * @category models
 */
export const Run = Schema.Struct({
  gate: Schema.String,
  /** The call that made the run. Null if the host gave it no id. */
  callId: Schema.NullOr(Schema.String),
  command: Schema.String,
  /** The exit status of this command. Null if the call's status does not belong to this command. */
  exitCode: Schema.NullOr(Schema.Number),
  /** The time when the call ended, or its start if the end is unknown. Null if both are unknown. */
  at: Schema.NullOr(Schema.String),
  turn: Schema.Number,
  order: Schema.Number,
  result: Schema.Literal("passed", "failed", "unknown"),
  completed: Schema.Boolean,
  partial: Schema.Boolean,
  /** True if the exit status of the whole command proves nothing about this run. */
  masked: Schema.Boolean,
  detail: Schema.String,
  failing: Schema.Array(FailingTest),
  /** For a failure without names: a fingerprint of the output without times. */
  print: Schema.optionalWith(Schema.Number, { exact: true }),
  /** True if the run only looked at CI, and CI had not finished. */
  pending: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** The folder of the run: absolute, or relative to the session's folder. Missing if unknown. */
  folder: Schema.optionalWith(Schema.String, { exact: true }),
  /** True if the call printed a test result, but is not known to run tests. For example, a subagent's call. */
  foreign: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** True if reflexion itself ran the check after the turn. */
  verified: Schema.optionalWith(Schema.Boolean, { exact: true }),
  telling: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** For a failure: the file with the complete output. */
  log: Schema.optionalWith(Schema.String, { exact: true }),
  /** For a failure: true if all failures in `failing` are newer than the task. */
  fresh: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** For a failure: set if the check also failed before the task, but the names of the old failures are unknown. */
  partlyOld: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  byUser: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Why the run shows nothing about the edits, whatever its result. */
  besides: Schema.optionalWith(Schema.String, { exact: true }),
  /** Why the run may not have checked the real code. Such a run proves nothing if an earlier run failed. */
  doubt: Schema.optionalWith(Schema.String, { exact: true })
})

export type Run = typeof Run.Type

/**
 * The output of a run. A later call may read this output.
 *
 * @category models
 */
export const Output = Schema.Struct({
  run: Run,
  /** The files with the output, and the host's names for the task. */
  names: Schema.Array(Schema.String),
  /** True if the call is known as a run of a gate. */
  known: Schema.Boolean,
  /** True if the call did not wait for the end of the run. */
  started: Schema.Boolean
})

export type Output = typeof Output.Type

/**
 * Where the agent's change is, if it is not in the working copy.
 *
 * @category models
 */
export const Away = Schema.Struct({
  kind: Schema.Literal("stash", "commit", "gone"),
  /** The branch before the checkout. Null if unknown. */
  back: Schema.NullOr(Schema.String)
})

export type Away = typeof Away.Type

/**
 * An edit of a file, by any tool.
 *
 * @category models
 */
export const Edit = Schema.Struct({
  path: Schema.String,
  kind: Schema.Literal("source", "test", "docs", "config", "script", "outside", "wording", "conflict", "unknown"),
  order: Schema.Number,
  callId: Schema.NullOr(Schema.String),
  /** For an edit by a tool: a fingerprint of the old and the new text. */
  print: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The `order` of the previous edit of the same file. */
  prior: Schema.optionalWith(Schema.Number, { exact: true })
})

export type Edit = typeof Edit.Type

/**
 * A push of commits.
 *
 * @category models
 */
export const Push = Schema.Struct({
  callId: Schema.NullOr(Schema.String),
  remote: Schema.NullOr(Schema.String),
  /** The destination branch. Null means the current branch. */
  branch: Schema.NullOr(Schema.String),
  force: Schema.Boolean,
  order: Schema.Number,
  turn: Schema.Number
})

export type Push = typeof Push.Type

/**
 * What could have been a run of a check: an unknown command or tool, a subagent, or output with a runner's summary.
 *
 * @category models
 */
export const PossibleRun = Schema.Struct({
  /** The gate that this call could have run. Null if it could be any gate. */
  gate: Schema.NullOr(Schema.String),
  what: Schema.String,
  order: Schema.Number,
  turn: Schema.Number
})

export type PossibleRun = typeof PossibleRun.Type

/**
 * Everything that the calls of a session prove, in limited size. Edits and counts belong to the current turn.
 *
 * @category models
 */
export const Evidence = Schema.Struct({
  version: Schema.Literal(1),
  order: Schema.Number,
  turn: Schema.Number,
  /** The newest runs. For each gate, also the last run of each result. */
  runs: Schema.Array(Run),
  edits: Schema.Array(Edit),
  outputs: Schema.optionalWith(Schema.Array(Output), { default: () => [] }),
  /** Set if the working copy does not have the change. */
  away: Schema.optionalWith(Away, { exact: true }),
  pushes: Schema.Array(Push),
  commits: Schema.Number,
  actions: Schema.Number,
  /** The `order` of the last call that could have shown a defect. */
  exercised: Schema.Number,
  /** The last possible run of each gate, in any turn. */
  possible: Schema.Array(PossibleRun),
  /** The `order` of this turn's last call to a subagent, or 0. The record may lack the subagent's edits. */
  delegated: Schema.Number,
  /** `print` is a fingerprint of the todo list. `order` is the `order` of the last call before the list changed. */
  list: Schema.optionalWith(Schema.Struct({ order: Schema.Number, print: Schema.Number }), {
    default: () => ({ order: 0, print: 0 })
  }),
  /** True if a command of this turn could have run or changed anything. */
  opaque: Schema.Boolean,
  /** True if a command of this turn, such as a merge, may have changed files that the record does not name. */
  changing: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  opaqueAt: Schema.optionalWith(Schema.Number, { exact: true }),
  firstEdit: Schema.optionalWith(Schema.Number, { exact: true }),
  calls: Schema.Number,
  denied: Schema.Array(Schema.Struct({ callId: Schema.NullOr(Schema.String), gates: Schema.Array(Schema.String) })),
  /** A failing call that is repeated, and how often. */
  repeats: Schema.Struct({
    fingerprint: Schema.String,
    count: Schema.Number,
    failed: Schema.Boolean,
    /** The call in one line. Empty until the call is repeated. */
    what: Schema.optionalWith(Schema.String, { default: () => "" }),
    looks: Schema.optionalWith(Schema.Number, { exact: true })
  }),
  /** The number of calls that only look, and the weight of all other calls. */
  looking: Schema.optionalWith(Schema.Struct({ looks: Schema.Number, other: Schema.Number }), {
    default: () => ({ looks: 0, other: 0 })
  }),
  /** The command that the user typed into the host's shell. Kept until its output arrives. */
  typed: Schema.optionalWith(Schema.String, { exact: true }),
  /** The last work of this turn that failed. Null if no work failed, or if a later success repaired the failure. */
  failedWork: Schema.optionalWith(Schema.NullOr(Schema.Struct({ what: Schema.String, deploy: Schema.Boolean })), {
    default: () => null
  }),
  /** True if a call of this turn succeeded and did more than look. */
  worked: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** The runs of gates that this turn started in the background. */
  issued: Schema.Array(Schema.Struct({ gate: Schema.String, command: Schema.String })),
  /** The `order` of the last code edit before this turn. */
  codeBefore: Schema.optionalWith(Schema.Number, { default: () => 0 }),
  /** The `order` of the last call before this turn. */
  begunAt: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The `order` of the last unread part. The calls in that part are unknown. */
  unreadAt: Schema.optionalWith(Schema.Number, { exact: true }),
  unreadIn: Schema.optionalWith(Schema.Number, { exact: true }),
  /** After a compaction or a git hook, the record may lack something. The `order` of the last such event. */
  unseenAt: Schema.optionalWith(Schema.Number, { default: () => 0 }),
  /** True if the agent asked a forge or the web, or changed the history with a command such as `git merge`. */
  elsewhere: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** The `order` of the last call that may have undone, stashed or committed edits. */
  tidiedAt: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The `order` of the last call that showed nothing to commit. `sentAt`: that showed nothing to push. */
  cleanAt: Schema.optionalWith(Schema.Number, { exact: true }),
  sentAt: Schema.optionalWith(Schema.Number, { exact: true }),
  /** Set if the user wrote after a commit or push of this turn: the `order` of the last call before that message. */
  spokenAt: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The branch with the agent's work. Null if unknown. */
  branch: Schema.NullOr(Schema.String)
})

export type Evidence = typeof Evidence.Type

/**
 * What the evidence needs to know about the project.
 *
 * @category models
 */
export interface EvidenceContext {
  readonly repo: RepoSignals
  readonly gates: ReadonlyArray<DeclaredGate>
  /** Commands that the user declared as checks. The command of a call must be exactly the same. */
  readonly checks?: ReadonlyArray<Pick<Check, "command" | "name">>
  readonly cwd: string | null
}
