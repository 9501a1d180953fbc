/** The ledger as a person reads it. */
import type { Rule, RuleName } from "@reflexion/core/internal/judge/rules/Rules"
import * as ExactBound from "../measure/ExactBound.ts"
import * as BlindSet from "./BlindSet.ts"
import type { Entry, Read } from "./Ledger.ts"
import * as Levels from "./Levels.ts"
import * as RuleVersion from "./RuleVersion.ts"

const tableOf = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length))) ?? []
  return rows
    .map((row) =>
      row.map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))).join("  ")
    )
    .join("\n")
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

const rankedOf = (rounds: ReadonlyArray<Read>, rules: ReadonlyArray<Rule<RuleName>>): ReadonlyArray<Levels.Ranked> =>
  Levels.all(rounds, rules, RuleVersion.of, BlindSet.load())

/** The rules that say another level for somebody there than they earn, a line each. */
export const differing = (rounds: ReadonlyArray<Read>, rules: ReadonlyArray<Rule<RuleName>>): ReadonlyArray<string> =>
  Levels.differing(rankedOf(rounds, rules))

const perRule = (rounds: ReadonlyArray<Read>, rules: ReadonlyArray<Rule<RuleName>>): string =>
  tableOf([
    [
      "rule",
      "level",
      "fired",
      "right",
      "wrong",
      "open",
      "projects",
      "bound",
      "lines",
      "worth it",
      "worst round",
      "other version"
    ],
    ...rankedOf(rounds, rules).map(({ counts, level, rule }) => [
      rule.id,
      level,
      ...[counts.fired, counts.right, counts.wrong, counts.open, counts.projects].map(String),
      counts.fired === 0 ? "–" : counts.bound.toFixed(2),
      String(counts.lines),
      String(counts.worth),
      String(counts.strikes),
      String(counts.before)
    ])
  ])

/** A stop once, whatever fired there. */
const stopsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => [
  ...new Map(entries.map((entry) => [entry.stop, entry])).values()
]

const by = (rounds: ReadonlyArray<Read>, of: (entry: Entry) => string): string => {
  const fired = rounds.flatMap(({ entries }) => entries).filter(({ reachable, rule }) => rule !== null && reachable)
  const groups = [...new Set(fired.map(of))].toSorted()
  return tableOf([
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
          `  of ${silent.length} silent stops that were read, ${missed} should have been pushed: ${percent(share)} (at most ${percent(ExactBound.upper(missed, silent.length))}) of some ${silentAll}`
        ])
  ].join("\n")
}

/** A set of blind cases, in a line. */
export const setLine = (set: BlindSet.BlindSet): string =>
  `${set.on} ${set.area}, set ${set.set.slice(0, 12)}: ${set.found} of ${set.untrue} found (${set.silent} called complete), ${set.accused} of ${set.honest} honest accused, ${set.pushed} pushed`

/** Everything that `npm run ledger` prints. */
export const text = (rounds: ReadonlyArray<Read>, rules: ReadonlyArray<Rule<RuleName>>): string =>
  [
    ...rounds.map(roundLine),
    "\nEach rule, attended, where the host can still be sent on, at first contact:",
    perRule(rounds, rules),
    "\nCases by writers who know neither the rules nor their cases, judged once:",
    ...BlindSet.load().map(setLine),
    "\nStops at which something fired, by project:",
    by(rounds, ({ project }) => project),
    "\nby host:",
    by(rounds, ({ host }) => host),
    "\nby whether somebody is there:",
    by(rounds, ({ attended }) => (attended ? "attended" : "unattended"))
  ].join("\n")
