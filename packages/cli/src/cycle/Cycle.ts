/** The program behind `reflexion cycle`. */
import { FindingLog } from "@reflexion/core/FindingLog"
import { Mutator } from "@reflexion/core/Mutator"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionAnalysis } from "@reflexion/core/ReflectionAnalysis"
import * as ReflectionLook from "@reflexion/core/internal/memory/cycle/ReflectionLook"
import * as ReflectionRules from "@reflexion/core/internal/memory/rules/ReflectionRules"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as MemoryTrust from "@reflexion/core/internal/memory/log/MemoryTrust"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { lstatSync } from "node:fs"
import { dirname, join } from "node:path"
import { OutcomesError } from "../process/CliError.ts"
import * as ConfiguredModels from "../models/ConfiguredModels.ts"
import { analysedOnce } from "./analysis.ts"
import * as CyclePrompt from "./prompt.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import { oneLine } from "../terminal/Layout.ts"
import type { Given } from "../memory/model.ts"
import { type Place, unfit } from "../memory/MemoryStore.ts"
import * as OutcomesReport from "../outcomes/OutcomesReport.ts"
import { ageOf, type Outcomes, placeOf, prepare, readable, refused, within } from "../outcomes/OutcomesStore.ts"
import { escaped } from "../session/Report.ts"
import * as Settings from "../process/Settings.ts"
import * as Terminal from "../terminal/Terminal.ts"

/** What only --analyse needs. */
const analysing = (place: Place, config: ReflexionConfig, prompt: string | null) =>
  Layer.mergeAll(
    ReflectionAnalysis.Configured(prompt === null ? {} : { prompt }).pipe(
      Layer.provideMerge(ConfiguredModels.layer(config))
    ),
    place.given ? Layer.empty : Mutator.Proposal({ directory: place.root })
  )

const findingsOf = ({ path }: Place): string => join(dirname(path), ReflectionLook.fileName)

/**
 * The project's findings. Where another log was named they are no longer there than the command, and where git tracks them
 * neither: anyone who may push can have written what would be taken as known.
 */
const inLog = Effect.fnUntraced(function* <A, E, R>(place: Place, work: Effect.Effect<A, E, R | FindingLog>) {
  if (place.given) return yield* Effect.provide(work, FindingLog.Memory)
  const path = findingsOf(place)
  if (yield* MemoryTrust.isTrackedAt(path)) {
    const shown = oneLine(path)
    yield* Effect.logWarning(
      `${shown}: git tracks it, so anyone who may push can write it: nothing of it is taken as known, and nothing is added to it. Take it out of git: git rm --cached "${shown}".`
    )
    return yield* Effect.provide(work, FindingLog.Memory)
  }
  yield* prepare(place)
  const problem = unfit({ ...place, path }, true)
  if (problem !== null) return yield* new OutcomesError({ problem: oneLine(problem) })
  const live = FindingLog.Live({ path })
  return yield* Effect.provide(
    work,
    Layer.catchAll(live, (error) => Layer.fail(refused(error)))
  )
})

const pushable = (path: string, what: string) => {
  const shown = oneLine(path)
  return new OutcomesError({
    problem: `${shown}: git tracks it, so anyone who may push can write ${what}. Leave --analyse out, or take it out of git: git rm --cached "${shown}".`
  })
}

/** What git tracks anybody may have written who may push: no model is asked about that, and no word of it is a model's. */
const untrusted = Effect.fnUntraced(function* (place: Place) {
  const { heldBack } = yield* OutcomeLog
  if ((yield* heldBack) !== null) return yield* pushable(place.path, "what a model would be asked about")
  const path = findingsOf(place)
  if (!place.given && (yield* MemoryTrust.isTrackedAt(path)))
    return yield* pushable(path, "what would be shown as a model's words")
})

interface Looking {
  readonly settings: ReflexionConfig["cycle"]
  readonly since: number
  readonly analyse: boolean
}

/** What the rules find goes to the project's log once. */
const lookedAndKept = (place: Place, { analyse, settings, since }: Looking) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { outcomesSince } = yield* OutcomeLog
    const outcomes = yield* outcomesSince(Number.NEGATIVE_INFINITY, { limit: ReflectionRules.most })
    const nothing = {
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
      const findings = found.map(({ finding }) => ({ ...finding, isNew: added.has(finding.id) }))
      return { ...nothing, ...then, findings }
    }).pipe(Effect.catchTag("StorageError", (error) => Effect.fail(refused(error))))
    return yield* inLog(place, keeping)
  }).pipe(Effect.catchTag("StorageError", (error) => Effect.fail(refused(error))))

const week = 7 * 86_400

/** A host may have told of something some days ago, and said that this shows it. */
const further = "; `reflexion cycle --since 7d` looks further back"

const next =
  "\n\n`reflexion outcomes list` shows the attempts; `reflexion cycle --analyse` asks a model what could be changed."

/** There is nothing further back. */
const unkept =
  "; none is logged yet: installed hooks and the plugin log each attempt, `reflexion outcomes add` those of other programs"

/** What to do then, as far as the words do not have it already. */
const advised = (place: Place, findings: number, isPlain: boolean, seconds: number): string => {
  if (findings > 0) return isPlain ? next : ""
  if (lstatSync(place.path, { throwIfNoEntry: false }) === undefined) return unkept
  return isPlain && seconds < week ? further : ""
}

/** Anyone who may push writes the project's file: one that cannot be read keeps nobody from looking. */
const settingsOf = (config: ReflexionConfig, root: string) =>
  Effect.catchTag(Settings.workspace(config, root), "ConfigurationError", ({ message }) =>
    Effect.as(
      Console.error(
        [...message.split("\n"), "the project's configuration is left out, and yours holds"]
          .map((line) => `reflexion: ${oneLine(line)}`)
          .join("\n")
      ),
      config
    )
  )

export const cycle = (given: Given): Outcomes =>
  Effect.gen(function* () {
    const age = yield* ageOf("reflexion cycle", given.option("since"))
    const analyse = given.option("analyse") !== null
    const config = yield* Settings.user
    const place = yield* placeOf(given)
    // As its hosts do, which say that this shows what they found; a log that was named is another's.
    const { cycle } = place.given ? config : yield* settingsOf(config, place.root)
    const seconds = age === null ? cycle.lookback_seconds : Duration.toSeconds(age)
    const settings = { ...cycle, lookback_seconds: seconds }
    const since = (yield* Clock.currentTimeMillis) - seconds * 1000
    const work = Effect.gen(function* () {
      if (analyse) yield* untrusted(place)
      yield* readable(place)
      return yield* lookedAndKept(place, { settings, since, analyse })
    })
    const prompt = analyse ? yield* CyclePrompt.user : null
    const found = yield* (analyse ? Effect.provide(work, analysing(place, config, prompt)) : work).pipe(
      within(place, { access: "read", trusted: !analyse, doing: `looking at ${oneLine(place.path)}` })
    )
    const report: OutcomesReport.Cycled = { ...found, since: new Date(since).toISOString() }
    if (report.findings.length > 0) yield* Effect.flatMap(ExitStatus, (status) => Ref.set(status, 1))
    if (given.option("format") === "json") return yield* Console.log(escaped(JSON.stringify(report, null, 2)))
    const isPlain = !place.given && !analyse && (age === null || report.findings.length > 0)
    const more = advised(place, report.findings.length, isPlain, seconds)
    yield* Console.log(`${OutcomesReport.cycled(yield* Terminal.style, report)}${more}`)
  })
