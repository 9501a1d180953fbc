/**
 * What a run of `reflexion judge` or `score` does beyond reading records: a model is asked about turns that evidence leaves
 * undecided, and for a session's last turn checks are run and the change is reviewed.
 */
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import type * as JudgeService from "@reflexion/core/JudgeService"
import type { ModelFailure } from "@reflexion/core/ModelCall"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import { Models } from "@reflexion/core/Models"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as ReviewTiers from "@reflexion/core/ReviewTiers"
import type { Started } from "@reflexion/core/internal/checks/Verification"
import * as Consulting from "@reflexion/hooks/stop/Consulting"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { join, resolve } from "node:path"
import { ConfigurationError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as ConfiguredModels from "../models/ConfiguredModels.ts"
import { isDirectory } from "../process/Input.ts"
import type { JudgeRequest } from "./Judge.ts"
import { clip, oneLine } from "../terminal/Layout.ts"
import type * as SessionFold from "./SessionFold.ts"
import * as Settings from "../process/Settings.ts"
import * as Waiting from "../terminal/Waiting.ts"

/**
 * What is asked about a session's turns, the session being called `file`.
 *
 * @category models
 */
export type ConsultOf = (file: string) => SessionFold.Consult

type Asked = Pick<JudgeRequest, "crossReview" | "cwd" | "model" | "turn" | "checks">

/** The model that was named and no other; under `auto` what the configuration says, and without that the keys. */
const judging = (config: ReflexionConfig, model: string): ReflexionConfig => {
  if (model === "off") return { ...config, model }
  if (model === "auto") return config.model === "off" ? { ...config, model } : config
  return { ...config, model, models: { ...config.models, fallback: [] } }
}

/** Where the configuration names no reviewer, the named model is one. */
const reviewing = ({ crossReview, model }: ReflexionConfig): ReflexionConfig["crossReview"] =>
  BeyondEvidence.isReviewed({ crossReview }) || ModelRouting.parse(model) === null ? crossReview : { reviewer: model }

const chosen = (given: ReflexionConfig, { crossReview, model }: Asked): ReflexionConfig => {
  const config = judging(given, model)
  return { ...config, crossReview: crossReview ? reviewing(config) : {} }
}

const refuse = (problem: string) => new ConfigurationError({ problem })

const seeModels = "'reflexion models' shows which models can be asked."

const unaskable = ({ detail }: ModelFailure): ConfigurationError => refuse(`--model: ${detail}\n${seeModels}`)

/** Fails before anything is read where there is none to ask. */
const checkModel = (model: string) =>
  model === "off" ? Effect.void : Effect.mapError(Effect.provide(Effect.void, Models.Judge), unaskable)

/** One of them is enough; whoever cannot be had is named with what the others say. */
const checkReviewers = Effect.fnUntraced(function* ({ crossReview }: ReflexionConfig) {
  const models = yield* Models
  const names = [crossReview.reviewer, crossReview.auditor].filter((name) => name !== undefined)
  if (names.length === 0) {
    return yield* refuse(
      "--cross-review: nobody is named to review: set crossReview.reviewer in your configuration, or give --model PROVIDER/MODEL"
    )
  }
  const excluded = yield* Effect.forEach(names, (name) =>
    Effect.map(models.excluded(name), (why) => (why === null ? [] : [`${name}: ${why}`]))
  )
  const why = excluded.flat()
  if (why.length === names.length) yield* refuse(`--cross-review: ${why.join("; ")}\n${seeModels}`)
})

const guidance = Layer.unwrapEffect(Effect.map(CliProcess, ({ env }) => Consulting.guidance(UserDirectories.make(env))))

/** An answer, and what was logged while it was waited for: it belongs on standard error, and nowhere else. */
const heard = <A, E, R>(asking: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const told: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (LogLevel.greaterThanEqual(logLevel, LogLevel.Warning)) told.push([message].flat().map(String).join(" "))
    })
    return asking.pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Effect.map((value) => ({ value, told }))
    )
  })

const tooLong = "the record of its task is too long to do more than read it"

const flags = ({ checks, crossReview }: Asked): string =>
  [...(checks ? ["--checks"] : []), ...(crossReview ? ["--cross-review"] : [])].join(" and ")

type Tell = (problem: string) => Effect.Effect<void>

/** A turn as a person calls it, and how that person is told of it. */
interface Turn {
  readonly name: string
  readonly tell: Tell
}

interface Tiers {
  readonly request: Asked
  /** The directory that is given in place of the session's own. */
  readonly directory: string | null
  readonly consult: JudgeService.Consult
  /** For turns whose working copy is gone. */
  readonly consultPast: JudgeService.Consult
  readonly waiting: Waiting.Waiting
}

/** Why the working copy is of no use, null if it is there. */
const isGone = Effect.fnUntraced(function* (cwd: string | null, last: boolean) {
  if (!last) return "the working copy is as the session's last turn left it"
  if (cwd === null) return "the record does not say in which directory the session was"
  return (yield* isDirectory(cwd)) ? null : `the session's directory is not there: ${cwd}`
})

