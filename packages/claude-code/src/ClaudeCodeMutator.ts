/**
 * Claude Code makes recommended changes: `claude -p` in a work tree of its own, with tools that read and edit files there,
 * without hooks, MCP servers, plugins, project instructions or a session that stays.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { limits, type Mutator } from "@reflexion/core/Mutator"
import * as WorktreeMutator from "@reflexion/core/internal/memory/changes/WorktreeMutator"
import { noUsage } from "@reflexion/core/internal/model/calls/ModelFailures"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import type { Account } from "./ClaudeCodeModel.ts"
import * as AskedResult from "./internal/askedResult.ts"

/**
 * `account` is as in `ClaudeCodeModel`, "key" unless said otherwise.
 *
 * @category models
 */
export interface Options extends WorktreeMutator.Options {
  readonly account?: Account
}

const wordsFor = (account: Account, model: string | undefined): ReadonlyArray<string> => [
  "-p",
  // Both run no hook, plugin or MCP server, and read no project instructions; the second takes the user's login.
  account === "login" ? "--safe-mode" : "--bare",
  "--tools",
  "Read,Grep,Glob,Edit,Write",
  // What is outside of the folder would need somebody's leave, and nobody is there to give it.
  "--permission-mode",
  "acceptEdits",
  "--strict-mcp-config",
  "--no-session-persistence",
  "--max-turns",
  String(limits.rounds),
  "--output-format",
  "json",
  ...(model === undefined ? [] : ["--model", model])
]

/** What it did until then is a change as well. */
const usedUp = Either.right({
  text: `its ${limits.rounds} rounds were used up, so it may not be whole`,
  model: null,
  usage: noUsage
})

/**
 * A `Mutator` that leaves the branch `reflexion/<id>`. It runs no commands. Claude Code edits nothing in a folder `.claude`
 * without somebody's leave, so skills that stand there are for another mutator.
 *
 * @category layers
 */
export const layer = ({
  account = "key",
  ...options
}: Options): Layer.Layer<Mutator, never, CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path> =>
  WorktreeMutator.layer(
    {
      name: "Claude Code",
      install: "install it (npm install -g @anthropic-ai/claude-code)",
      program: options.program ?? "claude",
      words: Effect.succeed(wordsFor(account, options.model)),
      env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
      read: (printed) => (printed.out.includes('"error_max_turns"') ? usedUp : AskedResult.read(account)(printed))
    },
    options
  )
