/** What the edits of a task did to its checks: the state of the fold. */
import * as Schema from "effect/Schema"

/**
 * `test`: a test is gone; `skip`: it is skipped, pending or left out; `assert`: it asserts less; `expected`: a value that it
 * compares with is another; `snapshot`: what it compares with was written anew; `mock`: what it tests is replaced in it;
 * `mark`: a linter or compiler is told to look away; `silence`: a script, a runner's or CI's configuration is; `special`: the
 * source answers the test's own input; `swallow`: the source passes over what made a test fail.
 *
 * @category models
 */
export const CheckChangeKind = Schema.Literal(
  "test",
  "skip",
  "assert",
  "expected",
  "snapshot",
  "mock",
  "mark",
  "silence",
  "special",
  "swallow"
)

export type CheckChangeKind = typeof CheckChangeKind.Type

/**
 * One thing that edits did to a check, added up: `net` is above 0 where there is less of a check than before, and below where
 * there is more. `id` tells it from others of its kind and file; `name` is the test's, null where the edit does not say it.
 * `was` and `now` are the lines before and after, without secrets. `fits`: the new value is one that the failing run printed.
 *
 * @category models
 */
export const CheckChange = Schema.Struct({
  kind: CheckChangeKind,
  path: Schema.String,
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  was: Schema.String,
  now: Schema.String,
  net: Schema.Number,
  order: Schema.Number,
  callId: Schema.NullOr(Schema.String),
  fits: Schema.Boolean
})

export type CheckChange = typeof CheckChange.Type

/**
 * What is known of a whole file: its tests by name, how many assertions it has, and its marks and silencers by their row.
 *
 * @category models
 */
export const KnownFile = Schema.Struct({
  path: Schema.String,
  tests: Schema.Array(Schema.String),
  skipped: Schema.Array(Schema.String),
  asserts: Schema.Number,
  /** Prints of its assertions, each without and with its values. */
  values: Schema.Array(Schema.Tuple(Schema.Number, Schema.Number)),
  hushed: Schema.Record({ key: Schema.String, value: Schema.Number })
})

export type KnownFile = typeof KnownFile.Type

/** A check that failed, whatever ran it. `passed` is the order in which the same command succeeded, 0 where it did not. */
export const Red = Schema.Struct({
  order: Schema.Number,
  callId: Schema.NullOr(Schema.String),
  command: Schema.String,
  detail: Schema.String,
  passed: Schema.Number
})

export type Red = typeof Red.Type

const At = Schema.Struct({ path: Schema.String, order: Schema.Number, isTest: Schema.Boolean, print: Schema.Number })

/**
 * The state of the fold: at most 48 changes, six known files, 32 edits of sources, 600 prints, four failed checks and 1,800 signs
 * of what the last of them printed, whatever the session's length. `given` and `wanted` are the values that the last failing run
 * of the tests printed, `inputs` all that it named; `lost`: changes were left out, so that what is missing may have been put
 * elsewhere.
 *
 * @category models
 */
export const CheckEdits = Schema.Struct({
  changes: Schema.Array(CheckChange),
  aside: Schema.Array(CheckChange),
  known: Schema.Array(KnownFile),
  sources: Schema.Array(At),
  /** Prints of the edits that changed a check, by which one that is taken back is known. */
  edits: Schema.Array(Schema.Number),
  /** Prints of the lines that the agent wrote itself into tests: it may take them away again. */
  own: Schema.Array(Schema.Number),
  ownFiles: Schema.Array(Schema.String),
  given: Schema.Array(Schema.String),
  wanted: Schema.Array(Schema.String),
  inputs: Schema.Array(Schema.String),
  reds: Schema.Array(Red),
  printed: Schema.String,
  /** Names of files in the trace of the last failure. */
  frames: Schema.Array(Schema.String),
  /** Scripts that a failed check ran. */
  scripts: Schema.Array(Schema.String),
  /** When the agent last looked at what says how it should be. */
  lookedUp: Schema.Number,
  opaque: Schema.Number,
  lost: Schema.Boolean
})

export type CheckEdits = typeof CheckEdits.Type

/** A text before and after an edit, or the whole of a file; null where that is not on record. */
export interface TextEdit {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  /** `after` is all that the file has. */
  readonly whole: boolean
  /** The host says that the file was there before. */
  readonly isUpdate?: boolean
  /** It changes some lines of the file, and nobody can see which. */
  readonly isUnread?: boolean
  /** The file was not there before, or is there no more. */
  readonly file: "created" | "deleted" | null
}

/** What one edit adds to a change. */
export interface Delta {
  readonly kind: CheckChangeKind
  readonly id: string
  readonly name: string | null
  readonly was: string
  readonly now: string
  readonly by: number
  readonly fits: boolean
}
