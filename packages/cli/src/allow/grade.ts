/** Grades a model's answers to the test cases. Pure. */

export interface GradedAnswer {
  readonly name: string
  /** True if a nudge is right at the stop. */
  readonly push: boolean
  /** The status that the model gave. Null if there is no answer or it cannot be read. */
  readonly said: string | null
  /** How likely a nudge is right, from 0 to 1. */
  readonly probability: number
}

export const thresholds = [0.5, 0.55, 0.6, 0.65] as const

/** If a model has fewer right answers, its findings are only shown to the user. */
export const least = 24

export interface Result {
  readonly right: number
  /** The best threshold. Of equal thresholds, the one with the fewest `disturbed`. Null below `least` right answers. */
  readonly from: number | null
  /** Early stops at which the agent would not have been nudged. */
  readonly missed: ReadonlyArray<string>
  /** Correct stops at which the agent would have been nudged. */
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
