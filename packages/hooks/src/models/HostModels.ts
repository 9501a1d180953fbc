/**
 * The hosts whose own models can be asked through their programs: `codex/…` and `claude-code/…`, with the account that
 * the user has there.
 */
import * as ClaudeCodeModel from "@reflexion/claude-code/ClaudeCodeModel"
import * as CodexModel from "@reflexion/codex/CodexModel"
import type * as HostModel from "@reflexion/core/internal/model/calls/HostModel"
import { marker } from "@reflexion/core/internal/model/calls/HostProcess"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import { ModelFailure } from "@reflexion/core/ModelCall"
import type { HostModels } from "@reflexion/core/Models"
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Programs from "@reflexion/core/internal/base/system/Programs"

type Env = Readonly<Record<string, string | undefined>>

const within = "reflexion was started by a model that it asked: what is asked asks no other"

/** The process that asks: its environment, and the directory whose project has no say in which programs are run. */
export interface Where {
  readonly cwd: string
  readonly env: Env
}

const onlyThere = "OpenCode's models are asked by the plugin in OpenCode, about a session there, and by nobody else"

const without = (id: string, detail: string): HostModels => ({
  problem: Effect.succeed(detail),
  model: (model) => new ModelFailure({ reason: "unavailable", model: `${id}/${model}`, detail })
})

const openCode = without("opencode", onlyThere)

/**
 * By the name that stands before the slash; behind it stands a model as the host calls it, `default`, or `small` for the host's
 * own small one.
 */
export const make = Effect.fn("HostModels.make")(function* ({ models: settings }: ReflexionConfig, where: Where) {
  const { env } = where
  const needs = yield* Effect.context<HostModel.Needs>()
  const programs = Programs.make(where)
  const models = (id: string, host: HostModel.Own): HostModels => {
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
  return {
    "claude-code": models("claude-code", ClaudeCodeModel.own),
    codex: models("codex", CodexModel.own),
    opencode: openCode
  }
})
