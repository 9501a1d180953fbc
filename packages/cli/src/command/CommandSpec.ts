/** What a command accepts, said once: its parser, its help and the check of what was typed are all made from it. */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import { UsageError } from "../process/CliError.ts"
import { clean, pad, wrap } from "../terminal/Layout.ts"
import { paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"

/**
 * An option. `value` is the name of what it takes, null for a flag, which takes none; with `choices`, only these.
 * `suggestions` are what a shell offers where anything may be given.
 */
export interface OptionSpec {
  readonly name: string
  readonly value: string | null
  readonly description: string
  readonly choices?: ReadonlyArray<string>
  readonly suggestions?: ReadonlyArray<string>
}

export interface CommandSpec {
  readonly name: string
  readonly usage: string
  readonly summary: string
  /** What the words that are no options name: what a shell offers there, which knows none of `ids`. */
  readonly operands: "files" | "directories" | "ids" | ReadonlyArray<string>
  readonly options: ReadonlyArray<OptionSpec>
  readonly notes: ReadonlyArray<readonly [title: string, lines: ReadonlyArray<readonly [term: string, text: string]>]>
}

const option = (spec: OptionSpec): Options.Options<Option.Option<string>> =>
  (spec.choices === undefined ? Options.text(spec.name) : Options.choice(spec.name, spec.choices)).pipe(
    Options.withPseudoName(spec.value ?? spec.name),
    Options.withDescription(spec.description),
    Options.optional
  )

export const flag = (spec: OptionSpec): Options.Options<boolean> =>
  Options.boolean(spec.name).pipe(Options.withDescription(spec.description))

/** An option by its name: null where it was not given, and empty where it was and has no value. */
export const named = (spec: OptionSpec): Options.Options<readonly [name: string, value: string | null]> =>
  spec.value === null
    ? Options.map(flag(spec), (on) => [spec.name, on ? "" : null] as const)
    : Options.map(option(spec), (value) => [spec.name, Option.getOrNull(value)] as const)

/** What was given for each option: null where it was not, and empty where one that has no value was. */
export type Values<Name extends string> = Readonly<Record<Name, string | null>>

/** All options of a command at once. */
export const values = <Name extends string>(
  options: Readonly<Record<Name, OptionSpec>>
): Options.Options<Values<Name>> =>
  Options.map(Options.all(Object.values<OptionSpec>(options).map(named)), (found) => {
    const given = new Map(found)
    return Record.map(options, ({ name }) => given.get(name) ?? null)
  })

/** A command without operands, which hands its options to a program that is loaded only then. */
export const make = <Name extends string, E, R>(
  { name, summary }: CommandSpec,
  options: Readonly<Record<Name, OptionSpec>>,
  load: () => Promise<{ readonly run: (given: Values<Name>) => Effect.Effect<void, E, R> }>
) =>
  Command.make(name, { given: values(options) }, ({ given }) =>
    Effect.flatMap(Effect.promise(load), ({ run }) => run(given))
  ).pipe(Command.withDescription(summary))

/** The candidate that a misspelt word most likely means, as a hint to add to a message; empty when none is near. */
export const hint = (word: string, candidates: ReadonlyArray<string>): string => {
  const steps = (candidate: string): number =>
    AutoCorrect.levensteinDistance(word.slice(0, 40), candidate, CliConfig.defaultConfig)
  const begun = word.length < 3 ? [] : candidates.filter((candidate) => candidate.startsWith(word))
  const near = candidates.filter((candidate) => steps(candidate) <= Math.max(1, Math.floor(candidate.length / 3)))
  const [first = "", ...more] = begun.length === 1 ? begun : near
  const best = more.reduce((one, other) => (steps(other) < steps(one) ? other : one), first)
  return best === "" ? "" : `; did you mean ${best}?`
}

const shown = (word: string): string => clean(word.slice(0, 100)).replaceAll("\n", " ")

interface Checked {
  readonly options: ReadonlyArray<string>
  readonly operands: ReadonlyArray<string>
}

const problemOf = (spec: OptionSpec, value: string | undefined, seen: ReadonlySet<string>): string | null => {
  const name = `--${spec.name}`
  if (spec.value === null && value !== undefined) return `${name} takes no value`
  if (seen.has(spec.name)) return `${name} is given more than once`
  if (spec.value === null) return null
  if (value === undefined) return `${name} needs a value: ${spec.choices?.join(", ") ?? spec.value}`
  if (spec.choices?.includes(value) === false) {
    return `${name}: "${shown(value)}" is none of ${spec.choices.join(", ")}${hint(value, spec.choices)}`
  }
  return null
}

const others = (spec: CommandSpec, typed: string): ReadonlyArray<string> =>
  [...spec.options.map(({ name }) => `--${name}`), "--help", "--version"].filter((name) => name !== typed)

/**
 * Checks a command's words strictly: every option is known, complete and given once. Options come out before operands,
 * so that their order on the line does not matter; what follows `--` is operands.
 */
export const check = (spec: CommandSpec, words: ReadonlyArray<string>): Either.Either<Checked, UsageError> => {
  const fail = (problem: string) => Either.left(new UsageError({ command: `reflexion ${spec.name}`, problem }))
  const options: Array<string> = []
  const operands: Array<string> = []
  const seen = new Set<string>()
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ""
    if (word === "--") {
      operands.push(...words.slice(index + 1))
      break
    }
    if (word === "-" || !word.startsWith("-")) {
      operands.push(word)
      continue
    }
    const equals = word.indexOf("=")
    const typed = equals < 0 ? word : word.slice(0, equals)
    const found = spec.options.find(({ name }) => `--${name}` === typed)
    if (found === undefined) return fail(`unknown option ${shown(typed)}${hint(typed, others(spec, typed))}`)
    const inline = equals < 0 ? undefined : word.slice(equals + 1)
    const value = inline === undefined && found.value !== null ? words[++index] : inline
    const problem = problemOf(found, value, seen)
    if (problem !== null) return fail(problem)
    seen.add(found.name)
    options.push(typed, ...(value === undefined ? [] : [value]))
  }
  const [extra] = operands
  return extra !== undefined && spec.operands.length === 0
    ? fail(`takes no argument: "${shown(extra)}"`)
    : Either.right({ options, operands })
}

