/** Finds our entries in the files that a host reads, and decides which of them may be run. */
import { isInside } from "@reflexion/hooks/places/ProjectRoot"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { existsSync } from "node:fs"
import { basename, dirname } from "node:path"
import * as Hosts from "../host/Hosts.ts"
import type { Host, Scope } from "../host/Hosts.ts"
import * as FileChange from "../install/FileChange.ts"
import * as HookBundle from "../install/HookBundle.ts"
import * as InstallRecord from "../install/InstallRecord.ts"
import type { Result } from "../install/JsonText.ts"
import * as Plan from "../install/Plan.ts"
import type { CliProcess } from "../process/CliProcess.ts"
import { explain } from "../process/FileProblem.ts"
import { clip, oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as Finding from "./finding.ts"

export interface Facts {
  readonly runs: boolean
  /** The version that this reflexion brings. Null if this build has none. */
  readonly shipped: string | null
}

export interface Place<Entry = unknown> {
  readonly file: string
  readonly request: Plan.Request
  /** Our entries. If the file cannot be read: the reason. */
  readonly found: Either.Either<ReadonlyArray<Entry>, string>
}

export interface Form<Entry> {
  readonly read: (request: Plan.Request) => (text: string) => Result<ReadonlyArray<Entry>>
  readonly check: (
    place: Place<Entry>,
    entries: ReadonlyArray<Entry>,
    facts: Facts
  ) => Effect.Effect<Finding.Findings, never, CliProcess>
  readonly doubled: (host: Host, places: ReadonlyArray<Place<Entry>>) => Finding.Findings
}

const entriesIn = <Entry>(file: string, read: (text: string) => Result<ReadonlyArray<Entry>>): Place<Entry>["found"] =>
  Either.try({
    try: () => FileChange.find(file, null).text ?? "",
    catch: (cause) => explain(cause, file).problem
  }).pipe(
    Either.flatMap((text) =>
      Either.mapLeft(
        read(text),
        ({ column, line, problem }) => `${file}:${line}:${column}: ${problem}: correct the file`
      )
    )
  )

/** A file that belongs to both scopes, for example in the home directory, appears once. */
export const all = <Entry>(host: Host, scopes: ReadonlyArray<Scope>, read: Form<Entry>["read"]) =>
  Effect.map(
    Effect.forEach(scopes, (scope) => Plan.requestFor(host, scope)),
    (requests) =>
      requests
        .flatMap((request) =>
          Plan.filesOf(request)
            .filter(([kind]) => kind !== "command")
            .map(([, file]): Place<Entry> => ({ file, request, found: entriesIn(file, read(request)) }))
        )
        .filter(({ file }, at, every) => every.findIndex((other) => other.file === file) === at)
  )

export const entries = <Entry>({ found }: Place<Entry>): ReadonlyArray<Entry> => Either.getOrElse(found, () => [])

export const isInstalled = (place: Place): boolean => entries(place).length > 0

/** A home directory that is itself a git repository does not count as a project. */
export const isProjectsOwn = ({ request: { where } }: Place, path: string): boolean =>
  isInside(where.root, path) && !isInside(where.root, Hosts.homeOf(where.env))

/** True if a file may have come with the project. */
export const isOfProject = (place: Place): boolean =>
  place.request.scope === "project" || isProjectsOwn(place, place.file)

export const nameOf = ({ file, request }: Place): string => Terminal.tilde(request.where.env, file)

export const range = (scope: Scope): string => (scope === "global" ? "all your projects" : "this project")

export const named = (place: Place): string => `${nameOf(place)} (${range(place.request.scope)})`

export const quoted = (command: string): string => `\`${clip(oneLine(command), 300, "…")}\``

const installing = ({ name }: Host, scope: Scope | null): string =>
  `run \`reflexion install ${name}${scope === "project" ? " --project" : ""}\``

export const again = ({ request: { host, scope } }: Place): string => installing(host, scope)

export const missing = (host: Host, scope: Scope | null): Finding.Finding => {
  const where = scope === null ? "" : ` for ${range(scope)}`
  return Finding.needed(host.installation.form, `not installed${where}: ${installing(host, scope)}`)
}

export const versionFinding = (place: Place, copy: string, { shipped }: Facts): Finding.Finding => {
  const id = basename(dirname(copy))
  const needed = (problem: string) => Finding.needed("version", `${id} ${problem}: ${again(place)}`)
  if (!existsSync(copy)) return needed("is installed, but its files are gone")
  if (!HookBundle.isWhole(dirname(copy))) return needed("is damaged")
  if (shipped === null) return Finding.plain("version", id)
  return shipped === id
    ? Finding.good("version", `${id}, the version of this reflexion`)
    : needed(`is installed, but this reflexion has ${shipped}`)
}

/** Says why an entry in a project's file must not run. Null if the user's installation records list the entry. */
export const refusal = (place: Place, command: string): Finding.Finding | null => {
  const { file, request } = place
  const { directories, host } = request
  const record = Either.try(() => InstallRecord.find(directories, host.name, FileChange.find(file, null).real))
  if (!isOfProject(place) || Either.getOrNull(record)?.commands.includes(command) === true) return null
  const text = `not run: ${nameOf(place)} belongs to the project, and reflexion has no record that it wrote this command: ${quoted(command)}; if the command is yours, ${again(place)}`
  return Finding.needed("run", text)
}
