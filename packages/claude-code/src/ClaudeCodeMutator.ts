/** Claude Code makes recommended changes, with `claude -p` in a separate work tree. */
import { limits } from "@reflexion/core/Mutator"
import * as WorktreeMutator from "@reflexion/core/internal/memory/changes/WorktreeMutator"
import { noUsage } from "@reflexion/core/internal/model/calls/ModelFailures"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Account } from "./ClaudeCodeModel.ts"
import * as Asked from "./internal/asked.ts"

/** `account` has the values of `ClaudeCodeModel`. The default is "key". */
export interface Options extends WorktreeMutator.Options {
  readonly account?: Account
}

// Editing files outside the folder would need a permission, and no user is present to give it.
const tools = ["Read,Grep,Glob,Edit,Write", "--permission-mode", "acceptEdits"]

/** If all rounds are used up, the edits made so far count as a change. */
const usedUp = Either.right({
  text: `all ${limits.rounds} rounds were used up, so the change may be incomplete`,
  model: null,
  usage: noUsage
})

/** Leaves the branch `reflexion/<id>`. Skills in a folder `.claude` stay, because Claude Code edits no file there. */
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
