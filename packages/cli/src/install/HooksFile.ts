/** Edits the hooks in a host's JSON file. Each event has a list of groups, and each group has a list of commands. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { HookEventMore } from "@reflexion/core/internal/session/host/Host"
import * as Either from "effect/Either"
import type { JSONPath } from "jsonc-parser"
import type { Host, HookEvent } from "../host/Hosts.ts"
import * as Hosts from "../host/Hosts.ts"
import * as HookCommand from "./HookCommand.ts"
import * as JsonText from "./JsonText.ts"
import type { IsOurs, Ours, Parsed, Result, TextProblem } from "./JsonText.ts"
import * as ShellLine from "./ShellLine.ts"

export interface HookEntry {
  readonly event: string
  readonly command: string
  /** In the host's unit: seconds or ms. */
  readonly timeout: number
  /** The names of the tools for which the command runs. */
  readonly matcher?: string
  readonly name?: string
  readonly statusMessage?: string
  /** The shell that runs the command, for hosts that need this field. */
  readonly shell?: string
  readonly wakes?: HookEventMore["wakes"]
}

/** An entry in a file. A field is null if the file does not have it. */
export interface InstalledEntry {
  readonly event: string
  readonly command: string
  readonly timeout: number | null
  readonly matcher: string | null
}

interface Handler extends InstalledEntry {
  readonly path: JSONPath
  /** The path to remove: the handler, or its group if the group has no other handler. */
  readonly removal: JSONPath
  readonly value: Json.Json
}

const hooksOf = ({ value }: Parsed): Json.Json => Json.object(Json.object(value)["hooks"])

const problemOf = (parsed: Parsed): TextProblem | null => {
  const should = (path: JSONPath, what: string) => JsonText.wrongAt(parsed, path, `${path.join(".")} should be ${what}`)
  const hooks = Json.object(parsed.value)["hooks"]
  if (hooks !== undefined && !Json.isObject(hooks)) return should(["hooks"], "an object")
  for (const [event, groups] of Object.entries(hooksOf(parsed))) {
    if (!Array.isArray(groups)) return should(["hooks", event], "a list")
    for (const [at, group] of groups.entries()) {
      const path = ["hooks", event, at]
      if (!Json.isObject(group)) return should(path, "an object")
      if (!Array.isArray(group["hooks"])) return should(path, 'an object with a list "hooks"')
      const odd = group["hooks"].findIndex((one) => !Json.isObject(one))
      if (odd >= 0) return should([...path, "hooks", odd], "an object")
    }
  }
  return null
}

const read = (text: string): Result<Parsed> =>
  Either.flatMap(JsonText.parse(text), (parsed) => {
    const problem = problemOf(parsed)
    return problem === null ? Either.right(parsed) : Either.left(problem)
  })

const handlersIn = (parsed: Parsed): ReadonlyArray<Handler> =>
  Object.entries(hooksOf(parsed)).flatMap(([event, groups]) =>
    Json.list(groups).flatMap((group, at) => {
      const handlers = Json.list(Json.object(group)["hooks"]).map(Json.object)
      return handlers.map((value, index) => {
        const path = ["hooks", event, at, "hooks", index]
        return {
          event,
          command: Json.text(value["command"]),
          timeout: typeof value["timeout"] === "number" ? value["timeout"] : null,
          matcher: Json.string(Json.object(group)["matcher"]),
          path,
          removal: handlers.length === 1 ? path.slice(0, 3) : path,
          value
        }
      })
    })
  )

export const installed = (text: string, isOurs: IsOurs): Result<ReadonlyArray<InstalledEntry>> =>
  Either.map(read(text), (parsed) => handlersIn(parsed).filter(({ command }) => isOurs(command)))

/** This text is part of what Codex users approve, so it must not change. */
const reviewing = "reflexion reviews the turn"

/** If the hook watches every tool call, leaves out the entries that are for only some calls. */
const eventsOf = ({ installation: { events, loopWatch } }: Host, watches: boolean): ReadonlyArray<HookEvent> =>
  watches ? [...events.filter(([event]) => !loopWatch.some(([other]) => other === event)), ...loopWatch] : events

