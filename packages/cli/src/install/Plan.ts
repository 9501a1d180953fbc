/** Plans which files an installation changes, and how. It reads the present files and writes nothing. */
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { CliProcess } from "../process/CliProcess.ts"
import { InstallError } from "../process/CliError.ts"
import { explain } from "../process/FileProblem.ts"
import * as Hosts from "../host/Hosts.ts"
import type { Host, Kind, Places, Scope, Where } from "../host/Hosts.ts"
import { tilde } from "../terminal/Terminal.ts"
import * as FileChange from "./FileChange.ts"
import type { FoundFile } from "./FileChange.ts"
import * as HookBundle from "./HookBundle.ts"
import * as HookCommand from "./HookCommand.ts"
import * as HooksFile from "./HooksFile.ts"
import type { HookEntry, InstalledEntry, IsOurs } from "./HooksFile.ts"
import * as InstallRecord from "./InstallRecord.ts"
import type { Result, TextProblem } from "./JsonText.ts"
import * as PluginFile from "./PluginFile.ts"
import { commandText, isCommandText } from "./slashCommand.ts"

/** A request for one host in one scope. */
export interface Request {
  readonly host: Host
  readonly scope: Scope
  readonly where: Where
  readonly directories: UserDirectories.UserDirectories
  readonly isOurs: IsOurs
  /** Returns true if another command runs our hook. */
  readonly wraps: (command: string) => boolean
}

/** Another command that runs our hook. */
export interface Wrapper {
  readonly file: string
  readonly event: string
  readonly command: string
}

/** A change of one file. */
export interface Change {
  readonly found: FoundFile
  /** The new content. Null removes the file. */
  readonly next: string | Buffer | null
  /** The record to save. Null deletes the record. */
  readonly record: InstallRecord.InstallRecord | null
  /** The folders to remove with the file if they are then empty. */
  readonly folders: ReadonlyArray<string>
}

/** The plan of an installation. */
export interface Plan {
  readonly changes: ReadonlyArray<Change>
  /** Notes for the user. */
  readonly notes: ReadonlyArray<string>
  /** Other commands that run our hook. They stay unchanged. */
  readonly wrappers: ReadonlyArray<Wrapper>
  /** Why a file cannot be changed. */
  readonly problems: ReadonlyArray<string>
}

const none: Plan = { changes: [], notes: [], wrappers: [], problems: [] }

/** A file that may contain our entries, with its record. */
interface Document {
  readonly kind: Kind
  readonly found: FoundFile
  /** The record of our change. Null if there is none. */
  readonly record: InstallRecord.InstallRecord | null
}

/** Returns the request for a host and a scope. No file is read yet. */
export const requestFor = (host: Host, scope: Scope): Effect.Effect<Request, never, CliProcess> =>
  Effect.map(CliProcess, ({ cwd, env }) => {
    const directories = UserDirectories.make(env)
    const folder = HookBundle.rootFolder(directories)
    const own = HookBundle.hostFolder(directories, host)
    const isPlugin = host.installation.form === "plugin"
    return {
      host,
      scope,
      directories,
      where: { env, cwd, root: Trust.rootOf(cwd) },
      isOurs: (one) => (isPlugin ? PluginFile.parse(one, own) : HookCommand.parse(one, folder)) !== null,
      wraps: (command) => !isPlugin && HookCommand.wraps(command, folder)
    }
  })

export const filesOf = ({ host, scope, where }: Pick<Request, "host" | "scope" | "where">): Places =>
  host.installation.places(scope, where)

const document = ({ directories, host, scope, where }: Request, kind: Kind, file: string): Document => {
  const found = FileChange.find(file, scope === "project" ? where.root : null)
  return { kind, found, record: InstallRecord.find(directories, host.name, found.real) }
}

const documents = (request: Request): ReadonlyArray<Document> =>
  filesOf(request).map(([kind, file]) => document(request, kind, file))

const orRefuse = <A>({ file }: FoundFile, result: Either.Either<A, TextProblem>): A =>
  Either.getOrThrowWith(
    result,
    ({ column, line, problem }) =>
      new InstallError({
        problem: `${file}:${line}:${column}: ${problem}.\nNothing was changed. Correct the file, then run this again.`
      })
  )

const containersOf = (kind: Kind, text: string): ReadonlyArray<string> =>
  kind === "plugins" ? PluginFile.containers(text) : HooksFile.containers(text)

/**
 * Returns the containers that stay even if they are empty: those of the original file. Without a record these are all
 * containers, or none if our entries are already there.
 */
