/** Plans which files an installation changes, and how. It reads the present files and writes nothing. */
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { CliProcess } from "../process/CliProcess.ts"
import { CliFailure } from "../process/CliError.ts"
import { explain } from "../process/FileProblem.ts"
import * as Hosts from "../host/Hosts.ts"
import type { Host, Kind, Places, Scope, Where } from "../host/Hosts.ts"
import { tilde } from "../terminal/Terminal.ts"
import * as FileChange from "./FileChange.ts"
import * as HookBundle from "./HookBundle.ts"
import * as HookCommand from "./HookCommand.ts"
import * as HooksFile from "./HooksFile.ts"
import type { HookEntry, InstalledEntry } from "./HooksFile.ts"
import * as InstallRecord from "./InstallRecord.ts"
import type { IsOurs, Result } from "./JsonText.ts"
import * as PluginFile from "./PluginFile.ts"
import * as ShellLine from "./ShellLine.ts"

export interface Request {
  readonly host: Host
  readonly scope: Scope
  readonly where: Where
  readonly directories: UserDirectories.UserDirectories
  readonly isOurs: IsOurs
}

export interface Change {
  readonly found: FileChange.FoundFile
  /** Null removes the file. */
  readonly next: string | null
  /** Null deletes the record. */
  readonly record: InstallRecord.InstallRecord | null
  /** The folders to remove with the file if they are then empty. */
  readonly folders: ReadonlyArray<string>
}

export interface Plan {
  readonly changes: ReadonlyArray<Change>
  readonly notes: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

interface Document extends FileChange.FoundFile {
  readonly kind: Kind
  readonly record: InstallRecord.InstallRecord | null
}

const commandMark = "The reflexion hook answers this command"

/** Without this file, Claude Code rejects `/reflection` before any hook sees it. */
const commandText = `---
description: Stop or start reflexion's review in this session, or print its status
argument-hint: stop | start | status | away | here | wrong | checks run|on|off | model on|off | done-when CONDITIONS
---

${commandMark} before a model sees it. If you are reading this, the hook did not run. Tell the user so in one sentence, and
that \`reflexion doctor claude-code\` says why. Do nothing else.
`

const isCommandText = (text: string): boolean => text.includes(`\n${commandMark}`) && text.length < 2000

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
      isOurs: (one) => (isPlugin ? PluginFile.parse(one, own) : HookCommand.parse(one, folder)) !== null
    }
  })

export const otherScope = (request: Request): Request => ({
  ...request,
  scope: request.scope === "global" ? "project" : "global"
})

export const filesOf = ({ host, scope, where }: Pick<Request, "host" | "scope" | "where">): Places =>
  host.installation.places(scope, where)

const document = ({ directories, host, scope, where }: Request, kind: Kind, file: string): Document => {
  const found = FileChange.find(file, scope === "project" ? where.root : null)
  return { ...found, kind, record: InstallRecord.find(directories, host.name, found.real) }
}

const documents = (request: Request): ReadonlyArray<Document> =>
  filesOf(request).map(([kind, file]) => document(request, kind, file))

const orRefuse = <A>({ file }: Document, result: Result<A>): A =>
  Either.getOrThrowWith(
    result,
    ({ column, line, problem }) =>
      new CliFailure({
        problem: `${file}:${line}:${column}: ${problem}.\nNothing was changed. Correct the file, then run this again.`
      })
  )

const orNone = <A>(found: Result<ReadonlyArray<A>>): ReadonlyArray<A> => Either.getOrElse(found, () => [])

const installedIn = ({ text }: Document, isOurs: IsOurs): ReadonlyArray<InstalledEntry> =>
  orNone(HooksFile.installed(text ?? "", isOurs))

const specsIn = ({ text }: Document): ReadonlyArray<string> =>
  orNone(PluginFile.plugins(text ?? "")).map(({ spec }) => spec)

const editorOf = (kind: Kind) => (kind === "plugins" ? PluginFile : HooksFile)

/** The containers of the original file. They stay even if they have no content. None if the original is unknown. */
const keptContainers = (one: Document, isOurs: IsOurs): ReadonlyArray<string> => {
  const { containers } = editorOf(one.kind)
  if (one.record !== null) return containers(one.record.before ?? "")
  const isThere = one.kind === "plugins" ? specsIn(one).some(isOurs) : installedIn(one, isOurs).length > 0
  return isThere ? [] : containers(one.text ?? "")
}

/** Null removes the file. If nobody changed the file since, it gets its original content, byte for byte. */
const withoutOurs = (one: Document, isOurs: IsOurs): string | null => {
  const { kind, record, text } = one
  if (text === null) return null
  if (record?.after === InstallRecord.hashOf(text)) return record.before
  if (kind === "command") return isCommandText(text) ? null : text
  if (text.trim() === "") return text
  const { isBlank, remove } = editorOf(kind)
  const bare = orRefuse(one, remove(text, { isOurs, before: keptContainers(one, isOurs) }))
  return record?.before === null && isBlank(bare) ? null : bare
}

