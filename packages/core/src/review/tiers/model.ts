/** The types of a review's input and result. */
import type { CheckResult } from "../../checks/CheckResult.ts"
import type { CrossReviewOutcome } from "../../model/crossreview/CrossReview.ts"
import type * as Judgment from "../../judge/verdict/Judgment.ts"
import type * as ModelRouting from "../../model/calls/ModelRouting.ts"
import type { Answer } from "../../model/assessment/Answer.ts"
import type { AskEnd, AskLine } from "../../model/calls/AskLines.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"
import type * as Effect from "effect/Effect"
import type { StartListener } from "../../checks/Verification.ts"
import type { GateResult } from "../../judge/verdict/Verdict.ts"

/**
 * What happened when a model was asked, for the record of a review.
 *
 * @category models
 */
export interface ModelRecord {
  readonly promptVersion: number
  readonly model: string | null
  /** The failure, if no answer could be read. Null otherwise. */
  readonly problem: string | null
  readonly answer: Answer | null
  /** How the question ended. Null if no question was asked. */
  readonly end: AskEnd | null
  /** The chosen model and what the question cost. */
  readonly question: Pick<AskLine, "model" | "ms" | "inputTokens" | "outputTokens"> | null
  /** A line that the user is told once. Null if there is no such line. */
  readonly told: string | null
}

/** A verdict with the result of asking a model. */
export interface ConsultedVerdict extends Judgment.JudgedTurn {
  readonly asked: ModelRecord
}

/**
 * The result of a review. Each optional field exists only if its stage ran.
 *
 * @category models
 */
export interface ReviewResult extends Judgment.JudgedTurn {
  /** The model that should go on with the task, if it is not the session's own model. */
  readonly route?: ModelRouting.Route
  /** The model's opinion of the turn. */
  readonly asked?: ModelRecord
  readonly checks?: ReadonlyArray<CheckResult>
  readonly crossReview?: CrossReviewOutcome
  /** The progress since the last reminder. Left out if there was none. */
  readonly progress?: Progress
}

/**
 * The input of a stage: the data from which the turn was judged.
 *
 * @category models
 */
export interface ReviewInput {
  /** Only the current task is read. If the record is too long, there are no events, and no change is reviewed. */
  readonly transcript: Transcript
  readonly state: Judgment.JudgmentState
  readonly options: Judgment.VerdictOptions
  readonly judged: ReviewResult
  readonly attempt: number
  /** The stages that the user turned off in this session, whatever the configuration says. */
  readonly without?: ReadonlyArray<"crossReview" | "model">
}

/**
 * The settings from the program around the review.
 *
 * @category models
 */
export interface Options {
  /** A folder of the user's own state. */
  readonly state: string
  /**
   * The command words of a sandbox that runs a check. Empty if a check may run without a sandbox. Null if the host's
   * sandbox does not work; then no check runs.
   */
  readonly within: ReadonlyArray<string> | null
  /** Returns the session's project. The default is the session's `cwd`. */
  readonly directoryOf?: (transcript: Transcript) => Effect.Effect<string | null>
  /** Returns what was changed since a time in ISO 8601. If left out, git is used. */
  readonly diffOf?: (directory: string, since: string | null) => Effect.Effect<string | null>
  /** Called for each check that starts now, because a check may take minutes. */
  readonly started?: StartListener
  /** Called with a line for the user about the checks that ran. */
  readonly ended?: (ran: string) => Effect.Effect<void>
  /** Called with the reason why a due check does not run. */
  readonly unrun?: (why: string) => Effect.Effect<void>
  /** Called with the name of the model before a question. */
  readonly asking?: (model: string) => Effect.Effect<void>
  /** False to run no checks, whatever the configuration says. */
  readonly checks?: boolean
  /** False to ask no reviewers, whatever the configuration says. */
  readonly crossReview?: boolean
}

/**
 * A gate whose result has changed.
 *
 * @category models
 */
export interface Move {
  readonly gate: string
  readonly before: GateResult
  readonly after: GateResult
}

/**
 * What happened after a reminder.
 *
 * @category models
 */
export interface Progress {
  /** The number of the reminder. */
  readonly attempt: number
  /**
   * `all`: everything that the reminder named is done. `some`: a part is done or was worked on. `none`: no check was
   * run and no relevant edit was made.
   */
  readonly followed: "all" | "some" | "none"
  readonly gates: ReadonlyArray<Move>
  /** What was missing at the reminder and is no longer missing. */
  readonly done: ReadonlyArray<string>
  /** What was missing at the reminder and is still missing. */
  readonly stuck: ReadonlyArray<string>
  /** What is missing now, but was not at the reminder. */
  readonly fresh: ReadonlyArray<string>
  /** A short sentence for the user, without its full stop. */
  readonly summary: string
}