const keptContainers = ({ found, kind, record }: Document, isOurs: IsOurs): ReadonlyArray<string> => {
  if (record !== null) {
    return record.before === null ? [] : containersOf(kind, Buffer.from(record.before, "base64").toString())
  }
  const text = found.text ?? ""
  const ours =
    kind === "plugins"
      ? Either.getOrElse(PluginFile.plugins(text), () => []).some(({ spec }) => isOurs(spec))
      : orNone(HooksFile.installed(text, isOurs)).length > 0
  return ours ? [] : containersOf(kind, text)
}

const isBlank = (kind: Kind, text: string): boolean =>
  kind === "plugins" ? PluginFile.isBlank(text) : /^\uFEFF?\s*\{\s*\}\s*$/u.test(text)

/**
 * Returns the content without our entries. Null if nothing is left. A file that is exactly as we wrote it becomes its
 * original, to the byte.
 */
const withoutOurs = (one: Document, isOurs: IsOurs): string | Buffer | null => {
  const { found, kind, record } = one
  if (found.text === null || found.bytes === null) return null
  if (record?.after === InstallRecord.hashOf(found.bytes))
    return record.before === null ? null : Buffer.from(record.before, "base64")
  if (kind === "command") return isCommandText(found.text) ? null : found.text
  if (found.text.trim() === "") return found.text
  const edit = kind === "plugins" ? PluginFile.remove : HooksFile.remove
  const bare = orRefuse(found, edit(found.text, { isOurs, before: keptContainers(one, isOurs) }))
  return record?.before === null && isBlank(kind, bare) ? null : bare
}

/** Returns the change that writes a text, or nothing if the text stays the same. `commands` are our commands in it. */
const put = (request: Request, one: Document, next: string, commands: ReadonlyArray<string>): ReadonlyArray<Change> => {
  const { found, record } = one
  if (next === found.text && commands.every((command) => record?.commands.includes(command) === true)) return []
  const before = withoutOurs(one, request.isOurs)
  const folders = record?.folders ?? FileChange.foldersToMake(found)
  const kept = {
    version: 1 as const,
    host: request.host.name,
    file: found.file,
    real: found.real,
    before: before === null ? null : Buffer.from(before).toString("base64"),
    folders,
    after: InstallRecord.hashOf(next),
    commands
  }
  return [{ found, next, folders, record: kept }]
}

const orNone = (found: Result<ReadonlyArray<InstalledEntry>>): ReadonlyArray<InstalledEntry> =>
  Either.getOrElse(found, () => [])

const wrappersIn = ({ wraps }: Request, { found: { file, text } }: Document): ReadonlyArray<Wrapper> =>
  orNone(HooksFile.installed(text ?? "", wraps)).map(({ command, event }) => ({ file, event, command }))

const wordOf = (command: string): string => command.slice(command.lastIndexOf(" ") + 1)

/**
 * True if a user's command at the same event replaces an entry. False if it calls the hook with the word of another
 * entry at that event.
 */
const isInPlaceOf = (wrapper: Wrapper, entry: HookEntry, wanted: ReadonlyArray<HookEntry>): boolean =>
  wrapper.event === entry.event &&
  !wanted.some(
    (other) => other !== entry && other.event === entry.event && wrapper.command.includes(` ${wordOf(other.command)}`)
  )

/**
 * Returns the changes for installing these entries. An event where a user's own command runs our hook stays unchanged.
 * Throws if a file must not or cannot be changed.
 */
export const hooks = (request: Request, wanted: ReadonlyArray<HookEntry>): Plan => {
  const { isOurs } = request
  return joined(
    documents(request).map((one): Plan => {
      if (one.kind === "command") {
        const { bytes, file, text } = one.found
        const isOwn = text === null || isCommandText(text) || one.record?.after === InstallRecord.hashOf(bytes ?? "")
        return isOwn
          ? { ...none, changes: put(request, one, commandText, []) }
          : {
              ...none,
              notes: [
                `${file} is your own command and stays as it is; reflexion answers its words stop, start and status.`
              ]
            }
      }
      const wrappers = wrappersIn(request, one)
      const entries = wanted.filter((entry) => !wrappers.some((wrapper) => isInPlaceOf(wrapper, entry, wanted)))
      const commands = entries.map(({ command }) => command)
      const before = keptContainers(one, isOurs)
      const next = orRefuse(one.found, HooksFile.install(one.found.text ?? "", { entries, isOurs, before }))
      return { ...none, changes: put(request, one, next, commands), wrappers }
    })
  )
}

/** True if an installation in this scope already watches every tool call for loops. */
export const watchesLoops = (request: Request): boolean =>
  documents(request).some(({ found }) =>
    orNone(HooksFile.installed(found.text ?? "", request.isOurs)).some(({ command, event, matcher }) =>
      request.host.installation.loopWatch.some(
        (one) => one[0] === event && Hosts.wordOf(one) === wordOf(command) && matcher === null
      )
    )
  )

