/** The schema of the judge's state, apart from its functions so that a bundle which decodes none can leave it out. */
import * as Schema from "effect/Schema"
import { Evidence } from "../../session/evidence/model.ts"
import { Pushes } from "../../session/task/pushesSchema.ts"
import { StopSignal } from "../../session/stop/model.ts"
import { TaskContext } from "../../session/task/model.ts"

export const JudgmentState = Schema.Struct({
  version: Schema.Literal(1),
  task: TaskContext,
  evidence: Evidence,
  stop: StopSignal,
  pushes: Pushes,
  interrupted: Schema.Boolean
})
