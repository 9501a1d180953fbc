/** The `reflexion` command line. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Ref from "effect/Ref"
import * as Help from "./command/Help.ts"
import { UsageError } from "./process/CliError.ts"
import type { ExitCode } from "./process/ExitCode.ts"
import { ExitStatus } from "./process/ExitStatus.ts"
import { oneLine } from "./terminal/Layout.ts"
import { style } from "./terminal/Terminal.ts"
import { version } from "./Version.ts"

/** A command's code is loaded only when the command is used. */
const commands = {
  judge: {
    summary: "Decides from evidence whether an agent finished its task, or shows other views of a session.",
    load: () => import("./judge/JudgeCommand.ts")
  },
  report: {
    summary: "Shows what happened in this project, and what followed each nudge.",
    load: () => import("./report/ReportCommand.ts")
  },
  install: {
    summary: "Installs the hooks (for OpenCode and Kilo, the plugin) that review every turn of an agent.",
    load: () => import("./install/InstallCommand.ts")
  },
  uninstall: { summary: "Removes the hooks and the plugin.", load: () => import("./install/UninstallCommand.ts") },
  doctor: {
    summary: "Checks whether the installation works, and says what you must do.",
    load: () => import("./doctor/DoctorCommand.ts")
  },
  allow: {
    summary: "Allows what reflexion does only with your consent: run checks, ask a model, trust a project.",
    load: () => import("./allow/AllowCommand.ts")
  },
  memory: {
    summary: "Manages the lessons from failed attempts, which later prompts get.",
    load: () => import("./memory/MemoryCommand.ts")
  },
  cycle: {
    summary: "Finds what goes wrong again and again over many runs.",
    load: () => import("./cycle/CycleCommand.ts")
  },
  mcp: {
    summary: "Serves judge, stuck, recall and reflect as tools to an MCP client.",
    load: () => import("./mcp/McpCommand.ts")
  },
  acp: {
    summary: "Stands between an editor and an agent of the Agent Client Protocol, and nudges the agent.",
    load: () => import("./acp/AcpCommand.ts")
  }
} as const

type CommandName = keyof typeof commands

type Loaded = Awaited<ReturnType<(typeof commands)[CommandName]["load"]>>

type ValueOf<A> = A extends unknown ? A[keyof A] : never

type Verbs = Readonly<Record<string, ValueOf<Loaded["verbs"]>>>

const isCommand = (word: string | undefined): word is CommandName => word !== undefined && Object.hasOwn(commands, word)

const usage = (command: string, problem: string) => new UsageError({ command, problem })

const about: Help.About = {
  summary: "reflexion: decides from evidence whether a coding agent's task is really done.",
  usage: "reflexion [COMMAND] [options]"
}

const groups: Help.Groups = [
  ["Commands", Object.entries(commands).map(([name, { summary }]) => [name, summary] as const)],
  [
    "Options",
    [
      ["-h, --help", "Print this help. After a command: the help of that command."],
      ["--version", "Print the version."]
    ]
  ],
  ["Without a command", [["reflexion", "Prints the settings of this folder, and what to do next."]]]
]

const asksHelp = (words: ReadonlyArray<string>): boolean => {
  const end = words.indexOf("--")
  return words.slice(0, end < 0 ? words.length : end).some((word) => word === "--help" || word === "-h")
}

const firstSentence = (text: string): string => text.split(/(?<=\.)\s/u)[0] ?? ""

const unknown = (kind: string, word: string, names: ReadonlyArray<string>): string =>
  `unknown ${kind} ${oneLine(word.slice(0, 100))}${Help.hint(word, names)}`

const runCommand = Effect.fnUntraced(function* (name: CommandName, words: ReadonlyArray<string>) {
  const loaded = yield* Effect.promise((): Promise<Loaded> => commands[name].load())
  const { alone } = loaded
  const verbs: Verbs = loaded.verbs
  const [first = "", ...rest] = words
  const verb = Object.hasOwn(verbs, first) ? verbs[first] : undefined
  const names = Object.keys(verbs)
  if (verb !== undefined)
    return yield* asksHelp(rest) ? Console.log(Help.render(yield* style, verb, verb.tables)) : verb.run(rest)
  const listed = names.map((one) => [one, firstSentence(verbs[one]?.summary ?? "")] as const)
  if (asksHelp(words)) {
    const { summary } = commands[name]
    const verbOf = `reflexion ${name} ${names.join("|")} [options]`
    const more = [`${name} VERB --help`, "Prints the options of the verb."] as const
    const verbsOf: Help.Groups = names.length === 0 ? [] : [["Verbs", [...listed, more]]]
    const about = alone ?? { summary, usage: verbOf }
    return yield* Console.log(Help.render(yield* style, about, [...(alone?.tables ?? []), ...verbsOf]))
  }
  const isVerb = names.length > 0 && first !== "" && !first.startsWith("-")
  if (isVerb) return yield* usage(`reflexion ${name}`, unknown("verb", first, names))
  if (alone === null) return yield* usage(`reflexion ${name}`, `${name} needs one of ${names.join(", ")}`)
  return yield* alone.run(words)
})

/** Supports `help` and `help COMMAND`. */
const spelled = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words[0] === "help" ? [...words.slice(1), "--help"] : words

const dispatch = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const [first, ...rest] = spelled(words)
  if (isCommand(first)) return yield* runCommand(first, rest)
  if (first === undefined)
    return yield* Effect.flatMap(
      Effect.promise(() => import("./doctor/Doctor.ts")),
      ({ here }) => here()
    )
  if (first === "--help" || first === "-h") return yield* Console.log(Help.render(yield* style, about, groups))
  if (first === "--version") return yield* Effect.flatMap(version, (found) => Console.log(`reflexion ${found}`))
  const names = [...Object.keys(commands), "--help", "--version"]
  return yield* usage("reflexion", unknown(first.startsWith("-") ? "option" : "command", first, names))
})

const fail = (message: string): Effect.Effect<void, never, ExitStatus> =>
  Effect.zipRight(Console.error(`reflexion: ${message}`), Effect.flatMap(ExitStatus, Ref.set<ExitCode>(2)))

const explain = (error: unknown): string =>
  Predicate.hasProperty(error, "message") ? String(error.message) : "the command line is not valid"

/**
 * Runs a command line and returns the exit status. `words` does not include the program's name.
 *
 * @category programs
 */
export const run = Effect.fn("Main.run")(function* (words: ReadonlyArray<string>) {
  const status = yield* Ref.make<ExitCode>(0)
  yield* dispatch(words).pipe(
    Effect.catchAll((error) => fail(explain(error))),
    Effect.catchAllDefect((defect) => fail(`an internal error of reflexion: ${oneLine(explain(defect))}`)),
    Effect.provideService(ExitStatus, status)
  )
  return yield* Ref.get(status)
})
