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
  /** The failure, if no answer could be read. */
  readonly problem: string | null
  readonly answer: Answer | null
  readonly end: AskEnd | null
  readonly question: Pick<AskLine, "model" | "ms" | "inputTokens" | "outputTokens"> | null
  readonly told: string | null
}

export interface ConsultedVerdict extends Judgment.JudgedTurn {
  readonly asked: ModelRecord
}

/**
 * The result of a review. Each optional field exists only if its stage ran.
 *
 * @category models
 */
export interface ReviewResult extends Judgment.JudgedTurn {
  /** Set if another model than the session's own should go on. */
  readonly route?: ModelRouting.Route
  readonly asked?: ModelRecord
  readonly checks?: ReadonlyArray<CheckResult>
  readonly crossReview?: CrossReviewOutcome
  readonly progress?: Progress
}

/**
 * The input of a stage: the data from which the turn was judged.
 *
 * @category models
 */
export interface ReviewInput {
  /** The events of the current task. If the record is too long, there are no events, and no change is reviewed. */
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
  readonly state: string
  /**
   * The command words of a sandbox for checks. Empty if checks run without a sandbox. Null if the host's sandbox does
   * not work: then no check runs.
   */
  readonly within: ReadonlyArray<string> | null
  /** The session's project. The default is its `cwd`. */
  readonly directoryOf?: (transcript: Transcript) => Effect.Effect<string | null>
  /** The changes since a time in ISO 8601. The default is git. */
  readonly diffOf?: (directory: string, since: string | null) => Effect.Effect<string | null>
  /** Called for each check that starts now, because a check may take minutes. */
  readonly started?: StartListener
  /** Gets a line for the user about the checks that ran. */
  readonly ended?: (ran: string) => Effect.Effect<void>
  /** Gets the reason why a due check does not run. */
  readonly unrun?: (why: string) => Effect.Effect<void>
  /** Gets the name of the model before a question. */
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
 * What happened after a nudge.
 *
 * @category models
 */
export interface Progress {
  readonly attempt: number
  /**
   * `all`: everything that the nudge named is done. `some`: part of it is done or was worked on. `none`: no check was
   * run and no relevant edit was made.
   */
  readonly followed: "all" | "some" | "none"
  readonly gates: ReadonlyArray<Move>
  readonly done: ReadonlyArray<string>
  readonly stuck: ReadonlyArray<string>
  readonly fresh: ReadonlyArray<string>
  /** A short sentence for the user, without its full stop. */
  readonly summary: string
}
