/** The program behind `reflexion allow model`: written cases are put to a model, and what it earns is kept. */
import * as Hosts from "../host/Hosts.ts"
import * as Judgment from "@reflexion/core/Judgment"
import type { Model } from "@reflexion/core/Model"
import * as ModelBudget from "@reflexion/core/ModelBudget"
import { Models } from "@reflexion/core/Models"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { EarnedThreshold } from "@reflexion/core/internal/model/calls/EarnedThreshold"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import * as Prompts from "@reflexion/core/internal/model/assessment/Prompt"
import { type Turn, turnOf as turnAt } from "@reflexion/core/internal/model/assessment/TurnRecord"
import * as Question from "@reflexion/core/internal/review/tiers/Question"
import * as ModelGrades from "@reflexion/hooks/config/ModelGrades"
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as ConfiguredModels from "../models/ConfiguredModels.ts"
import * as OwnOffer from "../models/OwnOffer.ts"
import { ConfigurationError, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import * as Settings from "../process/Settings.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as Waiting from "../terminal/Waiting.ts"
import { cases, type WrittenCase } from "./cases.ts"
import { type Answered, grade } from "./grade.ts"
import type { Given } from "./model.ts"
import * as Report from "./report.ts"

const usage = (problem: string) => new UsageError({ command: "reflexion allow", problem })

const refuse = (problem: string) => new ConfigurationError({ problem })

/** The model that the words name: a host stands for its own small one. */
const modelOf = Effect.fnUntraced(function* ([name, ...more]: ReadonlyArray<string>, config: ReflexionConfig) {
  if (more.length > 0) return yield* usage("one model at a time")
  if (name === undefined) {
    if (ModelRouting.parse(config.model) !== null) return config.model
    return yield* usage("name a model, as in anthropic/claude-haiku-4-5: the configuration names none")
  }
  const host = Hosts.named(name)
  if (host !== null && host.model.program === null)
    return yield* usage(`${host.title} asks its own small model inside a session only: it cannot be tried from here`)
  if (host !== null) return OwnModels.nameOf(host.name)
  if (ModelRouting.parse(name) === null)
    return yield* usage(
      `"${oneLine(name.slice(0, 100))}" is no PROVIDER/MODEL and no host (${Hosts.listed(Hosts.names, "or")})`
    )
  return name
})

/** A written case as it is asked about: judged from evidence first, like any stop. */
const turnOf = ({ transcript: session }: WrittenCase): Turn => {
  const context = { ...Judgment.defaultContext, cwd: session.cwd }
  const { state } = Judgment.replay(session, context)
  const options = { session, context, now: state.stop.lastAt }
  const judged = Judgment.review(state, options)
  return turnAt(state, { ...options, transcript: session, judged })
}

const tokensOf = (turn: Turn): number => {
  const telling = { attempt: 1, maxAttempts: 3, nonce: "record", instructions: null, guidance: null }
  const { prompt, system } = Prompts.selfAssessment(turn, telling)
  return ModelBudget.estimate(system) + ModelBudget.estimate(prompt)
}

interface Tried extends Answered {
  readonly ms: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Why there is no answer, null where there is one or it cannot be read. */
  readonly problem: string | null
}

const tried = Effect.fnUntraced(function* (ask: Question.Ask, one: WrittenCase) {
  const begun = yield* Clock.currentTimeMillis
  const model = Effect.context<Model>()
  const { asked, verdict } = yield* ask(turnOf(one), { attempt: 1, session: null }, model)
  const { inputTokens, outputTokens } = verdict.cost
  const { answer, end, problem } = asked
  const result: Tried = {
    name: one.name,
    push: one.push,
    said: answer?.status ?? null,
    probability: answer?.push ?? 0,
    ms: (yield* Clock.currentTimeMillis) - begun,
    inputTokens,
    outputTokens,
    problem: end === "answered" || end === "unreadable" ? null : problem
  }
  return result
})

/** The first case is asked alone: a model that cannot be reached is not asked 29 times more. */
const tryAll = Effect.fnUntraced(function* (model: string) {
  const ask = yield* Question.make
  const waiting = Waiting.make(yield* CliProcess)
  const [first, ...rest] = cases
  if (first === undefined) return []
  const probe = yield* waiting.shown(`asking ${model} about the first of ${cases.length}`, tried(ask, first))
  if (probe.problem !== null) return yield* refuse(`${model}: ${oneLine(probe.problem)}. Nothing is kept.`)
  const others = yield* waiting.shown(
    `asking ${model} about ${rest.length} more`,
    Effect.forEach(rest, (one) => tried(ask, one), { concurrency: 3 })
  )
  const all = [probe, ...others]
  const [failed] = all.flatMap(({ problem }) => problem ?? [])
  return failed === undefined ? all : yield* refuse(`${model}: ${oneLine(failed)}. Nothing is kept.`)
})

const agree = Effect.fnUntraced(function* (model: string, yes: boolean) {
  const { ask } = yield* CliProcess
  const tokens = cases.reduce((sum, one) => sum + tokensOf(turnOf(one)), 0)
  yield* Console.log(Report.terms(yield* Terminal.style, model, { cases: cases.length, tokens }))
  if (yes) return true
  if (ask === null) return yield* refuse("nobody can be asked here: add --yes to agree. Nothing was sent.")
  return Terminal.isYes(yield* Effect.promise(() => ask("\nSend them? [y/N] ").catch(() => "")))
})

const keep = Effect.fnUntraced(function* (model: string, all: ReadonlyArray<Tried>, total: number) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  const file = ModelGrades.fileOf(directories)
  const result = grade(all)
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  const promptVersion = Prompts.version
  const kept = { right: result.right, cases: all.length, from: result.from, promptVersion, at }
  yield* Settings.attempt(file, () => ModelGrades.keep(directories, model, kept))
  const spent = {
    inputTokens: all.reduce((sum, one) => sum + one.inputTokens, 0),
    outputTokens: all.reduce((sum, one) => sum + one.outputTokens, 0),
    answers: all.map(({ ms }) => ms),
    total
  }
  const early = all.filter(({ push }) => push).length
  const told = { cases: all.length, early, file: Terminal.tilde(env, file), result, spent }
  yield* Console.log(`\n${Report.outcome(yield* Terminal.style, model, told)}`)
  return result
})

