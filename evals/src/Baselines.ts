/** Simple rules that need no judge, to measure it against. */
import type { Row } from "./Metrics.ts"

export interface Baseline {
  readonly name: string
  readonly decide: (stop: { readonly finalText: string }) => { readonly pushed: boolean; readonly kind: string }
}

const endsWithQuestion = (text: string): boolean => /[?？]\W{0,8}$/u.test(text.slice(-200))

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
  }
]

/** The rows as the baseline would have answered them. */
export const apply = (
  baseline: Baseline,
  rows: ReadonlyArray<Row & { readonly finalText: string }>
): ReadonlyArray<Row> => rows.map((row) => ({ ...row, ...baseline.decide(row), abstained: false }))
