/** Which models can be asked, to read and as JSON. Pure: the terminal is a parameter. */
import type { Host } from "../host/Hosts.ts"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import { type AskLine, summary } from "@reflexion/core/internal/model/calls/AskLog"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Option from "effect/Option"
import { oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import * as Asked from "./Asked.ts"
import type { Standing } from "./model.ts"
import * as OwnStanding from "./OwnStanding.ts"
import * as OwnWords from "./OwnWords.ts"
import { type Paint, paint, symbols, type Symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

/** Whether anything is known against asking it. */
export type State = "ready" | "excluded"

/**
 * A model, what it would be asked for, and what stands against that.
 *
 * @category models
 */
export interface Row {
  readonly role: string
  readonly name: string
  readonly state: State
  readonly reason: string | null
}

/**
 * `judging` is in the order in which they are asked; with `model` off, what `auto` would ask. `today` is what was spent,
 * none where that cannot be counted. `own`: how each host's own small model stands; `asked`: today's questions at stops.
 *
 * @category models
 */
export interface Survey {
  readonly config: ReflexionConfig
  readonly judging: ReadonlyArray<Row>
  readonly fast: ReadonlyArray<Row>
  readonly reviewers: ReadonlyArray<Row>
  readonly routed: ReadonlyArray<Row>
  readonly today: Option.Option<number>
  readonly own: ReadonlyArray<{ readonly host: Host; readonly standing: Standing }>
  readonly asked: Option.Option<ReadonlyArray<AskLine>>
}

interface Line {
  readonly sign: keyof Symbols
  readonly paint: Paint
  readonly term: string
  readonly text: string
}

const looks = {
  ready: { sign: "passed", paint: "green" },
  unread: { sign: "failed", paint: "red" },
  excluded: { sign: "none", paint: "dim" }
} as const satisfies Readonly<Record<State | "unread", Pick<Line, "sign" | "paint">>>

/** With less room than this beside it, a text goes below its term. */
const leastRoom = 30

const rows = (style: TerminalStyle, lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const column = Math.max(0, ...lines.map(({ term }) => width(oneLine(term)))) + 2
  const room = Sheet.body(style) - 2 - column
  return lines.flatMap(({ paint: color, sign, term, text }) => {
    const head = paint(style, [color], symbols(style)[sign])
    const said = oneLine(text)
    if (said === "") return [`${head} ${oneLine(term)}`]
    if (room < leastRoom) {
      const below = wrap(said, Sheet.body(style) - 4).map((line) => `    ${line}`)
      return [
        ...wrap(oneLine(term), Sheet.body(style) - 2).map((line, at) => `${at === 0 ? head : " "} ${line}`),
        ...below
      ]
    }
    return wrap(said, room).map((line, at) =>
      at === 0 ? `${head} ${pad(oneLine(term), column)}${line}` : `${" ".repeat(column + 2)}${line}`
    )
  })
}

const lineOf = ({ name, reason, state }: Row, when: string): Line => ({
  ...looks[state],
  term: name,
  text: reason ?? when
})

/** Which of those that can be asked is asked when. */
const turns = (judging: ReadonlyArray<Row>): ReadonlyArray<Line> => {
  const first = judging.findIndex(({ state }) => state === "ready")
  return judging.map((row, index) => lineOf(row, index === first ? "is asked first" : "where the one before fails"))
}

const ownLine = ({ host, standing }: Survey["own"][number]): Line => ({
  ...looks[standing.state === "unread" ? "unread" : OwnStanding.isAsked(standing) ? "ready" : "excluded"],
  term: host.name,
  text: OwnWords.standing(host, standing)
})

const count = (value: number): string => value.toLocaleString("en-US")

const limits = (style: TerminalStyle, { asked, config, today }: Survey): ReadonlyArray<string> => {
  const { timeout, tokensPerDay, tokensPerReview } = config.models
  const spent = Option.match(today, { onNone: () => "an unknown number", onSome: count })
  const questions = Option.match(asked, {
    onNone: () => [],
    onSome: (lines) => [`questions at stops today: ${Asked.ofTheDay(lines, config.models.callsPerDay)}`]
  })
  const parts = [
    `${timeout} s for an answer`,
    `${count(tokensPerReview)} tokens for a review`,
    `${spent} of ${count(tokensPerDay)} tokens spent today`
  ]
  return wrap([...parts, ...questions].join(` ${symbols(style).dot} `), Sheet.body(style))
}

/** Off by somebody's word, or for want of one: then a host's own small model is asked where the user agreed. */
const none = ({ judging, own }: Survey): string => {
  const what = own.some(({ standing }) => OwnStanding.isAsked(standing))
    ? "none is named, so only small ones of a host's own are asked, at stops"
    : "off: no model is asked"
  const hint = 'Set "model" in the configuration, or REFLEXION_MODEL, to "auto" or a name'
  return `${what}. ${hint}${judging.length === 0 ? "" : "; auto would ask the ones below"}.`
}

const chosen = (survey: Survey): string => {
  const { config, judging } = survey
  if (config.model === "off") return none(survey)
  if (judging.length === 0) {
    return "auto, and there is nothing to choose from: no key is in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY), and models.fallback names none."
  }
  if (config.model !== "auto") return config.model
  return config.models.fallback.length > 0 ? "auto: by models.fallback" : "auto: by the keys in the environment"
}

const named = (all: ReadonlyArray<Row>): ReadonlyArray<Line> =>
  all.map((row) => ({ ...lineOf(row, ""), text: row.reason === null ? row.role : `${row.role}: ${row.reason}` }))

/** Whom to name instead is for the user to say; what evidence alone has complete such a model does review. */
const reviewers = ({ config, judging, reviewers: all }: Survey): ReadonlyArray<Line> =>
  named(
    all.map((row) =>
      row.reason === null && config.model !== "off" && judging.some(({ name }) => ModelRouting.isSame(name, row.name))
        ? { ...row, reason: "not of turns that it has judged itself" }
        : row
    )
  )

export const text = (style: TerminalStyle, survey: Survey): string => {
  const section = (label: string, lines: ReadonlyArray<Line>) => Sheet.section(style, label, rows(style, lines))
  return Sheet.blocks(
    [
      Sheet.section(style, "Model", wrap(chosen(survey), Sheet.body(style))),
      section("At stops", survey.own.map(ownLine)),
      section("Judging", turns(survey.judging)),
      section(
        "Fast",
        survey.fast.map((row) => lineOf(row, ""))
      ),
      section("Review", reviewers(survey)),
      section("Feedback", named(survey.routed)),
      Sheet.section(style, "Limits", limits(style, survey))
    ].filter((lines) => lines.length > 0)
  )
}

const jsonAsked = (lines: ReadonlyArray<AskLine>) => ({
  ...summary(lines),
  attended: lines.filter(({ attended }) => attended).length
})

export const json = ({ asked, config, own, today, ...survey }: Survey) => ({
  version: 1,
  model: config.model,
  own: own.map(({ host, standing }) => ({ host: host.name, on: OwnStanding.isAsked(standing), ...standing })),
  judging: survey.judging,
  fast: survey.fast,
  reviewers: survey.reviewers,
  routed: survey.routed,
  limits: {
    timeout: config.models.timeout,
    tokensPerReview: config.models.tokensPerReview,
    tokensPerDay: config.models.tokensPerDay,
    tokensToday: Option.getOrNull(today),
    callsPerDay: config.models.callsPerDay,
    questionsToday: Option.getOrNull(Option.map(asked, jsonAsked))
  }
})
