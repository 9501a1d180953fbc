/**
 * Codex makes recommended changes: `codex exec` in a work tree of its own, in Codex's sandbox, which lets it write there
 * alone and reach no network, without hooks, MCP servers, project instructions or a session that stays.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { Constraints, Mutator } from "@reflexion/core/Mutator"
import * as WorktreeMutator from "@reflexion/core/internal/learn/changes/WorktreeMutator"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as AskedServers from "./internal/askedServers.ts"
import * as ExecWords from "./internal/execWords.ts"
import * as MutatorEvents from "./internal/mutatorEvents.ts"

/**
 * `repository` is a folder of the git repository that has what is to be changed. `model` and `effort` are the user's own
 * where they are left out; `program` is where Codex is, if it is not found by its name; `env` is added to the environment;
 * `timeout` is for one change, 10 minutes unless said otherwise.
 *
 * @category models
 */
export interface Options {
  readonly repository: string
  readonly model?: string
  readonly effort?: string
  readonly program?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeout?: Duration.DurationInput
}

/** The folder of temporary files is shared with all that runs. */
const alone = {
  "sandbox_workspace_write.network_access": false,
  "sandbox_workspace_write.exclude_slash_tmp": true,
  "sandbox_workspace_write.exclude_tmpdir_env_var": true,
  "sandbox_workspace_write.writable_roots": []
}

const isWriter = ({ tools }: Constraints): boolean => tools.includes("edit") || tools.includes("write")

const wordsFor = (options: Options, servers: ReadonlyArray<string>, constraints: Constraints) => [
  ...ExecWords.exec(isWriter(constraints) ? "workspace-write" : "read-only", servers),
  ...ExecWords.setAll(alone),
  ...(options.effort === undefined ? [] : ExecWords.set("model_reasoning_effort", options.effort)),
  ...(options.model === undefined ? [] : ["--model", options.model]),
  "-"
]

const agentOf = (options: Options): WorktreeMutator.Agent => ({
  name: "Codex",
  install: "install it (npm install -g @openai/codex)",
  program: options.program ?? "codex",
  env: options.env ?? {},
  timeout: options.timeout ?? WorktreeMutator.defaultTimeout,
  // Codex reads files by commands: its sandbox is what holds it, whatever the tools.
  invoke: (constraints) =>
    Effect.map(AskedServers.names(options.env ?? {}), (servers) => ({
      words: wordsFor(options, servers, constraints)
    })),
  over: MutatorEvents.over,
  read: MutatorEvents.read
})

/**
 * A `Mutator` that leaves the branch `reflexion/<id>`. Codex has no limit of rounds of its own: it is ended once its events
 * show that the last one calls a tool. A question that is on its way by then may still be paid for.
 *
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<Mutator, never, CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path> =>
  WorktreeMutator.layer({ agent: agentOf(options), repository: options.repository })
