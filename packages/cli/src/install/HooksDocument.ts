/**
 * The hooks in a host's JSON file: a list of groups for each event, each group a list of commands. Both hosts have this
 * form.
 */
import type { HookEventMore } from "@reflexion/core/internal/session/host/Host"
import * as StatusLine from "./StatusLine.ts"
import * as Either from "effect/Either"
import type { Node } from "jsonc-parser"
import * as JsonDocument from "./jsonDocument.ts"
import { child, keyOf, type Result, twice, wrong } from "./jsonDocument.ts"
import * as JsonEdit from "./JsonEdit.ts"
import type { TextProblem } from "./JsonEdit.ts"

/**
 * A command to run at an event; `timeout` in seconds, as the hosts count. `matcher`: the tools that it is for, as the hosts
 * write them; `statusMessage`: what they show while it runs; `shell`: by which shell, where the host asks.
 *
 * @category models
 */
export interface HookEntry {
  readonly event: string
  readonly command: string
  readonly timeout: number
  readonly matcher?: string
  readonly statusMessage?: string
  readonly shell?: string
  readonly wakes?: HookEventMore["wakes"]
}

/**
 * An entry as it stands in a file. `timeout` is null where it says none, and the host's own holds; so is `matcher`, and it
 * is for all tools; and `statusMessage`, and the host shows what it likes.
 *
 * @category models
 */
export interface InstalledEntry extends Pick<HookEntry, "event" | "command"> {
  readonly timeout: number | null
  readonly matcher: string | null
  readonly statusMessage: string | null
}

/**
 * Tells our commands from those of others.
 *
 * @category models
 */
export type IsOurs = (command: string) => boolean

interface Handler {
  readonly event: string
  readonly command: Node
  readonly node: Node
}

/** A file that was only touched holds nothing to lose. */
const orEmpty = (text: string): string => (text.trim() === "" ? `${text}{}\n` : text)

const valueOf = (property: Node): Node | undefined => property.children?.[1]

const groupProblem = (text: string, group: Node, path: string): TextProblem | null => {
  if (group.type !== "object") return wrong(text, group, path, "an object")
  const list = child(group, "hooks")
  if (list === undefined) return wrong(text, group, path, 'an object with a list "hooks"')
  if (list.type !== "array") return wrong(text, list, `${path}.hooks`, "a list")
  const odd = JsonEdit.children(list).findIndex(({ type }) => type !== "object")
  const item = JsonEdit.children(list)[odd]
  return item === undefined ? twice(text, group) : wrong(text, item, `${path}.hooks[${odd}]`, "an object")
}

const eventProblem = (text: string, property: Node): TextProblem | null => {
  const path = `hooks.${String(keyOf(property))}`
  const list = valueOf(property)
  if (list === undefined) return null
  if (list.type !== "array") return wrong(text, list, path, "a list")
  for (const [index, group] of JsonEdit.children(list).entries()) {
    const problem = groupProblem(text, group, `${path}[${index}]`)
    if (problem !== null) return problem
  }
  return null
}

const shapeProblem = (text: string, root: Node): TextProblem | null => {
  if (root.type !== "object") return wrong(text, root, "the file", "a JSON object")
  const hooks = child(root, "hooks")
  if (hooks === undefined) return twice(text, root)
  if (hooks.type !== "object") return wrong(text, hooks, "hooks", "an object")
  const problems = JsonEdit.children(hooks).map((property) => eventProblem(text, property))
  return twice(text, root) ?? twice(text, hooks) ?? problems.find((problem) => problem !== null) ?? null
}

const read = (text: string): Result<Node> => JsonDocument.read(text, shapeProblem)

const childrenAt = (node: Node, key: string): ReadonlyArray<Node> => child(node, key)?.children ?? []

const events = (root: Node): ReadonlyArray<readonly [event: string, list: Node]> =>
  childrenAt(root, "hooks").flatMap((property) => {
    const list = valueOf(property)
    return list === undefined ? [] : [[String(keyOf(property)), list] as const]
  })

const handlers = (root: Node, isOurs: IsOurs): ReadonlyArray<Handler> =>
  events(root).flatMap(([event, list]) =>
    JsonEdit.children(list)
      .flatMap((group) => childrenAt(group, "hooks"))
      .flatMap((node): ReadonlyArray<Handler> => {
        const command = child(node, "command")
        return command?.type === "string" && isOurs(String(command.value)) ? [{ event, command, node }] : []
      })
  )

