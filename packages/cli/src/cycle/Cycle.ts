/** The program for `reflexion cycle`. */
import { AttemptOutcome, limits } from "@reflexion/core/AttemptOutcome"
import { FindingLog } from "@reflexion/core/FindingLog"
import { Mutator } from "@reflexion/core/Mutator"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionAnalysis } from "@reflexion/core/ReflectionAnalysis"
import * as ReflectionRules from "@reflexion/core/internal/memory/rules/ReflectionRules"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { lstatSync } from "node:fs"
import { CliFailure, UsageError } from "../process/CliError.ts"
import * as ConfiguredModels from "../models/ConfiguredModels.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import * as MemoryInput from "../memory/MemoryInput.ts"
import * as MemoryStore from "../memory/MemoryStore.ts"
import { ageOf, countOf, type Place } from "../memory/MemoryStore.ts"
import { isJson, print, type VerbArguments } from "../command/Parts.ts"
import * as Settings from "../process/Settings.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { analysedOnce, userPrompt } from "./analysis.ts"
import * as CycleReport from "./CycleReport.ts"
import { checkTrust, placeOf, readable, withFindings, within } from "./log.ts"

const command = "reflexion cycle"

const usage = (problem: string) => new UsageError({ command, problem })

interface Call {
  readonly given: VerbArguments
  readonly place: Place
}

/** Refuses a task id that is too long, because a shortened id would belong to no task. */
const Added = AttemptOutcome.pipe(
  Schema.filter(({ taskId }) =>
    taskId === null || taskId.length <= limits.id
      ? undefined
      : { path: ["taskId"], message: `has ${taskId.length} characters; at most ${limits.id} are allowed` }
  )
)

const decode = Schema.decodeUnknownEither(Added, { errors: "all" })

/** All ids are checked before anything is added. */
const weighed = Effect.fnUntraced(function* (given: VerbArguments, ids: ReadonlyArray<string>) {
  const place = yield* MemoryStore.placeOf(given)
  const inMemory = <A>(work: Effect.Effect<A, Parameters<typeof MemoryStore.refused>[0], ReflexionStore>) =>
    MemoryStore.within(place, { writes: false })(Effect.mapError(work, MemoryStore.refused))
  yield* inMemory(Effect.flatMap(ReflexionStore, ({ get }) => Effect.forEach(ids, get)))
  return (outcomes: ReadonlyArray<AttemptOutcome>) =>
    inMemory(
      Effect.flatMap(ReflexionStore, ({ recordOutcome }) =>
        Effect.forEach(outcomes, ({ status }) => recordOutcome({ reflectionIds: ids, success: status === "completed" }))
      )
    )
})

const add = Effect.fnUntraced(function* ({ given, place }: Call) {
  const { words } = given
  if (words.length > 1) return yield* usage(`add takes one file, but ${words.length} were given`)
  const ids = (given.option("lessons") ?? "").split(",").flatMap((id) => id.trim() || [])
  if (ids.length === 0 && given.option("lessons") !== null)
    return yield* usage("--lessons needs IDs, for example a1,b2")
  if (ids.length === 0 && place.database === undefined && given.option("store") !== null)
    return yield* usage("add takes a file with --store only together with --lessons")
  const text = yield* MemoryInput.input(words[0])
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  const run = (yield* Random.nextIntBetween(0, 2 ** 31)).toString(36)
  const filled = (value: unknown, line: number): unknown =>
    Predicate.isRecord(value)
      ? { id: `added-${run}-${line}`, sessionId: "", backend: "unknown", resultLength: null, at, ...value }
      : value
  const reading = MemoryInput.linesOf(text, (value, line) => decode(filled(value, line)))
  const outcomes = yield* Terminal.slowly(`reading ${text.name}`)(reading)
  const weigh = ids.length === 0 ? null : yield* weighed(given, ids)
  const shown = yield* MemoryStore.shownPath(place)
  if (outcomes.length > 0)
    yield* within(place, { adds: true })(Effect.flatMap(OutcomeLog, ({ append }) => append(outcomes)))
  if (weigh !== null) yield* weigh(outcomes)
  const lessons = weigh === null ? "" : `, which had ${counted(ids.length, "lesson")}`
  yield* Console.log(`${counted(outcomes.length, "outcome")} added to ${shown}${lessons}`)
})

const list = Effect.fnUntraced(function* ({ given, place }: Call) {
  const limit = yield* countOf(command, given.option("limit"), 20)
  const age = (yield* ageOf(command, given.option("since"))) ?? Duration.hours(24)
  const since = (yield* Clock.currentTimeMillis) - Duration.toMillis(age)
  const [status, task] = [given.option("status"), given.option("task")]
  const reading = Effect.gen(function* () {
    const { outcomesSince } = yield* OutcomeLog
    const all = yield* outcomesSince(since, { limit: Number.MAX_SAFE_INTEGER })
    yield* readable(place)
    return all
      .filter((one) => (task === null || one.taskId === task) && (status === null || one.status === status))
      .slice(-limit)
  })
  const shown = yield* within(place)(reading)
  if (isJson(given)) return yield* print(shown)
  yield* Console.log(CycleReport.list(yield* Terminal.style, shown, yield* MemoryStore.shownPath(place)))
})

