/** Codex makes recommended changes: `codex exec` in a work tree, in its sandbox, which writes there alone and has no network. */
import * as WorktreeMutator from "@reflexion/core/internal/memory/changes/WorktreeMutator"
import * as AskedEvents from "./internal/askedEvents.ts"
import * as Exec from "./internal/execWords.ts"

/** `effort` is the user's own where it is left out. */
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

/**
 * A `Mutator` that leaves the branch `reflexion/<id>`. Codex has no limit of rounds of its own: it is told how many it has,
 * and ended at the `timeout`. It reads files by commands: its sandbox is what holds it.
 */
export const layer = (options: Options): ReturnType<typeof WorktreeMutator.layer> =>
  WorktreeMutator.layer(
    {
      ...Exec.program,
      program: options.program ?? Exec.program.program,
      words: Exec.words("workspace-write", alone, options),
      read: AskedEvents.read
    },
    options
  )
