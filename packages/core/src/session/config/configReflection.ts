/** The schema of the reflection cycle's part of the configuration. */
import * as Schema from "effect/Schema"
import { Flag, shape, whole } from "./values.ts"

const fields = {
  /** Whether anything is looked for; without it no fiber exists. */
  enabled: Flag,
  /** After so many attempts that completed the rules look at them; at a failure they do at once. */
  batch_threshold: whole(1, 10_000),
  /** After so many failures in a row a task is paused. */
  consecutive_failure_limit: whole(1, 100),
  /** How far back the rules look, in seconds. */
  lookback_seconds: whole(60, 31_536_000),
  /** A task whose results are all of fewer characters does nothing any more; 0 for none. */
  min_result_length: whole(0, 1_000_000)
}

export const Reflection = Schema.Struct(fields)

export const PartialReflection = Schema.partialWith(Reflection, { exact: true }).annotations(
  shape(`an object with ${Object.keys(fields).join(", ")}`)
)
