/** What the queries of a memory look at, whatever keeps it: rows in the order in which they were added. */
import type * as Effectiveness from "./Effectiveness.ts"
import type { Reflection } from "../lessons/Reflection.ts"

export type RowKey = "id" | "taskId" | "subtaskId"

export interface MemoryView {
  /** Changes when the rows are others than before, and not only more. */
  readonly epoch: number
  readonly count: number
  /** Whether no later row has its id. */
  readonly isAlive: (row: number) => boolean
  /** Newest first; there may be others among them, which the reflection shows. The list is the caller's. */
  readonly rowsOf: (key: RowKey, value: string) => Array<number>
  readonly attemptOf: (row: number) => number
  /** In ms since the epoch, NaN where it cannot be read. */
  readonly createdAtOf: (row: number) => number
  readonly markOf: (row: number) => number
  /** Null where the row does not decode. */
  readonly reflection: (row: number) => Reflection | null
  /** The same of several: those that stand near each other are read at once. */
  readonly reflections: (rows: ReadonlyArray<number>) => ReadonlyArray<Reflection | null>
  readonly outcomes: Effectiveness.Fold
  /** What came of a row, without decoding it. */
  readonly recordOf: (row: number) => Effectiveness.Record | undefined
  /** Tells the tasks of rows apart. */
  readonly taskOf: (row: number) => number | string
  /** Tells the subtasks of rows apart. */
  readonly subtaskOf: (row: number) => number | string
}
