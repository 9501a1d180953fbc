/** The schemas of the loops, apart from their functions so that a bundle which decodes none can leave them out. */
import * as Schema from "effect/Schema"

export const LoopPattern = Schema.Literal(
  "planning",
  "action",
  "same_result",
  "failing_call",
  "alternation",
  "cycle",
  "monologue",
  "context_error"
)

export const LoopCall = Schema.Struct({ tool: Schema.String, summary: Schema.String })

export const Loop = Schema.Struct({
  pattern: LoopPattern,
  period: Schema.Number,
  count: Schema.Number,
  calls: Schema.Array(LoopCall),
  callIds: Schema.Array(Schema.String)
})

const Entry = Schema.Struct({
  key: Schema.Number,
  result: Schema.Number,
  failed: Schema.Boolean,
  id: Schema.NullOr(Schema.String),
  tool: Schema.String,
  summary: Schema.String
})

export const Loops = Schema.Struct({
  version: Schema.Literal(1),
  recent: Schema.Array(Entry),
  runs: Schema.Array(Schema.Number),
  calls: Schema.Number,
  writes: Schema.Number
})
