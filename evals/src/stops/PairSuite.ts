/** How well the rule of repetition finds what people labelled as such, in pairs of consecutive actions. */
import * as Json from "@reflexion/core/internal/ground/json/Json"
import * as Loops from "@reflexion/core/internal/judge/loops/Loops"
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Events from "../sessions/Events.ts"
import { type Count, type Interval, interval } from "../measure/Metrics.ts"
import * as Times from "../measure/Times.ts"

export interface PairRow {
  /** The run that the pair is of: what is resampled whole. */
  readonly session: string
  readonly agent: string
  readonly pair: number
  readonly label: string
  readonly exact: boolean
  readonly found: boolean
}

const unescaped = (text: string): string => text.replaceAll(/\\(['\\])/g, "$1")

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const written = /^\{'arguments': '(.*)', 'name': '([\w.-]{1,80})'\}$/su

/** An action as these runs write it down: a call in Python's notation or in JSON, or else just words. */
export const callOf = (action: string): ToolCall => {
  const match = written.exec(action.trim())
  const whole = Json.object(match === null ? parsed(action) : null)
  const name = match?.[2] ?? Json.string(whole["name"]) ?? Json.string(whole["tool"]) ?? "action"
  const input = match === null ? (whole["arguments"] ?? whole["args"] ?? action) : parsed(unescaped(match[1] ?? ""))
  return Events.callOf({ tool: name, input: typeof input === "string" ? parsed(input) : input })
}

/** The corpus cuts long actions, and says of the whole ones whether they are equal. */
const rowOf = (pair: Json.Json): PairRow => {
  const [before, action] = [Json.text(pair["a"]), Json.text(pair["b"])]
  const equal = pair["exact_prev"]
  const isCut = before === action && equal === false
  return {
    session: `${Json.text(pair["agent"])}/${Json.text(pair["instance"])}`,
    agent: Json.text(pair["agent"]),
    pair: Json.number(pair["pair"]) ?? 0,
    label: Json.text(pair["label"]),
    exact: typeof equal === "boolean" ? equal : before === action,
    found: !isCut && Loops.isRepetition(callOf(before), callOf(action))
  }
}

/** Every pair of the corpus' folder `pairs` as it stands there; none where there is no such folder. */
export const load = (root: string): ReadonlyArray<Json.Json> => {
  const folder = Path.join(root, "pairs")
  if (!Fs.existsSync(folder)) return []
  return Fs.readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()
    .flatMap((name) => Fs.readFileSync(Path.join(folder, name), "utf8").split("\n"))
    .filter((line) => line.trim() !== "")
    .map((line) => Json.object(JSON.parse(line)))
}

/** Every pair, with what the rule and the people say. */
export const run = (root: string): ReadonlyArray<PairRow> =>
  load(root).map((pair) =>
    Times.measure("pairs", `${Json.text(pair["agent"])}/${Json.text(pair["instance"])}`, () => rowOf(pair))
  )

/** The first actions of a run's pairs one after another, each with the result that stands beside it. */
export const runs = (root: string): ReadonlyMap<string, ReadonlyArray<ToolCall>> => {
  const found = new Map<string, Array<ToolCall>>()
  for (const pair of load(root)) {
    const name = `${Json.text(pair["agent"])}/${Json.text(pair["instance"])}`
    const calls = found.get(name) ?? []
    const [output = ""] = Json.text(pair["result_a"]).split("; Next action:", 1)
    calls.push({ ...callOf(Json.text(pair["a"])), id: `call-${calls.length}`, status: "completed", output })
    found.set(name, calls)
  }
  return found
}

export interface PairRate {
  readonly found: number
  readonly right: number
  readonly precision: number | null
  readonly recall: number | null
  readonly precisionInterval: Interval | null
  readonly recallInterval: Interval | null
}

export interface PairSummary {
  readonly pairs: number
  readonly runs: number
  readonly repetitions: number
  readonly rule: PairRate
  readonly exact: PairRate
  /** Labels of the pairs that the rule finds and equality does not. */
  readonly near: Readonly<Record<string, number>>
  readonly agents: Readonly<Record<string, { readonly rule: PairRate; readonly exact: PairRate }>>
}

const isRepetition = ({ label }: PairRow): boolean => label.toLowerCase() === "repetition"

const counted = (rows: ReadonlyArray<PairRow>, right: (row: PairRow) => boolean): Count => ({
  hits: rows.filter(right).length,
  trials: rows.length
})

const share = ({ hits, trials }: Count): number | null => (trials === 0 ? null : hits / trials)

const rate = (rows: ReadonlyArray<PairRow>, finds: (row: PairRow) => boolean): PairRate => {
  const precise = (sample: ReadonlyArray<PairRow>) => counted(sample.filter(finds), isRepetition)
  const recalled = (sample: ReadonlyArray<PairRow>) => counted(sample.filter(isRepetition), finds)
  const found = precise(rows)
  return {
    found: found.trials,
    right: found.hits,
    precision: share(found),
    recall: share(recalled(rows)),
    precisionInterval: interval(rows, precise),
    recallInterval: interval(rows, recalled)
  }
}

const rates = (rows: ReadonlyArray<PairRow>) => ({
  rule: rate(rows, (row) => row.found),
  exact: rate(rows, (row) => row.exact)
})

const tally = (labels: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const label of labels.toSorted()) counts[label] = (counts[label] ?? 0) + 1
  return counts
}

export const summary = (rows: ReadonlyArray<PairRow>): PairSummary => ({
  pairs: rows.length,
  runs: new Set(rows.map((row) => row.session)).size,
  repetitions: rows.filter(isRepetition).length,
  ...rates(rows),
  near: tally(rows.filter((row) => row.found && !row.exact).map((row) => row.label)),
  agents: Object.fromEntries(
    [...new Set(rows.map((row) => row.agent))].map((agent) => [agent, rates(rows.filter((row) => row.agent === agent))])
  )
})
