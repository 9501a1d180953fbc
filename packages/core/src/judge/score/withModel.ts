/** What a model's verdict makes of the facts that evidence found: it lowers by what it shows, and settles what is open. */
import type { Verdict } from "../verdict/Verdict.ts"
import type { Finding } from "./facts.ts"
import { unsure } from "./task.ts"

/** Whether the record bears out what the model finds missing: without that its verdict says nothing of where. */
const isShown = ({ status, stop }: Verdict): boolean =>
  status === "stuck" || (status === "incomplete" && stop.pattern !== null)

const least = (found: ReadonlyArray<Finding>): number =>
  found.reduce((lowest, { most }) => Math.min(lowest, most ?? 5), 5)

const said = (most: Finding["most"], text: string): Finding => ({ aspect: "task", most, text })

interface Found {
  readonly byEvidence: ReadonlyArray<Finding>
  readonly byModel: ReadonlyArray<Finding>
}

/** Never better than by evidence, and worse only by what is shown. */
export const withModel = (verdict: Verdict, { byEvidence, byModel }: Found): ReadonlyArray<Finding> => {
  if (isShown(verdict) && least(byModel) <= least(byEvidence)) return byModel
  const settled = byEvidence.filter(({ text }) => !text.startsWith(unsure))
  if (verdict.status !== "complete") return [...settled, said(null, `${unsure}: ${verdict.reason}`)]
  return [...settled, said(5, `done, as a model finds: ${verdict.reason}`)]
}