/** A handler's group. */
const groupOf = (handler: Node): Node | undefined => handler.parent?.parent?.parent

const matcherOf = (handler: Node): string | null => {
  const group = groupOf(handler)
  const value: unknown = group === undefined ? null : child(group, "matcher")?.value
  return typeof value === "string" ? value : null
}

const statusMessageOf = (node: Node): string | null => {
  const value: unknown = child(node, "statusMessage")?.value
  return typeof value === "string" ? value : null
}

const timeoutOf = (node: Node): number | null => {
  const value: unknown = child(node, "timeout")?.value
  return typeof value === "number" ? value : null
}

/**
 * Our commands in a text, by event.
 *
 * @category reading
 */
export const installed = (text: string, isOurs: IsOurs): Result<ReadonlyArray<InstalledEntry>> =>
  Either.map(read(orEmpty(text)), (root) =>
    handlers(root, isOurs).map(({ command, event, node }) => ({
      event,
      command: String(command.value),
      timeout: timeoutOf(node),
      matcher: matcherOf(node),
      statusMessage: statusMessageOf(node)
    }))
  )

/**
 * The containers that a text has for hooks: `hooks` itself, and one for each event.
 *
 * @category reading
 */
export const containers = (text: string): Result<ReadonlyArray<string>> =>
  Either.map(read(orEmpty(text)), (root) =>
    child(root, "hooks") === undefined ? [] : ["hooks", ...events(root).map(([event]) => `hooks.${event}`)]
  )

/**
 * The commands of others with their places, by which a host may know them: `Stop:0:1 command`.
 *
 * @category reading
 */
export const others = (text: string, isOurs: IsOurs): ReadonlyArray<string> =>
  Either.match(read(orEmpty(text)), {
    onLeft: () => [],
    onRight: (root) =>
      events(root).flatMap(([event, list]) =>
        JsonEdit.children(list).flatMap((group, at) =>
          childrenAt(group, "hooks").flatMap((node, index) => {
            const command = String(child(node, "command")?.value)
            return isOurs(command) ? [] : [`${event}:${at}:${index} ${command}`]
          })
        )
      )
  })

const repeat = (text: string, next: (text: string, root: Node) => string | null): Result<string> =>
  JsonDocument.repeat(text, read, next)

/** A handler with its group, where it is the only one there. */
const withGroup = (handler: Node): Node => {
  const list = handler.parent
  const group = groupOf(handler)
  return list !== undefined && group !== undefined && JsonEdit.children(list).length === 1 ? group : handler
}

const group = ({ command, matcher, shell, statusMessage, timeout, wakes }: HookEntry) => ({
  ...(matcher !== undefined && { matcher }),
  hooks: [
    {
      type: "command",
      command,
      ...(shell !== undefined && { shell }),
      timeout,
      ...(statusMessage !== undefined && { statusMessage }),
      ...(wakes !== undefined && { asyncRewake: true, rewakeSummary: wakes.summary, rewakeMessage: wakes.message })
    }
  ]
})

const add = (text: string, root: Node, entry: HookEntry): string => {
  const hooks = child(root, "hooks")
  if (hooks === undefined) return JsonEdit.addProperty(text, root, "hooks", {})
  const list = child(hooks, entry.event)
  return list === undefined
    ? JsonEdit.addProperty(text, hooks, entry.event, [group(entry)])
    : JsonEdit.addItem(text, list, group(entry))
}

/** A container of `added` that is empty. */
const emptied = (root: Node, added: ReadonlyArray<string>): Node | undefined => {
  const known = events(root).map(([event, list]) => [`hooks.${event}`, list] as const)
  const found = [...known, ["hooks", child(root, "hooks")] as const].find(
    ([path, node]) => node?.children?.length === 0 && added.includes(path)
  )
  return found?.[1]?.parent
}

/**
 * `added`: containers of ours from an earlier time, which go when nothing is in them.
 *
 * @category models
 */
export interface InstallOptions {
  readonly entries: ReadonlyArray<HookEntry>
  readonly isOurs: IsOurs
  readonly added: ReadonlyArray<string>
}

