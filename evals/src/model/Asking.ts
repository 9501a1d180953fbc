/** The model of a run: the provider's own layer, by the configuration that was given and the keys in the environment. */
import * as FileSystem from "@effect/platform/FileSystem"
import { ModelBudget } from "@reflexion/core/ModelBudget"
import { Models } from "@reflexion/core/Models"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Fs from "node:fs"
import type { ModelOptions } from "./ModelOptions.ts"

const readFile = (file: string): Either.Either<ReflexionConfig.PartialConfig, string> => {
  const text = Either.try({
    try: () => Fs.readFileSync(file, "utf8"),
    catch: (error) => `--config: ${file} could not be read (${error instanceof Error ? error.message : String(error)})`
  })
  return Either.flatMap(text, (found) =>
    Either.mapLeft(ReflexionConfig.parse(found, { file }), (error) => `--config: ${error.message}`)
  )
}

/** The named model and no other, be it one that is too weak to judge: that is what is measured. */
export const configOf = ({
  config,
  model,
  timeout
}: ModelOptions): Either.Either<ReflexionConfig.ReflexionConfig, string> =>
  Either.map(config === null ? Either.right({}) : readFile(config), ({ models }: ReflexionConfig.PartialConfig) =>
    ReflexionConfig.merge(ReflexionConfig.defaults, {
      model,
      models: { ...models, weak: [], fallback: [], ...(timeout !== null && { timeout }) }
    })
  )

/** All that a run may cost, whatever a day may. What is asked and not paid for yet counts as well. */
const budget = (limit: number): Layer.Layer<ModelBudget> =>
  Layer.effect(
    ModelBudget,
    Effect.map(Ref.make(0), (total) => {
      const add = (tokens: number) => Ref.update(total, (before) => before + tokens)
      const reserve = (tokens: number) =>
        Ref.modify(total, (before) => (before + tokens > limit ? [false, before] : [true, before + tokens]))
      return {
        admit: (tokens: number) =>
          Effect.acquireRelease(reserve(tokens), (admitted) => (admitted ? add(-tokens) : Effect.void)).pipe(
            Effect.filterOrFail(
              (admitted) => admitted,
              () => `about ${tokens} tokens more are needed than --max-tokens ${limit} leaves`
            ),
            Effect.asVoid
          ),
        spend: add
      }
    })
  )

/** Fails where the model cannot be asked at all, before anything is. */
export const layer = (config: ReflexionConfig.ReflexionConfig, { maxTokens }: Pick<ModelOptions, "maxTokens">) =>
  Layer.mergeAll(Models.Judge, FileSystem.layerNoop({}), budget(maxTokens)).pipe(
    Layer.provide(Models.Live),
    Layer.provideMerge(Layer.succeed(CurrentConfig, config))
  )
