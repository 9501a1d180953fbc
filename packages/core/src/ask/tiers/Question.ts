/** The question about a turn: put to a model once, and once more in the judge's form where its answer cannot be read. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import { isAsked } from "./BeyondEvidence.ts"
import { JudgeGuidance } from "./JudgeGuidance.ts"
import type { Judged, Seen } from "./model.ts"
import * as SelfAssessment from "../assessment/SelfAssessment.ts"
import { AnsweredBy } from "../models/Fallbacks.ts"
import type { AskEnd } from "../models/AskLines.ts"
import * as Deadline from "../models/Deadline.ts"
import { type Earned, EarnedThreshold } from "../models/EarnedThreshold.ts"
import type { Model } from "../models/Model.ts"
import * as ModelBudget from "../models/ModelBudget.ts"
import * as ModelCall from "../models/ModelCall.ts"
import * as ModelRouting from "../models/ModelRouting.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import * as Load from "../../session/project/Load.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"
import { oneLine } from "../../base/text/Text.ts"

type Consulted = SelfAssessment.Consulted

type Cost = Omit<Verdict["cost"], "durationMs">

const nothing: Cost = { modelCalls: 0, inputTokens: 0, outputTokens: 0 }

const add = (cost: Cost, { calls, usage }: Pick<ModelCall.Answer<unknown>, "calls" | "usage">): Cost => ({
  modelCalls: cost.modelCalls + calls,
  inputTokens: cost.inputTokens + usage.inputTokens,
  outputTokens: cost.outputTokens + usage.outputTokens
})

/** With what it cost, and the name of who answered. */
const withCost = (judged: Consulted, cost: Cost, model: string | null): Consulted => ({
  ...judged,
  asked: { ...judged.asked, model },
  verdict: { ...judged.verdict, cost: { ...judged.verdict.cost, ...cost } }
})

const nonce = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 0x1_0000_0000), 3),
  (parts) => `record-${parts.map((part) => part.toString(36)).join("")}`
)

/** Null where nobody was asked, for it would have cost too much. */
const ends: Readonly<Record<ModelCall.ModelFailure["reason"], AskEnd | null>> = {
  timed_out: "late",
  rate_limited: "failed",
  unavailable: "failed",
  refused: "failed",
  malformed: "unreadable",
  truncated: "unreadable",
  over_budget: null
}

/** The reason's name, and what the provider or the time limit has to do with it. */
const failed = (turn: SelfAssessment.Turn, failure: ModelCall.ModelFailure, cost: Cost): Effect.Effect<Consulted> => {
  const problem = `A model was asked and did not answer (${failure.reason}): ${oneLine(failure.detail, 160)}`
  const end = ends[failure.reason] ?? (cost.modelCalls > 0 ? "unreadable" : null)
  const judged = withCost(SelfAssessment.unanswered(turn, problem, end), add(cost, failure), failure.model)
  return Effect.as(Effect.logWarning(`a turn could not be assessed by a model: ${failure.message}`), judged)
}

const unparseable = "A model was asked twice, and its answers cannot be read: unparseable."

/** What the two forms of the question have in common. `patience`: after how many seconds an answer is late, be it the second. */
interface Asking {
  readonly earned: Earned
  readonly patience: number
  readonly tokens: number
  readonly telling: SelfAssessment.Telling & SelfAssessment.Attempt
}

const put = <A, I extends Record<string, unknown>>(
  { prompt, system }: SelfAssessment.Prompt,
  { patience }: Asking,
  form: Pick<ModelCall.Question<A, I>, "objectName" | "purpose" | "schema">
) =>
  Effect.either(ModelCall.ask({ ...form, system, prompt, timeout: Duration.seconds(patience), maxOutputTokens: 4000 }))

const inJudgesForm = {
  purpose: "judge",
  schema: SelfAssessment.JudgeAnswer,
  objectName: "judge_answer"
} as const

const inFirstForm = {
  purpose: "self_assessment",
  schema: SelfAssessment.SelfAssessment,
  objectName: "self_assessment"
} as const

