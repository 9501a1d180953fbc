/** Types and functions that all parts of the secret search share. */

/** The position of a secret in a text. `end` is exclusive. */
export interface Span {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/**
 * How much work is left for the search in one text. The work is counted in characters that an expression may read,
 * never in time. So the same text always gives the same result.
 */
export interface SearchWork {
  left: number
}

/** Returns the budget for one text. It is enough for a text of some megabytes in which everything must be checked. */
export const searchWork = (): SearchWork => ({ left: 400_000_000 })

/**
 * Subtracts the cost. Returns false if the budget is used up; the results so far are then incomplete.
 */
export const charged = (work: SearchWork, cost: number): boolean => {
  work.left -= cost
  return work.left >= 0
}

/** The cost of checking the value of one match. */
const perPlace = 4000

/**
 * Calls `visit` for each match of a global expression, as long as the budget lasts. The search continues at the index
 * that `visit` returns, or after the match.
 */
export const eachMatch = (
  on: RegExp,
  text: string,
  work: SearchWork,
  visit: (match: RegExpExecArray) => number | void
): void => {
  if (!charged(work, text.length)) return
  on.lastIndex = 0
  for (let match = on.exec(text); match !== null && charged(work, perPlace); match = on.exec(text))
    on.lastIndex = visit(match) ?? on.lastIndex
}
