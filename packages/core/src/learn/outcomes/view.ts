/** What the queries of an outcome log look at, whatever keeps it: rows in the order in which they were added. */
import type { AttemptOutcome, Status } from "./model.ts"
import { Status as Statuses } from "./model.ts"

export interface OutcomeView {
  /** Changes when the rows are others than before, and not only more. */
  readonly epoch: number
  /** The oldest row that is held, and where the newest ends. */
  readonly first: number
  readonly end: number
  /** How many lines are no outcome. */
  readonly unreadable: number
  /** Whether no earlier row has its id. */
  readonly isAlive: (row: number) => boolean
  /** In ms since the epoch. */
  readonly timeOf: (row: number) => number
  readonly statusOf: (row: number) => Status
  /** The newest row whose subject has this hash, and the next older one; -1 where there is none. */
  readonly newestOf: (subject: number) => number
  readonly olderOf: (row: number, subject: number) => number
  /** The row of an id, -1 where there is none. */
  readonly rowOf: (id: string) => number
  /** Null where the row cannot be read any more. */
  readonly outcome: (row: number) => AttemptOutcome | null
}

const marks = new Map(Statuses.literals.map((status, index) => [status, index]))

/** A status in a byte. */
export const markOf = (status: Status): number => marks.get(status) ?? 0

export const statusOf = (mark: number): Status => Statuses.literals[mark] ?? "failed"
