/** A loop that a session is in. */
import * as Schema from "effect/Schema"

export const LoopPattern = Schema.Literal("planning", "action", "same_result", "failing_call", "cycle", "monologue")

/**
 * How a session goes round. `planning`: a change was ordered, and there is hardly anything but looking around; `action`: a few commands again and again
 * among others; `same_result` and `failing_call`: the very same call; `cycle`: two or more calls in turns; `monologue`: the same words.
 *
 * @category models
 */
export type LoopPattern = typeof LoopPattern.Type

export const LoopCall = Schema.Struct({ tool: Schema.String, summary: Schema.String })

export const Loop = Schema.Struct({
  pattern: LoopPattern,
  period: Schema.Number,
  count: Schema.Number,
  calls: Schema.Array(LoopCall),
  callIds: Schema.Array(Schema.String)
})

/**
 * A loop that the session is in. `period` is the number of calls in one round, `count` the rounds seen, `calls` one
 * round of them in a line each, without secrets, and `callIds` what proves it.
 *
 * @category models
 */
export type Loop = typeof Loop.Type
