/**
 * Codex makes recommended changes: `codex exec` in a work tree of its own, in Codex's sandbox, which lets it write there
 * alone and reach no network, without hooks, MCP servers, project instructions or a session that stays.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { Mutator } from "@reflexion/core/Mutator"
import * as WorktreeMutator from "@reflexion/core/internal/memory/changes/WorktreeMutator"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as AskedEvents from "./internal/askedEvents.ts"
import * as ExecWords from "./internal/execWords.ts"

/**
 * `effort` is the user's own where it is left out.
 *
 * @category models
 */
export interface Options extends WorktreeMutator.Options {
  readonly effort?: string
}

/** The folder of temporary files is shared with all that runs. */
const alone = {
  "sandbox_workspace_write.network_access": false,
  "sandbox_workspace_write.exclude_slash_tmp": true,
  "sandbox_workspace_write.exclude_tmpdir_env_var": true,
  "sandbox_workspace_write.writable_roots": []
}

/** Codex reads files by commands: its sandbox is what holds it. */
const wordsFor = ({ effort, model }: Options, servers: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...ExecWords.exec("workspace-write", servers),
  ...ExecWords.setAll(alone),
  ...(effort === undefined ? [] : ExecWords.set("model_reasoning_effort", effort)),
  ...(model === undefined ? [] : ["--model", model]),
  "-"
]

/**
 * A `Mutator` that leaves the branch `reflexion/<id>`. Codex has no limit of rounds of its own: it is told how many it has,
 * and ended at the `timeout`.
 *
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<Mutator, never, CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path> =>
  WorktreeMutator.layer(
    {
      name: "Codex",
      install: "install it (npm install -g @openai/codex)",
      program: options.program ?? "codex",
      words: Effect.map(ExecWords.servers(options.env ?? {}), (servers) => wordsFor(options, servers)),
      read: AskedEvents.read
    },
    options
  )
