/** A gate of a task and its result. */
import * as Schema from "effect/Schema"
import type { ActiveGate, Profile } from "../config/model.ts"
import type { Run } from "../evidence/model.ts"
import type { RepoSignals } from "../project/RepoSignals.ts"
import type { Claim } from "../claims/model.ts"
import type { TaskContext } from "../task/model.ts"

/**
 * The result of a gate:
 * - `passed`, `failed`: the result of the run that counts.
 * - `stale`: the gate ran before the last edit that matters.
 * - `missing`: the gate is required and never ran.
 * - `unknown`: the gate was started, and its outcome cannot be known.
 * - `not_required`: the gate is not required and did not run.
 *
 * @category models
 */
export const GateResult = Schema.Literal("passed", "failed", "stale", "missing", "unknown", "not_required")

export type GateResult = typeof GateResult.Type

/**
 * A tool call that proves a gate's result.
 *
 * @category models
 */
export const GateEvidence = Schema.Struct({
  callId: Schema.NullOr(Schema.String),
  command: Schema.String,
  /** Null if the host reports no exit code, or if a pipe hides the code. */
  exitCode: Schema.NullOr(Schema.Number),
  at: Schema.NullOr(Schema.String)
})

export type GateEvidence = typeof GateEvidence.Type

/**
 * One gate: `tests`, `build`, `typecheck`, `lint`, `pr`, `ci`, `push`, `commit` (if ordered), or a configured gate.
 *
 * @category models
 */
export const Gate = Schema.Struct({
  gate: Schema.String,
  required: Schema.Boolean,
  result: GateResult,
  detail: Schema.String,
  /** The last calls that prove the result, at most three. */
  evidence: Schema.Array(GateEvidence)
})

export type Gate = typeof Gate.Type

/**
 * The data that decides about the gates, in addition to the evidence.
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
 * A gate and why it is required.
 *
 * @category models
 */
export interface AssessedGate extends Gate {
  /** Null if not required. `left_failing`: the agent left it failing. `reported`: the user reported a failing run. */
  readonly why: "asked" | "instructed" | "declared" | "done_when" | "strict" | "left_failing" | "reported" | null
  /** `run` if the user ordered to run the gate, `fix` if the user ordered to repair the gate. Null without an order. */
  readonly how: "run" | "fix" | null
  /** Null if no run is recorded, or if a later command could have been the gate. */
  readonly run: Run | null
  /** True if the agent says that the gate fails. */
  readonly admitted: boolean
  readonly denied: boolean
  /** True if the gate is not required, code changed, nothing ran afterwards, and the tests of the project are known. */
  readonly advised: boolean
  readonly command: string | null
  /** True if an untrusted workspace declared the gate. Then no text may show the gate's command. */
  readonly untrusted: boolean
}