const terms = (
  style: TerminalStyle,
  rows: ReadonlyArray<readonly [string, string]>,
  least = 0
): ReadonlyArray<string> => {
  const column = Math.max(least, ...rows.map(([term]) => term.length)) + 2
  const room = style.width - column - 2
  return rows.flatMap(([term, text]) =>
    room < 24
      ? [`  ${paint(style, ["cyan"], term)}`, ...wrap(text, style.width - 6).map((line) => `      ${line}`)]
      : wrap(text, room).map((line, index) =>
          index === 0 ? `  ${paint(style, ["cyan"], pad(term, column))}${line}` : `${" ".repeat(column + 2)}${line}`
        )
  )
}

const builtIn: ReadonlyArray<readonly [string, string]> = [["-h, --help", "Print this help."]]

/** A command's help. */
export const help = (style: TerminalStyle, spec: CommandSpec): string => {
  const title = (text: string): string => paint(style, ["bold"], text)
  const options = spec.options.map(({ choices, description, name, value }) => {
    const term = value === null ? `--${name}` : `--${name} ${value}`
    return [term, choices === undefined ? description : `${description} One of ${choices.join(", ")}.`] as const
  })
  return [
    [...wrap(spec.summary, style.width)],
    [title("Usage"), ...wrap(spec.usage, style.width - 6).map((line, index) => (index === 0 ? "  " : "      ") + line)],
    [title("Options"), ...terms(style, [...options, ...builtIn])],
    ...spec.notes.map(([heading, rows]) => [title(heading), ...terms(style, rows)])
  ]
    .map((lines) => lines.join("\n"))
    .join("\n\n")
}

export const firstSentence = ({ summary }: CommandSpec): string => summary.split(/(?<=\.)\s/u)[0] ?? ""

/** Commands that belong together. */
export type Group = readonly [title: string, specs: ReadonlyArray<CommandSpec>]

/** The help of the program: its commands, in their groups. */
export const overview = (style: TerminalStyle, groups: ReadonlyArray<Group>): string => {
  const title = (text: string): string => paint(style, ["bold"], text)
  const rows = groups.map(([, specs]) => specs.map((spec) => [spec.name, firstSentence(spec)] as const))
  const column = Math.max(...rows.flat().map(([name]) => name.length))
  return [
    wrap("reflexion: decides from evidence whether a coding agent's task is really done.", style.width),
    [
      title("Usage"),
      "  reflexion COMMAND [options]",
      "  reflexion alone says what holds in this folder and what to do next."
    ],
    ...groups.map(([name], index) => [title(name), ...terms(style, rows[index] ?? [], column)]),
    [
      title("Options"),
      ...terms(style, [
        ["-h, --help", "Print this help; after a command, the command's."],
        ["--version", "Print the version."]
      ])
    ]
  ]
    .map((lines) => lines.join("\n"))
    .join("\n\n")
}
