/** Formats the ledger as text. */
import type { Rule, RuleName } from "@reflexion/core/internal/judge/rules/Rules"
import * as ExactBound from "../measure/ExactBound.ts"
import { table } from "../measure/Table.ts"
import type { Entry, Read } from "./Ledger.ts"

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

/** Counts attended stops that nobody had seen before and at which a nudge was possible. */
export interface Tally {
  readonly rule: string
  readonly fired: number
  readonly right: number
  readonly wrong: number
  readonly open: number
  readonly projects: number
  /** The exact one-sided lower bound of the precision with 90 % confidence. An open label counts half. */
  readonly bound: number
  /** The lines that a user would have read, and how many were worth reading. */
  readonly lines: number
  readonly worth: number
  /** The wrong nudges in the rule's worst round. */
  readonly worst: number
}

export const tally = (rounds: ReadonlyArray<Read>, rule: string): Tally => {
  const own = rounds
    .filter(({ firstContact }) => firstContact)
    .map(({ entries }) => entries.filter((entry) => entry.rule === rule))
  const all = own.flat()
  const counted = all.filter(isReached)
  const count = (label: Entry["label"], among = counted): number => among.filter((one) => one.label === label).length
  const [right, wrong, open] = [count("right"), count("wrong"), count("open")]
  return {
    rule,
    fired: counted.length,
    right,
    wrong,
    open,
    projects: new Set(counted.map(({ project }) => project)).size,
    bound: ExactBound.lower(right + open / 2, counted.length),
    lines: all.filter(({ line }) => line !== undefined).length,
    worth: all.filter(({ line }) => line === true).length,
    worst: Math.max(0, ...own.map((entries) => count("wrong", entries.filter(isReached))))
  }
}

const isReached = ({ attended, reachable }: Entry): boolean => attended && reachable

const perRule = (rounds: ReadonlyArray<Read>, rules: ReadonlyArray<Rule<RuleName>>): string => {
  const today = new Map<string, string>(rules.map(({ attended, id }) => [id, attended]))
  const recorded = rounds.flatMap(({ entries }) => entries.flatMap(({ rule }) => (rule === null ? [] : [rule])))
  const names = [...today.keys(), ...new Set(recorded.filter((name) => !today.has(name)).toSorted())]
  return table([
    ["rule", "today", "fired", "right", "wrong", "open", "projects", "bound", "lines", "worth it", "worst round"],
    ...names.map((name) => {
      const { bound, fired, lines, open, projects, right, worst, worth, wrong } = tally(rounds, name)
      return [
        name,
        today.get(name) ?? "gone",
        ...[fired, right, wrong, open, projects].map(String),
        fired === 0 ? "–" : bound.toFixed(2),
        ...[lines, worth, worst].map(String)
      ]
    })
  ])
}

/** Each stop counts once, even if several rules fired. */
const stopsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => [
  ...new Map(entries.map((entry) => [entry.stop, entry])).values()
]

const by = (rounds: ReadonlyArray<Read>, of: (entry: Entry) => string): string => {
  const fired = rounds.flatMap(({ entries }) => entries).filter(({ reachable, rule }) => rule !== null && reachable)
  const groups = [...new Set(fired.map(of))].toSorted()
  return table([
    ["", "fired", "right", "wrong", "open"],
    ...groups.map((group) => {
      const own = stopsOf(fired.filter((entry) => of(entry) === group))
      const count = (label: Entry["label"]) => String(own.filter((entry) => entry.label === label).length)
      return [group, String(own.length), count("right"), count("wrong"), count("open")]
    })
  ])
}

const roundLine = ({
  entries,
  firstContact,
  lines,
  list,
  on,
  projects,
  read,
  round,
  sessions,
  stops
}: Read): string => {
  const total = sum(Object.values(stops))
  const hosts = Object.entries(stops).map(([host, count]) => `${host} ${count}`)
  const silent = stopsOf(entries.filter(({ rule }) => rule === null))
  const missed = silent.filter(({ label }) => label === "right").length
  const silentAll = total - stopsOf(entries.filter(({ rule }) => rule !== null)).length
  const share = silent.length === 0 ? null : missed / silent.length
  return [
    `Round ${round} (${on}${firstContact ? "" : ", not first contact"}): ${sessions} sessions of ${projects} projects, list ${list.slice(0, 12)}`,
    total === 0 ? "  announced, not run" : `  ${total} stops (${hosts.join(", ")}), ${read ?? 0} read by two`,
    ...(lines === null ? [] : [`  lines that a user would have read: ${lines}`]),
    ...(share === null
      ? []
      : [
          `  of ${silent.length} silent stops that were read, ${missed} should have been nudged: ${percent(share)} (at most ${percent(ExactBound.upper(missed, silent.length))}) of some ${silentAll}`
        ])
  ].join("\n")
}

export const text = (rounds: ReadonlyArray<Read>, rules: ReadonlyArray<Rule<RuleName>>): string =>
  [
    ...rounds.map(roundLine),
    "\nEach rule, attended, where the host can still be nudged, at first contact:",
    perRule(rounds, rules),
    "\nStops at which something fired, by host:",
    by(rounds, ({ host }) => host),
    "\nby whether somebody is there:",
    by(rounds, ({ attended }) => (attended ? "attended" : "unattended"))
  ].join("\n")
