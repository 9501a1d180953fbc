/** What a model says of a session that evidence cannot decide. */
import * as Schema from "effect/Schema"
import { Reason } from "../../judge/stuck/model.ts"

const Problem = Schema.Literal("cut_off", "announced_step", "unhandled_failure", "only_planned", "none")

export const Answer = Schema.Struct({
  reason: Reason,
  problem: Problem,
  confidence: Schema.Number,
  why: Schema.String
}).annotations({ identifier: "StuckAnswer" })

export type Answer = typeof Answer.Type
