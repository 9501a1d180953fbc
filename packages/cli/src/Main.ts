/** The command line `reflexion`. */
import * as Hosts from "./host/Hosts.ts"
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Ref from "effect/Ref"
import { UsageError } from "./process/CliError.ts"
import * as AllowCommand from "./allow/AllowCommand.ts"
import * as CommandSpec from "./command/CommandSpec.ts"
import * as CompactionCommand from "./compaction/CompactionCommand.ts"
import * as Completions from "./command/Completions.ts"
import * as CycleCommand from "./cycle/CycleCommand.ts"
import * as DoctorCommand from "./doctor/DoctorCommand.ts"
import type { ExitCode } from "./process/ExitCode.ts"
import { ExitStatus } from "./process/ExitStatus.ts"
import * as InstallCommand from "./install/InstallCommand.ts"
import * as JudgeCommand from "./judge/JudgeCommand.ts"
import { oneLine } from "./terminal/Layout.ts"
import * as MemoryCommand from "./memory/MemoryCommand.ts"
import * as ModelsCommand from "./models/ModelsCommand.ts"
import * as OutcomesCommand from "./outcomes/OutcomesCommand.ts"
import * as ReportCommand from "./report/ReportCommand.ts"
import * as RulesCommand from "./rules/RulesCommand.ts"
import * as ScoreCommand from "./score/ScoreCommand.ts"
import * as StuckCommand from "./stuck/StuckCommand.ts"
import { style } from "./terminal/Terminal.ts"
import * as TrustCommand from "./trust/TrustCommand.ts"
import { version } from "./Version.ts"

const groups: ReadonlyArray<CommandSpec.Group> = [
  ["Commands on a session", [JudgeCommand.spec, StuckCommand.spec, CompactionCommand.spec, ScoreCommand.spec]],
  [
    `In ${Hosts.listed(
      Hosts.all.map(({ title }) => title),
      "and"
    )}`,
    [InstallCommand.installSpec, InstallCommand.uninstallSpec, DoctorCommand.spec, ReportCommand.spec]
  ],
  [
    "Rules, checks, models and trust",
    [RulesCommand.spec, ModelsCommand.spec, AllowCommand.spec, TrustCommand.trustSpec, TrustCommand.untrustSpec]
  ],
  ["Memory of a project: what was learned from failures", Object.values(MemoryCommand.specs)],
  ["Many runs", [OutcomesCommand.spec, CycleCommand.spec]]
]

const specs = groups.flatMap(([, all]) => all)

const commands = [
  JudgeCommand.command,
  StuckCommand.command,
  CompactionCommand.command,
  ScoreCommand.command,
  InstallCommand.install,
  InstallCommand.uninstall,
  DoctorCommand.command,
  ReportCommand.command,
  RulesCommand.command,
  ModelsCommand.command,
  AllowCommand.command,
  TrustCommand.trust,
  TrustCommand.untrust,
  MemoryCommand.memory,
  MemoryCommand.reflect,
  MemoryCommand.add,
  MemoryCommand.recall,
  MemoryCommand.outcome,
  MemoryCommand.stats,
  MemoryCommand.prune,
  MemoryCommand.verify,
  OutcomesCommand.command,
  CycleCommand.command
] as const

const parse = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const root = Command.make("reflexion").pipe(Command.withSubcommands(commands))
  yield* Command.run(root, { name: "reflexion", version: yield* version })(["node", "reflexion", ...words])
})

const usage = (problem: string) => new UsageError({ command: "reflexion", problem })

const completions = (given: string | undefined) => {
  const shell = Completions.shells.find((one) => one === given)
  return shell === undefined
    ? Effect.fail(usage(`--completions needs one of ${Completions.shells.join(", ")}`))
    : Console.log(Completions.script(shell, specs))
}

const before = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = words.indexOf("--")
  return end < 0 ? words : words.slice(0, end)
}

const asksHelp = (words: ReadonlyArray<string>): boolean =>
  before(words).some((word) => word === "--help" || word === "-h")

const printVersion = Effect.flatMap(version, (found) => Console.log(`reflexion ${found}`))

const runCommand = Effect.fnUntraced(function* (spec: CommandSpec.CommandSpec, words: ReadonlyArray<string>) {
  if (words.slice(0, words.includes("--") ? words.indexOf("--") : words.length).includes("--version"))
    return yield* printVersion
  if (asksHelp(words)) return yield* Console.log(CommandSpec.help(yield* style, spec))
  const { operands, options } = yield* CommandSpec.check(spec, words)
  return yield* parse([spec.name, ...options, "--", ...operands])
})

/** `help` and `help COMMAND`, as other programs have them. */
const spelled = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words[0] === "help" ? [...words.slice(1, 2), "--help"] : words

const dispatch = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const [first, ...rest] = spelled(words)
  const spec = specs.find(({ name }) => name === first)
  if (spec !== undefined) return yield* runCommand(spec, rest)
  if (first === undefined || first === "--help" || first === "-h") {
    return yield* Console.log(CommandSpec.overview(yield* style, groups))
  }
  if (first === "--version") return yield* printVersion
  if (first === "--completions" || first.startsWith("--completions="))
    return yield* completions(first.split("=")[1] ?? rest[0])
  const kind = first.startsWith("-") ? "option" : "command"
  const names = [...specs.map(({ name }) => name), "--help", "--version", "--completions"]
  return yield* usage(`unknown ${kind} ${oneLine(first.slice(0, 100))}${CommandSpec.hint(first, names)}`)
})

const fail = (message: string): Effect.Effect<void, never, ExitStatus> =>
  Effect.zipRight(Console.error(`reflexion: ${message}`), Effect.flatMap(ExitStatus, Ref.set<ExitCode>(2)))

const explain = (error: unknown): string =>
  Predicate.hasProperty(error, "message") ? String(error.message) : "the command line could not be understood"

/**
 * Runs the words of a command line, the program's name not among them, to the exit status.
 *
 * @category programs
 */
export const run = Effect.fn("Main.run")(function* (words: ReadonlyArray<string>) {
  const status = yield* Ref.make<ExitCode>(0)
  yield* dispatch(words).pipe(
    Effect.catchAll((error) => fail(explain(error))),
    Effect.catchAllDefect((defect) => fail(`a fault of reflexion itself: ${oneLine(explain(defect))}`)),
    Effect.provideService(ExitStatus, status)
  )
  return yield* Ref.get(status)
})