const specsIn = ({ found }: Document): ReadonlyArray<string> =>
  Either.match(PluginFile.plugins(found.text ?? ""), {
    onLeft: () => [],
    onRight: (all) => all.map(({ spec }) => spec)
  })

export const otherScope = (request: Request): Request => ({
  ...request,
  scope: request.scope === "global" ? "project" : "global"
})

/** Ignores errors: a file in the other scope that cannot be read does not prevent an installation here. */
const elsewhere = (request: Request): ReadonlyArray<Document> =>
  Either.getOrElse(
    Either.try(() => documents(otherScope(request))),
    (): ReadonlyArray<Document> => []
  )

/**
 * Returns the file that already loads the plugin as a package, by its name. Null if there is none. If both a package
 * and a copy are loaded, the second does nothing.
 */
export const byName = (request: Request): string | null => {
  const all = [...documents(request), ...elsewhere(request)]
  const named = all.find((one) => specsIn(one).some((spec) => PluginFile.isPackage(spec, request.host)))
  return named === undefined ? null : tilde(request.where.env, named.found.file)
}

/** The effect of two different copies. Every command uses these words. */
export const ofTwo = "of two copies, the one that loads second does nothing"

/**
 * Returns the changes for installing this copy of a plugin. It replaces our present entry, or else goes into the first
 * file. Our entries in other files are removed. Throws if a file must not or cannot be changed.
 */
export const plugin = (request: Request, spec: string): Plan => {
  const { isOurs } = request
  const all = documents(request)
  for (const { found } of all) orRefuse(found, PluginFile.plugins(found.text ?? ""))
  const [first, ...more] = all.filter((one) => specsIn(one).some(isOurs))
  const chosen = first ?? all[0]
  if (chosen === undefined) return none
  const schema = request.host.installation.plugin?.schema ?? ""
  const next = orRefuse(chosen.found, PluginFile.install(chosen.found.text ?? "", { spec, isOurs, schema }))
  const removed = more.flatMap(({ found, kind }) => takeOut(request, kind, found.file).changes)
  return { ...none, changes: [...put(request, chosen, next, [spec]), ...removed] }
}

const joined = (plans: ReadonlyArray<Plan>): Plan => ({
  changes: plans.flatMap(({ changes }) => changes),
  notes: plans.flatMap(({ notes }) => notes),
  wrappers: plans.flatMap(({ wrappers }) => wrappers),
  problems: plans.flatMap(({ problems }) => problems)
})

const takeOut = (request: Request, kind: Kind, file: string): Plan => {
  const one = document(request, kind, file)
  const next = withoutOurs(one, request.isOurs)
  const isSame = next === null ? one.found.bytes === null : one.found.bytes?.equals(Buffer.from(next)) === true
  const wrappers = kind === "json" ? wrappersIn(request, one) : []
  if (isSame && one.record === null) return { ...none, wrappers }
  const changes = [{ found: one.found, next, record: null, folders: one.record?.folders ?? [] }]
  return { ...none, changes, wrappers }
}

/**
 * Returns the changes for removing everything of ours, file by file. A problem with one file does not affect the
 * others.
 */
export const uninstall = (request: Request): Plan =>
  joined(
    filesOf(request).map(([kind, file]) =>
      Either.merge(
        Either.try({
          try: () => takeOut(request, kind, file),
          catch: (cause): Plan => ({ ...none, problems: [explain(cause, file).problem] })
        })
      )
    )
  )

const isChanged = ({ found, next }: Change): boolean =>
  next === null ? found.bytes !== null : found.bytes?.equals(Buffer.from(next)) !== true

/**
 * Applies a change. The record is saved before the file is written, and deleted after it is restored. So the change can
 * be undone even if this is interrupted.
 */
export const apply = ({ directories, host }: Request, change: Change): void => {
  if (change.record !== null) InstallRecord.save(directories, change.record)
  if (isChanged(change)) {
    if (change.next === null) FileChange.remove(change.found, change.folders)
    else FileChange.write(change.found, change.next)
  }
  if (change.record === null) InstallRecord.drop(directories, host.name, change.found.real)
}

/** Returns the texts of all files that may contain an installation of a host. */
export const knownTexts = (request: Request): ReadonlyArray<string> => {
  const recorded = InstallRecord.all(request.directories, request.host.name).map(({ real }) =>
    FileChange.find(real, null)
  )
  const scopes = [...documents(request), ...documents(otherScope(request))].map(({ found }) => found)
  return [...recorded, ...scopes].flatMap(({ text }) => text ?? [])
}
