/**
 * The hosts whose own models can be asked through their programs: `codex/…` and `claude-code/…`, with the account that
 * the user has there.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as ClaudeCodeModel from "@reflexion/claude-code/ClaudeCodeModel"
import * as CodexModel from "@reflexion/codex/CodexModel"
import { marker } from "@reflexion/core/internal/ask/models/HostProcess"
import * as ModelRouting from "@reflexion/core/internal/ask/models/ModelRouting"
import { ModelFailure } from "@reflexion/core/ModelCall"
import type { HostModels } from "@reflexion/core/Models"
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Programs from "@reflexion/node/Programs"

type Env = Readonly<Record<string, string | undefined>>

type Needs = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

type Model = ReturnType<typeof CodexModel.make>

/** A model of null is the one that the user has chosen there. `path`: the PATH of what the program starts. */
interface Asked {
  readonly program: string
  readonly path: string
  readonly model: string | null
  readonly small: boolean
  readonly timeout: Duration.Duration
  readonly env: Env
}

const keys = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY"
]

const claudeCode = ({ env, model, path, program, timeout }: Asked): Model =>
  ClaudeCodeModel.make({
    program,
    timeout,
    env: { PATH: path },
    account: keys.some((name) => env[name]) ? "key" : "login",
    ...(model !== null && { model })
  })

const small = "small"

/** Not measured: a small question is to be answered soon. */
const smallEffort = "low"

const codex = ({ model, path, program, small, timeout }: Asked): Model =>
  CodexModel.make({
    program,
    timeout,
    env: { PATH: path },
    ...(small && { effort: smallEffort }),
    ...(model !== null && { model })
  })

/**
 * The host's own small model, as it calls it: an alias of Claude Code's, and of the models that Codex 0.169 has built in the
 * "fast and affordable model for easier tasks". A Codex that does not know it fails, and nothing is said then.
 */
const smallModels: Readonly<Record<string, string>> = { "claude-code": "haiku", codex: "gpt-6-luna" }

const modelOf = (id: string, model: string): string | null =>
  model === "default" ? null : model === small ? (smallModels[id] ?? model) : model

const within = "reflexion was started by a model that it asked: what is asked asks no other"

/**
 * The process that asks: its environment, and the directory whose project has no say in which programs are run.
 *
 * @category models
 */
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
 *
 * @category constructors
 */
export const make = Effect.fn("HostModels.make")(function* ({ models }: ReflexionConfig, where: Where) {
  const { env } = where
  const needs = yield* Effect.context<Needs>()
  const programs = Programs.make(where)
  const host = (id: string, name: string, ask: (asked: Asked) => Model): HostModels => {
    const found = programs.find(name)
    const [program] = found.own
    if (program === undefined) return without(id, ProgramPath.problemOf(name, found))
    return {
      problem: Effect.succeed(env[marker] === undefined ? null : within),
      model: (model) =>
        ask({
          program,
          path: programs.path(),
          model: modelOf(id, model),
          small: model === small,
          timeout: Duration.seconds(ModelRouting.patience({ model: `${id}/${model}`, models })),
          env
        }).pipe(Effect.provide(needs))
    }
  }
  return {
    "claude-code": host("claude-code", "claude", claudeCode),
    codex: host("codex", "codex", codex),
    opencode: openCode
  }
})
