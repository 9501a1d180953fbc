/** Claude Code makes recommended changes: `claude -p` in a work tree of its own, with tools that read and edit files there. */
import { limits } from "@reflexion/core/Mutator"
import * as WorktreeMutator from "@reflexion/core/internal/memory/changes/WorktreeMutator"
import { noUsage } from "@reflexion/core/internal/model/calls/ModelFailures"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Account } from "./ClaudeCodeModel.ts"
import * as Asked from "./internal/asked.ts"

/** `account` is as in `ClaudeCodeModel`, "key" unless said otherwise. */
export interface Options extends WorktreeMutator.Options {
  readonly account?: Account
}

// What is outside of the folder would need somebody's leave, and nobody is there to give it.
const tools = ["Read,Grep,Glob,Edit,Write", "--permission-mode", "acceptEdits"]

/** What it did until then is a change as well. */
const usedUp = Either.right({
  text: `its ${limits.rounds} rounds were used up, so it may not be whole`,
  model: null,
  usage: noUsage
})

/** Leaves the branch `reflexion/<id>`. Claude Code edits nothing in a folder `.claude`: skills there are for another mutator. */
export const layer = ({ account = "key", model, ...options }: Options): ReturnType<typeof WorktreeMutator.layer> =>
  WorktreeMutator.layer(
    {
      ...Asked.program,
      program: options.program ?? Asked.program.program,
      words: Effect.succeed([
        ...Asked.words(account, { tools, rounds: limits.rounds }),
        ...(model === undefined ? [] : ["--model", model])
      ]),
      env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
      read: (printed) => (printed.out.includes('"error_max_turns"') ? usedUp : Asked.read(account)(printed))
    },
    options
  )