/** What the model earned; one that nobody has tried has the configuration's threshold. */
const earnedBy = (
  { of }: Earned,
  model: string | null,
  configured: number
): Pick<SelfAssessment.Attempt, "from" | "tells"> => {
  const from = model === null ? undefined : of(model)
  return from === null ? { from: configured, tells: true } : { from: from ?? configured }
}

/** Both answers together keep to what a review may cost, and to the time for one. */
const asked = (turn: SelfAssessment.Turn, asking: Asking) =>
  Effect.gen(function* () {
    const { telling } = asking
    const outer = yield* AnsweredBy
    const chosen = yield* Ref.make<string | null>(null)
    const noting = { note: (name: string) => Effect.zipRight(Ref.set(chosen, name), outer.note(name)) }
    const threshold = (configured: number) =>
      Effect.map(Ref.get(chosen), (name) => earnedBy(asking.earned, name, configured))
    const first = yield* put(SelfAssessment.prompt(turn, telling), asking, inFirstForm).pipe(
      Effect.provideService(AnsweredBy, noting)
    )
    if (first._tag === "Left") return yield* failed(turn, first.left, nothing)
    const { model, text } = first.right
    const cost = add(nothing, first.right)
    const answer = SelfAssessment.read(turn, text)
    if (answer !== null) {
      const earned = yield* threshold(telling.from)
      return withCost(SelfAssessment.apply(turn, answer, { ...telling, ...earned }), cost, model)
    }
    const second = yield* put(SelfAssessment.judgePrompt(turn, text, telling), asking, inJudgesForm).pipe(
      Effect.provideService(AnsweredBy, noting)
    )
    if (second._tag === "Left") return yield* failed(turn, second.left, cost)
    const again = SelfAssessment.read(turn, second.right.text)
    const judged =
      again === null
        ? SelfAssessment.unanswered(turn, unparseable, "unreadable")
        : SelfAssessment.apply(turn, again, { ...telling, ...(yield* threshold(telling.from)) }, "judge")
    return withCost(judged, add(cost, second.right), second.right.model)
  }).pipe(Deadline.within(Duration.seconds(asking.patience)), ModelBudget.within({ tokens: asking.tokens }))

/** The turn as a model is asked about it, null where there is nothing to ask. */
export const turnOf = ({ judged, options, state, transcript }: Seen): SelfAssessment.Turn | null =>
  isAsked(state, judged.verdict, options) ? SelfAssessment.turnOf(state, { ...options, transcript, judged }) : null

export type Reader = (seen: Seen) => Effect.Effect<Judged, never, Model>

const nobody: Earned = { of: () => undefined }

/**
 * Puts the question about a turn, whatever evidence says of it: for trying a model. Nothing is told of a project, and the
 * threshold is the configuration's.
 */
export type Ask = (turn: SelfAssessment.Turn) => Effect.Effect<Consulted, never, Model>

export const makeAsk: Effect.Effect<Ask, never, CurrentConfig> = Effect.map(
  CurrentConfig,
  ({ maxAttempts, model, models }): Ask =>
    (turn) =>
      Effect.flatMap(nonce, (fence) =>
        asked(turn, {
          earned: nobody,
          patience: ModelRouting.patience({ model, models }),
          tokens: models.tokensPerReview,
          telling: { nonce: fence, attempt: 1, maxAttempts, from: models.pushFrom, instructions: null, guidance: null }
        })
      )
)

/** Which model is asked is not yet said, and neither what it may cost. */
export const makeReader = Effect.gen(function* () {
  const { maxAttempts, model, models } = yield* CurrentConfig
  const earned = yield* EarnedThreshold
  const guidance = yield* JudgeGuidance
  const instructionsOf = yield* Load.instructions
  const read: Reader = Effect.fnUntraced(function* (seen: Seen) {
    const turn = turnOf(seen)
    if (turn === null) return seen.judged
    const telling = {
      nonce: yield* nonce,
      attempt: seen.attempt,
      maxAttempts,
      from: models.pushFrom,
      instructions: yield* instructionsOf(seen.transcript.cwd),
      guidance: yield* guidance.of(seen.transcript)
    }
    return yield* asked(turn, {
      earned,
      patience: ModelRouting.patience({ model, models }),
      tokens: models.tokensPerReview,
      telling
    })
  })
  return read
})
