/** What the parts of a score have in common. */
import type { Run } from "../../session/evidence/Evidence.ts"
import type { VerdictOptions } from "../verdict/Judgment.ts"
import type { Verdict } from "../verdict/Verdict.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding as FindingSchema } from "./model.ts"
import type { Work } from "./work.ts"
import { clip } from "../../ground/text/Text.ts"

export type Finding = typeof FindingSchema.Type

/** All that a score is made of. */
export interface Scored {
  readonly known: Facts
  readonly work: Work
  readonly verdict: Verdict
  readonly options: VerdictOptions
}

/** The run in brackets, as what proves a fact. */
export const proof = (run: Run | null): string => {
  if (run === null) return ""
  const command = clip(run.command, 80)
  return run.callId === null ? ` (\`${command}\`)` : ` (\`${command}\`, ${run.callId})`
}

/** Whether the user wants a plan and nothing changed. */
export const isPlan = ({ known, options }: Scored): boolean =>
  known.task.mode === "plan" || (known.task.mode === "unknown" && options.session.mode === "plan")
