/** The program behind `reflexion checks`. */
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import type { ProposedCheck } from "@reflexion/core/internal/session/project/ProposedChecks"
import type { Check } from "@reflexion/core/ReflexionConfig"
import * as TakenFile from "@reflexion/hooks/config/TakenFile"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { hint } from "../command/CommandSpec.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { InstallError, UsageError } from "../process/CliError.ts"
import * as Settings from "../process/Settings.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import type { Given, Known } from "./model.ts"
import * as Offer from "./Offer.ts"
import * as ProjectChecks from "./ProjectChecks.ts"
import * as ChecksReport from "./report.ts"

const usage = (problem: string) => new UsageError({ command: "reflexion checks", problem })

const unasked =
  "nothing is taken: reflexion asks on a terminal, and only your y or yes takes a check. Run it in one, without a pipe."

const gateName = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$/

/** What the words name. */
const chosen = (
  known: Known,
  [gate, command, ...more]: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<ProposedCheck | Check>, UsageError> => {
  if (more.length > 0) return Effect.fail(usage("put a command in quotation marks, as in: add tests 'make test'"))
  if (gate === undefined) return Effect.succeed(known.proposed)
  if (!gateName.test(gate)) return Effect.fail(usage(`"${oneLine(gate.slice(0, 60))}" is no gate's name`))
  if (command !== undefined)
    return command.trim() === "" || command.length > 500
      ? Effect.fail(usage("a command has 1 to 500 characters"))
      : Effect.succeed([ProjectChecks.checkOf({ name: gate, command })])
  const found = known.proposed.filter((check) => check.name === gate)
  const names = known.proposed.map((check) => check.name)
  return found.length > 0
    ? Effect.succeed(found)
    : Effect.fail(usage(`nothing is proposed for ${gate}${hint(gate, names)}; name a command of your own behind it`))
}

const add = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const { cwd } = yield* CliProcess
  const known = yield* ProjectChecks.at(cwd)
  const fresh = yield* chosen(known, words)
  const twice = fresh.find(({ name }) => known.configured.some((other) => other.name === name))
  if (twice !== undefined)
    return yield* usage(`${twice.name} has a check in your configuration already, which holds before this one`)
  if (fresh.length === 0) return yield* Console.log(ChecksReport.list(yield* Terminal.style, known))
  if ((yield* Offer.put(known, fresh)) === null) yield* new InstallError({ problem: unasked })
})

/** Also what cannot be understood any more goes. */
const remove = Effect.fnUntraced(function* ([gate, ...more]: ReadonlyArray<string>) {
  const { cwd, env } = yield* CliProcess
  if (more.length > 0) return yield* usage("one gate at a time")
  const directories = UserDirectories.make(env)
  const root = Trust.rootOf(cwd)
  const file = TakenFile.fileOf(directories, root)
  const text = yield* Settings.attempt(file, () => TakenFile.read(directories, root)?.text ?? null).pipe(
    Effect.catchAll((error) => (gate === undefined ? Effect.succeed("") : Effect.fail(error)))
  )
  const before = text === null ? [] : (TakenChecks.parse(text, root)?.checks ?? [])
  const left = gate === undefined ? [] : before.filter((check) => check.name !== gate)
  if (text === null || (gate !== undefined && left.length === before.length))
    return yield* Console.log(
      `Nothing was taken${gate === undefined ? "" : ` for ${oneLine(gate)}`} in this project; nothing changes.`
    )
  yield* ProjectChecks.keep(root, left)
  const gone = before.length - left.length
  const what = gone === 0 ? "What was taken is" : `${counted(gone, "check")} ${gone === 1 ? "is" : "are"}`
  yield* Console.log(`${what} taken back in this project.`)
})

/**
 * Shows the checks of the project where it is run, takes some or gives them back.
 *
 * @category programs
 */
export const run = Effect.fn("Checks.run")(function* ({ words: [word, ...rest] }: Given) {
  if (word === "add") return yield* add(rest)
  if (word === "remove") return yield* remove(rest)
  if (word !== undefined)
    return yield* usage(`"${oneLine(word.slice(0, 60))}" is none of add, remove${hint(word, ["add", "remove"])}`)
  const { cwd } = yield* CliProcess
  yield* Console.log(ChecksReport.list(yield* Terminal.style, yield* ProjectChecks.at(cwd)))
})
