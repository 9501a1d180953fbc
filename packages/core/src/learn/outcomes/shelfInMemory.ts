/** The shelf of an outcome log that lasts as long as the process: the newest of them. */
import * as Effect from "effect/Effect"
import { subjectOf } from "./AttemptOutcome.ts"
import type { AttemptOutcome, OutcomeView, Shelf } from "./model.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"

/** How many are held at least; at most it is as many again. */
export const capacity = 50_000

interface Held {
  readonly outcome: AttemptOutcome
  readonly time: number
  readonly subject: number | null
  /** The next older row of the same subject, -1 where there is none. */
  readonly older: number
}

const subjectHash = (outcome: AttemptOutcome): number | null => {
  const subject = subjectOf(outcome)
  return subject === null ? null : KeyHash.ofText(subject)
}

export const make = (): Shelf => {
  let rows: Array<Held> = []
  let first = 0
  let epoch = 0
  let ids = new Map<string, number>()
  let subjects = new Map<number, number>()

  const at = (row: number): Held | undefined => rows[row - first]

  const add = (outcome: AttemptOutcome): void => {
    if (ids.has(outcome.id)) return
    const row = first + rows.length
    const subject = subjectHash(outcome)
    const older = subject === null ? -1 : (subjects.get(subject) ?? -1)
    rows.push({ outcome, time: Date.parse(outcome.at), subject, older })
    ids.set(outcome.id, row)
    if (subject !== null) subjects.set(subject, row)
  }

  /** A row keeps its number for as long as it is there. */
  const forget = (): void => {
    const gone = rows.slice(0, rows.length - capacity)
    for (const [index, { outcome, subject }] of gone.entries()) {
      ids.delete(outcome.id)
      if (subject !== null && subjects.get(subject) === first + index) subjects.delete(subject)
    }
    rows = rows.slice(gone.length)
    first += gone.length
  }

  const view: OutcomeView = {
    get epoch() {
      return epoch
    },
    get first() {
      return first
    },
    get end() {
      return first + rows.length
    },
    unreadable: 0,
    isAlive: () => true,
    timeOf: (row) => at(row)?.time ?? Number.NaN,
    statusOf: (row) => at(row)?.outcome.status ?? "failed",
    newestOf: (subject) => subjects.get(subject) ?? -1,
    olderOf: (row) => {
      const older = at(row)?.older ?? -1
      return older < first ? -1 : older
    },
    rowOf: (id) => ids.get(id) ?? -1,
    outcome: (row) => at(row)?.outcome ?? null
  }

  const drop = (plan: Parameters<Shelf["drop"]>[0]): number => {
    const before = rows
    const isDoomed = plan(view)
    const kept = before.filter((_, index) => !isDoomed(first + index))
    if (kept.length === before.length) return 0
    ;[rows, first, ids, subjects] = [[], 0, new Map(), new Map()]
    epoch += 1
    for (const { outcome } of kept) add(outcome)
    return before.length - kept.length
  }

  return {
    look: (read) => Effect.sync(() => read(view)),
    add: (outcomes) =>
      Effect.sync(() => {
        for (const outcome of outcomes) {
          add(outcome)
          if (rows.length >= 2 * capacity) forget()
        }
      }),
    drop: (plan) => Effect.sync(() => drop(plan)),
    // Nobody else has it.
    watch: () => Effect.succeed(() => undefined),
    verify: () => Effect.sync(() => ({ outcomes: rows.length, repeated: 0, blank: 0, invalidCount: 0, invalid: [] }))
  }
}