const prune = Effect.fnUntraced(function* ({ given, place }: Call) {
  const maxAge = yield* ageOf(command, given.option("older-than"), "older-than")
  if (maxAge === null) return yield* usage("prune needs --older-than, such as --older-than 30d")
  const isDry = given.option("dry-run") !== null
  const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge)
  const pruning = Effect.gen(function* () {
    const log = yield* OutcomeLog
    if (!isDry) return yield* log.prune({ maxAge })
    const all = yield* log.outcomesSince(Number.NEGATIVE_INFINITY, { limit: Number.MAX_SAFE_INTEGER })
    // The newest outcome always stays.
    return all.slice(0, -1).filter(({ at }) => Date.parse(at) < before).length
  })
  const count = yield* within(place)(pruning)
  yield* Console.log(`${counted(count, "outcome")} ${isDry ? "would be deleted" : "deleted"}`)
})

const analysing = (place: Place, config: ReflexionConfig, prompt: string | null) =>
  Layer.mergeAll(
    ReflectionAnalysis.Configured(prompt === null ? {} : { prompt }).pipe(
      Layer.provideMerge(ConfiguredModels.layer(config))
    ),
    place.given ? Layer.empty : Mutator.Proposal({ directory: place.root })
  )

interface Window {
  readonly settings: ReflexionConfig["cycle"]
  readonly since: number
  readonly analyse: boolean
}

const lookedAndKept = Effect.fnUntraced(function* (place: Place, { analyse, settings, since }: Window) {
  if (analyse) yield* checkTrust(place)
  yield* readable(place)
  const now = yield* Clock.currentTimeMillis
  const { outcomesSince } = yield* OutcomeLog
  const outcomes = yield* outcomesSince(Number.NEGATIVE_INFINITY, { limit: ReflectionRules.most })
  const nothing: Omit<CycleReport.CycleResult, "since"> = {
    outcomes: outcomes.filter(({ at }) => Date.parse(at) >= since).length,
    findings: [],
    analysis: null,
    mutations: [],
    earlier: []
  }
  if (ReflectionRules.look(settings, { outcomes, known: [], now }).length === 0) return nothing
  const keeping = Effect.gen(function* () {
    const log = yield* FindingLog
    const found = ReflectionRules.look(settings, { outcomes, known: yield* log.findings(), now })
    const fresh = found.flatMap(({ finding, known }) => (known.length === 0 ? [finding] : []))
    const added = yield* log.appendNew(fresh)
    const then = analyse ? yield* analysedOnce(found, since) : {}
    return { ...nothing, ...then, findings: found.map(({ finding }) => ({ ...finding, isNew: added.has(finding.id) })) }
  })
  return yield* withFindings(place, keeping)
})

const advised = (place: Place, findings: number, isPlain: boolean, seconds: number): string => {
  if (findings > 0)
    return isPlain
      ? "\n\n`reflexion cycle list` shows the attempts; `reflexion cycle --analyse` asks a model for improvements."
      : ""
  if (place.database === undefined && lstatSync(place.path, { throwIfNoEntry: false }) === undefined)
    return "; no attempt is logged yet. Installed hooks and the plugin log each attempt; `reflexion cycle add` adds attempts of other programs"
  return isPlain && seconds < 7 * 86_400 ? "; `reflexion cycle --since 7d` looks further back" : ""
}

/** Anyone who can push can write the project's file. If it cannot be read, the user's own configuration is used. */
const settingsOf = (config: ReflexionConfig, { given, root }: Place) =>
  given
    ? Effect.succeed(config)
    : Effect.catchTag(Settings.workspace(config, root), "ConfigurationError", ({ message }) => {
        const lines = [...message.split("\n"), "the project's configuration is ignored, and yours applies"]
        return Effect.as(Console.error(lines.map((line) => `reflexion: ${oneLine(line)}`).join("\n")), config)
      })

const look = Effect.fnUntraced(function* ({ given, place }: Call) {
  const age = yield* ageOf(command, given.option("since"))
  const analyse = given.option("analyse") !== null
  const config = yield* Settings.user
  const { cycle } = yield* settingsOf(config, place)
  const seconds = age === null ? cycle.lookback_seconds : Duration.toSeconds(age)
  const since = (yield* Clock.currentTimeMillis) - seconds * 1000
  const work = lookedAndKept(place, { settings: { ...cycle, lookback_seconds: seconds }, since, analyse })
  const prompt = analyse ? yield* userPrompt : null
  const asking = analyse ? Effect.provide(work, analysing(place, config, prompt)) : work
  const found = yield* within(place, { trusted: !analyse })(asking)
  const result: CycleReport.CycleResult = { ...found, since: new Date(since).toISOString() }
  if (result.findings.length > 0) yield* Effect.flatMap(ExitStatus, (status) => Ref.set(status, 1))
  if (isJson(given)) return yield* print(result)
  const isPlain = !place.given && !analyse && (age === null || result.findings.length > 0)
  const more = advised(place, result.findings.length, isPlain, seconds)
  yield* Console.log(`${CycleReport.cycled(yield* Terminal.style, result)}${more}`)
})

const programs = { look, add, list, prune }

export type VerbName = keyof typeof programs

export const run = Effect.fn("Cycle.run")(
  function* (verb: VerbName, given: VerbArguments) {
    const place = yield* placeOf(given)
    if (verb !== "add" && place.database === undefined && given.option("store") !== null)
      return yield* usage("--store names a database, and --outcomes a file")
    yield* programs[verb]({ given, place })
  },
  Effect.catchTag("StorageError", (error) => new CliFailure({ problem: oneLine(error.message) }))
)
