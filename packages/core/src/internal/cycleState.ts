/** What the cycle knows: how far it is, what it found and did not tell yet, and what is still to be analysed or changed. */
import * as Schema from "effect/Schema"
import type { AttemptOutcome } from "../AttemptOutcome.ts"
import { RecommendedAction } from "../RecommendedAction.ts"
import { ReflectionFinding } from "../ReflectionFinding.ts"
import * as ReflectionRules from "../ReflectionRules.ts"
import { CycleEvent } from "./cycleEvents.ts"
import * as KeyHash from "./keyHash.ts"

export const limits = { seen: 100_000, history: 200, unanalysed: 50, actions: 10 } as const

const last = <A>(all: ReadonlyArray<A>, most: number): Array<A> => all.slice(Math.max(0, all.length - most))

export const Saved = Schema.Struct({
  version: Schema.Literal(1),
  rules: ReflectionRules.Snapshot,
  /** Outcomes of the window that the rules had, by a hash of their ids, and when they ended. */
  seen: Schema.Array(Schema.Tuple(Schema.Number, Schema.Number)).pipe(Schema.maxItems(limits.seen)),
  floor: Schema.Number,
  unanalysed: Schema.Array(ReflectionFinding).pipe(Schema.maxItems(limits.unanalysed)),
  actions: Schema.Array(RecommendedAction).pipe(Schema.maxItems(limits.actions)),
  history: Schema.Array(CycleEvent).pipe(Schema.maxItems(limits.history))
})

export type Saved = typeof Saved.Type

/** `isNew` once the cycle has put it into the log itself. */
export interface Untold extends ReflectionRules.Found {
  isNew?: boolean
}

export interface CycleState {
  readonly rules: ReflectionRules.State
  readonly seen: Map<number, number>
  /** What ended until then is not remembered any more, and not looked at again. */
  floor: number
  unanalysed: Array<ReflectionFinding>
  actions: Array<RecommendedAction>
  history: Array<CycleEvent>
  /** What was found and is not in the log yet. */
  readonly untold: Array<Untold>
  /** How many outcomes the rules had since the last checkpoint. */
  unsaved: number
  /** Whether something was found since a model was last asked. */
  isFresh: boolean
  /** When it was last tried in vain to pause a task. */
  readonly tried: Map<string, number>
}

export const initial = (): CycleState => ({
  rules: ReflectionRules.initial(),
  seen: new Map(),
  floor: 0,
  unanalysed: [],
  actions: [],
  history: [],
  untold: [],
  unsaved: 0,
  isFresh: false,
  tried: new Map()
})

export const ofSaved = (saved: Saved): CycleState => ({
  ...initial(),
  rules: ReflectionRules.ofSnapshot(saved.rules),
  seen: new Map(saved.seen),
  floor: saved.floor,
  unanalysed: [...saved.unanalysed],
  actions: [...saved.actions],
  history: [...saved.history]
})

/** Outcomes before the window are not looked at again, so nobody has to know which they were. */
export const toSave = (state: CycleState, window: number): Saved => {
  const from = state.rules.now - window
  for (const [hash, at] of state.seen) if (at < from) state.seen.delete(hash)
  return {
    version: 1,
    rules: ReflectionRules.snapshotOf(state.rules),
    seen: [...state.seen],
    floor: state.floor,
    unanalysed: last(state.unanalysed, limits.unanalysed),
    actions: last(state.actions, limits.actions),
    history: last(state.history, limits.history)
  }
}

/** 53 bits of an id. */
const hashOf = (id: string): number => KeyHash.ofText(id) * 0x20_0000 + (KeyHash.ofText(`seen ${id}`) >>> 11)

export const hasSeen = (state: CycleState, { id }: AttemptOutcome): boolean => state.seen.has(hashOf(id))

/** Whether the rules are to have it: not what they had, and not what is older than all that they look at. */
export const isWanted = (state: CycleState, outcome: AttemptOutcome, window: number): boolean => {
  const at = Date.parse(outcome.at)
  return at >= state.rules.now - window && at > state.floor && !hasSeen(state, outcome)
}

export const markSeen = (state: CycleState, outcome: AttemptOutcome, now: number): void => {
  state.seen.set(hashOf(outcome.id), Math.min(Date.parse(outcome.at), now))
  state.unsaved += 1
  for (const [hash, at] of state.seen) {
    if (state.seen.size <= limits.seen) return
    state.seen.delete(hash)
    state.floor = Math.max(state.floor, at)
  }
}

export const remember = (state: CycleState, event: CycleEvent): void => {
  state.history.push(event)
  if (state.history.length > limits.history) state.history.shift()
}
