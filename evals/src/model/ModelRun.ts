/** A whole run with a model: every question as often as it is to be asked, some at the same time. */
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Logger from "effect/Logger"
import type * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Asking from "./Asking.ts"
import type { ModelOptions } from "./ModelOptions.ts"
import type { Question } from "./Question.ts"
import * as Trial from "./Trial.ts"

/** What cannot be run, as a line for the user. */
export class CannotRun {
  readonly _tag = "CannotRun"
  readonly problem: string
  constructor(problem: string) {
    this.problem = problem
  }
}

/** With the model of these options; what a failing model is logged with is counted anyway. */
const withModel = <A>(
  config: ReflexionConfig.ReflexionConfig,
  options: ModelOptions,
  effect: Effect.Effect<A, never, Trial.Needs>
): Effect.Effect<A, CannotRun> =>
  effect.pipe(
    Effect.provide(Asking.layer(config, options)),
    Effect.mapError(({ detail }) => new CannotRun(`--model: ${detail}${hint(detail)}`)),
    Effect.provide(Logger.remove(Logger.defaultLogger))
  )

const hint = (detail: string): string => (detail.includes("models.providers") ? " of the file that --config names" : "")

/** Every trial, in the order of the questions, repeat by repeat. */
export const direct = (
  config: ReflexionConfig.ReflexionConfig,
  options: ModelOptions,
  questions: ReadonlyArray<Question>
): Effect.Effect<ReadonlyArray<Trial.Trial>, CannotRun> => {
  const all = Array.from({ length: options.repeats }, (_, repeat) =>
    questions.map((question) => ({ question, repeat }))
  ).flat()
  const asking = Effect.forEach(all, ({ question, repeat }) => Trial.ask(question, repeat), {
    concurrency: options.concurrency
  })
  return withModel(config, options, asking)
}

/** What an effect gives, or the line for the user. */
export const settled = <A>(effect: Effect.Effect<A, CannotRun>): Promise<Either.Either<A, string>> =>
  Effect.runPromise(Effect.either(Effect.mapError(effect, ({ problem }) => problem)))

/** Fails where the model cannot be asked at all. */
export const askable = (
  config: ReflexionConfig.ReflexionConfig,
  options: ModelOptions
): Effect.Effect<void, CannotRun> => withModel(config, options, Effect.void)
