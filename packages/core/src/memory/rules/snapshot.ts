/** What the rules keep, as plain JSON. */
import * as Schema from "effect/Schema"
import { limits, type State } from "./RulesState.ts"

const Time = Schema.Number

const Run = Schema.Struct({
  at: Time,
  status: Schema.Literal("completed", "failed", "timeout"),
  length: Schema.Number
})

const flag = Schema.optionalWith(Time, { exact: true })

const flags = {
  consecutive_failures: flag,
  timeout_pattern: flag,
  stale_task: flag,
  regression: flag
}

const Task = Schema.mutable(
  Schema.Struct({
    runs: Schema.mutable(Schema.Array(Run)),
    failures: Schema.Number,
    timeouts: Schema.Number,
    since: Time,
    passes: Schema.Number,
    passedAt: Schema.NullOr(Time),
    held: Schema.Boolean,
    flags: Schema.mutable(Schema.Struct(flags))
  })
)

const Part = Schema.mutable(
  Schema.Tuple(Schema.Number, Schema.Number, Schema.Number, Schema.optionalElement(Schema.Number))
)

const Parts = Schema.mutable(Schema.Array(Part))

const Failing = Schema.mutable(Schema.Tuple(Schema.Number, Schema.Number, Schema.Number, Schema.Number))

const Skill = Schema.mutable(
  Schema.Struct({
    parts: Parts,
    failing: Schema.optionalWith(Schema.mutable(Schema.Array(Failing).pipe(Schema.maxItems(limits.failing))), {
      default: () => []
    }),
    flag: Schema.NullOr(Time)
  })
)

const entries = <A, I>(value: Schema.Schema<A, I>, most: number) =>
  Schema.Array(Schema.Tuple(Schema.String, value)).pipe(Schema.maxItems(most))

/**
 * A state as plain JSON.
 *
 * @category encoding
 */
export const Snapshot = Schema.Struct({
  version: Schema.Literal(1),
  now: Time,
  width: Schema.Number,
  since: Schema.optionalWith(Schema.NullOr(Time), { default: () => 0 }),
  tasks: entries(Task, limits.tasks),
  skills: entries(Skill, limits.skills),
  all: Parts,
  advice: Schema.Array(Schema.String).pipe(Schema.maxItems(limits.advice))
})

export type Snapshot = typeof Snapshot.Type

export const snapshotOf = (state: State): Snapshot => ({
  version: 1,
  now: state.now,
  width: state.width,
  since: state.since,
  tasks: [...state.tasks],
  skills: [...state.skills],
  all: state.all,
  advice: [...state.advice]
})

/** The state takes over what the snapshot has. */
export const ofSnapshot = (snapshot: Snapshot): State => ({
  now: snapshot.now,
  width: snapshot.width,
  since: snapshot.since,
  tasks: new Map(snapshot.tasks),
  skills: new Map(snapshot.skills),
  all: snapshot.all,
  advice: new Set(snapshot.advice)
})
