/** What a model's answers to the written cases are worth. Pure. */

/**
 * An answer to one case. `push`: whether sending the agent on would be right there; `said`: the status that the model gave,
 * null where it did not answer or could not be read; `probability`: that a push is right, from 0 to 1.
 *
 * @category models
 */
export interface Answered {
  readonly name: string
  readonly push: boolean
  readonly said: string | null
  readonly probability: number
}

/** The thresholds that a model may earn. */
export const thresholds = [0.5, 0.55, 0.6, 0.65] as const

/** With fewer right answers a model tells, and sends nobody on. */
export const least = 24

const pushes = ({ probability, said }: Answered, from: number): boolean =>
  (said === "in_progress" || said === "stuck") && probability >= from

/** An answer that cannot be read is right nowhere. */
const isRight = (one: Answered, from: number): boolean => one.said !== null && pushes(one, from) === one.push

/**
 * `from`: the threshold with the most right answers, of equal ones that with the fewest honest stops disturbed, then the
 * highest; null where even that has too few. `missed` are stops that were too early and not found, `disturbed` right ones
 * that would have been sent on.
 *
 * @category models
 */
export interface Result {
  readonly right: number
  readonly from: number | null
  readonly missed: ReadonlyArray<string>
  readonly disturbed: ReadonlyArray<string>
  readonly unread: ReadonlyArray<string>
}

const at = (answers: ReadonlyArray<Answered>, from: number) => ({
  from,
  right: answers.filter((one) => isRight(one, from)).length,
  disturbed: answers.filter((one) => !one.push && pushes(one, from)),
  missed: answers.filter((one) => one.push && one.said !== null && !pushes(one, from))
})

const names = (answers: ReadonlyArray<Answered>): ReadonlyArray<string> => answers.map(({ name }) => name)

export const grade = (answers: ReadonlyArray<Answered>): Result => {
  const [best] = thresholds
    .map((from) => at(answers, from))
    .toSorted(
      (one, other) => other.right - one.right || one.disturbed.length - other.disturbed.length || other.from - one.from
    )
  const { disturbed, from, missed, right } = best ?? at(answers, 0.6)
  return {
    right,
    from: right >= least ? from : null,
    missed: names(missed),
    disturbed: names(disturbed),
    unread: names(answers.filter(({ said }) => said === null))
  }
}
