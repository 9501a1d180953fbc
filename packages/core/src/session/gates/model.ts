/** A gate of a task, and what the evidence says of it. */
import * as Schema from "effect/Schema"
import type { ActiveGate, Profile } from "../config/model.ts"
import type { Run } from "../evidence/model.ts"
import type { RepoSignals } from "../project/RepoSignals.ts"
import type { Claim } from "../claims/model.ts"
import type { TaskContext } from "../task/model.ts"

/**
 * `stale`: it ran before the last edit that matters to it. `unknown`: it was issued and its outcome cannot be known.
 *
 * @category models
 */
export const GateResult = Schema.Literal("passed", "failed", "stale", "missing", "unknown", "not_required")

export type GateResult = typeof GateResult.Type

/**
 * A tool call that proves a gate's result. `exitCode` is null where the host has none or a pipe masks it.
 *
 * @category models
 */
export const GateEvidence = Schema.Struct({
  callId: Schema.NullOr(Schema.String),
  command: Schema.String,
  exitCode: Schema.NullOr(Schema.Number),
  at: Schema.NullOr(Schema.String)
})

export type GateEvidence = typeof GateEvidence.Type

/**
 * One gate: `tests`, `build`, `typecheck`, `lint`, `pr`, `ci`, `push`, `commit` where it was asked for, or one that the
 * configuration declares.
 *
 * @category models
 */
export const Gate = Schema.Struct({
  gate: Schema.String,
  required: Schema.Boolean,
  result: GateResult,
  detail: Schema.String,
  evidence: Schema.Array(GateEvidence)
})

export type Gate = typeof Gate.Type

/**
 * What decides the gates, besides the evidence.
 *
 * @category models
 */
export interface GateContext {
  readonly profile: Profile
  readonly declared: ReadonlyArray<ActiveGate>
  readonly repo: RepoSignals
  readonly task: TaskContext
  readonly claims: ReadonlyArray<Claim>
  readonly coding: boolean
  readonly cwd: string | null
}

/**
 * A gate with the reason why it is required: `left_failing` is what the agent itself left failing, which counts in
 * every profile; `reported`: the user's message carries a failing run of it. `advised`: not required, but code was
 * changed and nothing at all was run since, in a project whose tests are known. `untrusted`: declared by a workspace that
 * the user does not trust, so that no text may pass its command on. `run` decides the result; null where none is on
 * record, or where something ran since that could have been one.
 *
 * @category models
 */
export interface AssessedGate extends Gate {
  readonly why: "asked" | "instructed" | "declared" | "done_when" | "strict" | "left_failing" | "reported" | null
  readonly how: "run" | "fix" | null
  readonly run: Run | null
  readonly admitted: boolean
  readonly denied: boolean
  readonly advised: boolean
  readonly command: string | null
  readonly untrusted: boolean
}
