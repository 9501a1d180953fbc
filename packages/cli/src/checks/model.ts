/** What is known of the checks of a project, and the words of `reflexion checks` as they were given. */
import type { ProposedCheck } from "@reflexion/core/internal/session/project/ProposedChecks"
import type { ActiveCheck, Check } from "@reflexion/core/ReflexionConfig"

/**
 * `words` are those that are no options.
 *
 * @category models
 */
export interface Given {
  readonly words: ReadonlyArray<string>
}

/**
 * `configured` are those of the configuration, `taken` those that the user took, `proposed` those of the project's own files
 * for gates that have neither.
 *
 * @category models
 */
export interface Known {
  readonly root: string
  readonly configured: ReadonlyArray<ActiveCheck>
  readonly taken: ReadonlyArray<Check>
  readonly proposed: ReadonlyArray<ProposedCheck>
}
