/** Codex makes recommended changes in a work tree. Its sandbox has no network, and can write only there. */
import * as WorktreeMutator from "@reflexion/core/internal/memory/changes/WorktreeMutator"
import * as AskedEvents from "./internal/askedEvents.ts"
import * as Exec from "./internal/execWords.ts"

/** Without `effort`, the user's own setting applies. */
export interface Options extends WorktreeMutator.Options {
  readonly effort?: string
}

/** The temporary folder is excluded, because all programs share it. */
const alone = {
  "sandbox_workspace_write.network_access": false,
  "sandbox_workspace_write.exclude_slash_tmp": true,
  "sandbox_workspace_write.exclude_tmpdir_env_var": true,
  "sandbox_workspace_write.writable_roots": []
}

/**
 * Leaves the branch `reflexion/<id>`. Codex cannot limit its rounds: only the prompt names the limit, and `timeout`
 * ends Codex. It uses commands even to read files, so only the sandbox limits what it can do.
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
