/** The models for a run of the command line: the configured ones, with the keys from its environment. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { AskLog } from "@reflexion/core/AskLog"
import type * as ModelBudget from "@reflexion/core/ModelBudget"
import type { EarnedThreshold } from "@reflexion/core/internal/model/calls/EarnedThreshold"
import type { Models } from "@reflexion/core/Models"
import type { CurrentConfig, ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as ConfiguredModels from "@reflexion/hooks/models/ConfiguredModels"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CliProcess } from "../process/CliProcess.ts"

/** Every question through these models counts toward the day's token limit, across all processes of the user. */
export const layer = (
  config: ReflexionConfig
): Layer.Layer<
  Models | CurrentConfig | EarnedThreshold | ModelBudget.ModelBudget | AskLog,
  never,
  CliProcess | CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path
> =>
  Layer.unwrapEffect(
    Effect.map(CliProcess, ({ cwd, env }) =>
      ConfiguredModels.layer(config, { cwd, env, state: UserDirectories.make(env).state })
    )
  )