/** A longer time than ours is the user's own. */
const isShort = (value: unknown, { timeout }: HookEntry): boolean => typeof value === "number" && value < timeout

const wordOf = (command: unknown): string => String(command).slice(String(command).lastIndexOf(" ") + 1)

/** Whether a handler is what an entry became: at its event, called with its word, and waking the agent where that does. */
const isOf = ({ command, event, node }: Handler, entry: HookEntry): boolean =>
  event === entry.event &&
  wordOf(command.value) === wordOf(entry.command) &&
  (child(node, "asyncRewake")?.value === true) === (entry.wakes !== undefined)

/** A line of ours makes room for another; null where it need not. */
const shownInstead = (text: string, shown: Node | undefined, line: string): string | null =>
  shown !== undefined && shown.value !== line && StatusLine.isOwn(shown.value)
    ? JsonEdit.replaceValue(text, shown, line)
    : null

/** The next single step from a text to one that has exactly these entries of ours. */
const installStep =
  ({ added, entries, isOurs }: InstallOptions) =>
  (text: string, root: Node): string | null => {
    const ours = handlers(root, isOurs)
    const firsts = entries.map((entry) => ours.find((one) => isOf(one, entry)))
    const extra = ours.find((one) => !firsts.includes(one))
    if (extra !== undefined) return JsonEdit.remove(text, withGroup(extra.node))
    for (const [index, entry] of entries.entries()) {
      const found = firsts[index]
      if (found === undefined) {
        const empty = emptied(root, added.includes(`hooks.${entry.event}`) ? [`hooks.${entry.event}`] : [])
        return empty === undefined ? add(text, root, entry) : JsonEdit.remove(text, empty)
      }
      if (found.command.value !== entry.command) return JsonEdit.replaceValue(text, found.command, entry.command)
      const timeout = child(found.node, "timeout")
      if (timeout !== undefined && isShort(timeout.value, entry))
        return JsonEdit.replaceValue(text, timeout, entry.timeout)
      const shell = child(found.node, "shell")
      if (entry.shell !== undefined && shell?.value !== entry.shell) {
        return shell === undefined
          ? JsonEdit.addProperty(text, found.node, "shell", entry.shell)
          : JsonEdit.replaceValue(text, shell, entry.shell)
      }
      const shown = child(found.node, "statusMessage")
      if (entry.statusMessage !== undefined && shown === undefined)
        return JsonEdit.addProperty(text, found.node, "statusMessage", entry.statusMessage)
      const next = entry.statusMessage === undefined ? null : shownInstead(text, shown, entry.statusMessage)
      if (next !== null) return next
    }
    const gone = emptied(root, added)
    return gone === undefined ? null : JsonEdit.remove(text, gone)
  }

/**
 * The text with exactly these entries of ours: missing ones are added, commands of another version and shorter times
 * replaced in their place, others of ours taken out. What the user wants to see while a command runs stays.
 *
 * @category editing
 */
export const install = (text: string, options: InstallOptions): Result<string> => {
  const wanted = options.entries.map(({ command }) => command)
  // What was added must be known again, or it would be added for ever.
  const isOurs: IsOurs = (command) => wanted.includes(command) || options.isOurs(command)
  return repeat(orEmpty(text), installStep({ ...options, isOurs }))
}

/**
 * The text with another line that is shown while our commands run, where it has one of ours.
 *
 * @category editing
 */
export const relabel = (
  text: string,
  { isOurs, line }: { readonly isOurs: IsOurs; readonly line: string }
): Result<string> =>
  repeat(orEmpty(text), (current, root) =>
    handlers(root, isOurs).reduce<string | null>(
      (next, { node }) => next ?? shownInstead(current, child(node, "statusMessage"), line),
      null
    )
  )

/**
 * The text without our entries, and without those of the containers `added` that are empty then.
 *
 * @category editing
 */
export const remove = (
  text: string,
  options: { readonly isOurs: IsOurs; readonly added: ReadonlyArray<string> }
): Result<string> =>
  repeat(orEmpty(text), (current, root) => {
    const [ours] = handlers(root, options.isOurs)
    const gone = ours === undefined ? emptied(root, options.added) : withGroup(ours.node)
    return gone === undefined ? null : JsonEdit.remove(current, gone)
  })
