/** The checks of a project: which are configured, taken or proposed, and how one is taken or given back. */
import * as ProposedChecks from "@reflexion/core/internal/session/project/ProposedChecks"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import type { Check } from "@reflexion/core/ReflexionConfig"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import * as TakenFile from "@reflexion/hooks/config/TakenFile"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { CliProcess } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import type { Known } from "./model.ts"

/** What the project's own files suggest for a gate that has no check yet. */
const fresh = (
  proposed: ReadonlyArray<ProposedChecks.ProposedCheck>,
  others: ReadonlyArray<Pick<Check, "name">>
): ReadonlyArray<ProposedChecks.ProposedCheck> =>
  proposed.filter(({ name }) => !others.some((other) => other.name === name))

/**
 * What is known of the project of a directory. Fails where its configuration, or what was taken, cannot be read.
 *
 * @category reading
 */
export const at = Effect.fn("ProjectChecks.at")(function* (directory: string) {
  const root = Trust.rootOf(directory)
  const { checks } = yield* Settings.workspace(yield* Settings.user, root)
  const taken = TakenChecks.of({ checks })
  const configured = checks.filter((check) => check.taken !== true)
  const proposed = ProposedChecks.of(yield* RepoSignals.load(root))
  const known: Known = { root, configured, taken, proposed: fresh(proposed, checks) }
  return known
})

/** As long as a configured check that says no time. */
const timeout = 300

/**
 * A command as it is taken.
 *
 * @category constructors
 */
export const checkOf = ({ command, name }: Pick<Check, "command" | "name">): Check => ({ name, command, timeout })

const write = Effect.fnUntraced(function* (root: string, text: string | null) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  yield* Settings.attempt(TakenFile.fileOf(directories, root), () => TakenFile.write(directories, root, text))
})

/**
 * Keeps this very list as what was taken for a project; none takes all back.
 *
 * @category writing
 */
export const keep = Effect.fn("ProjectChecks.keep")(function* (root: string, checks: ReadonlyArray<Check>) {
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  yield* write(root, checks.length === 0 ? null : TakenChecks.render({ version: 1, root, at, checks }))
})
