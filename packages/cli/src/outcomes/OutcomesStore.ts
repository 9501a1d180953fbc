/** The log of outcomes that a command works on: where it is, and how it is opened. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import type { StorageError } from "@reflexion/core/StorageError"
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dirname, join, resolve } from "node:path"
import { type ConfigurationError, type MemoryError, OutcomesError, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import type { ExitStatus } from "../process/ExitStatus.ts"
import { explain } from "../process/FileProblem.ts"
import { oneLine } from "../terminal/Layout.ts"
import type { Given } from "../memory/model.ts"
import { type Place, slowly, unfit, warnings } from "../memory/MemoryStore.ts"

/**
 * A command over outcomes as a program.
 *
 * @category models
 */
export type Outcomes = Effect.Effect<
  void,
  ConfigurationError | MemoryError | OutcomesError | UsageError,
  CliProcess | ExitStatus | CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path
>

/**
 * Where a file of the project's folder is, or the log that was named.
 *
 * @category accessors
 */
export const placeOf = Effect.fnUntraced(function* ({ option }: Given) {
  const { cwd } = yield* CliProcess
  const given = option("outcomes")
  const path = given === null ? null : resolve(cwd, given)
  const root = yield* Effect.try({
    try: () => Trust.rootOf(path === null ? cwd : dirname(path)),
    catch: (cause) => new OutcomesError({ problem: `--outcomes: ${explain(cause).problem}` })
  })
  const place: Place = { path: path ?? join(root, ".reflection", "outcomes.jsonl"), root, given: given !== null }
  return place
})

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Ten years: what is older is in no log. */
const most = 3650 * 86_400

/**
 * An age such as 24h, null where none was given.
 *
 * @category parsing
 */
export const ageOf = (
  command: string,
  said: string | null,
  option = "since"
): Effect.Effect<Duration.Duration | null, UsageError> => {
  if (said === null) return Effect.succeed(null)
  const [, count = "", unit = ""] = /^(\d{1,6})([smhdw])$/u.exec(said) ?? []
  const seconds = Number(count) * (units[unit] ?? 0)
  const fail = (why: string) =>
    Effect.fail(new UsageError({ command, problem: `--${option}: "${oneLine(said.slice(0, 100))}" ${why}` }))
  if (seconds === 0) return fail("is no age, such as 30m, 24h or 7d")
  return seconds > most ? fail("is more than ten years (3650d)") : Effect.succeed(Duration.seconds(seconds))
}

/**
 * What the disk refused, as the command says it.
 *
 * @category errors
 */
export const refused = (error: StorageError): OutcomesError => new OutcomesError({ problem: oneLine(error.message) })

const fit = (place: Place, writes: boolean): Effect.Effect<void, OutcomesError> =>
  Effect.try({ try: () => unfit(place, writes), catch: (cause) => explain(cause, place.path).problem }).pipe(
    Effect.catchAll(Effect.succeed),
    Effect.flatMap((problem) =>
      problem === null
        ? Effect.void
        : new OutcomesError({ problem: `${place.given ? "--outcomes: " : ""}${oneLine(problem)}` })
    )
  )

/**
 * A project's folder for reviews has a file of its own, by which git passes it over.
 *
 * @category constructors
 */
export const prepare = ({ given, root }: Place): Effect.Effect<void, OutcomesError> =>
  given
    ? Effect.void
    : Effect.try({
        try: () => void ReviewFolder.make(root),
        catch: (cause) => new OutcomesError({ problem: explain(cause).problem })
      })

/**
 * What a command does with a log: it may `add` to one that is not there yet, `change` one that is there, or only `read` it.
 *
 * @category models
 */
export type Access = "add" | "change" | "read"

/**
 * Runs a program with the log at a place. `trusted`: nothing of it goes further than to the terminal, whoever wrote it.
 *
 * @category combinators
 */
export const within =
  (
    place: Place,
    { access, doing, trusted = true }: { readonly doing: string; readonly trusted?: boolean; readonly access: Access }
  ) =>
  <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* fit(place, access === "add")
      if (access === "add") yield* prepare(place)
      const live = OutcomeLog.Live({ path: place.path, trusted })
      return yield* program.pipe(
        Effect.provide(Layer.catchAll(live, (error) => Layer.fail(refused(error)))),
        slowly(doing),
        Effect.provide(warnings)
      )
    })

/**
 * Says how many lines of the log cannot be read, and fails where no line can: it is no log then.
 *
 * @category reading
 */
export const readable = Effect.fnUntraced(function* ({ path }: Place) {
  const log = yield* OutcomeLog
  const unreadable = yield* Effect.mapError(log.unreadable, refused)
  if (unreadable === 0) return
  const shown = oneLine(path)
  const [some] = yield* Effect.mapError(log.outcomesSince(Number.NEGATIVE_INFINITY, { limit: 1 }), refused)
  if (some !== undefined) return yield* Effect.logWarning(`${shown}: ${unreadable} of its lines cannot be read`)
  const lines = unreadable === 1 ? "its one line is no outcome" : `none of its ${unreadable} lines is an outcome`
  return yield* new OutcomesError({
    problem: `${shown}: ${lines}, so there is nothing to look at.`
  })
})
