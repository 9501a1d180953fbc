/** The judge's state, what a verdict is given for, and what is known of a turn when the rules look at it. */
import * as Schema from "effect/Schema"
import { Evidence, type Push } from "../../session/evidence/model.ts"
import { Pushes } from "../../session/task/OwnFeedback.ts"
import { StopSignal } from "../../session/stop/model.ts"
import type { Reading } from "../../session/stop/StopSignal.ts"
import { TaskContext } from "../../session/task/model.ts"
import type { ReflexionConfig } from "../../session/config/model.ts"
import type { RepoSignals } from "../../session/project/model.ts"
import type { SessionInfo } from "../../session/transcript/Transcript.ts"
import type * as Gates from "../../session/gates/Gates.ts"
import type { Contradiction, Severity, Status, StopKind, StopPattern, TaskType } from "./Verdict.ts"

/**
 * The state of a judgement: bounded, and plain JSON in its encoded form. `pushes` is what the transcript shows of our own
 * feedback since the user's last message: how often, and where the evidence stood then (`mark`). `interrupted`: the
 * user stopped the agent and has said nothing since; whatever the agent or the host does next, that stands.
 *
 * @category models
 */
export const JudgmentState = Schema.Struct({
  version: Schema.Literal(1),
  task: TaskContext,
  evidence: Evidence,
  stop: StopSignal,
  pushes: Pushes,
  interrupted: Schema.Boolean
})

export type JudgmentState = typeof JudgmentState.Type

/**
 * What a judgement needs to know beside the events. `repo` is read from disk only for the last turn of a session whose
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
 * What a verdict is given for. `now` is the moment of the judgement in ISO 8601; `attempt` is the number of the push
 * that this verdict would be, counted from 1.
 *
 * @category models
 */
export interface VerdictOptions {
  readonly session: SessionInfo
  readonly context: JudgmentContext
  readonly now: string | null
  readonly task?: string
  readonly attempt?: number
}

/** All that tier 1 knows of a turn, put together once. */
export interface Known {
  readonly task: TaskContext
  readonly taskType: TaskType
  readonly evidence: Evidence
  readonly stop: StopSignal
  readonly reading: Reading
  readonly gates: ReadonlyArray<Gates.Assessed>
  readonly contradictions: ReadonlyArray<Contradiction>
  readonly directPushes: ReadonlyArray<Push>
  readonly profile: VerdictOptions["context"]["config"]["profile"]
  readonly repo: VerdictOptions["context"]["repo"]
  readonly subagent: boolean
  readonly cwd: string | null
  /** Whether the agent was pushed in this task before. */
  readonly reminded: boolean
}

/**
 * One thing that keeps the task from being done. `stands`: it is the agent's to do, and nothing excuses it; the agent is told
 * of it if its level is `push` as well.
 */
export interface Problem {
  readonly kind:
    | "gate"
    | "contradiction"
    | "policy"
    | "defect"
    | "announced"
    | "todos"
    | "left_work"
    | "handed_over"
    | "permission"
    | "not_begun"
    | "cut_off"
  readonly gate?: string
  readonly severity: Severity
  readonly fact: string
  readonly missing: string
  readonly action: string | null
  readonly stands: boolean
  readonly level: Level
}

export type Level = "push" | "tell"

/** What the problems and the stop come to. */
export interface Outcome {
  readonly status: Status
  readonly kind: StopKind
  readonly pattern: StopPattern | null
  readonly push: boolean
  readonly reason: string
  readonly confidence: number
  readonly human: ReadonlyArray<string>
  /** What to say to an agent that is stuck rather than done too early. */
  readonly say?: { readonly fact: string; readonly action: string }
}
