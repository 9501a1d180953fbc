/** A finding, and what the rules of the reflection cycle are given. */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../log/StorageError.ts"
import * as Schema from "effect/Schema"

export const rules = [
  "consecutive_failures",
  "timeout_pattern",
  "stale_task",
  "skill_failure_correlation",
  "regression",
  "unhelpful_advice",
  "analysis"
] as const

export const severities = ["warning", "action_taken"] as const

export const subjectTypes = ["task", "skill", "sub_session"] as const

export const actions = ["reflection_rule", "reflection_analysis"] as const

/** The session of every finding. */
export const sessionId = "system:reflection"

/**
 * How the ids of those findings begin that a look found, as `reflexion cycle` and the hosts' adapters do: the cycle of a
 * program takes none of them for its own, and so tells what they say, and acts on it, as if nobody had looked.
 */
export const byHand = "look-"

/** The most characters of what a finding says. */
export const limits = { subjectId: 300, detail: 4000, actionTaken: 300 } as const

/**
 * By the names of the configuration: how many failures in a row are too many, how far back the rules look, and fewer than
 * how many characters are no result.
 *
 * @category models
 */
export interface Options {
  readonly consecutive_failure_limit: number
  readonly lookback_seconds: number
  readonly min_result_length: number
}

/**
 * A finding, and how many attempts show it.
 *
 * @category models
 */
export interface Found {
  readonly finding: ReflectionFinding
  readonly count: number
}

/**
 * Which findings: of a rule, of `since` (in ms since the epoch) or later, and how many of the newest.
 *
 * @category models
 */
export interface Wanted {
  readonly rule?: ReflectionFinding["rule"]
  readonly since?: number
  readonly limit?: number
}

/**
 * What a finding is about.
 *
 * @category models
 */
export type Subject = Pick<ReflectionFinding, "rule" | "subjectType" | "subjectId">

/**
 * What a log has, every line decoded. `replaced` counts lines of whose id there is a later one; of those that are no
 * finding `invalid` names at most 100, with the line, from 1, and its offset in bytes.
 *
 * @category models
 */
export interface Verification {
  readonly findings: number
  readonly replaced: number
  readonly blank: number
  readonly invalidCount: number
  readonly invalid: ReadonlyArray<{ readonly line: number; readonly at: number; readonly problem: string }>
}

/**
 * The newest 5,000 findings are known; the file has all. One whose time lies in the future is taken to be of the time at
 * which it was read.
 *
 * @category models
 */
export interface Service {
  /** Keeps findings, secrets taken out of all but ids: when it succeeds they outlast a power cut. A known id is replaced. */
  readonly append: (findings: ReflectionFinding | ReadonlyArray<ReflectionFinding>) => Effect.Effect<void, StorageError>
  /** The same of those whose ids nobody knows yet, whoever else adds them meanwhile; the answer has the ids of what was added. */
  readonly appendNew: (findings: ReadonlyArray<ReflectionFinding>) => Effect.Effect<ReadonlySet<string>, StorageError>
  /** Null for an id that nobody knows. */
  readonly get: (id: string) => Effect.Effect<ReflectionFinding | null, StorageError>
  /** What a rule found last of a subject, without what a person looked for. */
  readonly latest: (subject: Subject) => Effect.Effect<ReflectionFinding | null, StorageError>
  /** In the order in which they were found. */
  readonly findings: (wanted?: Wanted) => Effect.Effect<ReadonlyArray<ReflectionFinding>, StorageError>
  /** Why nobody should believe it, null where one may: git tracks it, and nobody said that it is trusted. */
  readonly heldBack: Effect.Effect<string | null>
  /** Leaves out what was found longer ago; says how much. */
  readonly prune: (options: { readonly maxAge: Duration.DurationInput }) => Effect.Effect<number, StorageError>
  /** Decodes every line. With `repair`, those that cannot be decoded are moved to a file beside the log. */
  readonly verify: (options?: { readonly repair?: boolean }) => Effect.Effect<Verification, StorageError>
}

/**
 * What a rule looks for; `analysis` is a model's observations.
 *
 * @category models
 */
export const Rule = Schema.Literal(...rules)

export type Rule = typeof Rule.Type

export const Severity = Schema.Literal(...severities)

export type Severity = typeof Severity.Type

/**
 * A finding's subject: a `task`, by its id; a `skill`, by the name of the skill, the path of the file, or the id of the
 * advice that agents were given; a `sub_session`, by the session's id, where no task has an id.
 *
 * @category models
 */
export const SubjectType = Schema.Literal(...subjectTypes)

export type SubjectType = typeof SubjectType.Type

/**
 * The same episode has the same `id`, however often it is found; of two lines of one id the later says more. `at` is when
 * the last of the attempts ended that show it, in ISO 8601; `actionTaken` is what was done about it, null where nothing was.
 *
 * @category models
 */
export const ReflectionFinding = Schema.Struct({
  id: Schema.NonEmptyString,
  at: Schema.String.pipe(Schema.filter((text) => Number.isFinite(Date.parse(text)), { message: () => "not a time" })),
  action: Schema.Literal(...actions),
  sessionId: Schema.Literal(sessionId),
  rule: Rule,
  severity: Severity,
  subjectType: SubjectType,
  subjectId: Schema.String,
  detail: Schema.String,
  actionTaken: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ReflectionFinding" })

export type ReflectionFinding = typeof ReflectionFinding.Type
