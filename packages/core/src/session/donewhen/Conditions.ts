/** Conditions of several sources put together, and the gates that their commands are. A hook loads it at every stop. */
import type { AcceptanceItem } from "./model.ts"

export type { AcceptanceItem } from "./model.ts"

/** A condition that has no number yet. */
export type Condition = Omit<AcceptanceItem, "id">

/** What names a command says more, and what the user said counts more than what a workspace says. */
const isLess = (one: Condition | undefined): boolean =>
  one === undefined || one.command === null || one.untrusted === true

/** Each once, in its first place. */
export const distinct = (all: ReadonlyArray<Condition>): ReadonlyArray<Condition> => {
  const found = new Map<string, Condition>()
  for (const one of all)
    if (isLess(found.get(one.text)) && !(found.has(one.text) && one.untrusted === true)) found.set(one.text, one)
  return [...found.values()]
}

/** With a number each. Every source has its bound; none takes another's place. */
export const numbered = (all: ReadonlyArray<Condition>): ReadonlyArray<AcceptanceItem> =>
  distinct(all).map((one, at) => ({ ...one, id: `d${at + 1}` }))

const prefix = "done-when:"

/** The gate that the command of an item is. */
export const gateOf = ({ id }: Pick<AcceptanceItem, "id">): string => `${prefix}${id}`

/** Whether a gate is an item's. */
export const isGate = (gate: string): boolean => gate.startsWith(prefix)
