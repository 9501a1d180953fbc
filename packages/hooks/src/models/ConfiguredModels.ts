/** The models that a run can ask, within the user's budget: configured models, and models of hosts. */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Layer from "effect/Layer"
import * as ModelBudget from "@reflexion/core/ModelBudget"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import type * as HostModel from "@reflexion/core/internal/model/calls/HostModel"
import { AskLog } from "@reflexion/core/AskLog"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { EarnedThreshold } from "@reflexion/core/internal/model/calls/EarnedThreshold"
import { ModelFailure } from "@reflexion/core/ModelCall"
import { marker } from "@reflexion/core/internal/model/calls/HostProcess"
import { type HostModels, Models } from "@reflexion/core/Models"
import { version as promptVersion } from "@reflexion/core/internal/model/assessment/Prompt"
import * as Hosts from "./Hosts.ts"
import * as ModelGrades from "../config/ModelGrades.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

const within = "reflexion was started by a model that it asked, so it may not ask another one"

export interface ModelPlace {
  /** The project in the working directory may not decide which programs are run. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const onlyThere = "only the plugin in OpenCode may ask its models, and only about a session there"

const without = (id: string, detail: string): HostModels => ({
  problem: Effect.succeed(detail),
  model: (model) => new ModelFailure({ reason: "unavailable", model: `${id}/${model}`, detail })
})

/** In a model's name, the host comes before the slash. The host's name for the model, or `small`, comes after it. */
export const ofHosts = Effect.fn("ConfiguredModels.ofHosts")(function* (
  { models: settings }: ReflexionConfig,
  where: ModelPlace
) {
  const { env } = where
  const needs = yield* Effect.context<HostModel.HostModelServices>()
  const programs = Programs.make(where)
  const models = (id: string, host: HostModel.HostAccount | null): HostModels => {
    if (host === null) return without(id, onlyThere)
    const found = programs.find(host.program)
    const [program] = found.own
    if (program === undefined) return without(id, ProgramPath.problemOf(host.program, found))
    const patience = (model: string) => ModelRouting.patience({ model: `${id}/${model}`, models: settings })
    return {
      problem: Effect.succeed(env[marker] === undefined ? null : within),
      model: (model) => {
        const isSmall = model === "small"
        const asking = {
          program,
          timeout: Duration.seconds(patience(model)),
          env: { PATH: programs.path() },
          ...(model !== "default" && { model: isSmall ? host.small : model })
        }
        return Effect.provide(host.ask(asking, { env, isSmall }), needs)
      }
    }
  }
  return Record.map(Hosts.models, (host, id) => models(id, host))
})

/** Uses the environment of the asking program, which can differ from this process's own. */
export const environment = ({ env }: Pick<ModelPlace, "env">): Layer.Layer<never> => {
  const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return Layer.setConfigProvider(ConfigProvider.fromMap(new Map(set)))
}

export interface Options extends ModelPlace {
  /** The user's state folder, which holds the day's token count. */
  readonly state: string
}

/** The log also limits the number of questions. */
export const asks = ({ state }: Pick<Options, "state">): Layer.Layer<AskLog> =>
  AskLog.Files({ directory: UserDirectories.modelsFolder({ state }) })

export const earned = ({ state }: Pick<Options, "state">): Layer.Layer<EarnedThreshold> =>
  Layer.sync(EarnedThreshold, () => ({ of: ModelGrades.earned({ state }, promptVersion) }))

/** Every question counts toward the day's token limit, across all processes of the user. */
export const layer = (config: ReflexionConfig, options: Options) =>
  Layer.mergeAll(
    Layer.unwrapEffect(Effect.map(ofHosts(config, options), (hosts) => Models.layer({ hosts }))),
    earned(options),
    ModelBudget.daily({ tokens: config.models.tokensPerDay })
  ).pipe(
    Layer.provideMerge(Layer.merge(Layer.succeed(CurrentConfig, config), asks(options))),
    Layer.provide(environment(options))
  )
