/** What a review is given and what it comes to. */
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
 * What came of asking a model, for the record of a review. `by` is the form in which the answer came that counted, null where
 * none could be read; `problem` then names the failure. `end` is how the question ended, null where none was put; `question` has
 * the name under which the model was chosen and what it took, and `told` is a line that the user is told once.
 *
 * @category models
 */
export interface ModelRecord {
  readonly promptVersion: number
  readonly model: string | null
  readonly by: "self_assessment" | "judge" | null
  readonly problem: string | null
  readonly answer: Answer | null
  readonly end: AskEnd | null
  readonly question: Pick<AskLine, "model" | "ms" | "inputTokens" | "outputTokens"> | null
  readonly told: string | null
}

/** A verdict with what a model was asked about it. */
export interface ConsultedVerdict extends Judgment.JudgedTurn {
  readonly asked: ModelRecord
}

/**
 * What a review gives. `route`: the model that is to go on with the task, where it is not the session's own; `asked`:
 * what a model said of the turn; `checks`: how the checks went that were run for it; `crossReview`: what others
 * think of the change. Each is there only where it was done; `progress`, what came of the last reminder, where there was one.
 *
 * @category models
 */
export interface ReviewResult extends Judgment.JudgedTurn {
  readonly route?: ModelRouting.Route
  readonly asked?: ModelRecord
  readonly checks?: ReadonlyArray<CheckResult>
  readonly crossReview?: CrossReviewOutcome
  readonly progress?: Progress
}

/**
 * What a turn was judged by, for those that are asked about it next. Of the transcript only the running task is read; one
 * without events is too long to be held, and then no change is reviewed. `without`: what is not to be asked about it, whatever
 * the configuration says, for the user said so in its session.
 *
 * @category models
 */
export interface ReviewInput {
  readonly transcript: Transcript
  readonly state: Judgment.JudgmentState
  readonly options: Judgment.VerdictOptions
  readonly judged: ReviewResult
  readonly attempt: number
  readonly without?: ReadonlyArray<"crossReview" | "model">
}

/**
 * What the surroundings decide. `state`: a folder of the user's own state. `within`: the words of a program that runs the
 * rest of its words in a sandbox, none where a check may run as this process does; null where the host's sandbox does
 * not work, so that nothing is run. `directoryOf`: a session's project, without which it is the
 * session's `cwd`. `diffOf`: what was changed there since a moment (ISO 8601), without which git is asked. `started` is told of
 * each check that is run now, for it may take minutes, and `ended` in a line for the user of what was run; `asking` of a question
 * to the model of that name; `unrun` of why a check that is due is not run. `checks` and `crossReview`: false does none of it, whatever the configuration says.
 *
 * @category models
 */
export interface Options {
  readonly state: string
  readonly within: ReadonlyArray<string> | null
  readonly directoryOf?: (transcript: Transcript) => Effect.Effect<string | null>
  readonly diffOf?: (directory: string, since: string | null) => Effect.Effect<string | null>
  readonly started?: StartListener
  readonly ended?: (ran: string) => Effect.Effect<void>
  readonly unrun?: (why: string) => Effect.Effect<void>
  readonly asking?: (model: string) => Effect.Effect<void>
  readonly checks?: boolean
  readonly crossReview?: boolean
}

/**
 * A gate that has another result than it had.
 *
 * @category models
 */
export interface Move {
  readonly gate: string
  readonly before: GateResult
  readonly after: GateResult
}

/**
 * What came after the reminder of that number. `done` is what was missing then and is no longer, `stuck` what still is,
 * `fresh` what is missing only now. `followed`: all that it named is done; some is, or work was done on it; or no
 * check was run and nothing was edited that counts. `summary` says it to the user in one short sentence, without its full stop.
 *
 * @category models
 */
export interface Progress {
  readonly attempt: number
  readonly followed: "all" | "some" | "none"
  readonly gates: ReadonlyArray<Move>
  readonly done: ReadonlyArray<string>
  readonly stuck: ReadonlyArray<string>
  readonly fresh: ReadonlyArray<string>
  readonly summary: string
}
