import * as Schema from "effect/Schema"

export const LoopPattern = Schema.Literal("planning", "action", "same_result", "failing_call", "cycle", "monologue")

/**
 * How a session repeats itself:
 * - `planning`: a change was ordered, but the agent looks around and does almost nothing else.
 * - `action`: a few commands repeat, with other commands in between.
 * - `same_result`: exactly the same call with the same result.
 * - `failing_call`: exactly the same failing call.
 * - `cycle`: two or more calls that alternate.
 * - `monologue`: the same words.
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
 * A loop in the session. `period`: the number of calls in a round. `count`: the number of rounds. `calls`: one round,
 * without secrets.
 *
 * @category models
 */
export type Loop = typeof Loop.Type
