/** A run's figures as text and as Markdown. */
import { confusionRows, markdown, percent, table, withInterval } from "../measure/Text.ts"
import type { ModelOptions } from "./ModelOptions.ts"
import type { Trial } from "./Trial.ts"
import { type Agreement, pushed, type Rate, type TrialSummary } from "./TrialMetrics.ts"

type Rows = ReadonlyArray<ReadonlyArray<string>>

const number = (value: number): string => Math.round(value).toLocaleString("en-US")

const rate = ({ hits, interval, share, trials }: Rate): string =>
  trials === 0 ? "–" : `${withInterval(share, interval)}, ${hits} of ${trials}`

const agreed = ({ questions, share, unanimous }: Agreement): string =>
  questions === 0 ? "–" : `${percent(share)} of pairs; ${unanimous} of ${questions} questions`

const unanswered = ({ answered, trials, unanswered: found }: TrialSummary): string =>
  answered === trials
    ? "0"
    : `${trials - answered} (${Object.entries(found)
        .map(([name, count]) => `${name} ${count}`)
        .join(", ")})`

const dollars = (value: number | null): string => (value === null ? "–" : `$${value.toFixed(4)}`)

const lines: ReadonlyArray<readonly [string, (summary: TrialSummary) => string]> = [
  ["questions", ({ questions }) => number(questions)],
  ["asked, with repeats", ({ trials }) => number(trials)],
  ["no answer", unanswered],
  ["verdict abstained", ({ abstained }) => number(abstained)],
  ["verdicts right", ({ verdicts }) => rate(verdicts)],
  ["model's own word right", ({ words }) => rate(words)],
  ["evidence alone right", ({ baselines }) => baselined(baselines, "evidence alone")],
  ["always complete right", ({ baselines }) => baselined(baselines, "always complete")],
  ["always push right", ({ baselines }) => baselined(baselines, "always push")],
  ["pushes found", ({ foundPushes, labelledPush }) => `${foundPushes} of ${labelledPush}`],
  ["false pushes", ({ falsePushes, labelledNoPush }) => `${falsePushes} of ${labelledNoPush}`],
  ["repeats agree: verdict", ({ agreement }) => agreed(agreement.verdicts)],
  ["repeats agree: own word", ({ agreement }) => agreed(agreement.words)],
  ["calls", ({ cost }) => number(cost.calls)],
  ["tokens in / out", ({ cost }) => `${number(cost.inputTokens)} / ${number(cost.outputTokens)}`],
  ["per 100 asked: calls", ({ cost }) => number(cost.callsPer100)],
  ["per 100 asked: tokens", ({ cost }) => number(cost.tokensPer100)],
  ["cost", ({ cost }) => dollars(cost.dollars)],
  ["cost per 100 asked", ({ cost }) => dollars(cost.dollarsPer100)],
  [
    "ms: median, 95 in 100, longest",
    ({ latency }) => (latency === null ? "–" : [latency.median, latency.p95, latency.longest].map(number).join(", "))
  ]
]

const baselined = (baselines: TrialSummary["baselines"], name: string): string => {
  const found = baselines[name]
  return found === undefined ? "–" : rate(found)
}

const figures = (summaries: ReadonlyArray<TrialSummary>): Rows => [
  ["", ...summaries.map(({ suite }) => suite)],
  ...lines.map(([name, of]) => [name, ...summaries.map(of)])
]

const confusion = (title: string, counts: Readonly<Record<string, Readonly<Record<string, number>>>>): Rows =>
  confusionRows(title, new Map(Object.entries(counts).map(([label, line]) => [label, new Map(Object.entries(line))])))

const whole = (summaries: ReadonlyArray<TrialSummary>): TrialSummary | undefined => summaries.at(-1)

const about = ({ ask, model, promptfoo, repeats }: ModelOptions): string =>
  `${model}, ${ask === "open" ? "asked where evidence leaves a stop open" : "asked about every stop"}, each ${repeats === 1 ? "once" : `${repeats} times`}${promptfoo ? ", by promptfoo" : ""}`

const report = (
  options: ModelOptions,
  summaries: ReadonlyArray<TrialSummary>,
  { heading, show }: { readonly heading: (text: string) => string; readonly show: (rows: Rows) => string }
): string => {
  const all = whole(summaries)
  if (all === undefined) return heading(about(options))
  return [
    heading(about(options)),
    show(figures(summaries)),
    show(confusion("label → the model's own word", all.confusion.words)),
    show(confusion("label → verdict", all.confusion.verdicts))
  ].join("\n\n")
}

export const text = (options: ModelOptions, summaries: ReadonlyArray<TrialSummary>): string =>
  report(options, summaries, { heading: (line) => `\n${line}`, show: table })

export const asMarkdown = (options: ModelOptions, summaries: ReadonlyArray<TrialSummary>): string =>
  `${report(options, summaries, { heading: (line) => `### ${line}`, show: markdown })}\n`

/** Every answer that was wrong, with what the readers say. */
export const misses = (trials: ReadonlyArray<Trial>): string =>
  trials
    .filter(({ right, saidRight }) => right === false || saidRight === false)
    .map(
      ({ after, id, label, repeat, said }) =>
        `  ${id} (${repeat}): said ${said ?? "nothing"}, verdict ${pushed(after)}; readers: ${label.statuses.join(" or ")}${label.push === null ? "" : label.push ? ", push" : ", no push"}`
    )
    .join("\n")
