/**
 * How much of the search for secrets in one text is left. What is charged is what an expression may look at, and never time:
 * the same text always ends in the same way.
 */
export interface SearchWork {
  left: number
}

/** A text of some megabytes in which everything has to be looked at takes less. */
const most = 400_000_000

export const searchWork = (): SearchWork => ({ left: most })

/** False where nothing is left: what was found until then is not all. */
export const charged = (work: SearchWork, cost: number): boolean => {
  work.left -= cost
  return work.left >= 0
}

/** What a place is charged at which an expression fits, and a value has to be looked at. */
export const perPlace = 4000
