/**
 * Codex makes recommended changes: `codex exec` in a work tree of its own, in Codex's sandbox, which lets it write there
 * alone and reach no network, without hooks, MCP servers, project instructions or a session that stays.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { limits, type Mutator } from "@reflexion/core/Mutator"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as WorktreeMutator from "@reflexion/core/internal/memory/changes/WorktreeMutator"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AskedEvents from "./internal/askedEvents.ts"
import * as AskedServers from "./internal/askedServers.ts"
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

/** What is no call of a tool. */
const words = new Set(["agent_message", "reasoning", "todo_list", "error"])

/**
 * Calls that begin while another is still running come of the same answer of the model. An answer with calls asks for
 * another one, so the last round that is allowed may have none.
 */
const isOver = (): ((line: string) => boolean) => {
  const running = new Set<string>()
  let rounds = 0
  return (line) => {
    const event = Option.getOrElse(AskedEvents.decode(line), (): Json.Json => ({}))
    const item = Json.object(event["item"])
    const id = Json.text(item["id"])
    if (id === "" || words.has(Json.text(item["type"]))) return false
    if (event["type"] === "item.completed") return running.delete(id) ? false : ++rounds >= limits.rounds
    if (event["type"] !== "item.started") return false
    if (running.size === 0) rounds += 1
    running.add(id)
    return rounds >= limits.rounds
  }
}

/**
 * A `Mutator` that leaves the branch `reflexion/<id>`. Codex has no limit of rounds of its own: it is ended once its events
 * show that the last one calls a tool. A question that is on its way by then may still be paid for.
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
      words: Effect.map(AskedServers.names(options.env ?? {}), (servers) => wordsFor(options, servers)),
      isOver,
      read: AskedEvents.read
    },
    options
  )
