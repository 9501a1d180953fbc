/** The checks of a project: which are configured, allowed or proposed, and keeping those that are allowed. */
import * as CheckPrint from "@reflexion/core/internal/checks/CheckPrint"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import * as ProposedChecks from "@reflexion/core/internal/session/project/ProposedChecks"
import type { ActiveCheck, Check } from "@reflexion/core/ReflexionConfig"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import * as TakenFile from "@reflexion/hooks/config/TakenFile"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { CliProcess } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"

/**
 * A check that may be allowed, with the print of what it runs now. `file` says it, null where the user does; `runs` is
 * the script behind it, null where there is none.
 */
export interface Offered extends TakenChecks.TakenCheck {
  readonly file: string | null
  readonly runs: string | null
}

/**
 * What is known of the checks of a project. `changed` are those of the allowed ones that run something else now;
 * `proposed` those of the project's own files that have a name of their own, and `leftOut` what these name and is not
 * proposed.
 */
export interface ProjectCheckList {
  readonly root: string
  readonly signals: RepoSignals.RepoSignals
  readonly configured: ReadonlyArray<ActiveCheck>
  readonly allowed: ReadonlyArray<Offered>
  readonly changed: ReadonlyArray<Offered>
  readonly proposed: ReadonlyArray<Offered>
  readonly leftOut: ReturnType<typeof ProposedChecks.leftOut>
}

/** A check as it is now. */
export const offered = Effect.fn("ProjectChecks.offered")(function* (
  { root, signals }: Pick<ProjectCheckList, "root" | "signals">,
  check: Pick<Check, "name" | "command" | "paths" | "when">,
  file: string | null
) {
  const print = yield* CheckPrint.of(root, check.command)
  const runs = ProposedChecks.scriptOf(check.command, signals)
  const found: Offered = { ...Struct.pick(check, "name", "command", "paths", "when"), print, file, runs }
  return found
})

/** What is known of the project of a directory. Fails where its configuration, or what was allowed, cannot be read. */
export const at = Effect.fn("ProjectChecks.at")(function* (directory: string) {
  const root = Trust.rootOf(directory)
  const { checks } = yield* Settings.workspace(yield* Settings.user, root)
  const { config, trusted } = yield* Settings.saidAt(root)
  const place = { root, signals: yield* RepoSignals.load(root) }
  const all = TakenChecks.of({ checks })
  const allowed = yield* Effect.forEach(all, (check) => offered(place, check, null))
  const changed = allowed.filter(({ print }, index) => print !== all[index]?.print)
  const found = [
    ...(trusted ? [] : (config.checks ?? [])).map((check) => ({ ...check, file: Trust.configuration })),
    ...ProposedChecks.of(place.signals)
  ]
  const fresh = found.filter(
    ({ name }, index) => ![...checks, ...found.slice(0, index)].some((other) => other.name === name)
  )
  const proposed = yield* Effect.forEach(fresh, (check) => offered(place, check, check.file))
  const names = new Set<string>([...checks, ...proposed].map(({ name }) => name))
  const known: ProjectCheckList = {
    ...place,
    configured: checks.filter(({ print }) => print === undefined),
    allowed,
    changed,
    proposed,
    leftOut: ProposedChecks.leftOut(place.signals).filter(({ name }) => !names.has(name))
  }
  return known
})

const write = Effect.fnUntraced(function* (root: string, text: string | null) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  yield* Settings.attempt(TakenFile.fileOf(directories, root), () => TakenFile.write(directories, root, text))
})

/**
 * Those that are kept for a project, as their file has them; null where there is none, and for one that is damaged
 * none.
 */
export const kept = Effect.fn("ProjectChecks.kept")(function* (root: string) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  const file = TakenFile.fileOf(directories, root)
  const text = yield* Settings.attempt(file, () => TakenFile.read(directories, root)?.text ?? null)
  return text === null ? null : (TakenChecks.parse(text, root)?.checks ?? [])
})

/** Keeps this very list for a project; none takes all back. */
export const keep = Effect.fn("ProjectChecks.keep")(function* (
  root: string,
  checks: ReadonlyArray<TakenChecks.TakenCheck>
) {
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  yield* write(root, checks.length === 0 ? null : TakenChecks.render({ version: 1, root, at, checks }))
})
