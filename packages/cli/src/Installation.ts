/**
 * Which files an installation changes, and what they become: planned from what is there, before anything is written.
 *
 * @since 0.1.0
 */
import type { UserDirectories } from "@reflexion/hooks/UserDirectories"
import * as Either from "effect/Either"
import { InstallError } from "./CliError.ts"
import * as FileChange from "./FileChange.ts"
import type { Found } from "./FileChange.ts"
import { explain } from "./FileProblem.ts"
import type { HookHost, Places, Scope, Where } from "./HookHosts.ts"
import * as HooksDocument from "./HooksDocument.ts"
import type { HookEntry, IsOurs } from "./HooksDocument.ts"
import * as HooksToml from "./HooksToml.ts"
import * as InstallRecord from "./InstallRecord.ts"
import type { TextProblem } from "./JsonEdit.ts"
import { commandText, isCommandText } from "./SlashCommand.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Request {
  readonly host: HookHost
  readonly scope: Scope
  readonly where: Where
  readonly directories: UserDirectories
  readonly isOurs: IsOurs
  /** The version of our hook that a command of somebody else's runs, null where it runs none. */
  readonly wrapped: (command: string) => string | null
}

/**
 * A command of the user's own that runs our hook.
 *
 * @since 0.1.0
 * @category models
 */
export interface Wrapper {
  readonly file: string
  readonly event: string
  readonly command: string
  readonly version: string
}

/**
 * A file to write, or with `next` null to remove. `record` is what is kept of it, null where nothing is.
 *
 * @since 0.1.0
 * @category models
 */
export interface Change {
  readonly found: Found
  readonly next: string | Buffer | null
  readonly record: InstallRecord.InstallRecord | null
  /** Folders that go with the file, the innermost first. */
  readonly folders: ReadonlyArray<string>
}

/**
 * `notes` is what the user should know of it, `problems` why a file cannot be changed; `wrappers` stay as they are.
 *
 * @since 0.1.0
 * @category models
 */
export interface Plan {
  readonly changes: ReadonlyArray<Change>
  readonly notes: ReadonlyArray<string>
  readonly wrappers: ReadonlyArray<Wrapper>
  readonly problems: ReadonlyArray<string>
}

type Kind = "json" | "toml" | "command"

interface Document {
  readonly kind: Kind
  readonly found: Found
  readonly record: InstallRecord.InstallRecord | null
}

/**
 * @since 0.1.0
 * @category accessors
 */
export const placesOf = ({ host, scope, where }: Pick<Request, "host" | "scope" | "where">): Places =>
  host.places(scope, where)

const document = ({ directories, host, scope, where }: Request, kind: Kind, file: string): Document => {
  const found = FileChange.find(file, scope === "project" ? where.root : null)
  return { kind, found, record: InstallRecord.find(directories, host.name, found.real) }
}

const filesOf = (request: Request): ReadonlyArray<readonly [kind: Kind, file: string]> => {
  const { command, json, toml } = placesOf(request)
  return [
    ["json", json],
    ...(toml === null ? [] : [["toml", toml] as const]),
    ...(command === null ? [] : [["command", command] as const])
  ]
}

const documents = (request: Request): ReadonlyArray<Document> =>
  filesOf(request).map(([kind, file]) => document(request, kind, file))

const placed = ({ file }: Found, { column, line, problem }: TextProblem): string =>
  `${file}:${line}:${column}: ${problem}`

const refusal = (found: Found, problem: TextProblem) =>
  new InstallError({ problem: `${placed(found, problem)}.\nIt is left as it is. Mend the file, then run this again.` })

const orRefuse = <A>(found: Found, result: Either.Either<A, TextProblem>): A =>
  Either.getOrThrowWith(result, (problem) => refusal(found, problem))

const everyContainer = (text: string, isOurs: IsOurs): ReadonlyArray<string> =>
  Either.match(HooksDocument.installed(text, isOurs), {
    onLeft: () => [],
    onRight: (found) => (found.length === 0 ? [] : ["hooks", ...found.map(({ event }) => `hooks.${event}`)])
  })

const isBlank = (kind: Kind, text: string): boolean =>
  kind === "json" ? /^\uFEFF?\s*\{\s*\}\s*$/u.test(text) : text.trim() === ""

