/** What is known about a turn when it is judged: the state of the events, and the facts from that state. */
import * as Schema from "effect/Schema"
import type { ActiveCheck, ReflexionConfig } from "../config/model.ts"
import type { Weakened } from "../checkedits/CheckEdits.ts"
import { type CheckEdit, CheckEdits } from "../checkedits/model.ts"
import type { HeldClaim } from "../claims/model.ts"
import { Evidence, FailingTest, type Push } from "../evidence/model.ts"
import type { AssessedGate } from "../gates/model.ts"
import type { AcceptanceItem } from "../donewhen/model.ts"
import type { RepoSignals } from "../project/RepoSignals.ts"
import { StopSignal } from "../stop/model.ts"
import type { Reading } from "../stop/StopSignal.ts"
import { EarlierTurn } from "../task/EarlierTurns.ts"
import { Nudges } from "../task/OwnFeedback.ts"
import { TaskContext } from "../task/model.ts"
import type { Loop } from "./Loop.ts"
import type { SessionInfo } from "../transcript/Transcript.ts"

/**
 * Changed tests that pass now. `failing`: the tests whose old version fails in reflexion's own run.
 *
 * @category models
 */
export const OldTests = Schema.Struct({ command: Schema.String, failing: Schema.Array(FailingTest) })

export type OldTests = typeof OldTests.Type

/**
 * The state of a judgement. The state has a limited size, and its encoded form is plain JSON.
 *
 * @category models
 */
export const JudgmentState = Schema.Struct({
  version: Schema.Literal(1),
  task: TaskContext,
  evidence: Evidence,
  stop: StopSignal,
  /** `mark` is the state of the evidence at the last nudge. */
  nudges: Nudges,
  /** True if the user stopped the agent and said nothing since. Later acts of the agent or the host do not matter. */
  interrupted: Schema.Boolean,
  checks: Schema.optionalWith(CheckEdits, { exact: true }),
  oldTests: Schema.optionalWith(OldTests, { exact: true }),
  earlier: Schema.optionalWith(Schema.Array(EarlierTurn), { exact: true })
})

export type JudgmentState = typeof JudgmentState.Type

/**
 * What a judgement needs in addition to the events.
 *
 * @category models
 */
export interface JudgmentContext {
  readonly config: ReflexionConfig
  /** Read from disk only for the last turn, and only if the session's directory exists. */
  readonly repo: RepoSignals
  readonly cwd?: string | null
}

/**
 * Options for a verdict.
 *
 * @category models
 */
export interface VerdictOptions {
  readonly session: SessionInfo
  readonly context: JudgmentContext
  /** The time of the judgement in ISO 8601. */
  readonly now: string | null
  /** A text that replaces the user's task. */
  readonly task?: string
  /** The number that a nudge for this verdict would have, counted from 1. */
  readonly attempt?: number
  /** The loops of the agent, if the agent is judged while it is silent. */
  readonly loops?: ReadonlyArray<Loop>
}

/**
 * A claim in the final text that a tool call disproves.
 *
 * @category models
 */
export const Contradiction = Schema.Struct({
  claim: Schema.String,
  fact: Schema.String,
  callId: Schema.NullOr(Schema.String)
})

export type Contradiction = typeof Contradiction.Type

export const TaskType = Schema.Literal("coding", "docs", "research", "ops", "other")

export type TaskType = typeof TaskType.Type

/**
 * A gate and how certain its result is.
 *
 * @category models
 */
export interface GateFact extends AssessedGate {
  /** True if the task itself is to make the gate pass. The gate's earlier result does not matter. */
  readonly wanted: boolean
  /** True if the user plainly ordered the gate, or the configuration declares it. */
  readonly ordered: boolean
  /** True if another check ran after the last edit and proves the work equally well, or almost. */
  readonly ranClose: boolean
  /** True if the run itself proves the failure. The run must be after the last edit and in the right folder. */
  readonly failedItself: boolean
  /** True if the agent says that the gate passed, although this run failed. */
  readonly overclaimed: boolean
}

/**
 * Everything that a rule can know about a turn, collected once.
 *
 * @category models
 */
export interface Facts {
  readonly task: TaskContext
  readonly taskType: TaskType
  readonly evidence: Evidence
  readonly stop: StopSignal
  readonly reading: Reading
  readonly gates: ReadonlyArray<GateFact>
  readonly contradictions: ReadonlyArray<Contradiction>
  readonly held: ReadonlyArray<HeldClaim>
  readonly directPushes: ReadonlyArray<Push>
  readonly profile: ReflexionConfig["profile"]
  readonly repo: RepoSignals
  /** True if another agent gave the task. */
  readonly subagent: boolean
  readonly cwd: string | null
  /** True if the agent was nudged in this task before. */
  readonly reminded: boolean
  /** True if a person is there to answer. Also true if this is unknown. */
  readonly attended: boolean
  /** True if the agent may go on without a user, because the usage limit that ended the turn is over. */
  readonly resumes: boolean
  /** What the agent's text asked the user at the last nudge. Null if it asked nothing. */
  readonly askedBefore: string | null
  /** The loops of a silent agent, the most serious one first. Empty if the turn has ended. */
  readonly loops: ReadonlyArray<Loop>
  readonly checks: ReadonlyArray<ActiveCheck>
  readonly doneWhen: ReadonlyArray<AcceptanceItem>
  readonly checkEdits: ReadonlyArray<CheckEdit>
  readonly weakened: ReadonlyArray<Weakened>
  readonly oldTests: OldTests | null
}