/** No change if the text stays the same. `commands` are our commands in the text. */
const put = (request: Request, one: Document, next: string, commands: ReadonlyArray<string>): ReadonlyArray<Change> => {
  const { file, real, record } = one
  if (next === one.text && commands.every((command) => record?.commands.includes(command) === true)) return []
  const before = withoutOurs(one, request.isOurs)
  const folders = record?.folders ?? FileChange.foldersToMake(one)
  const after = InstallRecord.hashOf(next)
  const host = request.host.name
  return [{ found: one, next, folders, record: { version: 1, host, file, real, before, folders, after, commands } }]
}

const takeOut = (request: Request, one: Document): ReadonlyArray<Change> => {
  const next = withoutOurs(one, request.isOurs)
  if (next === one.text && one.record === null) return []
  return [{ found: one, next, record: null, folders: one.record?.folders ?? [] }]
}

const joined = (plans: ReadonlyArray<Partial<Plan>>): Plan => ({
  changes: plans.flatMap(({ changes = [] }) => changes),
  notes: plans.flatMap(({ notes = [] }) => notes),
  problems: plans.flatMap(({ problems = [] }) => problems)
})

const slashCommand = (request: Request, one: Document): Partial<Plan> => {
  const { file, record, text } = one
  return text === null || isCommandText(text) || record?.after === InstallRecord.hashOf(text)
    ? { changes: put(request, one, commandText, []) }
    : {
        notes: [
          `${file} is your own command and stays as it is; reflexion answers its arguments stop, start and status.`
        ]
      }
}

export const hooks = (request: Request, entries: ReadonlyArray<HookEntry>): Plan => {
  const { isOurs } = request
  const commands = entries.map(({ command }) => command)
  return joined(
    documents(request).map((one) => {
      if (one.kind === "command") return slashCommand(request, one)
      const before = keptContainers(one, isOurs)
      const next = orRefuse(one, HooksFile.install(one.text ?? "", { entries, isOurs, before }))
      return { changes: put(request, one, next, commands) }
    })
  )
}

export const watchesLoops = (request: Request): boolean =>
  documents(request)
    .flatMap((one) => installedIn(one, request.isOurs))
    .some(({ command, event, matcher }) =>
      request.host.installation.loopWatch.some(
        (one) => one[0] === event && Hosts.wordOf(one) === ShellLine.wordOf(command) && matcher === null
      )
    )

/** If a file in the other scope cannot be read, the installation here continues. */
const elsewhere = (request: Request): ReadonlyArray<Document> =>
  Either.getOrElse(
    Either.try(() => documents(otherScope(request))),
    () => []
  )

/** The file that already names the plugin's package, or null. */
export const byName = (request: Request): string | null => {
  const all = [...documents(request), ...elsewhere(request)]
  const named = all.find((one) => specsIn(one).some((spec) => PluginFile.isPackage(spec, request.host)))
  return named === undefined ? null : tilde(request.where.env, named.file)
}

export const ofTwo = "of two copies, the one that loads second does nothing"

/** The entry replaces our present entry. If there is none, the entry goes into the first file. */
export const plugin = (request: Request, spec: string): Plan => {
  const { isOurs } = request
  const all = documents(request)
  for (const one of all) orRefuse(one, PluginFile.plugins(one.text ?? ""))
  const [first, ...more] = all.filter((one) => specsIn(one).some(isOurs))
  const chosen = first ?? all[0]
  if (chosen === undefined) return joined([])
  const schema = request.host.installation.plugin?.schema ?? ""
  const next = orRefuse(chosen, PluginFile.install(chosen.text ?? "", { spec, isOurs, schema }))
  return joined([{ changes: [put(request, chosen, next, [spec]), more.map((one) => takeOut(request, one))].flat(2) }])
}

/** A problem with one file does not affect the others. */
export const uninstall = (request: Request): Plan =>
  joined(
    filesOf(request).map(([kind, file]): Partial<Plan> => {
      try {
        const one = document(request, kind, file)
        return { changes: takeOut(request, one) }
      } catch (cause) {
        return { problems: [explain(cause, file).problem] }
      }
    })
  )

/** The record is saved first and deleted last, so an interrupted change can be undone. */
export const apply = ({ directories, host }: Request, { folders, found, next, record }: Change): void => {
  if (record !== null) InstallRecord.save(directories, record)
  if (next === null && found.text !== null) FileChange.remove(found, folders)
  if (next !== null && next !== found.text) FileChange.write(found, next)
  if (record === null) InstallRecord.drop(directories, host.name, found.real)
}

export const knownTexts = (request: Request): ReadonlyArray<string> => {
  const records = InstallRecord.all(request.directories, request.host.name)
  const recorded = records.map(({ real }) => FileChange.find(real, null))
  return [...recorded, ...documents(request), ...documents(otherScope(request))].flatMap(({ text }) => text ?? [])
}
