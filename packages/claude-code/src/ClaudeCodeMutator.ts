/**
 * Claude Code makes recommended changes: `claude -p` in a work tree of its own, with tools that read and edit files there,
 * without hooks, MCP servers, plugins, project instructions or a session that stays.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { Constraints, Mutator, Tool } from "@reflexion/core/Mutator"
import * as WorktreeMutator from "@reflexion/core/internal/learn/changes/WorktreeMutator"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Account } from "./ClaudeCodeModel.ts"
import * as AskedResult from "./internal/askedResult.ts"

/**
 * `repository` is a folder of the git repository that has what is to be changed. `account` is as in `ClaudeCodeModel`,
 * "key" unless said otherwise; `model` is the user's own where it is left out; `program` is where Claude Code is, if it is
 * not found by its name; `env` is added to the environment; `timeout` is for one change, 10 minutes unless said otherwise.
 *
 * @category models
 */
export interface Options {
  readonly repository: string
  readonly account?: Account
  readonly model?: string
  readonly program?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeout?: Duration.DurationInput
}

const named: Readonly<Record<Exclude<Tool, "shell">, ReadonlyArray<string>>> = {
  read: ["Read"],
  search: ["Grep", "Glob"],
  edit: ["Edit"],
  write: ["Write"]
}

const toolsOf = ({ tools }: Constraints): string =>
  tools.flatMap((tool) => (tool === "shell" ? [] : named[tool])).join(",")

const wordsFor = ({ account, model }: Options, constraints: Constraints): ReadonlyArray<string> => [
  "-p",
  // Both run no hook, plugin or MCP server, and read no project instructions; the second takes the user's login.
  account === "login" ? "--safe-mode" : "--bare",
  "--tools",
  toolsOf(constraints),
  // What is outside of the folder would need somebody's leave, and nobody is there to give it.
  "--permission-mode",
  "acceptEdits",
  "--strict-mcp-config",
  "--no-session-persistence",
  "--max-turns",
  String(constraints.maxRounds),
  "--output-format",
  "json",
  ...(model === undefined ? [] : ["--model", model])
]

const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" }

const noSandbox =
  "Claude Code runs commands outside of any sandbox, so it makes no change with the tool shell: leave that out, or use Codex"

const agentOf = (options: Options): WorktreeMutator.Agent => ({
  name: "Claude Code",
  install: "install it (npm install -g @anthropic-ai/claude-code)",
  program: options.program ?? "claude",
  env: options.env ?? {},
  timeout: options.timeout ?? WorktreeMutator.defaultTimeout,
  invoke: (constraints) =>
    constraints.tools.includes("shell")
      ? Effect.fail(noSandbox)
      : Effect.succeed({ words: wordsFor(options, constraints), env: quiet }),
  read: AskedResult.ended(options.account ?? "key")
})

/**
 * A `Mutator` that leaves the branch `reflexion/<id>`. It runs no commands: where the constraints name the tool `shell`,
 * it fails. Claude Code edits nothing in a folder `.claude` without somebody's leave, so skills that stand there are for
 * another mutator.
 *
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<Mutator, never, CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path> =>
  WorktreeMutator.layer({ agent: agentOf(options), repository: options.repository })
