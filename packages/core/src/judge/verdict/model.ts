/** The schema of the judge's state, apart from its functions so that a bundle which decodes none can leave it out. */
import * as Schema from "effect/Schema"
import { Evidence } from "../../session/evidence/model.ts"
import { Pushes } from "../../session/task/pushesSchema.ts"
import { StopSignal } from "../../session/stop/model.ts"
import { TaskContext } from "../../session/task/model.ts"

/**
 * The state of a judgement: bounded, and plain JSON in its encoded form. `pushes` is what the transcript shows of our own
 * feedback since the user's last message: how often, and where the evidence stood then (`mark`). `interrupted`: the
 * user stopped the agent and has said nothing since; whatever the agent or the host does next, that stands.
 *
 * @since 0.1.0
 * @category models
 */
export const JudgmentState = Schema.Struct({
  version: Schema.Literal(1),
  task: TaskContext,
  evidence: Evidence,
  stop: StopSignal,
  pushes: Pushes,
  interrupted: Schema.Boolean
})

export type JudgmentState = typeof JudgmentState.Type
