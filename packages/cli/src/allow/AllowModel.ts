/** The program for `reflexion allow model`: allows a host's own small model, or tries a model on test cases. */
import { EarnedThreshold } from "@reflexion/core/internal/model/calls/EarnedThreshold"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import * as Prompts from "@reflexion/core/internal/model/assessment/Prompt"
import { type Turn, turnOf as turnAt } from "@reflexion/core/internal/model/assessment/TurnRecord"
import * as Question from "@reflexion/core/internal/review/tiers/Question"
import * as Judgment from "@reflexion/core/Judgment"
import type { Model } from "@reflexion/core/Model"
import * as ModelBudget from "@reflexion/core/ModelBudget"
import { Models } from "@reflexion/core/Models"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import type { Verdict } from "@reflexion/core/Verdict"
import * as Transcript from "@reflexion/core/Transcript"
import * as ModelGrades from "@reflexion/hooks/config/ModelGrades"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as EffectNumber from "effect/Number"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Hosts from "../host/Hosts.ts"
import * as ConfiguredModels from "../models/ConfiguredModels.ts"
import { refusal } from "../process/CliError.ts"
import { CliProcess, userDirectories } from "../process/CliProcess.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import * as Settings from "../process/Settings.ts"
import { grouped, lasting, oneLine } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import * as Terminal from "../terminal/Terminal.ts"
import written from "./cases.json" with { type: "json" }
import * as Consent from "./consent.ts"
import type { AllowArguments } from "./consent.ts"
import { type GradedAnswer, grade, least } from "./grade.ts"
import * as OwnModel from "./OwnModel.ts"

/** A test case: a session whose last stop was judged by a person. */
const WrittenCase = Schema.Struct({
  name: Schema.String,
  /** True if a nudge is right at this stop. */
  push: Schema.Boolean,
  why: Schema.String,
  transcript: Transcript.Transcript
})

/** In half of these sessions, no nudge is right. */
export const cases = Schema.decodeUnknownSync(Schema.Array(WrittenCase))(written)

/** Judges the stop by evidence first, like any stop. */
const turnOf = ({ transcript: session }: typeof WrittenCase.Type): Turn => {
  const context = { ...Judgment.defaultContext, cwd: session.cwd }
  const { state } = Judgment.replay(session, context)
  const options = { session, context, now: state.stop.lastAt }
  return turnAt(state, { ...options, transcript: session, judged: Judgment.review(state, options) })
}

const tokensOf = (turn: Turn): number => {
  const telling = { attempt: 1, maxAttempts: 3, nonce: "record", instructions: null, guidance: null }
  const { prompt, system } = Prompts.selfAssessment(turn, telling)
  return ModelBudget.estimate(system) + ModelBudget.estimate(prompt)
}

interface Tried extends GradedAnswer {
  readonly ms: number
  readonly cost: Verdict["cost"]
  /** Why there is no answer. Null if there is an answer, even an unreadable one. */
  readonly problem: string | null
}

const tried = Effect.fnUntraced(function* (ask: Question.Ask, one: typeof WrittenCase.Type) {
  const begun = yield* Clock.currentTimeMillis
  const { asked, verdict } = yield* ask(turnOf(one), { attempt: 1, session: null }, Effect.context<Model>())
  const { answer, end, problem } = asked
  return {
    name: one.name,
    push: one.push,
    said: answer?.status ?? null,
    probability: answer?.push ?? 0,
    ms: (yield* Clock.currentTimeMillis) - begun,
    cost: verdict.cost,
    problem: end === "answered" || end === "unreadable" ? null : problem
  } satisfies Tried
})

/** Asks the first case alone, so that an unreachable model is not asked 29 more times. */
const tryAll = Effect.fnUntraced(function* (model: string) {
  const ask = yield* Question.make
  const few = yield* Terminal.slowly(`asking ${model} about case 1 of ${cases.length}`)(
    Effect.forEach(cases.slice(0, 1), (one) => tried(ask, one))
  )
  const rest = few.some(({ problem }) => problem !== null) ? [] : cases.slice(1)
  const more = yield* Terminal.slowly(`asking ${model} about ${rest.length} more cases`)(
    Effect.forEach(rest, (one) => tried(ask, one), { concurrency: 3 })
  )
  const all = [...few, ...more]
  const [failed] = all.flatMap(({ problem }) => problem ?? [])
  return failed === undefined ? all : yield* refusal(`${model}: ${oneLine(failed)}. Nothing is saved.`)
})

const named = (names: ReadonlyArray<string>): string => (names.length === 0 ? "" : `: ${names.join(", ")}`)

