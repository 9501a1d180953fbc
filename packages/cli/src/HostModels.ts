/**
 * The hosts whose own models can be asked through their programs: `codex/…` and `claude-code/…`, with the account that
 * the user has there.
 *
 * @since 0.1.0
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as ClaudeCodeModel from "@reflexion/claude-code/ClaudeCodeModel"
import * as CodexModel from "@reflexion/codex/CodexModel"
import { marker } from "@reflexion/core/HostModel"
import type { HostModels } from "@reflexion/core/Models"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Trust from "@reflexion/hooks/Trust"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CliProcess } from "./CliProcess.ts"
import { homeOf } from "./HookHosts.ts"
import * as NodeBinary from "./NodeBinary.ts"
import { isInside } from "./Paths.ts"

type Env = Readonly<Record<string, string | undefined>>

type Needs = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

type Model = ReturnType<typeof CodexModel.layer>

/** A model of null is the one that the user has chosen there. */
interface Asked {
  readonly program: string
  readonly model: string | null
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

const claudeCode = ({ env, model, program, timeout }: Asked): Model =>
  ClaudeCodeModel.layer({
    program,
    timeout,
    account: keys.some((name) => env[name]) ? "key" : "login",
    ...(model !== null && { model })
  })

const codex = ({ model, program, timeout }: Asked): Model =>
  CodexModel.layer({ program, timeout, ...(model !== null && { model }) })

/** A program that the project brings along is not the user's, and is not run. */
const programOf = (env: Env, cwd: string, name: string): string | null => {
  const root = Trust.rootOf(cwd)
  const isForeign = (path: string): boolean => isInside(root, path) && !isInside(root, homeOf(env))
  return NodeBinary.onPath(env, name).find((path) => !isForeign(path)) ?? null
}

const within = "reflexion was started by a model that it asked: what is asked asks no other"

/**
 * By the name that stands before the slash; behind it stands a model as the host calls it, or `default`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fn("HostModels.make")(function* ({ models }: ReflexionConfig) {
  const { cwd, env } = yield* CliProcess
  const needs = yield* Effect.context<Needs>()
  const timeout = Duration.seconds(models.timeout)
  const host = (name: string, layer: (asked: Asked) => Model): HostModels => {
    const program = programOf(env, cwd, name)
    const problem = program === null ? `no ${name} on PATH` : env[marker] === undefined ? null : within
    return {
      problem: Effect.succeed(problem),
      layer: (model) =>
        layer({ program: program ?? name, model: model === "default" ? null : model, timeout, env }).pipe(
          Layer.provide(Layer.succeedContext(needs))
        )
    }
  }
  return { "claude-code": host("claude", claudeCode), codex: host("codex", codex) }
})