/** The text without what is ours in it; null where nothing of it is left that was not. */
const withoutOurs = ({ found, kind, record }: Document, isOurs: IsOurs): string | Buffer | null => {
  const text = found.text
  if (text === null || found.bytes === null) return null
  if (record?.after === InstallRecord.hashOf(found.bytes)) {
    return record.before === null ? null : Buffer.from(record.before, "base64")
  }
  if (kind === "command") return isCommandText(text) ? null : text
  if (text.trim() === "") return text
  const added = record?.added ?? everyContainer(text, isOurs)
  const bare = orRefuse(
    found,
    kind === "json" ? HooksDocument.remove(text, { isOurs, added }) : HooksToml.remove(text, isOurs)
  )
  return record?.before === null && isBlank(kind, bare) ? null : bare
}

const base64 = (content: string | Buffer | null): string | null =>
  content === null ? null : Buffer.from(content).toString("base64")

const containersOf = (text: string): ReadonlyArray<string> =>
  Either.getOrElse(HooksDocument.containers(text), (): ReadonlyArray<string> => [])

const addedBy = (kind: Kind, before: string, after: string): ReadonlyArray<string> => {
  const known = containersOf(before)
  return kind === "json" ? containersOf(after).filter((path) => !known.includes(path)) : []
}

const put = (
  request: Request,
  one: Document,
  { commands, next }: { readonly next: string; readonly commands: ReadonlyArray<string> }
): ReadonlyArray<Change> => {
  const { found, kind, record } = one
  if (next === found.text && commands.every((command) => record?.commands.includes(command))) return []
  const before = base64(withoutOurs(one, request.isOurs))
  const folders = record?.folders ?? FileChange.foldersToMake(found)
  const added = [...new Set([...(record?.added ?? []), ...addedBy(kind, found.text ?? "", next)])]
  return [
    {
      found,
      next,
      folders,
      record: {
        version: 1,
        host: request.host.name,
        file: found.file,
        real: found.real,
        before,
        folders,
        after: InstallRecord.hashOf(next),
        added,
        commands
      }
    }
  ]
}

type Commands = Either.Either<ReadonlyArray<Omit<HookEntry, "timeout">>, TextProblem>

const commandsOf = ({ found, kind }: Document, isOurs: IsOurs): Commands =>
  kind === "toml" ? HooksToml.installed(found.text ?? "", isOurs) : HooksDocument.installed(found.text ?? "", isOurs)

const orNone = (commands: Commands) => Either.getOrElse(commands, () => [])

const wrappersIn = ({ wrapped }: Request, one: Document): ReadonlyArray<Wrapper> =>
  orNone(commandsOf(one, (command) => wrapped(command) !== null)).map(({ command, event }) => ({
    file: one.found.file,
    event,
    command,
    version: wrapped(command) ?? ""
  }))

const hasJsonHooks = ({ found }: Document): boolean => HooksDocument.others(found.text ?? "", () => false).length > 0

/** Codex warns at every start when a folder has hooks in both files: ours go where the user's are. */
const choose = (json: Document, toml: Document | undefined, isOurs: IsOurs): Document => {
  if (toml === undefined || orNone(commandsOf(json, isOurs)).length > 0) return json
  // What it says decides where hooks go: nothing can be chosen by half of it.
  const inToml = orRefuse(toml.found, commandsOf(toml, isOurs))
  const isToml = inToml.length > 0 || (!hasJsonHooks(json) && HooksToml.hasHooks(toml.found.text ?? ""))
  return isToml ? toml : json
}

/** It need not be read where ours are in the other file already. */
const broken = (toml: Document | undefined): ReadonlyArray<string> =>
  toml === undefined
    ? []
    : Either.match(
        commandsOf(toml, () => false),
        {
          onLeft: (problem) => [`${placed(toml.found, problem)}. Codex cannot read it either: mend it.`],
          onRight: () => []
        }
      )

const none: Plan = { changes: [], notes: [], wrappers: [], problems: [] }

