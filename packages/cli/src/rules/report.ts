/** The rules of the judge, to read and as JSON. Pure: the terminal is a parameter. */
import * as Rules from "@reflexion/core/internal/judge/rules/Rules"
import { lower } from "@reflexion/core/internal/session/config/Levels"
import * as Marks from "@reflexion/hooks/config/Marks"
import { configuration } from "@reflexion/hooks/config/Trust"
import type { PartialConfig, ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { pad, width, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { type Paint, paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"

type Level = ReturnType<typeof Rules.levelOf>

/**
 * A rule as it is configured: its level, why it is that, and what turns it off or on. `ignored` is what the project's file
 * would raise it to, which has no effect; `marked`: the user marked its pushes here.
 *
 * @category models
 */
export interface Entry {
  readonly rule: Rules.Rule<Rules.RuleName>
  readonly level: Level
  /** Where nobody is there to answer. */
  readonly unattended: Level
  readonly because: string
  readonly turns: string
  readonly ignored: Level | null
  readonly marked: boolean
}

/** How far it would go if the project's file said nothing. */
const ownLevel = (rule: Rules.Rule<Rules.RuleName>, { attended, profile, rules }: ReflexionConfig): Level =>
  Rules.levelOf(rule, { profile, rules, ruleLimits: {} }, attended !== false)

const reasonOf = (rule: Rules.Rule<Rules.RuleName>, level: Level, config: ReflexionConfig): string => {
  const { profile, ruleLimits, rules } = config
  if (Rules.levelOf(rule, config, config.attended !== false) !== level)
    return "you marked two of its pushes in this project as wrong"
  if (ownLevel(rule, config) !== level)
    return `the project's file lowers it to ${level}, which your own configuration does not lift`
  if (rules[rule.id] !== undefined)
    return `your configuration says so${level === "off" && ruleLimits[rule.id] === "off" ? ", and so does the project's file" : ""}`
  if (profile === "strict") return "in the strict profile every rule does"
  if (config.attended === false && rule.unattended === level && rule.attended !== level)
    return "nobody is there to answer"
  return level === "push"
    ? "it is a plain fact of the record"
    : level === "off"
      ? "it is only found where nobody is there"
      : "it is no plain fact, and has not proved itself on enough stops that nobody had seen"
}

const becauseOf = (rule: Rules.Rule<Rules.RuleName>, level: Level, config: ReflexionConfig): string => {
  const isAdvised = config.profile === "advisory" && level === "push"
  return `${reasonOf(rule, level, config)}${isAdvised ? "; under the profile advisory it still does not send the agent on" : ""}`
}

const turnsOf = ({ id }: Rules.Rule<Rules.RuleName>, level: Level, { ruleLimits, rules }: ReflexionConfig): string => {
  if (level !== "off") return `"rules": { "${id}": "off" } in the configuration turns it off.`
  if (ruleLimits[id] !== "off") return `"rules": { "${id}": "tell" } in your own configuration turns it on.`
  return `To turn it on, take it out of the project's file (${configuration})${rules[id] === "off" ? " and out of yours" : ""}.`
}

/** `said` is what the project's file says; `marked` are the rules that the user's marks lower, which the configuration has not. */
export const entryOf = (
  rule: Rules.Rule<Rules.RuleName>,
  config: ReflexionConfig,
  { marked, said }: { readonly said: PartialConfig; readonly marked: ReadonlyArray<Rules.RuleName> }
): Entry => {
  const inForce = Marks.limit(config, marked)
  const level = Rules.levelOf(rule, inForce, config.attended !== false)
  const unattended = config.attended === true ? level : Rules.levelOf(rule, inForce, false)
  const asked = said.rules?.[rule.id] ?? "off"
  const because = becauseOf(rule, level, config)
  const ignored = lower(asked, ownLevel(rule, config)) === asked ? null : asked
  return {
    rule,
    level,
    unattended,
    because,
    turns: turnsOf(rule, level, config),
    ignored,
    marked: marked.includes(rule.id)
  }
}

const paints: Readonly<Record<Level, Paint>> = { push: "green", tell: "yellow", off: "dim" }

const areaOf = ({ rule }: Entry): string => rule.id.split("/")[0] ?? ""

/** With less room than this beside its name, what a rule finds goes below. */
const leastRoom = 30

const lines = (style: TerminalStyle, entries: ReadonlyArray<Entry>, column: number): ReadonlyArray<string> => {
  const room = style.width - column - 12
  return entries.flatMap(({ unattended, level, rule }) => {
    const levels = [level, unattended].map((one) => paint(style, [paints[one]], pad(one, 6))).join("")
    const head = `${pad(rule.id, column)}${levels}`
    if (room < leastRoom) return [head.trimEnd(), ...wrap(rule.what, style.width - 2).map((line) => `  ${line}`)]
    return wrap(rule.what, room).map((line, at) => (at === 0 ? head + line : " ".repeat(column + 12) + line))
  })
}

const takenBack = ({ id }: Rules.Rule<Rules.RuleName>): string =>
  `For your marks it goes no further than tell in this project, with you there or not: \`reflexion report --clear ${id}\` takes them back.`

const withoutEffect = "has no effect: a project only turns rules down."

/** What there is to know beside the levels. */
const notes = (entries: ReadonlyArray<Entry>, { profile }: ReflexionConfig): ReadonlyArray<string> => {
  const marked = entries.flatMap((entry) => (entry.marked ? [entry.rule.id] : []))
  const ignored = entries.flatMap(({ ignored: asked, rule }) => (asked === null ? [] : [`${rule.id} (${asked})`]))
  return [
    "with: somebody is there to answer; alone: nobody is (`attended` in the configuration).",
    ...(profile === "advisory" ? ["The profile is advisory: no rule sends the agent on, whatever its level."] : []),
    ...(marked.length === 0
      ? []
      : [`Your marks keep ${marked.join(", ")} from going further than tell here: \`reflexion report\`.`]),
    ...(ignored.length === 0 ? [] : [`That the project's file raises ${ignored.join(", ")} ${withoutEffect}`]),
    '`reflexion rules RULE` says more of one. "rules": { "loops/planning": "off" } in the configuration turns one off.'
  ]
}

/**
 * All rules by their areas, with how far each goes.
 *
 * @category rendering
 */
export const list = (style: TerminalStyle, entries: ReadonlyArray<Entry>, config: ReflexionConfig): string => {
  const areas = [...new Set(entries.map(areaOf))]
  const column = Math.max(...entries.map(({ rule }) => width(rule.id))) + 2
  return Sheet.blocks([
    [paint(style, ["dim"], `${pad("", column)}${pad("with", 6)}alone`)],
    ...areas.map((area) =>
      lines(
        style,
        entries.filter((entry) => areaOf(entry) === area),
        column
      )
    ),
    notes(entries, config).flatMap((note) => wrap(note, style.width))
  ])
}

/**
 * One rule.
 *
 * @category rendering
 */
export const page = (
  style: TerminalStyle,
  { unattended, because, ignored, level, marked, rule, turns }: Entry
): string => {
  const text = (label: string, words: string) => Sheet.section(style, label, wrap(words, Sheet.body(style)))
  return Sheet.blocks([
    [paint(style, ["bold"], rule.id)],
    text("Finds", rule.what),
    text("Why", rule.why),
    [
      ...text("Level", `${level}: ${because}.`),
      ...(unattended === level ? [] : text("", `Where nobody is there to answer: ${unattended}.`)),
      ...(marked ? text("", takenBack(rule)) : []),
      ...(ignored === null ? [] : text("", `That the project's file raises it to ${ignored} ${withoutEffect}`)),
      ...text("", turns)
    ]
  ])
}

export const json = (entries: ReadonlyArray<Entry>) => ({
  version: 1,
  rules: entries.map(({ unattended, because, level, rule }) => ({
    id: rule.id,
    level,
    unattended,
    because,
    default: rule.attended,
    what: rule.what,
    why: rule.why
  }))
})