const keep = Effect.fnUntraced(function* (model: string, all: ReadonlyArray<Tried>, total: number) {
  const { env } = yield* CliProcess
  const directories = yield* userDirectories
  const file = ModelGrades.fileOf(directories)
  const result = grade(all)
  const { disturbed, from, missed, right, unread } = result
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  const kept = { right, cases: all.length, from, promptVersion: Prompts.version, at }
  yield* Settings.onFile(file, () => ModelGrades.keep(directories, model, kept))
  const early = all.filter(({ push }) => push).length
  const median = all.map(({ ms }) => ms).toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0
  const input = grouped(EffectNumber.sumAll(all.map(({ cost }) => cost.inputTokens)))
  const output = grouped(EffectNumber.sumAll(all.map(({ cost }) => cost.outputTokens)))
  const style = yield* Terminal.style
  const rows = Sheet.terms(style, `${model}: ${right} of ${all.length} answers are right`, [
    ["found", `${early - missed.length} of ${early} premature stops; missed${named(missed) || " none"}`],
    ["wrong", `${disturbed.length} of ${all.length - early} correct stops would have been nudged${named(disturbed)}`],
    ...(unread.length > 0 ? [["unread", `${unread.length} answers could not be read${named(unread)}`] as const] : []),
    ["time", `${lasting(median)} for an answer (median), ${lasting(total)} in total`],
    ["tokens", `${input} in, ${output} out`]
  ])
  yield* Console.log(`\n${rows.join("\n")}`)
  const verdict =
    from === null
      ? `reflexion tells you what this model finds, but the model nudges no agent: that needs ${least} right answers.`
      : `The model may nudge an agent if its probability for "not done" is ${from} or more.`
  yield* Terminal.say(`${verdict} Saved in ${Terminal.tilde(env, file)}.`)
  return from
})

const agree = Effect.fnUntraced(function* (model: string, yes: string | null) {
  const tokens = EffectNumber.sumAll(cases.map((one) => tokensOf(turnOf(one))))
  const rows = Sheet.terms(yield* Terminal.style, `Try ${model} on ${cases.length} sample sessions?`, [
    ["sends", `${cases.length} sample sessions that come with reflexion, half of them honest; none of your data`],
    [
      "cost",
      `some ${grouped(Math.round(tokens / 1000) * 1000)} input tokens and ${grouped(cases.length * 300)} output tokens, which your provider bills or counts`
    ],
    ["keeps", "the number of right answers, and the lowest probability with which the model may nudge an agent"]
  ])
  yield* Console.log(rows.join("\n"))
  yield* Consent.agree("Send them?", { yes, undone: "Nothing was sent or saved." })
})

const tryModel = Effect.fnUntraced(function* (model: string, given: ReflexionConfig, yes: string | null) {
  const program = Effect.gen(function* () {
    const excluded = yield* Effect.flatMap(Models, ({ excluded }) => excluded(model))
    if (excluded !== null)
      return yield* refusal(`${model}: ${excluded}\n'reflexion doctor --show models' shows which models can be asked.`)
    yield* agree(model, yes)
    const begun = yield* Clock.currentTimeMillis
    const all = yield* Effect.mapError(Effect.provide(tryAll(model), Models.Judge), (error) =>
      error._tag === "ModelFailure" ? refusal(`${model}: ${error.detail}. Nothing is saved.`) : error
    )
    const from = yield* keep(model, all, (yield* Clock.currentTimeMillis) - begun)
    if (from === null) yield* Effect.flatMap(ExitStatus, (status) => Ref.set(status, 1))
  })
  const config = { ...given, model, models: { ...given.models, fallback: [] } }
  // A model's name says nothing about its quality, so every model may be tried.
  const trying = Effect.provideService(program, EarnedThreshold, { of: () => given.models.nudgeFrom })
  return yield* Effect.provide(trying, ConfiguredModels.layer(config))
})

const forget = Effect.fnUntraced(function* (model: string) {
  const directories = yield* userDirectories
  const had = yield* Settings.onFile(ModelGrades.fileOf(directories), () => ModelGrades.forget(directories, model))
  yield* Terminal.say(
    had ? `The result of ${model} is deleted.` : `${model} was not tried, so there is nothing to delete.`
  )
})

export const run = Effect.fn("AllowModel.run")(function* ({ revoke, words: [given, ...more], yes }: AllowArguments) {
  if (more.length > 0) return yield* Consent.usage("name one model only")
  const host = Hosts.named(given ?? null)
  if (host !== null) return yield* revoke === null ? OwnModel.allow(host, yes) : OwnModel.keep(host, false)
  const config = yield* Settings.here
  const model = given ?? config.model
  if (ModelRouting.parse(model) === null)
    return yield* Consent.usage(
      given === undefined
        ? "name a host, or a model such as anthropic/claude-haiku-4-5: the configuration names no model"
        : `"${oneLine(given.slice(0, 100))}" is no host (${Hosts.listed(Hosts.names, "or")}) and no PROVIDER/MODEL`
    )
  const inSession = Hosts.all.find(({ model: own, name }) => own?.program === null && model === `${name}/small`)
  if (inSession !== undefined)
    return yield* Consent.usage(
      `${inSession.title} asks its own small model only inside a session, so this model cannot be tried`
    )
  return yield* revoke === null ? tryModel(model, config, yes) : forget(model)
})
