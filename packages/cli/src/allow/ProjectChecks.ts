/** A project's checks: which are configured, allowed or proposed. Also saves the allowed checks. */
import * as CheckPrint from "@reflexion/core/internal/checks/CheckPrint"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import * as ProposedChecks from "@reflexion/core/internal/session/project/ProposedChecks"
import type { ActiveCheck, Check } from "@reflexion/core/ReflexionConfig"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import * as TakenFile from "@reflexion/hooks/config/TakenFile"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { userDirectories } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import { oneLine } from "../terminal/Layout.ts"

/** A check that the user can allow, with a fingerprint of what it runs now. */
export interface Offered extends TakenChecks.TakenCheck {
  /** The file that names the check. Null if the user named it. */
  readonly file: string | null
  /** The script behind the check. Null if there is none. */
  readonly runs: string | null
}

export interface ProjectCheckList {
  readonly root: string
  readonly signals: RepoSignals.RepoSignals
  readonly configured: ReadonlyArray<ActiveCheck>
  readonly allowed: ReadonlyArray<Offered>
  /** The allowed checks that no longer run what the user allowed. */
  readonly changed: ReadonlyArray<Offered>
  /** The checks that the project's files suggest, unless a configured or allowed check has the same name. */
  readonly proposed: ReadonlyArray<Offered>
  readonly leftOut: ReturnType<typeof ProposedChecks.leftOut>
}

export const shown = (checks: ReadonlyArray<Pick<Check, "command">>): string =>
  checks.map(({ command }) => `\`${oneLine(command)}\``).join(", ")

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

/** Null if there is no file. Empty if the file is damaged. */
export const kept = Effect.fn("ProjectChecks.kept")(function* (root: string) {
  const file = yield* Settings.takenAt(root)
  return file === null ? null : (TakenChecks.parse(file.text, root)?.checks ?? [])
})

/** An empty list removes the file. */
export const keep = Effect.fn("ProjectChecks.keep")(function* (
  root: string,
  checks: ReadonlyArray<TakenChecks.TakenCheck>
) {
  const directories = yield* userDirectories
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  const text = checks.length === 0 ? null : TakenChecks.render({ version: 1, root, at, checks })
  yield* Settings.onFile(TakenFile.fileOf(directories, root), () => TakenFile.write(directories, root, text))
})