export const entriesFor = (
  host: Host,
  options: Pick<HookCommand.HookCommand, "hook" | "node"> & { readonly loopWatch: boolean; readonly isWindows: boolean }
): ReadonlyArray<HookEntry> =>
  eventsOf(host, options.loopWatch).map((one): HookEntry => {
    const [event, timeout, more] = one
    const { hook, isWindows, node } = options
    const { endsWithZero, hookName, timeoutUnit } = host.installation
    const shell = isWindows ? "windows" : endsWithZero === true ? "zero" : "posix"
    return {
      event,
      timeout: timeoutUnit === "ms" ? 1000 * timeout : timeout,
      command: HookCommand.render({ node, hook, event: Hosts.wordOf(one) }, shell),
      ...(hookName !== undefined && { name: hookName }),
      ...(isWindows && host.installation.windowsShell !== null && { shell: host.installation.windowsShell }),
      ...(more?.tools !== undefined && { matcher: more.tools.join("|") }),
      ...(more?.wakes !== undefined && { wakes: more.wakes }),
      ...(event === "Stop" && more?.wakes === undefined && { statusMessage: reviewing })
    }
  })

const groupOf = ({ command, matcher, name, shell, statusMessage, timeout, wakes }: HookEntry) => ({
  ...(matcher !== undefined && { matcher }),
  hooks: [
    {
      type: "command",
      ...(name !== undefined && { name }),
      command,
      ...(shell !== undefined && { shell }),
      timeout,
      ...(statusMessage !== undefined && { statusMessage }),
      ...(wakes !== undefined && { asyncRewake: true, rewakeSummary: wakes.summary, rewakeMessage: wakes.message })
    }
  ]
})

/** An entry and its handler have the same event, argument, and setting for waking the agent. */
const isOf = ({ command, event, value }: Handler, entry: HookEntry): boolean =>
  event === entry.event &&
  ShellLine.wordOf(command) === ShellLine.wordOf(entry.command) &&
  (value["asyncRewake"] === true) === (entry.wakes !== undefined)

/** Names the field to change. A longer timeout and the user's own status message stay. */
const stale = ({ command, timeout, value }: Handler, entry: HookEntry) => {
  if (command !== entry.command) return "command"
  if (timeout !== null && timeout < entry.timeout) return "timeout"
  if (entry.shell !== undefined && value["shell"] !== entry.shell) return "shell"
  return entry.statusMessage !== undefined && value["statusMessage"] === undefined ? "statusMessage" : null
}

/** The containers for hooks: `hooks` itself and one for each event. */
export const containers = (text: string): ReadonlyArray<string> =>
  Either.match(read(text), {
    onLeft: () => [],
    onRight: (parsed) => {
      const events = Object.keys(hooksOf(parsed)).map((event) => `hooks.${event}`)
      return Json.object(parsed.value)["hooks"] === undefined ? [] : ["hooks", ...events]
    }
  })

/** Removes one empty container that did not exist before our entries. Null if there is none. */
const cleaned = (parsed: Parsed, before: ReadonlyArray<string>): string | null => {
  const hooks = hooksOf(parsed)
  const event = Object.keys(hooks).find(
    (name) => Json.list(hooks[name]).length === 0 && !before.includes(`hooks.${name}`)
  )
  if (event !== undefined) return JsonText.remove(parsed, ["hooks", event])
  const isEmpty = Json.object(parsed.value)["hooks"] !== undefined && Object.keys(hooks).length === 0
  return isEmpty && !before.includes("hooks") ? JsonText.remove(parsed, ["hooks"]) : null
}

export const isBlank = (text: string): boolean => /^\uFEFF?\s*\{\s*\}\s*$/u.test(text)

/** These entries become our only entries. */
export const install = (
  text: string,
  { before, entries, isOurs }: Ours & { readonly entries: ReadonlyArray<HookEntry> }
): Result<string> => {
  const wanted = entries.map(({ command }) => command)
  return JsonText.repeat(text, read, (parsed) => {
    const ours = handlersIn(parsed).filter(({ command }) => wanted.includes(command) || isOurs(command))
    const kept = entries.map((entry) => ours.find((one) => isOf(one, entry)))
    const extra = ours.find((one) => !kept.includes(one))
    if (extra !== undefined) return JsonText.remove(parsed, extra.removal)
    for (const [at, entry] of entries.entries()) {
      const found = kept[at]
      if (found === undefined) return JsonText.append(parsed.text, ["hooks", entry.event], groupOf(entry))
      const key = stale(found, entry)
      if (key !== null) return JsonText.set(parsed.text, [...found.path, key], entry[key])
    }
    return cleaned(parsed, before)
  })
}

export const remove = (text: string, { before, isOurs }: Ours): Result<string> =>
  JsonText.repeat(text, read, (parsed) => {
    const ours = handlersIn(parsed).find(({ command }) => isOurs(command))
    return ours === undefined ? cleaned(parsed, before) : JsonText.remove(parsed, ours.removal)
  })
