/** The files that an installation changes, one by one: what of ours is in them, and what they are without it. */
import type { UserDirectories } from "@reflexion/hooks/places/UserDirectories"
import * as Either from "effect/Either"
import { InstallError } from "../process/CliError.ts"
import * as FileChange from "./FileChange.ts"
import type { Found } from "./FileChange.ts"
import type { Host, Kind, Places, Scope, Where } from "../host/Hosts.ts"
import * as HooksDocument from "./HooksDocument.ts"
import type { InstalledEntry, IsOurs } from "./HooksDocument.ts"
import * as HooksToml from "./HooksToml.ts"
import * as InstallRecord from "./InstallRecord.ts"
import type { TextProblem } from "./JsonEdit.ts"
import * as PluginList from "./PluginList.ts"
import { isCommandText } from "./slashCommand.ts"

export interface Request {
  readonly host: Host
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
 * A file that may have something of ours in it, and what is kept of it.
 *
 * @category models
 */
export interface Document {
  readonly kind: Kind
  readonly found: Found
  readonly record: InstallRecord.InstallRecord | null
}

/**
 * Throws where the file must not be changed.
 *
 * @category reading
 */
export const document = ({ directories, host, scope, where }: Request, kind: Kind, file: string): Document => {
  const found = FileChange.find(file, scope === "project" ? where.root : null)
  return { kind, found, record: InstallRecord.find(directories, host.name, found.real) }
}

export const filesOf = ({ host, scope, where }: Pick<Request, "host" | "scope" | "where">): Places =>
  host.installation.places(scope, where)

export const placed = ({ file }: Found, { column, line, problem }: TextProblem): string =>
  `${file}:${line}:${column}: ${problem}`

const refusal = (found: Found, problem: TextProblem) =>
  new InstallError({ problem: `${placed(found, problem)}.\nIt is left as it is. Mend the file, then run this again.` })

/**
 * Throws a problem, with the place of it.
 *
 * @category combinators
 */
export const orRefuse = <A>(found: Found, result: Either.Either<A, TextProblem>): A =>
  Either.getOrThrowWith(result, (problem) => refusal(found, problem))

const everyContainer = (kind: Kind, text: string, isOurs: IsOurs): ReadonlyArray<string> => {
  if (kind === "plugins") return Either.getOrElse(PluginList.specs(text), () => []).some(isOurs) ? [PluginList.key] : []
  return Either.match(HooksDocument.installed(text, isOurs), {
    onLeft: () => [],
    onRight: (found) => (found.length === 0 ? [] : ["hooks", ...found.map(({ event }) => `hooks.${event}`)])
  })
}

const isBlank = (kind: Kind, text: string): boolean => {
  if (kind === "plugins") return PluginList.isBlank(text)
  return kind === "json" ? /^\uFEFF?\s*\{\s*\}\s*$/u.test(text) : text.trim() === ""
}

/** Without the entries that are ours, and those of the containers `added` that are empty then. */
const edited = (
  kind: Kind,
  text: string,
  options: { readonly isOurs: IsOurs; readonly added: ReadonlyArray<string> }
) => {
  if (kind === "plugins") return PluginList.remove(text, options)
  return kind === "json" ? HooksDocument.remove(text, options) : HooksToml.remove(text, options.isOurs)
}

/**
 * The text without what is ours in it; null where nothing of it is left that was not.
 *
 * @category editing
 */
export const withoutOurs = ({ found, kind, record }: Document, isOurs: IsOurs): string | Buffer | null => {
  const text = found.text
  if (text === null || found.bytes === null) return null
  if (record?.after === InstallRecord.hashOf(found.bytes)) {
    return record.before === null ? null : Buffer.from(record.before, "base64")
  }
  if (kind === "command") return isCommandText(text) ? null : text
  if (text.trim() === "") return text
  const added = record?.added ?? everyContainer(kind, text, isOurs)
  const bare = orRefuse(found, edited(kind, text, { isOurs, added }))
  return record?.before === null && isBlank(kind, bare) ? null : bare
}

const base64 = (content: string | Buffer | null): string | null =>
  content === null ? null : Buffer.from(content).toString("base64")

const containersOf = (kind: Kind, text: string): ReadonlyArray<string> => {
  if (kind === "plugins") return Either.getOrElse(PluginList.containers(text), () => [])
  return kind === "json" ? Either.getOrElse(HooksDocument.containers(text), () => []) : []
}

const addedBy = (kind: Kind, before: string, after: string): ReadonlyArray<string> => {
  const known = containersOf(kind, before)
  return containersOf(kind, after).filter((path) => !known.includes(path))
}

/**
 * The change that puts a text in the place of a file, if it is one. `commands` are those of ours in it.
 *
 * @category planning
 */
export const put = (
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

type Commands = Either.Either<ReadonlyArray<InstalledEntry>, TextProblem>

export const commandsOf = ({ found, kind }: Document, isOurs: IsOurs): Commands =>
  kind === "toml" ? HooksToml.installed(found.text ?? "", isOurs) : HooksDocument.installed(found.text ?? "", isOurs)

export const orNone = (commands: Commands) => Either.getOrElse(commands, () => [])

export const wrappersIn = ({ wrapped }: Request, one: Document): ReadonlyArray<Wrapper> =>
  orNone(commandsOf(one, (command) => wrapped(command) !== null)).map(({ command, event }) => ({
    file: one.found.file,
    event,
    command,
    version: wrapped(command) ?? ""
  }))
