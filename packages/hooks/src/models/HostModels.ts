/**
 * The hosts whose own models can be asked through their programs: `codex/…` and `claude-code/…`, with the account that
 * the user has there.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as ClaudeCodeModel from "@reflexion/claude-code/ClaudeCodeModel"
import * as CodexModel from "@reflexion/codex/CodexModel"
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

type Needs = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/** What is asked of a host's program in every case, and what only its environment or the size of the question says. */
interface Asking {
  readonly program: string
  readonly timeout: Duration.Duration
  readonly env: { readonly PATH: string }
  readonly model?: string
}

interface Host {
  readonly program: string
  readonly small: string
  readonly ask: (
    asking: Asking,
    of: { readonly env: Env; readonly isSmall: boolean }
  ) => ReturnType<typeof CodexModel.make>
}

const keys = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY"
]

/**
 * `small` is the host's own small model, as it calls it: an alias of Claude Code's, and of the models that Codex 0.169 has built
 * in the "fast and affordable model for easier tasks". A Codex that does not know it fails, and nothing is said then.
 */
const claudeCode: Host = {
  program: "claude",
  small: "haiku",
  ask: (asking, { env }) =>
    ClaudeCodeModel.make({ ...asking, account: keys.some((name) => env[name]) ? "key" : "login" })
}

/** Low is not measured: a small question is to be answered soon. */
const codex: Host = {
  program: "codex",
  small: "gpt-6-luna",
  ask: (asking, { isSmall }) => CodexModel.make({ ...asking, ...(isSmall && { effort: "low" }) })
}

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
  const needs = yield* Effect.context<Needs>()
  const programs = Programs.make(where)
  const models = (id: string, host: Host): HostModels => {
    const found = programs.find(host.program)
    const [program] = found.own
    if (program === undefined) return without(id, ProgramPath.problemOf(host.program, found))
    const patience = (model: string) => ModelRouting.patience({ model: `${id}/${model}`, models: settings })
    return {
      problem: Effect.succeed(env[marker] === undefined ? null : within),
      model: (model) => {
        const isSmall = model === "small"
        const asking: Asking = {
          program,
          timeout: Duration.seconds(patience(model)),
          env: { PATH: programs.path() },
          ...(model !== "default" && { model: isSmall ? host.small : model })
        }
        return Effect.provide(host.ask(asking, { env, isSmall }), needs)
      }
    }
  }
  return { "claude-code": models("claude-code", claudeCode), codex: models("codex", codex), opencode: openCode }
})
