/**
 * Which files an installation changes, and what they become: planned from what is there, before anything is written.
 */
import * as Either from "effect/Either"
import * as FileChange from "./FileChange.ts"
import { explain } from "../process/FileProblem.ts"
import * as HooksDocument from "./HooksDocument.ts"
import type { HookEntry, IsOurs } from "./HooksDocument.ts"
import * as HooksToml from "./HooksToml.ts"
import type { Kind } from "../host/Hosts.ts"
import type { Change, Document, Request, Wrapper } from "./InstallFile.ts"
import * as InstallFile from "./InstallFile.ts"
import * as InstallRecord from "./InstallRecord.ts"
import { commandText, isCommandText } from "./slashCommand.ts"

/**
 * `notes` is what the user should know of it, `problems` why a file cannot be changed; `wrappers` stay as they are.
 *
 * @category models
 */
export interface Plan {
  readonly changes: ReadonlyArray<Change>
  readonly notes: ReadonlyArray<string>
  readonly wrappers: ReadonlyArray<Wrapper>
  readonly problems: ReadonlyArray<string>
}

/**
 * The files of a request, as they are. Throws where one must not be changed.
 *
 * @category reading
 */
export const documents = (request: Request): ReadonlyArray<Document> =>
  InstallFile.filesOf(request).map(([kind, file]) => InstallFile.document(request, kind, file))

const hasJsonHooks = ({ found }: Document): boolean => HooksDocument.others(found.text ?? "", () => false).length > 0

/** A host may warn at every start when a folder has hooks in both files: ours go where the user's are. */
const choose = (json: Document, toml: Document | undefined, isOurs: IsOurs): Document => {
  if (toml === undefined || InstallFile.orNone(InstallFile.commandsOf(json, isOurs)).length > 0) return json
  // What it says decides where hooks go: nothing can be chosen by half of it.
  const inToml = InstallFile.orRefuse(toml.found, InstallFile.commandsOf(toml, isOurs))
  const isToml = inToml.length > 0 || (!hasJsonHooks(json) && HooksToml.hasHooks(toml.found.text ?? ""))
  return isToml ? toml : json
}

/** It need not be read where ours are in the other file already. */
const broken = (toml: Document | undefined, { host }: Request): ReadonlyArray<string> =>
  toml === undefined
    ? []
    : Either.match(
        InstallFile.commandsOf(toml, () => false),
        {
          onLeft: (problem) => [
            `${InstallFile.placed(toml.found, problem)}. ${host.title} cannot read it either: correct it.`
          ],
          onRight: () => []
        }
      )

export const none: Plan = { changes: [], notes: [], wrappers: [], problems: [] }

const wordOf = (command: string): string => command.slice(command.lastIndexOf(" ") + 1)

/** A command of the user's own runs our hook in an entry's place, unless it calls it with the word of another at that event. */
const isInPlaceOf = (wrapper: Wrapper, entry: HookEntry, wanted: ReadonlyArray<HookEntry>): boolean =>
  wrapper.event === entry.event &&
  !wanted.some(
    (other) => other !== entry && other.event === entry.event && wrapper.command.includes(` ${wordOf(other.command)}`)
  )

const hooksChange = (request: Request, wanted: ReadonlyArray<HookEntry>): Plan => {
  const { isOurs } = request
  const [json, ...others] = documents(request)
  if (json === undefined) return none
  const toml = others.find(({ kind }) => kind === "toml")
  InstallFile.orRefuse(
    json.found,
    InstallFile.commandsOf(json, () => false)
  )
  const chosen = choose(json, toml, isOurs)
  const wrappers = [json, ...(toml === undefined ? [] : [toml])].flatMap((one) => InstallFile.wrappersIn(request, one))
  const entries = wanted.filter((entry) => !wrappers.some((one) => isInPlaceOf(one, entry, wanted)))
  const commands = entries.map(({ command }) => command)
  const notes = [...broken(toml, request)]
  if (chosen.kind === "toml") {
    const edited = HooksToml.install(chosen.found.text ?? "", { entries, isOurs })
    if (Either.isRight(edited)) {
      return { ...none, changes: InstallFile.put(request, chosen, { next: edited.right, commands }), notes, wrappers }
    }
    notes.push(
      `${chosen.found.file} keeps hooks in a form that none can be added to, so they are in ${json.found.file}; ` +
        `${request.host.title} reads both, and says so when it starts.`
    )
  }
  const added = json.record?.added ?? []
  const next = InstallFile.orRefuse(
    json.found,
    HooksDocument.install(json.found.text ?? "", { entries, isOurs, added })
  )
  return { ...none, changes: InstallFile.put(request, json, { next, commands }), notes, wrappers }
}

const commandChange = (request: Request): Plan => {
  const one = documents(request).find(({ kind }) => kind === "command")
  if (one === undefined) return none
  const { bytes, file, text } = one.found
  const isOwn = text === null || isCommandText(text) || one.record?.after === InstallRecord.hashOf(bytes ?? "")
  if (isOwn) return { ...none, changes: InstallFile.put(request, one, { next: commandText, commands: [] }) }
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
 * @category planning
 */
export const install = (request: Request, entries: ReadonlyArray<HookEntry>): Plan =>
  joined([hooksChange(request, entries), commandChange(request)])

const moved = ({ found, kind }: Document, next: string | Buffer | null, { host, isOurs }: Request) => {
  if (kind !== "json" || !host.installation.approves || found.text === null) return []
  const after = next === null ? [] : HooksDocument.others(next.toString(), isOurs)
  const isMoved = HooksDocument.others(found.text, isOurs).some((one) => !after.includes(one))
  return isMoved
    ? [`Hooks of yours stood after these and move up: ${host.title} will ask you to approve them again in /hooks.`]
    : []
}

/**
 * What taking everything of ours out of one file changes.
 *
 * @category planning
 */
export const takeOut = (request: Request, kind: Kind, file: string): Plan => {
  const one = InstallFile.document(request, kind, file)
  const next = InstallFile.withoutOurs(one, request.isOurs)
  const isSame = next === null ? one.found.bytes === null : one.found.bytes?.equals(Buffer.from(next)) === true
  const folders = one.record?.folders ?? []
  const wrappers = kind === "command" || kind === "plugins" ? [] : InstallFile.wrappersIn(request, one)
  if (isSame && one.record === null) return { ...none, wrappers }
  const changes = [{ found: one.found, next, record: null, folders }]
  return { ...none, changes, notes: moved(one, next, request), wrappers }
}

/**
 * What taking everything of ours out changes, file by file: what stands in the way of one is a problem of that one alone.
 *
 * @category planning
 */
export const uninstall = (request: Request): Plan =>
  joined(
    InstallFile.filesOf(request).map(([kind, file]) =>
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
 * @category reading
 */
export const knownTexts = (request: Request): ReadonlyArray<string> => {
  const recorded = InstallRecord.all(request.directories, request.host.name).map(({ real }) =>
    FileChange.find(real, null)
  )
  const scopes = (["global", "project"] as const).flatMap((scope) => documents({ ...request, scope }))
  return [...recorded, ...scopes.map(({ found }) => found)].flatMap(({ text }) => text ?? [])
}
