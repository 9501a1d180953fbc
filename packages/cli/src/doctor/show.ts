/** The doctor's lists of rules, configuration and models. Two pages of docs are generated from them. */
import { AskLog } from "@reflexion/core/AskLog"
import * as Rules from "@reflexion/core/internal/judge/rules/Rules"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import { Models } from "@reflexion/core/Models"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as OwnModel from "../allow/OwnModel.ts"
import * as Hosts from "../host/Hosts.ts"
import * as Asked from "../models/Asked.ts"
import * as ConfiguredModels from "../models/ConfiguredModels.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import * as Settings from "../process/Settings.ts"
import { escaped, grouped, oneLine } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"
import * as Finding from "./finding.ts"
import * as Keys from "./keys.ts"

interface Shown {
  readonly json: object
  readonly text: (style: TerminalStyle) => ReadonlyArray<ReadonlyArray<string>>
  readonly exit?: 0 | 1
}

const turnsOff =
  '"rules": { "loops/planning": "off" } in your configuration turns a rule off; a project\'s file can only lower the level of a rule.'
const advisory = "The profile is advisory: no rule nudges the agent, whatever its level."

const rules = Effect.map(Settings.here, (config): Shown => {
  const all = Rules.rules
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((rule) => ({
      id: rule.id,
      attended: Rules.levelOf(rule, config, config.attended !== false),
      unattended: Rules.levelOf(rule, config, config.attended === true),
      default: rule.attended,
      defaultUnattended: rule.unattended,
      what: rule.what,
      why: rule.why
    }))
  return {
    json: { version: 1, rules: all },
    text: (style) => [
      Sheet.terms(
        style,
        "Each rule: its level while you are there, its level in unattended runs, and what it finds",
        all.map((rule): Sheet.Row => [rule.id, `${rule.attended}, ${rule.unattended}. ${rule.what}`])
      ),
      Sheet.texts(style, [turnsOff, ...(config.profile === "advisory" ? [advisory] : [])])
    ]
  }
})

const json = (value: unknown): string => (value === undefined ? "none" : JSON.stringify(value))

const configuration = Effect.map(Settings.here, (config): Shown => {
  const all = Keys.of(ReflexionConfig.PartialConfig, ReflexionConfig.defaults, config)
  return {
    json: { version: 1, keys: all },
    text: (style) => [
      Sheet.terms(
        style,
        "The values that apply here, and the default where it differs",
        all.flatMap(({ default: usual, here: now, isItem, key }): ReadonlyArray<Sheet.Row> => {
          const more = json(usual) === json(now) ? "" : `  (default ${json(usual)})`
          return isItem ? [] : [[key, `${oneLine(json(now))}${more}`]]
        })
      ),
      Sheet.texts(style, ["docs/configuration.md says what each key does."])
    ]
  }
})

/** If `model` is "off", returns the models that `auto` would ask. */
const survey = Effect.fnUntraced(function* (config: ReflexionConfig.ReflexionConfig) {
  const look = Effect.gen(function* () {
    const { candidates, excluded } = yield* Models
    const judging = yield* candidates
    const named = [...Object.entries(config.crossReview), ...Object.entries(config.routing)]
    const others = yield* Effect.forEach(named, ([role, name]) =>
      name === undefined ? Effect.succeed([]) : Effect.map(excluded(name), (why) => [{ role, name, excluded: why }])
    )
    const today = yield* Effect.flatMap(AskLog, (log) => Effect.option(log.spent))
    return { judging, others: others.flat(), today: Option.getOrNull(today) }
  })
  return yield* Effect.provide(
    look,
    ConfiguredModels.layer(config.model === "off" ? { ...config, model: "auto" } : config)
  )
})

const models = Effect.gen(function* () {
  const { cwd } = yield* CliProcess
  const config = yield* Settings.here
  const { judging, others, today } = yield* survey(config)
  const questions = yield* Asked.today
  const own = yield* Effect.forEach(Hosts.all, (host) =>
    Effect.map(OwnModel.at(host.name, cwd), (standing) => ({ host, standing }))
  )
  const first = judging.find(({ excluded }) => excluded === null)
  const fast = ModelRouting.fast(config, ModelRouting.parse(first?.name ?? "")?.provider ?? "")[0] ?? null
  const { callsPerDay, timeout, tokensPerDay, tokensPerReview } = config.models
  const isUnread = own.some(({ standing }) => standing.state === "unread")
  const shown: Shown = {
    exit: !isUnread && (config.model === "off" || first !== undefined) ? 0 : 1,
    json: {
      version: 1,
      model: config.model,
      own: own.map(({ host, standing }) => ({ host: host.name, on: OwnModel.isAsked(standing), ...standing })),
      judging,
      fast,
      others,
      limits: { timeout, tokensPerReview, tokensPerDay, tokensToday: today, callsPerDay }
    },
    text: (style) => {
      const title = config.model === "off" ? "Models that auto would ask (models are off)" : `Models (${config.model})`
      const none =
        "None: the environment has no key (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY), and models.fallback names no model."
      const atStops = own.map(({ host, standing }): Sheet.Row => [host.name, OwnModel.words(host, standing)])
      const ranks = judging.map((one): Sheet.Row => {
        const rank = one === first ? "is asked first" : "is asked if the model above fails"
        return [oneLine(one.name), one.excluded ?? rank]
      })
      return [
        Sheet.terms(style, "At stops", atStops),
        judging.length === 0
          ? [paint(style, ["bold"], title), ...Sheet.texts(style, [none])]
          : Sheet.terms(style, title, ranks),
        Sheet.terms(style, "Others", [
          ...(fast === null ? [] : [[fast, "fast"] as const]),
          ...others.map((one): Sheet.Row => [
            oneLine(one.name),
            one.excluded === null ? one.role : `${one.role}: ${one.excluded}`
          ])
        ]),
        Sheet.terms(style, "Limits", [
          ["answer", `${timeout} s`],
          ["review", `${grouped(tokensPerReview)} tokens`],
          ["today", `${today === null ? "an unknown number" : grouped(today)} of ${grouped(tokensPerDay)} tokens`],
          ...Option.toArray(questions).map((lines): Sheet.Row => ["questions", Asked.ofTheDay(lines, callsPerDay)])
        ])
      ]
    }
  }
  return shown
})

export const modelFinding = Effect.gen(function* () {
  const config = yield* Settings.here
  const { judging } = yield* survey(config)
  const first = judging.find(({ excluded }) => excluded === null)
  const more = judging.length > 1 ? "; `reflexion doctor --show models` lists all" : ""
  const none = `${oneLine(config.model)}, but this model cannot be used: \`reflexion doctor --show models\` says why`
  return first === undefined
    ? Finding.needed("models", none)
    : Finding.good("models", `${oneLine(first.name)} is asked first${more}`)
})

export const run = Effect.fn("Doctor.show")(function* (what: string, asJson: boolean) {
  const shown = yield* what === "rules" ? rules : what === "models" ? models : configuration
  const style = yield* Terminal.style
  yield* Console.log(asJson ? escaped(JSON.stringify(shown.json, null, 2)) : Sheet.blocks(shown.text(style)))
  yield* Ref.set(yield* ExitStatus, shown.exit ?? 0)
})
