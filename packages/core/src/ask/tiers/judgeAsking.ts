/** Asking a model about a turn that evidence leaves open: once, and a second reader where the answer cannot be read. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { Model } from "../models/Model.ts"
import type { AskEnd } from "../models/AskLines.ts"
import * as Deadline from "../models/Deadline.ts"
import * as ModelBudget from "../models/ModelBudget.ts"
import * as ModelCall from "../models/ModelCall.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import * as SelfAssessment from "../assessment/SelfAssessment.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"
import { oneLine } from "../../base/text/Text.ts"

/** `patience`: after how many seconds an answer is late, be it the second. */
export interface Asking {
  readonly models: Pick<ReflexionConfig["models"], "tokensPerReview">
  readonly patience: number
  readonly telling: Omit<SelfAssessment.Telling, "nonce">
}

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

const maxOutputTokens = 4000

/** What is common to both questions; the second has what the first left of the time. */
const bounds = ({ patience }: Asking) => ({ timeout: Duration.seconds(patience), maxOutputTokens })

type Ask<A> = Effect.Effect<ModelCall.Answer<A>, ModelCall.ModelFailure, Model>

const assess = (asking: Asking, prompt: SelfAssessment.Prompt): Ask<SelfAssessment.SelfAssessment> =>
  ModelCall.ask({
    ...prompt,
    ...bounds(asking),
    purpose: "self_assessment",
    schema: SelfAssessment.SelfAssessment,
    objectName: "self_assessment"
  })

const judge = (asking: Asking, prompt: SelfAssessment.Prompt): Ask<SelfAssessment.JudgeAnswer> =>
  ModelCall.ask({
    ...prompt,
    ...bounds(asking),
    purpose: "judge",
    schema: SelfAssessment.JudgeAnswer,
    objectName: "judge_answer"
  })

/** The reason's name, and what the provider or the time limit has to do with it. */
const unanswered = ({ detail, reason }: ModelCall.ModelFailure): string =>
  `A model was asked and did not answer (${reason}): ${oneLine(detail, 160)}`

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

const failed = (turn: SelfAssessment.Turn, failure: ModelCall.ModelFailure, cost: Cost): Effect.Effect<Consulted> =>
  Effect.as(
    Effect.logWarning(`a turn could not be assessed by a model: ${failure.message}`),
    withCost(
      SelfAssessment.unanswered(
        turn,
        unanswered(failure),
        ends[failure.reason] ?? (cost.modelCalls > 0 ? "unreadable" : null)
      ),
      add(cost, failure),
      failure.model
    )
  )

const unparseable = "A model was asked twice, and its answers cannot be read: unparseable."

const secondReader = Effect.fnUntraced(function* (
  turn: SelfAssessment.Turn,
  raw: string,
  { asking, cost, telling }: { readonly asking: Asking; readonly cost: Cost; readonly telling: SelfAssessment.Telling }
) {
  const said = yield* Effect.either(judge(asking, SelfAssessment.judgePrompt(turn, raw, telling)))
  if (Either.isLeft(said)) return yield* failed(turn, said.left, cost)
  const judged = Option.match(SelfAssessment.decodeJudgeAnswer(said.right.text), {
    onNone: () => SelfAssessment.unanswered(turn, unparseable, "unreadable"),
    onSome: (answer) => SelfAssessment.applyJudge(turn, answer, telling)
  })
  return withCost(judged, add(cost, said.right), said.right.model)
})

const readers = Effect.fnUntraced(function* (turn: SelfAssessment.Turn, asking: Asking) {
  const telling = { ...asking.telling, nonce: yield* nonce }
  const said = yield* Effect.either(assess(asking, SelfAssessment.prompt(turn, telling)))
  if (Either.isLeft(said)) return yield* failed(turn, said.left, nothing)
  const cost = add(nothing, said.right)
  const assessment = SelfAssessment.decode(said.right.text)
  if (Option.isNone(assessment)) return yield* secondReader(turn, said.right.text, { asking, cost, telling })
  return withCost(SelfAssessment.apply(turn, assessment.value, telling), cost, said.right.model)
})

/**
 * The verdict with what a model says of it; tier 1's own, and why, where it says nothing that can be read. Both readers
 * together keep to what a review may cost, and to the time for one.
 */
export const consult = (turn: SelfAssessment.Turn, asking: Asking) =>
  readers(turn, asking).pipe(
    Deadline.within(Duration.seconds(asking.patience)),
    ModelBudget.within({ tokens: asking.models.tokensPerReview })
  )
