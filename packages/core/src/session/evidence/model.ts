/** Runs, edits and pushes: what the evidence is made of. */
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
 * One run of one gate. `order` is its place among the session's settled calls; `result` is unknown where neither an
 * exit code nor recognised output says how it went. `partial` runs cover a part of the gate only.
 *
 * @category models
 */
export const Run = Schema.Struct({
  gate: Schema.String,
  callId: Schema.NullOr(Schema.String),
  command: Schema.String,
  exitCode: Schema.NullOr(Schema.Number),
  at: Schema.NullOr(Schema.String),
  turn: Schema.Number,
  order: Schema.Number,
  result: Schema.Literal("passed", "failed", "unknown"),
  completed: Schema.Boolean,
  partial: Schema.Boolean,
  masked: Schema.Boolean,
  detail: Schema.String,
  failing: Schema.Array(FailingTest),
  /** Of a failure without names: what it printed, but for its times. */
  print: Schema.optionalWith(Schema.Number, { exact: true }),
  /** It was a look at something that had not finished. */
  pending: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** The folder that it was run in, relative to where the session works unless absolute; left out where it is that one. */
  folder: Schema.optionalWith(Schema.String, { exact: true }),
  /** By a command, a tool or a subagent that is not known to run tests, and printed what it came to. */
  foreign: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Run by reflexion itself after the stop. */
  verified: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Of a failure: the lines that say why, and the file with the rest. */
  telling: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  log: Schema.optionalWith(Schema.String, { exact: true }),
  /** Of a failure: nothing of what failed did so before the task. */
  fresh: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Of a failure: the check failed before the task as well, at something that this does not name. */
  partlyOld: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /** Run by the user. */
  byUser: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Why it shows nothing of what was edited, however it ended. */
  besides: Schema.optionalWith(Schema.String, { exact: true }),
  /** Why it may not have reached what it is called after, or not by itself: after a failing run it proves nothing. */
  doubt: Schema.optionalWith(Schema.String, { exact: true })
})

export type Run = typeof Run.Type

/**
 * Where a run prints: into files, or a task of the host's, by `names`. `known`: it is known as a run; `started`: the call did
 * not wait for its end.
 *
 * @category models
 */
export const Output = Schema.Struct({
  run: Run,
  names: Schema.Array(Schema.String),
  known: Schema.Boolean,
  started: Schema.Boolean
})

export type Output = typeof Output.Type

/**
 * Where the change is while the working copy does not have it. `back` is the branch that a checkout left, where that is known.
 *
 * @category models
 */
export const Away = Schema.Struct({
  kind: Schema.Literal("stash", "commit", "gone"),
  back: Schema.NullOr(Schema.String)
})

export type Away = typeof Away.Type

/**
 * An edit by whatever tool made it.
 *
 * @category models
 */
export const Edit = Schema.Struct({
  path: Schema.String,
  kind: Schema.Literal("source", "test", "docs", "config", "script", "outside", "wording", "conflict", "unknown"),
  order: Schema.Number,
  callId: Schema.NullOr(Schema.String),
  /** Of an edit by a tool: a print of what it replaced by what. */
  print: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The order of the edit of the same file before it. */
  prior: Schema.optionalWith(Schema.Number, { exact: true })
})

export type Edit = typeof Edit.Type

/**
 * A push of commits. A null `branch` is the current one, whatever its name.
 *
 * @category models
 */
export const Push = Schema.Struct({
  callId: Schema.NullOr(Schema.String),
  remote: Schema.NullOr(Schema.String),
  branch: Schema.NullOr(Schema.String),
  force: Schema.Boolean,
  order: Schema.Number,
  turn: Schema.Number
})

export type Push = typeof Push.Type

/**
 * Something that ran and could have been a run of `gate`, or of any where that is null: a command or a tool that nobody
 * here understands, a subagent, or whatever printed a runner's own summary. `what` names it for a person.
 *
 * @category models
 */
export const PossibleRun = Schema.Struct({
  gate: Schema.NullOr(Schema.String),
  what: Schema.String,
  order: Schema.Number,
  turn: Schema.Number
})

export type PossibleRun = typeof PossibleRun.Type

