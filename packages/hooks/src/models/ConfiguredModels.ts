/** The models of a run: those of the configuration, with the keys of an environment, within the user's budget of tokens. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { AskLog } from "@reflexion/core/AskLog"
import * as ModelBudget from "@reflexion/core/ModelBudget"
import { Models } from "@reflexion/core/Models"
import { EarnedThreshold } from "@reflexion/core/internal/model/calls/EarnedThreshold"
import { version as promptVersion } from "@reflexion/core/internal/model/assessment/Prompt"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ModelGrades from "../config/ModelGrades.ts"
import * as UserDirectories from "../places/UserDirectories.ts"
import * as HostModels from "./HostModels.ts"

/** Keys are read where the asking program's environment is, which is not always the process's. */
export const environment = ({ env }: Pick<HostModels.Where, "env">): Layer.Layer<never> => {
  const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return Layer.setConfigProvider(ConfigProvider.fromMap(new Map(set)))
}

/** `state` is the user's own folder for states, in which the day's tokens are counted. */
export interface Options extends HostModels.Where {
  readonly state: string
}

/** The questions at the stops of all the user's sessions, which are kept and limited by their number. */
export const asks = ({ state }: Pick<Options, "state">): Layer.Layer<AskLog> =>
  AskLog.Files({ directory: UserDirectories.modelsFolder({ state }) })

/** What the models that the user tried have earned. */
export const earned = ({ state }: Pick<Options, "state">): Layer.Layer<EarnedThreshold> =>
  Layer.sync(EarnedThreshold, () => ({ of: ModelGrades.earned({ state }, promptVersion) }))

const configured = (config: ReflexionConfig, where: HostModels.Where) =>
  Layer.unwrapEffect(Effect.map(HostModels.make(config, where), (hosts) => Models.layer({ hosts })))

/** What is asked through these counts into the day, over all processes of the user. */
export const layer = (
  config: ReflexionConfig,
  options: Options
): Layer.Layer<
  Models | CurrentConfig | EarnedThreshold | ModelBudget.ModelBudget | AskLog,
  never,
  CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path
> =>
  Layer.mergeAll(
    configured(config, options),
    earned(options),
    ModelBudget.daily({ tokens: config.models.tokensPerDay })
  ).pipe(
    Layer.provideMerge(Layer.merge(Layer.succeed(CurrentConfig, config), asks(options))),
    Layer.provide(environment(options))
  )
