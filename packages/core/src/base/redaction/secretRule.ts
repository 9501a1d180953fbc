/** Types and functions that all parts of the secret search share. */

/** `end` is exclusive. */
export interface Span {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/**
 * The work left for one text, counted in characters that an expression may read. Unlike a time limit, this always gives
 * the same result.
 */
export interface SearchWork {
  left: number
}

/** Enough for some megabytes in which everything must be checked. */
export const searchWork = (): SearchWork => ({ left: 400_000_000 })

/** Returns false if the budget is used up. The results are then incomplete. */
export const charged = (work: SearchWork, cost: number): boolean => {
  work.left -= cost
  return work.left >= 0
}

/** The cost of checking the value of one match. */
const perPlace = 4000

/**
 * Calls `visit` for each match while the budget lasts. Continues at the index that `visit` returns, or after the match.
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
