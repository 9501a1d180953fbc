/** The models for a run of the command line: the configured ones, with the keys from its environment. */
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as ConfiguredModels from "@reflexion/hooks/models/ConfiguredModels"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CliProcess } from "../process/CliProcess.ts"

/** Every question through these models counts toward the day's token limit, across all processes of the user. */
export const layer = (config: ReflexionConfig) =>
  Layer.unwrapEffect(
    Effect.map(CliProcess, ({ cwd, env }) =>
      ConfiguredModels.layer(config, { cwd, env, state: UserDirectories.make(env).state })
    )
  )