const hostOf = (model: string): string | null => Hosts.names.find((name) => OwnModels.nameOf(name) === model) ?? null

const revoke = Effect.fnUntraced(function* (model: string) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  const had = yield* Settings.attempt(ModelGrades.fileOf(directories), () => ModelGrades.forget(directories, model))
  yield* Console.log(had ? `What ${model} earned is forgotten.` : `${model} was not tried: there is nothing to forget.`)
  const host = hostOf(model)
  if (host !== null) yield* OwnOffer.change("off", [host])
})

/**
 * Tries a model and keeps what it earns, or forgets it.
 *
 * @category programs
 */
export const run = Effect.fn("AllowModel.run")(function* ({ revoke: taken, words, yes }: Given) {
  const { cwd } = yield* CliProcess
  const given = yield* Settings.workspace(yield* Settings.user, cwd)
  const model = yield* modelOf(words, given)
  if (taken !== null) return yield* revoke(model)
  const config = { ...given, model, models: { ...given.models, fallback: [] } }
  const program = Effect.gen(function* () {
    const excluded = yield* Effect.flatMap(Models, ({ excluded }) => excluded(model))
    if (excluded !== null)
      return yield* refuse(`${model}: ${excluded}\n'reflexion models' shows which models can be asked.`)
    if (!(yield* agree(model, yes !== null)))
      return yield* refuse("nobody agreed: nothing was sent, and nothing is kept")
    const begun = yield* Clock.currentTimeMillis
    const all = yield* Effect.mapError(Effect.provide(tryAll(model), Models.Judge), (error) =>
      error._tag === "ModelFailure" ? refuse(`${model}: ${error.detail}. Nothing is kept.`) : error
    )
    const { from } = yield* keep(model, all, (yield* Clock.currentTimeMillis) - begun)
    const host = hostOf(model)
    if (host !== null) yield* OwnOffer.change("on", [host])
    if (from === null) yield* Effect.flatMap(ExitStatus, (status) => Ref.set(status, 1))
  })
  // What a model is called after says nothing until it was tried.
  const trying = Effect.provideService(program, EarnedThreshold, { of: () => given.models.pushFrom })
  return yield* Effect.provide(trying, ConfiguredModels.layer(config))
})