const hooksChange = (request: Request, wanted: ReadonlyArray<HookEntry>): Plan => {
  const { isOurs } = request
  const [json, ...others] = documents(request)
  if (json === undefined) return none
  const toml = others.find(({ kind }) => kind === "toml")
  orRefuse(
    json.found,
    commandsOf(json, () => false)
  )
  const chosen = choose(json, toml, isOurs)
  const wrappers = [json, ...(toml === undefined ? [] : [toml])].flatMap((one) => wrappersIn(request, one))
  const entries = wanted.filter(({ event }) => !wrappers.some((one) => one.event === event))
  const commands = entries.map(({ command }) => command)
  const notes = [...broken(toml)]
  if (chosen.kind === "toml") {
    const edited = HooksToml.install(chosen.found.text ?? "", { entries, isOurs })
    if (Either.isRight(edited)) {
      return { ...none, changes: put(request, chosen, { next: edited.right, commands }), notes, wrappers }
    }
    notes.push(
      `${chosen.found.file} keeps hooks in a form that none can be added to, so they are in ${json.found.file}; ` +
        `${request.host.title} reads both, and says so when it starts.`
    )
  }
  const added = json.record?.added ?? []
  const next = orRefuse(json.found, HooksDocument.install(json.found.text ?? "", { entries, isOurs, added }))
  return { ...none, changes: put(request, json, { next, commands }), notes, wrappers }
}

const commandChange = (request: Request): Plan => {
  const one = documents(request).find(({ kind }) => kind === "command")
  if (one === undefined) return none
  const { bytes, file, text } = one.found
  const isOwn = text === null || isCommandText(text) || one.record?.after === InstallRecord.hashOf(bytes ?? "")
  if (isOwn) return { ...none, changes: put(request, one, { next: commandText, commands: [] }) }
  const note = `${file} is a command of your own and stays; reflexion answers its stop, start and status.`
  return { ...none, notes: [note] }
}

const joined = (plans: ReadonlyArray<Plan>): Plan => ({
  changes: plans.flatMap(({ changes }) => changes),
  notes: plans.flatMap(({ notes }) => notes),
  wrappers: plans.flatMap(({ wrappers }) => wrappers),
  problems: plans.flatMap(({ problems }) => problems)
})

/**
 * What installing these entries changes; at an event where a command of the user's own runs our hook, nothing. Throws
 * where a file must not or cannot be changed.
 *
 * @since 0.1.0
 * @category planning
 */
export const install = (request: Request, entries: ReadonlyArray<HookEntry>): Plan =>
  joined([hooksChange(request, entries), commandChange(request)])

const moved = ({ found, kind }: Document, next: string | Buffer | null, { host, isOurs }: Request) => {
  if (kind !== "json" || host.name !== "codex" || found.text === null) return []
  const after = next === null ? [] : HooksDocument.others(next.toString(), isOurs)
  const isMoved = HooksDocument.others(found.text, isOurs).some((one) => !after.includes(one))
  return isMoved
    ? ["Hooks of yours stood after these and move up: Codex will ask you to approve them again in /hooks."]
    : []
}

const takeOut = (request: Request, kind: Kind, file: string): Plan => {
  const one = document(request, kind, file)
  const next = withoutOurs(one, request.isOurs)
  const isSame = next === null ? one.found.bytes === null : one.found.bytes?.equals(Buffer.from(next)) === true
  const folders = one.record?.folders ?? []
  const wrappers = kind === "command" ? [] : wrappersIn(request, one)
  if (isSame && one.record === null) return { ...none, wrappers }
  const changes = [{ found: one.found, next, record: null, folders }]
  return { ...none, changes, notes: moved(one, next, request), wrappers }
}

/**
 * What taking everything of ours out changes, file by file: what stands in the way of one is a problem of that one alone.
 *
 * @since 0.1.0
 * @category planning
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
 * Carries a change out. The record is written before the file and dropped after it: at whatever moment it ends, the file
 * can still be undone.
 *
 * @since 0.1.0
 * @category writing
 */
export const apply = ({ directories, host }: Request, change: Change): void => {
  if (change.record !== null) InstallRecord.save(directories, change.record)
  if (isChanged(change)) {
    if (change.next === null) FileChange.remove(change.found, change.folders)
    else FileChange.write(change.found, change.next)
  }
  if (change.record === null) InstallRecord.drop(directories, host.name, change.found.real)
}

/**
 * Texts of every file that a host's installations are known to be in.
 *
 * @since 0.1.0
 * @category reading
 */
export const knownTexts = (request: Request): ReadonlyArray<string> => {
  const recorded = InstallRecord.all(request.directories, request.host.name).map(({ real }) =>
    FileChange.find(real, null)
  )
  const scopes = (["global", "project"] as const).flatMap((scope) => documents({ ...request, scope }))
  return [...recorded, ...scopes.map(({ found }) => found)].flatMap(({ text }) => text ?? [])
}
