/** The building blocks of commands, made with `@effect/cli`. An option that was not given is null. */
import * as Args from "@effect/cli/Args"
import type * as CliApp from "@effect/cli/CliApp"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Span from "@effect/cli/HelpDoc/Span"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import { UsageError } from "../process/CliError.ts"
import { escaped } from "../session/Report.ts"
import { oneLine } from "../terminal/Layout.ts"
import { version } from "../Version.ts"
import { hint, optionsIn, textOf } from "./Help.ts"

/** The text of an option. A flag has an empty text. Null if the option was not given. */
export type OptionValue = string | null

/** The arguments, as typed. */
export type Values<Name extends string> = Readonly<Record<Name, OptionValue>>

/**
 * A placeholder for "-" while arguments are parsed, because the library finds no option after an argument that begins
 * with a hyphen. Nobody can type the placeholder.
 */
const hyphen = "\u0000-"

const typed = (word: string): string => word.replaceAll(hyphen, "-")

/** An option with a text. `value` is the name of the text in the help. */
export const text = (name: string, value: string, description: string): Options.Options<OptionValue> =>
  Options.text(name).pipe(
    Options.withPseudoName(value),
    Options.withDescription(description),
    Options.map(typed),
    Options.optional,
    Options.map(Option.getOrNull)
  )

/** An option with fixed choices. The library's own error message lacks the option's name and the refused value. */
export const choice = (
  name: string,
  choices: ReadonlyArray<string>,
  description: string
): Options.Options<OptionValue> =>
  Options.text(name).pipe(
    Options.withPseudoName(choices.join("|")),
    Options.withDescription(description),
    Options.mapEffect((value) => {
      const problem = `--${name}: "${oneLine(value.slice(0, 100))}" is not one of ${choices.join(", ")}${hint(value, choices)}`
      return choices.includes(value)
        ? Effect.succeed(value)
        : Effect.fail(ValidationError.invalidValue(HelpDoc.p(problem)))
    }),
    Options.optional,
    Options.map(Option.getOrNull)
  )

export const flag = (name: string, description: string): Options.Options<OptionValue> =>
  Options.boolean(name).pipe(
    Options.withDescription(description),
    Options.map((isOn) => (isOn ? "" : null))
  )

/**
 * Any number of arguments. The library would accept a misspelled option as an argument. So it is refused here: the user
 * may have meant, for example, `--dry-run`.
 */
export const words = (name: string): Args.Args<ReadonlyArray<string>> =>
  Args.text({ name }).pipe(
    Args.map(typed),
    Args.repeated,
    Args.mapEffect((all) => {
      const stray = all.find((word) => word.length > 1 && word.startsWith("-"))
      return stray === undefined
        ? Effect.succeed(all)
        : Effect.fail(HelpDoc.p(`unknown option, or an option that was given twice: ${oneLine(stray.slice(0, 100))}`))
    })
  )

const none: Args.Args<ReadonlyArray<string>> = Args.mapEffect(words("WORD"), (all) =>
  all.length === 0
    ? Effect.succeed(all)
    : Effect.fail(HelpDoc.p(`takes no argument: "${oneLine(all.join(" ").slice(0, 100))}"`))
)

/** A command's help besides its options. */
export interface About {
  /** What the user types, for example `reflexion memory add`. */
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly notes?: ReadonlyArray<readonly [title: string, lines: ReadonlyArray<readonly [term: string, text: string]>]>
}

const described = ({ notes = [], summary }: About): HelpDoc.HelpDoc =>
  HelpDoc.blocks([
    HelpDoc.p(summary),
    ...notes.flatMap(([title, lines]) => [
      HelpDoc.h2(title),
      ...lines.map(([term, said]) => HelpDoc.descriptionList([[Span.text(term), HelpDoc.p(said)]]))
    ])
  ])

/** A command that can run with the words after its name. */
export interface Program<E, R> extends About {
  readonly help: HelpDoc.HelpDoc
  readonly run: (words: ReadonlyArray<string>) => Effect.Effect<void, E | UsageError, R | CliApp.CliApp.Environment>
}

const quiet = CliConfig.make({ showBuiltIns: false, showTypes: false })

/** The library prints errors with colors and without the program's name, so `Main` prints them. */
const withoutErrors = Effect.map(Effect.console, (console) => ({
  ...console,
  error: () => Effect.void
}))

const stray = /^(?:unknown option, or an option that was given twice: |Received unknown argument: ')(--[a-z-]+)(='?$)?/u

/** Explains a wrong option: which one was meant, that it was given twice, or that it needs a value. */
const explained = (problem: string, options: ReadonlyArray<string>): string => {
  const [, word, isEmpty] = stray.exec(problem) ?? []
  if (word === undefined) return problem
  const known = isEmpty === undefined ? `${word} is given twice` : `${word} needs a value`
  return options.includes(word) ? known : `unknown option ${word}${hint(word, options)}`
}

const parse = <Name extends string, R, E, A>(name: string, command: Command.Command<Name, R, E, A>) =>
  Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
    const options = optionsIn(Command.getHelp(command, quiet))
    const parsed = yield* Ref.make(Option.none<A>())
    const kept = Command.withHandler(command, (given) => Ref.set(parsed, Option.some(given)))
    const console = yield* withoutErrors
    const shielded = words.map((word) => (word === "-" ? hyphen : word))
    yield* Command.run(kept, { name: "reflexion", version: yield* version })(["node", "reflexion", ...shielded]).pipe(
      Effect.withConsole(console),
      // The library would treat `--now` without its value as a misspelled `--show`.
      Effect.provide(CliConfig.layer({ autoCorrectLimit: 0 })),
      Effect.mapError(
        ({ error }) => new UsageError({ command: name, problem: explained(typed(textOf(error)), options) })
      )
    )
    return yield* Ref.get(parsed)
  })

/** Makes a command from its options and a handler for the typed values. */
export const program = <const Config extends Command.Command.Config, E, R>(
  about: About,
  options: Config,
  handler: (given: Command.Command.ParseConfig<Config>) => Effect.Effect<void, E, R>
): Program<E, R> => {
  const command = Command.make(about.name, options).pipe(Command.withDescription(described(about)))
  const parsed = parse(about.name, command)
  return {
    ...about,
    help: Command.getHelp(command, quiet),
    run: (words) =>
      Effect.flatMap(
        parsed(words),
        Option.match({
          onNone: () => Effect.void,
          onSome: (given) => handler(given as Command.Command.ParseConfig<Config>)
        })
      )
  }
}

/** Loads a command's code when the command runs. */
export const lazily =
  <A, E, R>(load: () => Promise<(given: A) => Effect.Effect<void, E, R>>) =>
  (given: A): Effect.Effect<void, E, R> =>
    Effect.flatMap(Effect.promise(load), (run) => run(given))

/** The words and options after a verb. */
export interface VerbArguments {
  readonly words: ReadonlyArray<string>
  readonly option: (name: string) => OptionValue
}

export const isJson = ({ option }: VerbArguments): boolean => option("format") === "json"

export const print = (value: unknown): Effect.Effect<void> => Console.log(escaped(JSON.stringify(value, null, 2)))

/** Makes a verb of a command. `word` is the name of its words in the help. Null if it takes no words. */
export const verb = <E, R>(
  about: About,
  word: string | null,
  options: Readonly<Record<string, Options.Options<OptionValue>>>,
  handler: (given: VerbArguments) => Effect.Effect<void, E, R>
): Program<E, R> =>
  program(about, { given: Options.all(options), words: word === null ? none : words(word) }, ({ given, words }) =>
    handler({ words, option: (name) => given[name] ?? null })
  )
