/** Simple rules that need no judge, to measure it against. */
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import type { Row } from "./Metrics.ts"

/** What a baseline looks at. */
export interface Stop {
  readonly finalText: string
  /** How often the most frequent call of the turn came, whatever its results. */
  readonly repeatedCalls: number
}

export interface Baseline {
  readonly name: string
  readonly decide: (stop: Stop) => { readonly pushed: boolean; readonly kind: string }
}

const endsWithQuestion = (text: string): boolean => /[?？]\W{0,8}$/u.test(text.slice(-200))

/** As many equal calls as most detectors take for a loop. */
export const loopingFrom = 3

/** How often the most frequent call among these events came: the same tool with the same input. */
export const repeatedCalls = (events: ReadonlyArray<TranscriptEvent>): number => {
  const counts = new Map<string, number>()
  for (const event of events) {
    if (event.type !== "tool_call") continue
    const key = JSON.stringify([event.tool, event.input])
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Math.max(0, ...counts.values())
}

export const baselines: ReadonlyArray<Baseline> = [
  { name: "always push", decide: () => ({ pushed: true, kind: "premature" }) },
  { name: "never push, always `complete`", decide: () => ({ pushed: false, kind: "complete" }) },
  {
    name: "a final question mark waits, else `complete`",
    decide: ({ finalText }) => ({ pushed: false, kind: endsWithQuestion(finalText) ? "waiting_for_user" : "complete" })
  },
  {
    name: "push unless the text ends with a question mark",
    decide: ({ finalText }) =>
      endsWithQuestion(finalText) ? { pushed: false, kind: "waiting_for_user" } : { pushed: true, kind: "premature" }
  },
  {
    name: "push where a call came three times in the turn",
    decide: ({ repeatedCalls }) =>
      repeatedCalls >= loopingFrom ? { pushed: true, kind: "stuck" } : { pushed: false, kind: "complete" }
  }
]

/** One that gives the same answer to everything. */
export const always = (kind: string, name = `always \`${kind}\``): Baseline => ({
  name,
  decide: () => ({ pushed: false, kind })
})

/** The rows as the baseline would have answered them. */
export const apply = (baseline: Baseline, rows: ReadonlyArray<Row & Stop>): ReadonlyArray<Row> =>
  rows.map((row) => ({ ...row, ...baseline.decide(row), abstained: false }))
