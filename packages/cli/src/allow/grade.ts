/** What a model's answers to the written cases are worth. Pure. */

/**
 * An answer to one case. `push`: whether sending the agent on would be right there; `said`: the status that the model
 * gave, null where it did not answer or could not be read; `probability`: that a nudge is right, from 0 to 1.
 */
export interface GradedAnswer {
  readonly name: string
  readonly push: boolean
  readonly said: string | null
  readonly probability: number
}

/** The thresholds that a model may earn. */
export const thresholds = [0.5, 0.55, 0.6, 0.65] as const

/** With fewer right answers a model tells, and sends nobody on. */
export const least = 24

/**
 * `from`: the threshold with the most right answers, of equal ones that with the fewest honest stops disturbed, then
 * the highest; null where even that has too few. `missed` are stops that were too early and not found, `disturbed`
 * right ones that would have been sent on.
 */
export interface Result {
  readonly right: number
  readonly from: number | null
  readonly missed: ReadonlyArray<string>
  readonly disturbed: ReadonlyArray<string>
  readonly unread: ReadonlyArray<string>
}

const at = (answers: ReadonlyArray<GradedAnswer>, from: number) => {
  const nudges = ({ probability, said }: GradedAnswer): boolean =>
    (said === "in_progress" || said === "stuck") && probability >= from
  const read = answers.filter(({ said }) => said !== null)
  const names = (wanted: (one: GradedAnswer) => boolean) => read.filter(wanted).map(({ name }) => name)
  return {
    from,
    right: names((one) => nudges(one) === one.push).length,
    disturbed: names((one) => !one.push && nudges(one)),
    missed: names((one) => one.push && !nudges(one))
  }
}

export const grade = (answers: ReadonlyArray<GradedAnswer>): Result => {
  const [best = at(answers, thresholds[0])] = thresholds
    .map((from) => at(answers, from))
    .toSorted(
      (one, other) => other.right - one.right || one.disturbed.length - other.disturbed.length || other.from - one.from
    )
  return {
    ...best,
    from: best.right >= least ? best.from : null,
    unread: answers.filter(({ said }) => said === null).map(({ name }) => name)
  }
}
