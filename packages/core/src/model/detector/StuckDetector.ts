/** The stuck check as a service: is a session stuck, waiting or working at a given time? */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { Model } from "../calls/Model.ts"
import { type Budget, ModelBudget } from "../calls/ModelBudget.ts"
import * as ModelCall from "../calls/ModelCall.ts"
import { nonce } from "../../base/system/Nonce.ts"
import { Answer, believe, loosely, render, version } from "./question.ts"
import { look, type Look } from "../../judge/stuck/StuckLook.ts"
import * as Judgment from "../../judge/verdict/Judgment.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../session/project/RepoSignals.ts"
import * as StuckAssessment from "../../judge/stuck/StuckAssessment.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"

/**
 * The time of a check.
 *
 * @category models
 */
export interface Moment {
  /** In ISO 8601. Null for the time of the last event. */
  readonly now: string | null
  /** The number of the next nudge, from 1. Earlier nudges in the transcript raise it. */
  readonly attempt?: number
  /** In ISO 8601. A sign of life after the record's last event, such as a part of an answer. */
  readonly heardAt?: string | null
}

const momentOf = (at: Moment | string | null): Moment => (typeof at === "object" && at !== null ? at : { now: at })

/**
 * The version of the prompt.
 *
 * @category constants
 */
export const promptVersion: number = version

type Needs = CurrentConfig | FileSystem.FileSystem | Path.Path

type Ask = (look: Look) => Effect.Effect<Answer | null>

const nobody: Ask = () => Effect.succeed(null)

/** A cache key. Two questions are equal if the text, the calls and the evidence are the same. */
class Asked implements Equal.Equal {
  readonly id: string
  readonly look: Look
  readonly budget: Budget
  constructor(look: Look, budget: Budget) {
    const { options, known } = look
    const { failed, open, outputTokens } = known.pulse
    const { host, sessionId } = options.session
    const { stop, task } = known.judgment
    const mark = Judgment.mark(known.judgment, options.context)
    this.id = JSON.stringify([host, sessionId, task.turn, stop.text, outputTokens, mark, failed, open])
    this.look = look
    this.budget = budget
  }
  [Equal.symbol](that: Equal.Equal): boolean {
    return that instanceof Asked && that.id === this.id
  }
  [Hash.symbol](): number {
    return Hash.string(this.id)
  }
}

/** Any failure gives null. */
const ask = Effect.fnUntraced(function* ({ budget, look }: Asked, model: Context.Tag.Service<Model>) {
  return yield* ModelCall.ask({
    ...render(look, yield* nonce("record")),
    purpose: "stuck",
    timeout: "10 seconds",
    maxOutputTokens: 1000,
    schema: Answer,
    objectName: "stuck_answer"
  }).pipe(
    Effect.map(({ text, value }) => value ?? loosely(text)),
    Effect.provideService(ModelBudget, budget),
    Effect.provideService(Model, model),
    Effect.catchAll(({ message }) =>
      Effect.as(Effect.logWarning(`a quiet session could not be assessed by a model: ${message}`), null)
    )
  )
})

const asking = Effect.gen(function* () {
  const model = yield* Model
  const cache = yield* Cache.make({ capacity: 64, timeToLive: "1 day", lookup: (asked: Asked) => ask(asked, model) })
  return (look: Look): Effect.Effect<Answer | null> =>
    Effect.flatMap(ModelBudget, (budget) => cache.get(new Asked(look, budget)))
})

const makeService = Effect.fnUntraced(function* (ask: Ask) {
  const needs = yield* Effect.context<Needs>()
  const assess = Effect.fn("StuckDetector.assess")(function* (transcript: Transcript, now: Moment | string | null) {
    const { cwd } = transcript
    const repo = cwd === null ? RepoSignals.empty : yield* RepoSignals.load(cwd)
    const context = { config: yield* CurrentConfig, repo, cwd }
    const state = StuckAssessment.replay(transcript, context)
    const seen = look(state, { ...momentOf(now), session: transcript, context })
    // A model's answer would not help if evidence has decided, or if no nudge may be sent.
    if (seen.found.decided || seen.refused !== null) return seen.assessment
    return believe(seen, yield* ask(seen))
  }, Effect.provide(needs))
  return { assess }
})

/**
 * Is a session stuck, waiting for its user, working, or done? Never fails: an unclear session is `working`.
 *
 * @category services
 */
export class StuckDetector extends Context.Tag("@reflexion/core/StuckDetector")<
  StuckDetector,
  {
    /** A text as `now` is its time in ISO 8601. */
    readonly assess: (transcript: Transcript, now: Moment | string | null) => Effect.Effect<StuckAssessment.Assessment>
  }
>() {
  /**
   * Tier 1, and a model call for what tier 1 leaves open. The call is repeated only after the session has changed. The
   * answer is ignored if the model fails, takes longer than 10 seconds or contradicts the record. The model's own words
   * are never shown.
   */
  static readonly Live: Layer.Layer<StuckDetector, never, CurrentConfig | FileSystem.FileSystem | Path.Path | Model> =
    Layer.effect(StuckDetector, Effect.flatMap(asking, makeService))

  /** Tier 1 only: no model and no network. */
  static readonly Heuristic: Layer.Layer<StuckDetector, never, CurrentConfig | FileSystem.FileSystem | Path.Path> =
    Layer.effect(StuckDetector, makeService(nobody))

  /** Gives the assessments in order and repeats the last one. */
  static readonly Test = (
    assessments: readonly [StuckAssessment.Assessment, ...Array<StuckAssessment.Assessment>]
  ): Layer.Layer<StuckDetector> =>
    Layer.effect(
      StuckDetector,
      Effect.map(Ref.make(0), (asked) => ({
        assess: () =>
          Effect.map(
            Ref.getAndUpdate(asked, (count) => count + 1),
            (count) => assessments[Math.min(count, assessments.length - 1)] ?? assessments[0]
          )
      }))
    )
}
