/** What the cycle knows: how far it is, what it found and did not tell yet, and what is still to be analysed or changed. */
import * as Schema from "effect/Schema"
import type { AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import { RecommendedAction } from "../changes/RecommendedAction.ts"
import { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import * as ReflectionRules from "../rules/ReflectionRules.ts"
import { CycleEvent } from "./events.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"

/** Where more than `seen` outcomes of a window come, those that ended first are forgotten, down to `kept`. */
export const limits = { seen: 100_000, kept: 90_000, history: 200, unanalysed: 50, actions: 30 } as const

const last = <A>(all: ReadonlyArray<A>, most: number): Array<A> => all.slice(Math.max(0, all.length - most))

/** `isNew` once it is known that the log had it from nobody else; `isAgain` of a finding that is told a second time. */
const SavedUntold = Schema.Struct({
  finding: ReflectionFinding,
  count: Schema.Number,
  isNew: Schema.optionalWith(Schema.Boolean, { exact: true }),
  isAgain: Schema.optionalWith(Schema.Boolean, { exact: true })
})

/** `analysis` is the finding that recommended it. */
const Recommended = Schema.Struct({
  ...RecommendedAction.fields,
  analysis: Schema.optionalWith(Schema.String, { exact: true })
})

export type Recommended = typeof Recommended.Type

export const Saved = Schema.Struct({
  version: Schema.Literal(1),
  rules: ReflectionRules.Snapshot,
  /** Outcomes of the window that the rules had, by a hash of their ids, and when they say that they ended. */
  seen: Schema.Array(Schema.Tuple(Schema.Number, Schema.Number)).pipe(Schema.maxItems(limits.seen)),
  floor: Schema.Number,
  untold: Schema.optionalWith(Schema.Array(SavedUntold), { default: () => [] }),
  unanalysed: Schema.Array(ReflectionFinding).pipe(Schema.maxItems(limits.unanalysed)),
  answered: Schema.optionalWith(Schema.Array(ReflectionFinding), { default: () => [] }),
  actions: Schema.Array(Recommended).pipe(Schema.maxItems(limits.actions)),
  history: Schema.Array(CycleEvent).pipe(Schema.maxItems(limits.history))
})

export type Saved = typeof Saved.Type

export interface Untold extends ReflectionRules.Found {
  isNew?: boolean
  readonly isAgain?: boolean
}

export interface CycleState {
  readonly rules: ReflectionRules.State
  readonly seen: Map<number, number>
  /** What ended until then is not remembered any more, and not looked at again. */
  floor: number
  unanalysed: Array<ReflectionFinding>
  /** What a model said, and is not in the log yet. */
  answered: Array<ReflectionFinding>
  actions: Array<Recommended>
  /** Those that the mutator could not make when it was last asked: it is asked again with what is found next. */
  readonly putOff: WeakSet<Recommended>
  history: Array<CycleEvent>
  /** What is in the history, and is told when a checkpoint has it. */
  readonly outbox: Array<CycleEvent>
  /** What was found and is not in the log yet, or not acted on. */
  readonly untold: Array<Untold>
  /** How many outcomes the rules had since the last checkpoint. */
  unsaved: number
  /** How many passed by since the process began, had before or not. */
  passed: number
  /** Whether one was left out since the last checkpoint, for its task was paused at that time. */
  leftOut: boolean
  /** Whether it was said that there are more outcomes in a window than are remembered. */
  isNarrow: boolean
  /** Whether something was found since a model was last asked. */
  isFresh: boolean
  /** When it was last tried in vain to pause a task. */
  readonly tried: Map<string, number>
  /** Until when a `TaskControl` is not asked what it did not answer. */
  readonly rests: Map<string, number>
}

export const initial = (): CycleState => ({
  rules: ReflectionRules.initial(),
  seen: new Map(),
  floor: 0,
  unanalysed: [],
  answered: [],
  actions: [],
  putOff: new WeakSet(),
  history: [],
  outbox: [],
  untold: [],
  unsaved: 0,
  passed: 0,
  leftOut: false,
  isNarrow: false,
  isFresh: false,
  tried: new Map(),
  rests: new Map()
})

export const ofSaved = (saved: Saved): CycleState => ({
  ...initial(),
  rules: ReflectionRules.ofSnapshot(saved.rules),
  seen: new Map(saved.seen),
  floor: saved.floor,
  untold: saved.untold.map((untold) => ({ ...untold })),
  unanalysed: [...saved.unanalysed],
  answered: [...saved.answered],
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
    untold: state.untold.map((untold) => ({ ...untold })),
    unanalysed: last(state.unanalysed, limits.unanalysed),
    answered: [...state.answered],
    actions: last(state.actions, limits.actions),
    history: last(state.history, limits.history)
  }
}

/** 53 bits of an id. */
const hashOf = (id: string): number => KeyHash.ofText(id) * 0x20_0000 + (KeyHash.ofText(`seen ${id}`) >>> 11)

/** What the rules had at some moment. */
export type Known = Pick<CycleState, "seen" | "floor">

/** Of a pass over the whole log, in which each outcome comes once: what is forgotten meanwhile is not dropped by it. */
export const knownOf = ({ floor, seen }: CycleState): Known => ({ floor, seen: new Map(seen) })

interface Wanted {
  readonly window: number
  readonly known?: Known
}

/** Whether the rules are to have it: not what they had, and not what is older than all that they look at. */
export const isWanted = (state: CycleState, { at: ended, id }: AttemptOutcome, { known, window }: Wanted): boolean => {
  const { floor, seen } = known ?? state
  const at = Date.parse(ended)
  if (at < state.rules.now - window || at <= floor) return false
  const hash = hashOf(id)
  return !state.seen.has(hash) && !seen.has(hash)
}

/**
 * Forgets which they were that ended first: whatever ended until then is not looked at any more. What says that it ends in
 * the future is as new as any, and no newer.
 */
const forget = (state: CycleState, { from, now }: { readonly from: number; readonly now: number }): void => {
  for (const [hash, at] of state.seen) if (at < from) state.seen.delete(hash)
  if (state.seen.size <= limits.kept) return
  const times = Float64Array.from(state.seen.values(), (at) => Math.min(at, now)).toSorted()
  const floor = times[times.length - limits.kept - 1] ?? state.floor
  for (const [hash, at] of state.seen) if (Math.min(at, now) <= floor) state.seen.delete(hash)
  state.floor = Math.max(state.floor, floor)
}

export const markSeen = (
  state: CycleState,
  { at, id }: AttemptOutcome,
  { now, window }: { readonly now: number; readonly window: number }
): void => {
  // By what it says, whatever is believed of it: so long it is found in the log again.
  state.seen.set(hashOf(id), Date.parse(at))
  state.unsaved += 1
  if (state.seen.size > limits.seen) forget(state, { from: state.rules.now - window, now })
}

export const remember = (state: CycleState, event: CycleEvent): void => {
  state.outbox.push(event)
  state.history.push(event)
  if (state.history.length > limits.history) state.history.shift()
}