/**
 * The state of the fold: bounded, whatever the session's length. Edits and counts are those of the running turn;
 * `exercised` is the order of the last call that ran anything which could have shown a defect; `possible` has the last
 * possible run of each gate, of whatever turn; `delegated` is the order of the last call to a subagent, whose edits may not
 * be on record; `opaque`: a command of this turn could have run or changed anything;
 * `list.order` is that of the last call before the todo list moved last, `list.print` the list as it then was.
 *
 * @category models
 */
export const Evidence = Schema.Struct({
  version: Schema.Literal(1),
  order: Schema.Number,
  turn: Schema.Number,
  runs: Schema.Array(Run),
  edits: Schema.Array(Edit),
  /** Where runs print whose output may be read later. */
  outputs: Schema.optionalWith(Schema.Array(Output), { default: () => [] }),
  /** The working copy does not have the change. */
  away: Schema.optionalWith(Away, { exact: true }),
  pushes: Schema.Array(Push),
  commits: Schema.Number,
  actions: Schema.Number,
  exercised: Schema.Number,
  possible: Schema.Array(PossibleRun),
  delegated: Schema.Number,
  list: Schema.optionalWith(Schema.Struct({ order: Schema.Number, print: Schema.Number }), {
    default: () => ({ order: 0, print: 0 })
  }),
  opaque: Schema.Boolean,
  /** A command of this turn may have changed files that the record does not name: an opaque one, a merge, an installation. */
  changing: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** The order of the last command that could have run or changed anything, of whatever turn. */
  opaqueAt: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The order of the task's first edit. */
  firstEdit: Schema.optionalWith(Schema.Number, { exact: true }),
  calls: Schema.Number,
  denied: Schema.Array(Schema.Struct({ callId: Schema.NullOr(Schema.String), gates: Schema.Array(Schema.String) })),
  repeats: Schema.Struct({
    fingerprint: Schema.String,
    count: Schema.Number,
    failed: Schema.Boolean,
    /** The call in a line, once it is repeated. */
    what: Schema.optionalWith(Schema.String, { default: () => "" }),
    /** Looks in between. */
    looks: Schema.optionalWith(Schema.Number, { exact: true })
  }),
  /** Calls that only look around, and what else was done, by its weight. */
  looking: Schema.optionalWith(Schema.Struct({ looks: Schema.Number, other: Schema.Number }), {
    default: () => ({ looks: 0, other: 0 })
  }),
  /** The command that the user typed into the host's shell, until its output is there. */
  typed: Schema.optionalWith(Schema.String, { exact: true }),
  /** The last command of this turn that was to do something and failed, with nothing since that made up for it. */
  failedWork: Schema.optionalWith(Schema.NullOr(Schema.Struct({ what: Schema.String, deploy: Schema.Boolean })), {
    default: () => null
  }),
  /** Whether anything but a look has worked in this turn. */
  worked: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  issued: Schema.Array(Schema.Struct({ gate: Schema.String, command: Schema.String })),
  /** The order of the last edit of code before this turn. */
  codeBefore: Schema.optionalWith(Schema.Number, { default: () => 0 }),
  /** The order of the last call before this turn. */
  begunAt: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The order of what was left unread: what ran by then is not known. */
  unreadAt: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The last turn that was not read whole. */
  unreadIn: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The order of what is not on record: a compaction, a command of the user's own, a hook of git's that printed something. */
  unseenAt: Schema.optionalWith(Schema.Number, { default: () => 0 }),
  /** A forge was asked, or the history changed, by another way than a commit, a push or a look at CI. */
  elsewhere: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** The order of the last call that may have had edits undone, put away or committed, or that saw none uncommitted. */
  tidiedAt: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The orders of the last calls that showed nothing left to commit, and to push. */
  cleanAt: Schema.optionalWith(Schema.Number, { exact: true }),
  sentAt: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The order of the last call before the user said something while the agent worked, once it had handed something over. */
  spokenAt: Schema.optionalWith(Schema.Number, { exact: true }),
  branch: Schema.NullOr(Schema.String)
})

export type Evidence = typeof Evidence.Type

/**
 * What a fold of evidence needs to know of the project.
 *
 * @category models
 */
export interface EvidenceContext {
  readonly repo: RepoSignals
  readonly gates: ReadonlyArray<DeclaredGate>
  /** Commands that are runs of what they are named after, as they stand. */
  readonly checks?: ReadonlyArray<Pick<Check, "command" | "name">>
  readonly cwd: string | null
}
