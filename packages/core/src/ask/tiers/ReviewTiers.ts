/**
 * A review in its tiers, as every host and the command line have it: what evidence says; where a required gate has no
 * result, the checks that the user named; where that leaves the turn open, a model; and what is complete, others look at.
 * No stage can fail into anything but the verdict before it, and none makes complete what a required gate forbids.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CrossReview } from "../crossreview/CrossReview.ts"
import { makeReader } from "./Question.ts"
import * as Review from "./review.ts"
import { JudgeService, type Consult } from "./JudgeService.ts"
import { AskLog } from "../models/AskLog.ts"
import * as ModelBudget from "../models/ModelBudget.ts"
import type { Models } from "../models/Models.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import { Verification } from "../checks/Verification.ts"
import type { Options, Seen } from "./model.ts"

export type { Options } from "./model.ts"

export {
  /**
   * Whether a configuration asks for anything beyond evidence.
   *
   * @category predicates
   */
  isConfigured
} from "./BeyondEvidence.ts"

/**
 * Whatever runs processes and reads files.
 *
 * @category models
 */
export type Platform = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

type Needs = CurrentConfig | Models | Platform

/**
 * The checks and the reviewers of the configuration.
 *
 * @category layers
 */
export const services = (options: Options): Layer.Layer<Verification | CrossReview, never, Needs> =>
  Layer.merge(
    Verification.Live({
      directory: options.state,
      within: options.within ?? [],
      wait: "1 minute",
      ...(options.started !== undefined && { started: options.started })
    }),
    CrossReview.Live
  )

/**
 * The tiers beyond evidence, on whatever runs the checks and reviews. All questions of one review keep to
 * `models.tokensPerReview`; with an `AskLog` those to models are kept, and limited by what was kept.
 *
 * @category constructors
 */
export const consult: (options: Options) => Effect.Effect<Consult, never, Needs | Verification | CrossReview> =
  Effect.fnUntraced(function* (options: Options) {
    const config = yield* CurrentConfig
    const around = yield* ModelBudget.ModelBudget
    const log = yield* AskLog
    const needs = yield* Review.needs
    const read = yield* makeReader
    return (seen: Seen) =>
      Review.run(seen, { ...options, config, log, read }).pipe(
        ModelBudget.within({ tokens: config.models.tokensPerReview }),
        Effect.provideService(ModelBudget.ModelBudget, around),
        Effect.provide(needs)
      )
  })

/**
 * What is consulted about every turn, for whoever folds sessions by himself.
 *
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<Consult, never, Needs> =>
  Effect.provide(consult(options), services(options))

/**
 * The judge with all its tiers.
 *
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<JudgeService, never, Needs> => JudgeService.layer(make(options))
