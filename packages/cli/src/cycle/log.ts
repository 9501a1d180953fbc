/** The log of outcomes that a command uses, and the findings next to it. */
import { FindingLog } from "@reflexion/core/FindingLog"
import * as MemoryTrust from "@reflexion/core/internal/memory/log/MemoryTrust"
import * as ReflectionLook from "@reflexion/core/internal/memory/cycle/ReflectionLook"
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dirname, join } from "node:path"
import { CliFailure } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { attempt } from "../process/FileProblem.ts"
import { oneLine } from "../terminal/Layout.ts"
import { databaseOf, fit, inDatabase, namedBy, type Place, warnings } from "../memory/MemoryStore.ts"
import { slowly } from "../terminal/Terminal.ts"
import type { VerbArguments } from "../command/Parts.ts"

export const placeOf = Effect.fnUntraced(function* (given: VerbArguments) {
  const root = Trust.rootOf((yield* CliProcess).cwd)
  const own: Place = { path: join(root, ".reflection", "outcomes.jsonl"), root, given: false }
  const place: Place = (yield* namedBy("outcomes", given)) ?? (yield* databaseOf(given.option("store"))) ?? own
  return place
})

const refused = (error: { readonly message: string }): CliFailure => new CliFailure({ problem: oneLine(error.message) })

/** Makes the review folder, with a file that makes git ignore it. */
const prepare = ({ given, root }: Place): Effect.Effect<void, CliFailure> =>
  given ? Effect.void : attempt(() => void ReviewFolder.make(root))

/** `trusted` is true if the log is only printed, because then it does not matter who wrote it. */
export const within =
  (place: Place, { adds = false, trusted = true }: { readonly adds?: boolean; readonly trusted?: boolean } = {}) =>
  <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* fit(place, adds, "outcomes")
      if (adds) yield* prepare(place)
      const live = OutcomeLog.Live({ path: place.path, trusted })
      const file = Layer.catchAll(live, (error) => Layer.fail(refused(error)))
      const log: Layer.Layer<OutcomeLog, CliFailure> =
        place.database === undefined ? file : inDatabase(place.database, adds)
      return yield* program.pipe(
        Effect.provide(log),
        slowly(`${adds ? "adding to" : "looking at"} ${oneLine(place.path)}`),
        Effect.provide(warnings)
      )
    })

/** Warns about lines that cannot be read. If no line can be read, the file is not a log. */
export const readable = Effect.fnUntraced(function* ({ database, path }: Place) {
  // The lines of a database are not counted, because a fleet's table may be very large.
  if (database !== undefined) return
  const { outcomesSince, unreadable } = yield* OutcomeLog
  const count = yield* unreadable
  if (count === 0) return
  const [some] = yield* outcomesSince(Number.NEGATIVE_INFINITY, { limit: 1 })
  const shown = oneLine(path)
  if (some !== undefined) return yield* Effect.logWarning(`${shown}: ${count} of its lines cannot be read`)
  const lines = count === 1 ? "its only line is not an outcome" : `none of its ${count} lines is an outcome`
  return yield* new CliFailure({ problem: `${shown}: ${lines}, so there is nothing to check.` })
})

const findingsOf = ({ path }: Place): string => join(dirname(path), ReflectionLook.fileName)

const tracked = (path: string, what: string): string => {
  const shown = oneLine(path)
  return `${shown}: git tracks it, so anyone who may push can write ${what}. Take it out of git: git rm --cached "${shown}".`
}

/** If the user named another log, or if git tracks the findings, they are neither read nor saved. */
export const withFindings = Effect.fnUntraced(function* <A, E, R>(
  place: Place,
  work: Effect.Effect<A, E, R | FindingLog>
) {
  if (place.database !== undefined) return yield* Effect.provide(work, inDatabase(place.database, false))
  const path = findingsOf(place)
  const isTracked = !place.given && (yield* MemoryTrust.isTrackedAt(path))
  if (isTracked)
    yield* Effect.logWarning(
      `${tracked(path, "the file: the findings in it do not count as known, and no finding is added")}`
    )
  if (place.given || isTracked) return yield* Effect.provide(work, FindingLog.Memory)
  yield* prepare(place)
  yield* fit({ ...place, path }, true, "outcomes")
  return yield* Effect.provide(
    work,
    Layer.catchAll(FindingLog.Live({ path }), (error) => Layer.fail(refused(error)))
  )
})

const refuse = (path: string, what: string) =>
  new CliFailure({ problem: `${tracked(path, what)} Or run this without --analyse.` })

/** Fails if other people can write the records: their text could reach the model, or be shown as its answer. */
export const checkTrust = Effect.fnUntraced(function* (place: Place) {
  if (place.database !== undefined)
    return yield* new CliFailure({
      problem: `${oneLine(place.path)}: every role of the database can write what a model would be asked about. Run this without --analyse.`
    })
  const { heldBack } = yield* OutcomeLog
  if ((yield* heldBack) !== null) return yield* refuse(place.path, "what a model would be asked about")
  const path = findingsOf(place)
  if (!place.given && (yield* MemoryTrust.isTrackedAt(path)))
    return yield* refuse(path, "what would be shown as a model's words")
})
