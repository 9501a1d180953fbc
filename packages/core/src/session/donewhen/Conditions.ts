/** Combines conditions from several sources. A hook loads this module at the end of every turn. */
import type { AcceptanceItem } from "./model.ts"

export type { AcceptanceItem } from "./model.ts"

export type Condition = Omit<AcceptanceItem, "id">

/** True if another condition with the same text may replace this condition. */
const isLess = (one: Condition | undefined): boolean =>
  one === undefined || one.command === null || one.untrusted === true

export const distinct = (all: ReadonlyArray<Condition>): ReadonlyArray<Condition> => {
  const found = new Map<string, Condition>()
  for (const one of all)
    if (isLess(found.get(one.text)) && !(found.has(one.text) && one.untrusted === true)) found.set(one.text, one)
  return [...found.values()]
}

/** Numbers the conditions. Every source has its own limit, so one source cannot push out the conditions of another. */
export const numbered = (all: ReadonlyArray<Condition>): ReadonlyArray<AcceptanceItem> =>
  distinct(all).map((one, at) => ({ ...one, id: `d${at + 1}` }))

const prefix = "done-when:"

export const gateOf = ({ id }: Pick<AcceptanceItem, "id">): string => `${prefix}${id}`

export const isGate = (gate: string): boolean => gate.startsWith(prefix)
