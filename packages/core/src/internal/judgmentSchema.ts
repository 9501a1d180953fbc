/** The schema of the judge's state, apart from its functions so that a bundle which decodes none can leave it out. */
import * as Schema from "effect/Schema"
import { Evidence } from "./evidenceSchema.ts"
import { Pushes } from "./pushesSchema.ts"
import { StopSignal } from "./stopSchema.ts"
import { TaskContext } from "./taskSchema.ts"

export const JudgmentState = Schema.Struct({
  version: Schema.Literal(1),
  task: TaskContext,
  evidence: Evidence,
  stop: StopSignal,
  pushes: Pushes,
  interrupted: Schema.Boolean
})
