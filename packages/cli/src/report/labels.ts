/**
 * What a reader says of pushes, as labelled stops that the evals read: a line of a `stops.jsonl`. Free of imports, for the
 * page runs it as well.
 */

/**
 * A push as the page knows it. `userMessageAt` began the turn, `stoppedAt` is its last event at the stop: a stop whose host
 * records no times cannot be found again.
 *
 * @category models
 */
export interface Labelled {
  readonly sessionId: string
  readonly turn: number
  readonly userMessageAt: string | null
  readonly stoppedAt: string | null
  readonly kind: string
  readonly reason: string
}

/**
 * `right`: the push was right; `kind` is what the stop was, where the reader says so, else null; `note` their own words.
 *
 * @category models
 */
export interface Mark {
  readonly right: boolean
  readonly kind: string | null
  readonly note: string
}

/**
 * A line of `stops.jsonl`.
 *
 * @category models
 */
export interface StopLabel {
  readonly session: string
  readonly turn: number
  readonly userMessageAt: string
  readonly stoppedAt: string
  readonly sample: "report"
  readonly kinds: ReadonlyArray<string>
  readonly push: boolean
  readonly why: ReadonlyArray<string>
}

/**
 * What a stop may be of which it is only said that the push was wrong.
 *
 * @category constants
 */
export const quietKinds: ReadonlyArray<string> = ["complete", "waiting_for_user", "working", "aborted"]

/**
 * Null for a stop that cannot be found again.
 *
 * @category constructors
 */
export const labelOf = (stop: Labelled, { kind, note, right }: Mark): StopLabel | null => {
  if (stop.userMessageAt === null || stop.stoppedAt === null) return null
  const otherwise = right ? [stop.kind] : quietKinds
  return {
    session: stop.sessionId,
    turn: stop.turn,
    userMessageAt: stop.userMessageAt,
    stoppedAt: stop.stoppedAt,
    sample: "report",
    kinds: kind === null ? otherwise : [kind],
    push: right,
    why: [note.trim() === "" ? `the push was ${right ? "right" : "wrong"}: ${stop.reason}` : note.trim()]
  }
}

/**
 * A line for each.
 *
 * @category encoding
 */
export const encode = (labels: ReadonlyArray<StopLabel>): string =>
  labels.map((label) => `${JSON.stringify(label)}\n`).join("")
