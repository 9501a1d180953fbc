/**
 * The models of a run: those of the configuration, with the keys of the environment, within the user's budget of tokens.
 *
 * @since 0.1.0
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as ModelBudget from "@reflexion/core/ModelBudget"
import { Models } from "@reflexion/core/Models"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { TokenLedger } from "@reflexion/core/TokenLedger"
import * as UserDirectories from "@reflexion/hooks/UserDirectories"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { join } from "node:path"
import { CliProcess } from "./CliProcess.ts"
import * as HostModels from "./HostModels.ts"

/** Keys are read where the command line's environment is, which is not always the process's. */
const environment: Layer.Layer<never, never, CliProcess> = Layer.unwrapEffect(
  Effect.map(CliProcess, ({ env }) => {
    const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    return Layer.setConfigProvider(ConfigProvider.fromMap(new Map(set)))
  })
)

const ledger: Layer.Layer<TokenLedger, never, CliProcess | FileSystem.FileSystem | Path.Path> = Layer.unwrapEffect(
  Effect.map(CliProcess, ({ env }) => TokenLedger.Files({ directory: join(UserDirectories.make(env).state, "models") }))
)

const configured = (config: ReflexionConfig) =>
  Layer.unwrapEffect(Effect.map(HostModels.make(config), (hosts) => Models.layer({ hosts })))

/**
 * What is asked through these counts into the day, over all processes of the user.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  config: ReflexionConfig
): Layer.Layer<
  Models | CurrentConfig | ModelBudget.ModelBudget | TokenLedger,
  never,
  CliProcess | CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path
> =>
  Layer.merge(configured(config), ModelBudget.daily({ tokens: config.models.tokensPerDay })).pipe(
    Layer.provideMerge(Layer.merge(Layer.succeed(CurrentConfig, config), ledger)),
    Layer.provide(environment)
  )
