/**
 * A project's outcome log as a host's adapter writes it: a line is added, and what is old goes, without any service.
 */
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import * as OutcomeLine from "@reflexion/core/internal/memory/outcomes/OutcomeLine"
import * as TurnOutcome from "@reflexion/core/internal/memory/outcomes/TurnOutcome"
import * as LearnedFile from "./LearnedFile.ts"

/** `now` in ms since the epoch; `retentionDays`: how long outcomes are kept. */
export interface Given {
  readonly root: string
  readonly outcome: AttemptOutcome.AttemptOutcome
  readonly now: number
  readonly retentionDays: number
}

const dayMs = 86_400_000

/** A tenth of what is kept: else every failing stop would find one line too old, and write all the others anew. */
const agesOf = (retention: number): LearnedFile.Ages<AttemptOutcome.AttemptOutcome> => ({
  slack: retention / 10,
  read: OutcomeLine.read,
  timeOf: ({ at }) => at,
  older: (all, before) => new Set(all.filter(({ at }) => Date.parse(at) < before))
})

/**
 * Adds an outcome, and forgets what is old where it is a failure; says why that could not be, null where it could: it costs
 * nobody the outcome. Throws what the file system throws.
 */
export const add = ({ now, outcome, retentionDays, root }: Given): string | null => {
  LearnedFile.appendTo(root, TurnOutcome.fileName, () => AttemptOutcome.encode(outcome))
  if (!AttemptOutcome.isFailure(outcome)) return null
  const retention = retentionDays * dayMs
  try {
    LearnedFile.forgetIn(root, TurnOutcome.fileName, now - retention, agesOf(retention))
    return null
  } catch (cause) {
    return messageOf(cause)
  }
}
