/**
 * Our hooks in Codex's `config.toml`, for users who keep theirs there: tables added at the end of the text, and taken
 * out again, while every other byte stays.
 */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { parse, TomlError } from "smol-toml"
import type { HookEntry, InstalledEntry, IsOurs } from "./HooksDocument.ts"
import type { TextProblem } from "./JsonEdit.ts"

type Result<A> = Either.Either<A, TextProblem>

const opening = "# reflexion: `reflexion uninstall codex` takes these hooks out again"

const closing = "# reflexion: end"

/** Without what is said already, and the excerpt behind it. */
const wordsOf = ({ message }: TomlError): string =>
  (message.split("\n")[0] ?? "").replace("Invalid TOML document: ", "").replace(/\.$/u, "")

const read = (text: string): Result<Readonly<Record<string, unknown>>> =>
  Either.try({
    try: () => parse(text.replace(/^\uFEFF/u, "")),
    catch: (cause) =>
      cause instanceof TomlError
        ? { line: cause.line, column: cause.column, problem: `not valid TOML: ${wordsOf(cause)}` }
        : { line: 1, column: 1, problem: `not valid TOML: ${String(cause)}` }
  })

const lists = (value: Readonly<Record<string, unknown>>): ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> =>
  Predicate.isReadonlyRecord(value["hooks"])
    ? Object.entries(value["hooks"]).flatMap(([event, list]) => (Array.isArray(list) ? [[event, list] as const] : []))
    : []

const timeoutOf = (one: object): number | null =>
  Predicate.hasProperty(one, "timeout") && typeof one.timeout === "number" ? one.timeout : null

const matcherOf = (group: object): string | null =>
  Predicate.hasProperty(group, "matcher") && typeof group.matcher === "string" ? group.matcher : null

const statusMessageOf = (one: object): string | null =>
  Predicate.hasProperty(one, "statusMessage") && typeof one.statusMessage === "string" ? one.statusMessage : null

const commandsIn = (group: unknown): ReadonlyArray<Omit<InstalledEntry, "event">> =>
  Predicate.hasProperty(group, "hooks") && Array.isArray(group.hooks)
    ? group.hooks.flatMap((one: unknown) =>
        Predicate.hasProperty(one, "command") && typeof one.command === "string"
          ? [
              {
                command: one.command,
                timeout: timeoutOf(one),
                matcher: matcherOf(group),
                statusMessage: statusMessageOf(one)
              }
            ]
          : []
      )
    : []

/**
 * Whether a text has hooks, whoever's. Text that is no TOML has none.
 *
 * @category reading
 */
export const hasHooks = (text: string): boolean =>
  Either.match(read(text), {
    onLeft: () => false,
    onRight: (value) => lists(value).some(([, list]) => list.length > 0)
  })

/**
 * Our commands in a text, by event.
 *
 * @category reading
 */
export const installed = (text: string, isOurs: IsOurs): Result<ReadonlyArray<InstalledEntry>> =>
  Either.map(read(text), (value) =>
    lists(value).flatMap(([event, list]) =>
      list
        .flatMap(commandsIn)
        .filter(({ command }) => isOurs(command))
        .map((one) => ({ event, ...one }))
    )
  )

/** A basic string: JSON's escapes are TOML's too. */
const table = ({ command, event, statusMessage, timeout }: HookEntry): ReadonlyArray<string> => [
  `[[hooks.${event}]]`,
  `[[hooks.${event}.hooks]]`,
  'type = "command"',
  `command = ${JSON.stringify(command)}`,
  `timeout = ${timeout}`,
  ...(statusMessage === undefined ? [] : [`statusMessage = ${JSON.stringify(statusMessage)}`])
]

interface Line {
  readonly text: string
  readonly end: string
}

const split = (text: string): ReadonlyArray<Line> =>
  (text.match(/[^\n]*\n|[^\n]+$/gu) ?? []).map((line) => {
    const end = /\r?\n$/u.exec(line)?.[0] ?? ""
    return { text: line.slice(0, line.length - end.length), end }
  })

/** How many lines from here are a table of ours, as it was written. */
const oursFrom = (lines: ReadonlyArray<Line>, at: number, isOurs: IsOurs): number => {
  const head = /^\[\[hooks\.([A-Za-z]{1,40})\]\]$/u.exec(lines[at]?.text ?? "")
  const [, , type, command, timeout] = lines.slice(at, at + 5).map(({ text }) => text)
  if (head === null || lines[at + 1]?.text !== `[[hooks.${head[1]}.hooks]]` || type !== 'type = "command"') return 0
  if (command === undefined || !command.startsWith("command = ") || !isOurs(unescaped(command))) return 0
  if (timeout === undefined || !/^timeout = \d{1,6}$/u.test(timeout)) return 0
  return lines[at + 5]?.text.startsWith("statusMessage = ") === true ? 6 : 5
}

const unescaped = (line: string): string =>
  Either.match(read(line), { onLeft: () => "", onRight: ({ command }) => (typeof command === "string" ? command : "") })

const withoutOurs = (text: string, isOurs: IsOurs): string => {
  const lines = split(text)
  const kept: Array<Line> = []
  for (let at = 0; at < lines.length; at++) {
    const skipped = oursFrom(lines, at, isOurs)
    const line = lines[at]
    if (skipped > 0) at += skipped - 1
    else if (line !== undefined && line.text !== opening && line.text !== closing) kept.push(line)
  }
  return kept.map(({ end, text }) => text + end).join("")
}

const stuck = (text: string): TextProblem => ({
  line: text.split("\n").length,
  column: 1,
  problem: "its hooks are written in a way that none can be added to or taken from here; edit them by hand"
})

/** An edit counts only if what it leaves reads as it should. */
const verified = (text: string, expected: number, isOurs: IsOurs): Result<string> =>
  Either.flatMap(
    Either.mapLeft(installed(text, isOurs), () => stuck(text)),
    (found) => (found.length === expected ? Either.right(text) : Either.left(stuck(text)))
  )

/**
 * The text without our tables; what others, or the host itself, wrote between them stays.
 *
 * @category editing
 */
export const remove = (text: string, isOurs: IsOurs): Result<string> =>
  Either.flatMap(installed(text, isOurs), (found) =>
    found.length === 0 ? Either.right(text) : verified(withoutOurs(text, isOurs), 0, isOurs)
  )

/** A longer time than ours is the user's own. */
const isCurrent = (found: ReadonlyArray<InstalledEntry>, entries: ReadonlyArray<HookEntry>): boolean =>
  found.length === entries.length &&
  entries.every(({ command, event, timeout }) =>
    found.some((one) => one.event === event && one.command === command && (one.timeout ?? timeout) >= timeout)
  )

/**
 * The text with exactly these entries of ours, at its end. Fails where tables cannot be added to the hooks that are
 * there, as to an inline table.
 *
 * @category editing
 */
export const install = (
  text: string,
  options: { readonly entries: ReadonlyArray<HookEntry>; readonly isOurs: IsOurs }
): Result<string> =>
  Either.gen(function* () {
    if (isCurrent(yield* installed(text, options.isOurs), options.entries)) return text
    const bare = yield* remove(text, options.isOurs)
    const eol = bare.includes("\r\n") ? "\r\n" : "\n"
    const before = bare === "" || bare.endsWith("\n") ? "" : eol
    const block = [opening, ...options.entries.flatMap(table), closing].map((line) => line + eol).join("")
    return yield* verified(bare + before + block, options.entries.length, options.isOurs)
  })
