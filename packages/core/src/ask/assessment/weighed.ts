/** A model's opinion with what the record makes of it. */
import { type Shown, shown } from "./citations.ts"
import { type Skipped, skipped, type Unproved, unproved } from "./claimCheck.ts"
import { contradicted, overclaimed } from "./contradictions.ts"
import { forUser } from "./humanWords.ts"
import type { Opinion } from "./modelOpinion.ts"
import { bare, type Turn } from "./TurnRecord.ts"

/** An opinion with what the record makes of it. `false`: what it says and a fact contradicts. */
export interface Weighed {
  readonly opinion: Opinion
  readonly shown: ReadonlyArray<Shown>
  readonly unproved: ReadonlyArray<Unproved>
  readonly false: ReadonlyArray<Unproved>
  readonly skipped: Skipped | null
  readonly human: ReadonlyArray<string>
}

/** The same thing named twice is one. */
const distinct = (found: ReadonlyArray<Shown>): ReadonlyArray<Shown> => [
  ...new Map(found.map((item) => [item.key, item])).values()
]

/** What the record bears out of an opinion. */
export const shownOf = (turn: Turn, opinion: Opinion): ReadonlyArray<Shown> =>
  distinct([
    ...opinion.work.flatMap((item) => shown(turn, item, opinion.said === "stuck") ?? []),
    ...overclaimed(turn, opinion)
  ]).slice(0, 8)

/** What an untrusted project calls its condition sends nobody on. */
const trusted = ({ known: { doneWhen } }: Turn, opinion: Opinion): Opinion => {
  const untrusted = doneWhen.filter((one) => one.untrusted === true).map(({ id }) => id)
  return untrusted.length === 0
    ? opinion
    : { ...opinion, work: opinion.work.filter(({ event }) => !untrusted.includes(bare(event))) }
}

/** An opinion held against the record. */
const held = (turn: Turn, opinion: Opinion): Weighed => ({
  opinion,
  shown: shownOf(turn, opinion),
  unproved: opinion.assessment === null ? [] : unproved(turn, opinion.assessment),
  false: contradicted(turn, opinion),
  skipped: opinion.assessment === null ? null : skipped(turn, opinion.assessment),
  human: [...new Set(opinion.human.flatMap((item) => forUser(item.slice(0, 2000)) ?? []))].slice(0, 4)
})

/** The same without what an untrusted project calls its condition. */
export const weigh = (turn: Turn, opinion: Opinion): Weighed => held(turn, trusted(turn, opinion))
