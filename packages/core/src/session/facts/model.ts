/** What is known of a turn when it is judged: the state that the events were folded into, and the facts made of it. */
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
 * Tests that the task changed and that pass now: those of them that fail as they were before, by our own runs of `command`.
 *
 * @category models
 */
export const OldTests = Schema.Struct({ command: Schema.String, failing: Schema.Array(FailingTest) })

export type OldTests = typeof OldTests.Type

/**
 * The state of a judgement: bounded, and plain JSON in its encoded form. `nudges` is what the transcript shows of our own
 * feedback since the user's last message: how often, and where the evidence stood then (`mark`). `interrupted`: the
 * user stopped the agent and has said nothing since; whatever the agent or the host does next, that stands. `earlier` are the
 * turns before the running one, in short.
 *
 * @category models
 */
export const JudgmentState = Schema.Struct({
  version: Schema.Literal(1),
  task: TaskContext,
  evidence: Evidence,
  stop: StopSignal,
  nudges: Nudges,
  interrupted: Schema.Boolean,
  checks: Schema.optionalWith(CheckEdits, { exact: true }),
  oldTests: Schema.optionalWith(OldTests, { exact: true }),
  earlier: Schema.optionalWith(Schema.Array(EarlierTurn), { exact: true })
})

export type JudgmentState = typeof JudgmentState.Type

/**
 * What a judgement needs to know besides the events. `repo` is read from disk only for the last turn of a session whose
 * directory exists; `cwd` is the session's project root.
 *
 * @category models
 */
export interface JudgmentContext {
  readonly config: ReflexionConfig
  readonly repo: RepoSignals
  readonly cwd?: string | null
}

/**
 * What a verdict is given for. `now` is the moment of the judgement in ISO 8601; `attempt` is the number of the nudge
 * that this verdict would be, counted from 1; `loops` those that the agent is in, where it is judged in a silence.
 *
 * @category models
 */
export interface VerdictOptions {
  readonly session: SessionInfo
  readonly context: JudgmentContext
  readonly now: string | null
  readonly task?: string
  readonly attempt?: number
  readonly loops?: ReadonlyArray<Loop>
}

/**
 * A claim of the final text that a tool call disproves.
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
 * A gate and how sure its result is. `wanted`: that it passes is the task itself, whatever it was before; `ordered`: the user asked for it in plain words, or the configuration declares it;
 * `ranClose`: a check ran since the edit that does as much, or nearly so; `failedItself`: the run failed by its own exit status, or names what
 * failed, after the last edit and where that was made; `overclaimed`: the agent says that it passed, over that failing run.
 *
 * @category models
 */
export interface GateFact extends AssessedGate {
  readonly wanted: boolean
  readonly ordered: boolean
  readonly ranClose: boolean
  readonly failedItself: boolean
  readonly overclaimed: boolean
}

/**
 * All that a rule may know of a stop, put together once. `task` has what was ordered, in the user's words; `evidence` the
 * edits, runs, commits and pushes on record; `gates` every check with its result and what proves it; `stop` and `reading`
 * what the host and the final text say of the end, with its prose; `held` every claim with how it stands, `contradictions` those that the record disproves;
 * `directPushes` those to the default branch; `repo` what the working copy says. `reminded`: the agent was nudged in this
 * task before; `subagent`: another agent gave it the task; `attended`: a person is there to answer, or nobody says that
 * none is; `askedBefore`: what the text put to the user when the agent was nudged last; `loops`: those that a silent agent is in,
 * the gravest first; at a stop there are none.
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
  readonly subagent: boolean
  readonly cwd: string | null
  readonly reminded: boolean
  readonly attended: boolean
  readonly askedBefore: string | null
  readonly loops: ReadonlyArray<Loop>
  /** The user's checks. */
  readonly checks: ReadonlyArray<ActiveCheck>
  /** When the user calls the task done. */
  readonly doneWhen: ReadonlyArray<AcceptanceItem>
  /** What edits did to checks. */
  readonly checkEdits: ReadonlyArray<CheckEdit>
  /** Those that made a red check green. */
  readonly weakened: ReadonlyArray<Weakened>
  readonly oldTests: OldTests | null
}
