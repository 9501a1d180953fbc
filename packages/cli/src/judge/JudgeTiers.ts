/** The part of `reflexion judge` that asks models, runs checks and has the last turn's change reviewed. */
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import type * as JudgeService from "@reflexion/core/JudgeService"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import { Models } from "@reflexion/core/Models"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as ReviewTiers from "@reflexion/core/ReviewTiers"
import * as Consulting from "@reflexion/hooks/stop/Consulting"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { join, resolve } from "node:path"
import { ConfigurationError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as ConfiguredModels from "../models/ConfiguredModels.ts"
import { isDirectory } from "../process/Input.ts"
import type { JudgeRequest } from "./request.ts"
import { clip, oneLine } from "../terminal/Layout.ts"
import type { Consult, Consultation, FullVerdict } from "./SessionFold.ts"
import * as Settings from "../process/Settings.ts"
import * as Terminal from "../terminal/Terminal.ts"

export type ConsultOf = (file: string) => Consult

/** Uses only the named model. With `auto`, uses the configuration, or else the keys in the environment. */
const judging = (config: ReflexionConfig, model: string): ReflexionConfig => {
  if (model === "off" || (model === "auto" && config.model === "off")) return { ...config, model }
  return model === "auto" ? config : { ...config, model, models: { ...config.models, fallback: [] } }
}

/** If the configuration names no reviewer, the named model reviews. */
const reviewing = ({ crossReview, model }: ReflexionConfig): ReflexionConfig["crossReview"] =>
  BeyondEvidence.isReviewed({ crossReview }) || ModelRouting.parse(model) === null ? crossReview : { reviewer: model }

const refuse = (problem: string) =>
  new ConfigurationError({ problem: `${problem}\n'reflexion doctor --show models' shows which models can be asked.` })

/** Fails if no reviewer can be asked. One reviewer is enough. */
const checkReviewers = Effect.fnUntraced(function* ({ crossReview }: ReflexionConfig) {
  const { excluded } = yield* Models
  const names = [crossReview.reviewer, crossReview.auditor].filter((name) => name !== undefined)
  const why = yield* Effect.forEach(names, (name) =>
    Effect.map(excluded(name), (found) => (found === null ? [] : [`${name}: ${found}`]))
  )
  const nobody = "no reviewer is named: set crossReview.reviewer in your configuration, or give --model PROVIDER/MODEL"
  if (why.flat().length === names.length) yield* refuse(`--cross-review: ${why.flat().join("; ") || nobody}`)
})

/** Says why the working copy cannot be used, or null. */
const whyGone = Effect.fnUntraced(function* (cwd: string | null, last: boolean) {
  if (!last) return "the working copy is as the session's last turn left it, not as this turn left it"
  if (cwd === null) return "the record does not name the session's directory"
  return (yield* isDirectory(cwd)) ? null : `the session's directory does not exist: ${cwd}`
})

const missed = (request: JudgeRequest, about: Consultation, judged: JudgeService.Judged): ReadonlyArray<string> => {
  const isConfigured = about.options.context.config.checks.length > 0
  const unrun = isConfigured ? "every required gate has a result" : "the configuration has no check for it under checks"
  const problem = judged.crossReview?.problem ?? "the turn changed no file"
  const unseen = judged.verdict.complete ? problem : "the turn is not judged complete"
  return [
    ...(request.checks && judged.checks === undefined ? [`--checks: nothing was run: ${unrun}`] : []),
    ...(request.crossReview && judged.crossReview?.consensus == null
      ? [`--cross-review: no model was asked: ${unseen}`]
      : [])
  ]
}

const makeConsultOf = Effect.fnUntraced(function* (request: JudgeRequest, directory: string | null) {
  const cli = yield* CliProcess
  const options = { state: join(UserDirectories.make(cli.env).state, "checks"), within: [] }
  const consult = yield* ReviewTiers.make({
    ...options,
    checks: request.checks,
    // A check may take minutes, so its start is printed.
    started: ({ command }, place, seconds) => {
      const text = `reflexion: running \`${clip(oneLine(command), 80, "…")}\` in ${oneLine(place)}`
      return Effect.when(Console.error(text), () => seconds === 0)
    }
  })
  // For turns whose working copy no longer exists. It asks only a model.
  const consultPast = yield* ReviewTiers.make({ ...options, checks: false, crossReview: false })
  const { checks, crossReview, model } = request
  const flags = [checks ? "--checks" : [], crossReview ? "--cross-review" : []].flat().join(" and ")
  const awaited = [checks ? "checks" : [], model === "off" ? [] : "a model", crossReview ? "reviewers" : []].flat()

  const ask = Effect.fnUntraced(function* (file: string, about: Consultation) {
    const { events, judged, last, options, state } = about
    const name = `${oneLine(file === "-" ? "standard input" : file)}: turn ${judged.verdict.turn.index}`
    const tell = (problem: string) => Console.error(`reflexion: ${name}: ${oneLine(problem.replace(/^a turn /u, ""))}`)
    if (events === null) {
      if (judged.verdict.status === "abstained" || last) yield* tell("the record of the task is too long")
      return judged.verdict
    }
    const cwd = directory ?? options.session.cwd
    const gone = flags === "" ? null : yield* whyGone(cwd, last)
    if (gone !== null && (last || request.turn !== "all")) yield* tell(`${flags} had no effect: ${gone}`)
    const isHere = flags !== "" && gone === null
    const transcript = { ...options.session, version: 1 as const, cwd, events: events() }
    const asked = { transcript, state, options, judged, attempt: state.nudges.count + 1 }
    const asking = Consulting.heard((isHere ? consult : consultPast)(asked))
    const { told, value } = yield* Terminal.slowly(`${name}: waiting for ${awaited.join(" and ")}`)(asking).pipe(
      Effect.provideService(CliProcess, cli)
    )
    const problem = value.asked?.problem ?? null
    const failures = told.length > 0 || problem === null ? told : [problem]
    yield* Effect.forEach([...failures, ...(isHere ? missed(request, about, value) : [])], tell, { discard: true })
    const beyond = {
      ...(value.checks !== undefined && { checks: value.checks }),
      ...(value.crossReview !== undefined && { crossReview: value.crossReview })
    }
    return { ...value.verdict, ...beyond } satisfies FullVerdict
  })
  const consultOf: ConsultOf = (file) => (about) => ask(file, about)
  return consultOf
})

/** Fails at the start if no model or no reviewer can be asked. A project that is not trusted cannot name models. */
export const run = Effect.fn("JudgeTiers.run")(function* <A, E, R>(
  request: JudgeRequest,
  use: (consultOf: ConsultOf) => Effect.Effect<A, E, R>
) {
  const { cwd, env } = yield* CliProcess
  const directory = request.cwd === null ? null : resolve(cwd, request.cwd)
  const judged = judging(yield* Settings.workspace(yield* Settings.user, directory ?? cwd), request.model)
  const config = { ...judged, crossReview: request.crossReview ? reviewing(judged) : {} }
  const program = Effect.gen(function* () {
    if (config.model !== "off")
      yield* Effect.mapError(Effect.provide(Effect.void, Models.Judge), ({ detail }) => refuse(`--model: ${detail}`))
    if (request.crossReview) yield* checkReviewers(config)
    return yield* use(yield* makeConsultOf(request, directory))
  })
  const guidance = Consulting.guidance(UserDirectories.make(env))
  return yield* Effect.provide(program, Layer.merge(ConfiguredModels.layer(config), guidance))
})
