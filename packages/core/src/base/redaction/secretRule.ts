/** What the parts of the search for secrets share. */

/** A secret's place in a text, `end` exclusive. */
export interface Span {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/**
 * How much of the search for secrets in one text is left. What is charged is what an expression may look at, and never time:
 * the same text always ends in the same way.
 */
export interface SearchWork {
  left: number
}

/** A text of some megabytes in which everything has to be looked at takes less. */
export const searchWork = (): SearchWork => ({ left: 400_000_000 })

/** False where nothing is left: what was found until then is not all. */
export const charged = (work: SearchWork, cost: number): boolean => {
  work.left -= cost
  return work.left >= 0
}

/** What a place is charged at which an expression fits, and a value has to be looked at. */
const perPlace = 4000

/** Hands each match of a global expression on, as long as there is work left. It goes on where the answer says, or behind it. */
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
