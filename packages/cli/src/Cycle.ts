/**
 * The program behind `reflexion cycle`.
 *
 * @since 0.1.0
 */
import { FindingLog } from "@reflexion/core/FindingLog"
import { Mutator } from "@reflexion/core/Mutator"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionAnalysis } from "@reflexion/core/ReflectionAnalysis"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import type { ReflectionFinding } from "@reflexion/core/ReflectionFinding"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as NodeLogDisk from "@reflexion/node/NodeLogDisk"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { lstatSync } from "node:fs"
import { dirname, join } from "node:path"
import { OutcomesError } from "./CliError.ts"
import * as ConfiguredModels from "./ConfiguredModels.ts"
import { ExitStatus } from "./ExitStatus.ts"
import { oneLine } from "./Layout.ts"
import type { Given } from "./MemoryCommand.ts"
import { ofProject, type Place, unfit } from "./MemoryStore.ts"
import * as OutcomesReport from "./OutcomesReport.ts"
import { ageOf, type Outcomes, placeOf, prepare, refused, within } from "./OutcomesStore.ts"
import { escaped } from "./Report.ts"
import * as Settings from "./Settings.ts"
import * as Terminal from "./Terminal.ts"

/** The project's memory, where it has one: what is known of advice that does not help. */
const memory = (place: Place) => {
  const { path } = ofProject(place.root)
  const isThere = !place.given && lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
  return isThere
    ? Layer.catchAll(ReflexionStore.Live({ path }), (error) =>
        Layer.effectDiscard(Effect.logWarning(`the memory is not looked at: ${error.message}`))
      )
    : Layer.empty
}

/** What only --analyse needs. */
const analysing = (place: Place, config: ReflexionConfig) =>
  Layer.mergeAll(
    ReflectionAnalysis.Configured().pipe(Layer.provideMerge(ConfiguredModels.layer(config))),
    place.given ? Layer.empty : Mutator.Proposal({ directory: place.root })
  )

/** Nobody waits here for others to come along. */
const debounce = Duration.hours(24)

/** Of findings that the project's log has, none is added once more. */
const kept = Effect.fnUntraced(function* (place: Place, found: ReadonlyArray<ReflectionFinding>) {
  if (place.given || found.length === 0) return found.map((finding) => ({ ...finding, isNew: true }))
  const path = join(dirname(place.path), "findings.jsonl")
  yield* prepare(place)
  const problem = unfit({ ...place, path }, true)
  if (problem !== null) return yield* new OutcomesError({ problem: oneLine(problem) })
  const adding = Effect.gen(function* () {
    const log = yield* FindingLog
    const known = yield* Effect.forEach(found, ({ id }) => Effect.map(log.get(id), (before) => before !== null))
    const fresh = found.filter((_, index) => known[index] === false)
    if (fresh.length > 0) yield* log.append(fresh)
    return found.map((finding, index) => ({ ...finding, isNew: known[index] === false }))
  })
  return yield* Effect.mapError(
    Effect.provide(adding, FindingLog.Live({ path }).pipe(Layer.provide(NodeLogDisk.layer))),
    refused
  )
})

/** What git tracks anybody may have written who may push: no model is asked about that. */
const untrusted = Effect.fnUntraced(function* ({ path }: Place) {
  const { heldBack } = yield* OutcomeLog
  if ((yield* heldBack) === null) return
  const shown = oneLine(path)
  return yield* new OutcomesError({
    problem: `${shown}: git tracks it, so whoever may push can write what a model would be asked about. Leave --analyse out, or take it out of git: git rm --cached "${shown}".`
  })
})

const looked = (place: Place, settings: ReflexionConfig["reflection"], analyse: boolean) =>
  Effect.gen(function* () {
    const cycle = yield* ReflectionCycle
    const { analysis, mutations, outcomes } = yield* cycle.run({ analyse })
    const findings = yield* Effect.flatMap(FindingLog, (log) => log.findings())
    return { analysis, mutations, outcomes, findings }
  }).pipe(
    Effect.provide(Layer.provideMerge(ReflectionCycle.Memory({ settings, debounce }), FindingLog.Memory)),
    Effect.provide(Layer.provide(memory(place), NodeLogDisk.layer)),
    Effect.mapError(refused)
  )

/**
 * @since 0.1.0
 * @category programs
 */
export const cycle = (given: Given): Outcomes =>
  Effect.gen(function* () {
    const age = yield* ageOf("reflexion cycle", given.option("since"))
    const analyse = given.option("analyse") !== null
    const config = yield* Settings.user
    const seconds = age === null ? config.reflection.lookback_seconds : Duration.toSeconds(age)
    const settings = { ...config.reflection, enabled: true, lookback_seconds: seconds }
    const place = yield* placeOf(given)
    const work = Effect.gen(function* () {
      if (analyse) yield* untrusted(place)
      const found = yield* looked(place, settings, analyse)
      return { ...found, findings: yield* kept(place, found.findings) }
    })
    const since = new Date((yield* Clock.currentTimeMillis) - seconds * 1000).toISOString()
    const found = yield* (analyse ? Effect.provide(work, analysing(place, config)) : work).pipe(
      within(place, { writes: false, trusted: !analyse, doing: `looking at ${oneLine(place.path)}` })
    )
    // What a model said of them is shown for itself.
    const findings = found.findings.filter(({ rule }) => rule !== "analysis")
    const report: OutcomesReport.Cycled = { ...found, findings, since }
    if (report.findings.length > 0) yield* Effect.flatMap(ExitStatus, (status) => Ref.set(status, 1))
    if (given.option("format") === "json") return yield* Console.log(escaped(JSON.stringify(report, null, 2)))
    yield* Console.log(OutcomesReport.cycled(yield* Terminal.style, report))
  })