/** What was asked for and came to nothing. */
const explain = (
  request: Asked,
  seen: SessionFold.Consultation,
  judged: JudgeService.Judged
): ReadonlyArray<string> => {
  const { checks } = seen.options.context.config
  const problem = judged.crossReview?.problem ?? null
  const unrun = checks.length === 0 ? "no check is configured for it under checks" : "no required gate lacks a result"
  const unseen = judged.verdict.complete ? (problem ?? "the turn changed no file") : "it is not judged complete"
  return [
    ...(request.checks && judged.checks === undefined ? [`--checks: nothing was run: ${unrun}`] : []),
    ...(request.crossReview && judged.crossReview?.consensus == null
      ? [`--cross-review: nobody was asked: ${unseen}`]
      : [])
  ]
}

const told = ({ checks, crossReview, verdict }: JudgeService.Judged): SessionFold.FullVerdict => ({
  ...verdict,
  ...(checks !== undefined && { checks }),
  ...(crossReview !== undefined && { crossReview })
})

/** What may be waited for. */
const awaited = ({ checks, crossReview, model }: Asked): string =>
  [checks ? "checks" : [], model === "off" ? [] : "a model", crossReview ? "reviewers" : []].flat().join(" and ")

const ask = Effect.fnUntraced(function* (tiers: Tiers, seen: SessionFold.Consultation, { name, tell }: Turn) {
  const { directory, request } = tiers
  const { events, judged, last, options, state } = seen
  if (events === null) {
    if (judged.verdict.status === "abstained" || last) yield* tell(tooLong)
    return judged.verdict
  }
  const cwd = directory ?? options.session.cwd
  const named = flags(request)
  const gone = named === "" ? "" : yield* isGone(cwd, last)
  if (gone !== null && gone !== "" && (last || request.turn !== "all")) yield* tell(`${named} did nothing: ${gone}`)
  const transcript = { ...options.session, version: 1 as const, cwd, events: events() }
  const consult = gone === null ? tiers.consult : tiers.consultPast
  const judging = heard(consult({ transcript, state, options, judged, attempt: state.pushes.count + 1 }))
  const answer = yield* tiers.waiting.shown(`${name}: waiting for ${awaited(request)}`, judging)
  const problem = answer.value.asked?.problem ?? null
  const failures = answer.told.length > 0 || problem === null ? answer.told : [problem]
  yield* Effect.forEach([...failures, ...(gone === null ? explain(request, seen, answer.value) : [])], tell, {
    discard: true
  })
  return told(answer.value)
})

const turnOf = (file: string, turn: number): Turn => {
  const name = `${oneLine(file)}: turn ${turn}`
  return { name, tell: (problem) => Console.error(`reflexion: ${name}: ${oneLine(problem.replace(/^a turn /u, ""))}`) }
}

/** It may take minutes. */
const announce =
  ({ clear }: Waiting.Waiting): Started =>
  ({ command }, directory, seconds) =>
    Effect.when(
      Effect.zipRight(
        clear,
        Console.error(`reflexion: running \`${clip(oneLine(command), 80, "…")}\` in ${oneLine(directory)}`)
      ),
      () => seconds === 0
    )

const makeConsultOf = Effect.fnUntraced(function* (request: Asked, directory: string | null) {
  const cli = yield* CliProcess
  const waiting = Waiting.make(cli)
  const state = join(UserDirectories.make(cli.env).state, "checks")
  const started = announce(waiting)
  const consult = yield* ReviewTiers.make({ state, within: [], checks: request.checks, started })
  const consultPast = yield* ReviewTiers.make({ state, within: [], checks: false, crossReview: false })
  const tiers: Tiers = { request, directory, consult, consultPast, waiting }
  const consultOf: ConsultOf = (file) => (seen) =>
    ask(tiers, seen, turnOf(file === "-" ? "standard input" : file, seen.judged.verdict.turn.index))
  return consultOf
})

/**
 * Runs a program with what was asked for. Fails before the program is run where no model can be asked, or nobody can
 * review: models and their providers are the user's, or those of the current directory's project if it is trusted.
 *
 * @category programs
 */
export const run = Effect.fn("JudgeTiers.run")(function* <A, E, R>(
  request: Asked,
  use: (consultOf: ConsultOf) => Effect.Effect<A, E, R>
) {
  const { cwd } = yield* CliProcess
  const directory = request.cwd === null ? null : resolve(cwd, request.cwd)
  const config = chosen(yield* Settings.workspace(yield* Settings.user, directory ?? cwd), request)
  const program = Effect.gen(function* () {
    yield* checkModel(config.model)
    if (request.crossReview) yield* checkReviewers(config)
    return yield* use(yield* makeConsultOf(request, directory))
  })
  return yield* Effect.provide(program, Layer.merge(ConfiguredModels.layer(config), guidance))
})
