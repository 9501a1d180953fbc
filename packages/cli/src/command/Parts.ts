/** The building blocks of commands. An option that was not given is null. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parseArgs } from "node:util"
import { UsageError } from "../process/CliError.ts"
import { escaped, oneLine } from "../terminal/Layout.ts"
import { type Groups, hint } from "./Help.ts"

/** The option's text, empty for a flag. Null if the option was not given. */
export type OptionValue = string | null

export type Values<Name extends string> = Readonly<Record<Name, OptionValue>>

/** The help shows `value` as the name of the option's text. `value` is null for a flag. */
export interface Option<Value extends string = string> {
  readonly name: string
  readonly value: string | null
  readonly description: string
  readonly choices?: ReadonlyArray<Value>
}

export const text = (name: string, value: string, description: string): Option => ({ name, value, description })

export const choice = <const Value extends string>(
  name: string,
  choices: ReadonlyArray<Value>,
  description: string
): Option<Value> => ({ name, value: choices.join("|"), description, choices })

export const flag = (name: string, description: string): Option => ({ name, value: null, description })

/** Any number of arguments without a `--name`. */
export interface Words {
  readonly words: string
}

export const words = (name: string): Words => ({ words: name })

type Config = Readonly<Record<string, Option | Words>>

export type Arguments<C extends Config> = {
  readonly [Key in keyof C]: C[Key] extends Option<infer Value> ? Value | null : ReadonlyArray<string>
}

/** What a command's help says, apart from its options. */
export interface About {
  /** What the user types, for example `reflexion memory add`. */
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly notes?: Groups
}

/** `run` takes the words after the command's name. */
export interface Program<E, R> extends About {
  readonly tables: Groups
  readonly run: (words: ReadonlyArray<string>) => Effect.Effect<void, E | UsageError, R>
}

const shown = (word: string): string => oneLine(word.slice(0, 100))

const refuse = (problem: string): Either.Either<never, string> => Either.left(problem)

/** Splits the typed words into the options' values (by name) and the other words. */
const parse = (options: ReadonlyArray<Option>, typed: ReadonlyArray<string>) =>
  Either.gen(function* () {
    const values = new Map<string, string>()
    const rest: Array<string> = []
    const names = options.map(({ name }) => `--${name}`)
    const kinds = options.map(({ name, value }) => [name, { type: value === null ? "boolean" : "string" }] as const)
    const { tokens } = parseArgs({
      args: [...typed],
      options: Object.fromEntries(kinds),
      allowPositionals: true,
      strict: false,
      tokens: true
    })
    for (const token of tokens) {
      if (token.kind === "positional") rest.push(token.value)
      if (token.kind !== "option") continue
      const { inlineValue: isInline, rawName, value = "" } = token
      const option = options[names.indexOf(rawName)]
      if (option === undefined) return yield* refuse(`unknown option ${shown(rawName)}${hint(rawName, names)}`)
      if (values.has(option.name)) return yield* refuse(`${rawName} is given twice`)
      if (option.value === null && isInline === true) return yield* refuse(`${rawName} takes no value`)
      const isForgotten = isInline === true ? value === "" : token.value === undefined || names.includes(value)
      if (option.value !== null && isForgotten) return yield* refuse(`${rawName} needs a value`)
      if (option.choices?.includes(value) === false) {
        const known = `${option.choices.join(", ")}${hint(value, option.choices)}`
        return yield* refuse(`${rawName}: "${shown(value)}" is not one of ${known}`)
      }
      values.set(option.name, value)
    }
    return { values, rest }
  })

const isWords = (one: Option | Words): one is Words => "words" in one

export const program = <const C extends Config, E, R>(
  about: About,
  config: C,
  handler: (given: Arguments<C>) => Effect.Effect<void, E, R>
): Program<E, R> => {
  const options = Object.values(config).flatMap((one) => (isWords(one) ? [] : [one]))
  const usage = (problem: string) => new UsageError({ command: about.name, problem })
  const rows = options.map(({ description, name, value }) => {
    return [value === null ? `--${name}` : `--${name} ${value}`, description] as const
  })
  return {
    ...about,
    tables: [["Options", rows], ...(about.notes ?? [])],
    run: Effect.fnUntraced(function* (typed) {
      const { rest, values } = yield* Either.mapLeft(parse(options, typed), usage)
      if (rest.length > 0 && !Object.values(config).some(isWords))
        return yield* usage(`takes no argument: "${shown(rest.join(" "))}"`)
      const given = Object.entries(config).map(([key, one]) => [
        key,
        isWords(one) ? rest : (values.get(one.name) ?? null)
      ])
      yield* handler(Object.fromEntries(given) as Arguments<C>)
    })
  }
}

/** Loads a command's code when the command runs. */
export const lazily =
  <A, E, R>(load: () => Promise<(given: A) => Effect.Effect<void, E, R>>) =>
  (given: A): Effect.Effect<void, E, R> =>
    Effect.flatMap(Effect.promise(load), (run) => run(given))

export interface VerbArguments {
  readonly words: ReadonlyArray<string>
  readonly option: (name: string) => OptionValue
}

export const isJson = ({ option }: VerbArguments): boolean => option("format") === "json"

export const print = (value: unknown): Effect.Effect<void> => Console.log(escaped(JSON.stringify(value, null, 2)))

/** The help shows `word` as the name of the verb's words. `word` is null if the verb takes no words. */
export const verb = <E, R>(
  about: About,
  word: string | null,
  options: Readonly<Record<string, Option>>,
  handler: (given: VerbArguments) => Effect.Effect<void, E, R>
): Program<E, R> => {
  const config: Config = word === null ? options : { ...options, words: words(word) }
  return program(about, config, ({ words: all, ...given }) =>
    handler({
      words: Array.isArray(all) ? all : [],
      option: (name) => (typeof given[name] === "string" ? given[name] : null)
    })
  )
}
