/** What the queries of an outcome log look at, whatever keeps it: rows in the order in which they were added. */
import { Status as Statuses, type Status } from "./model.ts"

const marks = new Map(Statuses.literals.map((status, index) => [status, index]))

/** A status in a byte. */
export const markOf = (status: Status): number => marks.get(status) ?? 0

export const statusOf = (mark: number): Status => Statuses.literals[mark] ?? "failed"
