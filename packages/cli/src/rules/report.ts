/** The rules of the judge, to read and as JSON. Pure: the terminal is a parameter. */
import * as RuleBook from "@reflexion/core/internal/judge/rules/RuleBook"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { linesOf } from "@reflexion/core/internal/judge/rules/ExampleLines"
import { pad, width, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { type Paint, paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

type Level = RuleBook.Rule["level"]

/**
 * A rule as it is configured: its level, and why it is that.
 *
 * @category models
 */
export interface Entry {
  readonly rule: RuleBook.Rule
  readonly page: RuleBook.Page
  readonly level: Level
  readonly because: string
}

const becauseOf = (rule: RuleBook.Rule, level: Level, config: ReflexionConfig): string => {
  const { profile, ruleLimits, rules } = config
  const unlimited = RuleBook.levelOf(rule, { profile, rules, ruleLimits: {} })
  if (unlimited !== level) return `the project's file lowers it to ${ruleLimits[rule.id] ?? level}`
  if (rules[rule.id] !== undefined) return "your configuration says so"
  if (profile === "strict" && rule.level !== level) return "in the strict profile every rule does"
  return "it does so by itself"
}

export const entryOf = (rule: RuleBook.Rule, config: ReflexionConfig): Entry => {
  const level = RuleBook.levelOf(rule, config)
  return { rule, page: RuleBook.pageOf(rule), level, because: becauseOf(rule, level, config) }
}

const paints: Readonly<Record<Level, Paint>> = { push: "green", ask: "cyan", tell: "yellow", off: "dim" }

const areaOf = ({ rule }: Entry): string => rule.id.split("/")[0] ?? ""

/** With less room than this beside its name, what a rule finds goes below. */
const leastRoom = 30

const lines = (style: TerminalStyle, entries: ReadonlyArray<Entry>, column: number): ReadonlyArray<string> => {
  const room = style.width - column - 6
  return entries.flatMap(({ level, page, rule }) => {
    const head = `${pad(rule.id, column)}${paint(style, [paints[level]], pad(level, 6))}`
    if (room < leastRoom) return [head.trimEnd(), ...wrap(page.what, style.width - 2).map((line) => `  ${line}`)]
    return wrap(page.what, room).map((line, at) => (at === 0 ? head + line : " ".repeat(column + 6) + line))
  })
}

/**
 * All rules by their areas, with how far each goes.
 *
 * @category rendering
 */
export const list = (style: TerminalStyle, entries: ReadonlyArray<Entry>): string => {
  const areas = [...new Set(entries.map(areaOf))]
  const column = Math.max(...entries.map(({ rule }) => width(rule.id))) + 2
  return Sheet.blocks([
    ...areas.map((area) =>
      lines(
        style,
        entries.filter((entry) => areaOf(entry) === area),
        column
      )
    ),
    wrap(
      '`reflexion rules RULE` shows one with examples. "rules": { "todos/open": "off" } in the configuration turns one off.',
      style.width
    )
  ])
}

const examples = (
  style: TerminalStyle,
  label: string,
  all: RuleBook.Page["fires"]
): ReadonlyArray<ReadonlyArray<string>> =>
  all.map(({ events, title }, at) =>
    Sheet.section(style, at === 0 ? label : "", [
      ...wrap(`${symbols(style).bullet} ${title}`, Sheet.body(style)),
      ...linesOf(events).flatMap((line) =>
        wrap(line, Sheet.body(style) - 4).map((text, index) =>
          paint(style, ["dim"], `${index === 0 ? "  " : "    "}${text}`)
        )
      )
    ])
  )

/**
 * One rule.
 *
 * @category rendering
 */
export const page = (style: TerminalStyle, { because, level, page: said, rule }: Entry): string => {
  const text = (label: string, words: string) => Sheet.section(style, label, wrap(words, Sheet.body(style)))
  return Sheet.blocks([
    [paint(style, ["bold"], rule.id)],
    text("Finds", said.what),
    text("Why", said.why),
    [
      ...text("Level", `${level}: ${because}.`),
      ...(rule.holds === true ? text("", "Whatever its level, what it finds is never called done.") : []),
      ...text(
        "",
        `"rules": { "${rule.id}": "${level === "off" ? "tell" : "off"}" } in the configuration turns it ${level === "off" ? "on" : "off"}.`
      )
    ],
    ...examples(style, "Fires", said.fires),
    ...examples(style, "Spares", said.spares)
  ])
}

export const json = (entries: ReadonlyArray<Entry>) => ({
  version: 1,
  rules: entries.map(({ because, level, page: said, rule }) => ({
    id: rule.id,
    level,
    because,
    default: rule.level,
    what: said.what,
    why: said.why,
    fires: said.fires.map(({ events, title }) => ({ title, lines: linesOf(events) })),
    spares: said.spares.map(({ events, title }) => ({ title, lines: linesOf(events) }))
  }))
})
