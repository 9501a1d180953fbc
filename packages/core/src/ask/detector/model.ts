/** What a model says of a session that evidence cannot decide. */
import * as Schema from "effect/Schema"
import { Reason } from "../../judge/stuck/model.ts"

export const Problem = Schema.Literal("cut_off", "announced_step", "unhandled_failure", "only_planned", "none")

/** `push`: the probability that a reminder would be right now; what follows from it is not the model's to say. */
export const Answer = Schema.Struct({
  reason: Reason,
  problem: Problem,
  confidence: Schema.Number,
  push: Schema.Number
}).annotations({ identifier: "StuckAnswer" })

export type Answer = typeof Answer.Type
