/** What the page's script draws and exports: the part of a report that it needs, with the words to show. */
import type { ReportData } from "./model.ts"
import type { Labelled } from "./labels.ts"
import * as Words from "./words.ts"

/**
 * One bar, or a part of one: `group` is where it stands, `key` which colour it has.
 *
 * @category models
 */
export interface Bar {
  readonly group: string
  readonly key: string
  readonly value: number
}

/**
 * `domain` are the keys in their order, each with its name and the colour's name in the page's style. `days`: groups are
 * days, and stand side by side; else they are names, one below the other.
 *
 * @category models
 */
export interface BarChart {
  readonly kind: "bars"
  readonly id: string
  readonly days: boolean
  readonly unit: string
  readonly domain: ReadonlyArray<readonly [key: string, name: string, color: string]>
  readonly bars: ReadonlyArray<Bar>
}

/**
 * `key` is under which marks are kept in the browser: that of the project, for marks hold for later reports as well.
 *
 * @category models
 */
export interface PageData {
  readonly key: string
  readonly charts: ReadonlyArray<BarChart>
  readonly pushes: Readonly<Record<string, Labelled>>
}

const outcomeDomain = Words.outcomes.map((outcome) => [outcome, Words.outcomeNames[outcome], `--${outcome}`] as const)

const days = (data: ReportData): BarChart => ({
  kind: "bars",
  id: "days",
  days: true,
  unit: "stops",
  domain: outcomeDomain,
  bars: data.days.flatMap(({ day, outcomes }) =>
    Words.outcomes.map((outcome) => ({ group: day, key: outcome, value: outcomes[outcome] }))
  )
})

const tokens = (data: ReportData): BarChart => ({
  kind: "bars",
  id: "tokens",
  days: true,
  unit: "tokens",
  domain: [
    ["input", "tokens in", "--waiting"],
    ["output", "tokens out", "--left"]
  ],
  bars: data.days.flatMap(({ day, inputTokens, outputTokens }) => [
    { group: day, key: "input", value: inputTokens },
    { group: day, key: "output", value: outputTokens }
  ])
})

const effectColors = { green: "--complete", some: "--waiting", nothing: "--pushed", unknown: "--abstained" } as const

const effects = ({ effects }: ReportData): BarChart => ({
  kind: "bars",
  id: "effects",
  days: false,
  unit: "pushes",
  domain: Object.entries(Words.effectNames).map(
    ([effect, name]) => [effect, name, Object.entries(effectColors).find(([one]) => one === effect)?.[1] ?? ""] as const
  ),
  bars: Object.entries(effects).map(([effect, value]) => ({ group: "pushes", key: effect, value }))
})

const gates = ({ byGate }: ReportData): BarChart => ({
  kind: "bars",
  id: "gates",
  days: false,
  unit: "pushes",
  domain: [
    ["green", "green after", "--complete"],
    ["open", "still open", "--pushed"],
    ["unknown", "not known", "--abstained"]
  ],
  bars: byGate.flatMap(({ gate, green, open, unknown }) => [
    { group: gate, key: "green", value: green },
    { group: gate, key: "open", value: open },
    { group: gate, key: "unknown", value: unknown }
  ])
})

export const make = (data: ReportData): PageData => {
  const stops = new Map(data.stops.map((stop) => [stop.id, stop]))
  return {
    key: `reflexion report ${data.project}`,
    charts: [days(data), tokens(data), effects(data), gates(data)],
    pushes: Object.fromEntries(
      data.pushes.flatMap(({ stop: id }) => {
        const stop = stops.get(id)
        if (stop === undefined) return []
        const { kind, reason, sessionId, stoppedAt, turn, userMessageAt } = stop
        return [[id, { kind, reason, sessionId, stoppedAt, turn, userMessageAt } satisfies Labelled] as const]
      })
    )
  }
}
