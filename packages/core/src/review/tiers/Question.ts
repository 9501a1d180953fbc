/** Asks a model about a turn. If the answer cannot be read, it asks once more. */
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { JudgeGuidance } from "./JudgeGuidance.ts"
import type { ModelRecord, ConsultedVerdict } from "./model.ts"
import { type Answer, read, SelfAssessment } from "../../model/assessment/Answer.ts"
import { decide, kept } from "../../model/assessment/Decide.ts"
import * as Prompts from "../../model/assessment/Prompt.ts"
import * as Quotations from "../../model/assessment/Quotations.ts"
import type { Turn } from "../../model/assessment/TurnRecord.ts"
import { AnsweredBy } from "../../model/calls/Fallbacks.ts"
import type { AskEnd } from "../../model/calls/AskLines.ts"
import * as Deadline from "../../model/calls/Deadline.ts"
import { EarnedThreshold } from "../../model/calls/EarnedThreshold.ts"
import type { Model } from "../../model/calls/Model.ts"
import * as ModelBudget from "../../model/calls/ModelBudget.ts"
import * as ModelCall from "../../model/calls/ModelCall.ts"
import * as ModelRouting from "../../model/calls/ModelRouting.ts"
import { nonce } from "../../base/system/Nonce.ts"
import { oneLine } from "../../base/text/Text.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import * as Load from "../../session/project/Load.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"
import type { SessionInfo } from "../../session/transcript/Transcript.ts"

/** If `session` is null, the model learns nothing about a project. */
export interface About {
  readonly attempt: number
  readonly session: SessionInfo | null
}

const nobody: ModelRecord = {
  promptVersion: Prompts.version,
  model: null,
  problem: null,
  answer: null,
  end: null,
  question: null,
  told: null
}

export const unasked = (turn: Turn, problem: string): ConsultedVerdict => ({
  ...kept(turn, problem),
  asked: { ...nobody, problem }
})

/** How a failed question ended. Null if no model was asked because the question would cost too much. */
const ends: Readonly<Record<ModelCall.ModelFailure["reason"], AskEnd | null>> = {
  timed_out: "late",
  rate_limited: "failed",
  unavailable: "failed",
  refused: "failed",
  malformed: "unreadable",
  truncated: "unreadable",
  over_budget: null
}

const form = { purpose: "self_assessment", schema: SelfAssessment, objectName: "self_assessment" } as const

const again = "Your answer to this question could not be read. Answer with the JSON object alone."

type Came = Pick<ModelRecord, "answer" | "end" | "problem">

const answered = (answer: Answer): Came => ({ answer, end: "answered", problem: null })

const failed = (problem: string, end: Came["end"]): Came => ({ answer: null, end, problem })

const unparseable = "A model was asked twice, but its answers cannot be read: unparseable."

interface Spent extends Omit<Verdict["cost"], "durationMs"> {
  readonly model: string | null
}

const spend =
  ({ calls, model, usage }: Pick<ModelCall.Answer<unknown>, "calls" | "model" | "usage">) =>
  (before: Spent): Spent => ({
    model,
    modelCalls: before.modelCalls + calls,
    inputTokens: before.inputTokens + usage.inputTokens,
    outputTokens: before.outputTokens + usage.outputTokens
  })

const unreached = () =>
  new ModelCall.ModelFailure({
    reason: "timed_out",
    model: null,
    detail: "it was not known in time which model can be asked"
  })

/** The caller decides whether to ask. Both calls share a cost limit and a time limit, which includes `reach`. */
export const make = Effect.gen(function* () {
  const { maxAttempts, model: configured, models } = yield* CurrentConfig
  const earned = yield* EarnedThreshold
  const guidance = yield* JudgeGuidance
  const instructionsOf = yield* Load.instructions
  const patience = Duration.seconds(ModelRouting.patience({ model: configured, models }))

  /** If a model failed too many test cases, it only tells. An untested model gets the configured threshold. */
  const thresholdOf = (name: string | null) => {
    const from = name === null ? undefined : earned.of(name)
    return from === null ? { from: models.nudgeFrom, tells: true } : { from: from ?? models.nudgeFrom }
  }

  return Effect.fnUntraced(function* <R>(
    turn: Turn,
    { attempt, session }: About,
    reach: Effect.Effect<Context.Context<Model>, ModelCall.ModelFailure, R>
  ) {
    const telling: Prompts.Telling = {
      nonce: yield* nonce("record"),
      attempt,
      maxAttempts,
      instructions: session === null ? null : yield* instructionsOf(session.cwd),
      guidance: session === null ? null : yield* guidance.of(session)
    }
    const outer = yield* AnsweredBy
    const chosen = yield* Ref.make<string | null>(null)
    const note = (name: string) => Effect.zipRight(Ref.set(chosen, name), outer.note(name))
    const spent = yield* Ref.make<Spent>({ model: null, modelCalls: 0, inputTokens: 0, outputTokens: 0 })
    const count = (said: Parameters<typeof spend>[0]) => Ref.update(spent, spend(said))
    const put = (prompt: Prompts.Prompt) =>
      ModelCall.ask({ ...form, ...prompt, timeout: patience, maxOutputTokens: 4000 }).pipe(
        Effect.tapBoth({ onFailure: count, onSuccess: count }),
        Effect.map(({ text }) => read(text, shown))
      )
    const shown = Quotations.shown(turn)
    const asking = Effect.gen(function* () {
      const prompt = Prompts.selfAssessment(turn, telling)
      const system = `${prompt.system}\n\n${again}`
      const answer = (yield* put(prompt)) ?? (yield* put({ ...prompt, system }))
      return answer === null ? failed(unparseable, "unreadable") : answered(answer)
    })
    const giveUp = Effect.fnUntraced(function* ({ detail, message, reason }: ModelCall.ModelFailure) {
      yield* Effect.logWarning(`a turn could not be assessed by a model: ${message}`)
      const { modelCalls } = yield* Ref.get(spent)
      const what = modelCalls > 0 ? "A model was asked and did not answer" : "No model was asked"
      const end = ends[reason] ?? (modelCalls > 0 ? "unreadable" : null)
      return failed(`${what} (${reason}): ${oneLine(detail, 160)}`, end)
    })
    const came = yield* Effect.flatMap(Deadline.limited(unreached)(reach), (context) =>
      Effect.provide(asking, context)
    ).pipe(
      Effect.scoped,
      Effect.provideService(AnsweredBy, { note }),
      Deadline.within(patience),
      ModelBudget.within({ tokens: models.tokensPerReview }),
      Effect.catchAll(giveUp)
    )
    const judged =
      came.answer === null
        ? kept(turn, came.problem ?? "")
        : decide(turn, came.answer, { attempt, maxAttempts, ...thresholdOf(yield* Ref.get(chosen)) })
    const { model, ...cost } = yield* Ref.get(spent)
    const consulted: ConsultedVerdict = {
      ...judged,
      asked: { ...nobody, ...came, model },
      verdict: { ...judged.verdict, cost: { ...judged.verdict.cost, ...cost } }
    }
    return consulted
  })
})

export type Ask = Effect.Effect.Success<typeof make>
