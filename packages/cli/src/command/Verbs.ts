/** Commands that have verbs, such as `reflexion memory add`: which verb was typed, with what. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type CommandSpec, named, type OptionSpec } from "./CommandSpec.ts"
import { UsageError } from "../process/CliError.ts"
import { escaped } from "../session/Report.ts"
import { oneLine } from "../terminal/Layout.ts"

/** An option; `value` is null for one that takes none. */
export const option = (
  name: string,
  value: string | null,
  description: string,
  more: Pick<OptionSpec, "choices" | "suggestions"> = {}
): OptionSpec => ({ name, value, description, ...more })

/** A command's words; an option is null where it was not given, empty where one that has no value was. */
export interface VerbArguments {
  readonly operands: ReadonlyArray<string>
  readonly option: (name: string) => string | null
}

/** The verb that was typed, and the words behind it. */
export interface TypedVerb<Verb extends string> {
  readonly verb: Verb
  readonly words: ReadonlyArray<string>
}

/**
 * Reads the verb; `verbs` has the options of each, under an empty name those of the command without a verb. An option that
 * says nothing to the verb is a mistake.
 */
export const verbOf = <Verb extends string>(
  command: string,
  verbs: Readonly<Record<Verb, ReadonlyArray<string>>>,
  { operands: [typed = "", ...words], option }: VerbArguments
): Either.Either<TypedVerb<Verb>, UsageError> => {
  const fail = (problem: string) => Either.left(new UsageError({ command: `reflexion ${command}`, problem }))
  const isVerb = (word: string): word is Verb => Object.hasOwn(verbs, word)
  const names = Object.keys(verbs)
    .filter((name) => name !== "")
    .join(", ")
  if (!isVerb(typed))
    return fail(typed === "" ? `needs one of ${names}` : `"${oneLine(typed.slice(0, 100))}" is not one of ${names}`)
  const all: ReadonlyArray<string> = Object.values<ReadonlyArray<string>>(verbs).flat()
  const stray = all.find((name) => !verbs[typed].includes(name) && option(name) !== null)
  return stray === undefined ? Either.right({ verb: typed, words }) : fail(`${typed || command} takes no --${stray}`)
}

/** The command that hands its words to a program, which is loaded only then. */
export const make = <E, R>(
  spec: CommandSpec,
  load: () => Promise<{ readonly run: (given: VerbArguments) => Effect.Effect<void, E, R> }>
) =>
  Command.make(
    spec.name,
    { operands: Args.text({ name: "WORD" }).pipe(Args.repeated), values: Options.all(spec.options.map(named)) },
    ({ operands, values }) => {
      const given = new Map(values)
      return Effect.flatMap(Effect.promise(load), ({ run }) =>
        run({ operands, option: (name) => given.get(name) ?? null })
      )
    }
  ).pipe(Command.withDescription(spec.summary))

/** Prints a value as JSON. */
export const print = (value: unknown): Effect.Effect<void> => Console.log(escaped(JSON.stringify(value, null, 2)))

export const isJson = ({ option }: VerbArguments): boolean => option("format") === "json"
