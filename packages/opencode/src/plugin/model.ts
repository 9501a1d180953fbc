/** What the plugin knows of a prompt that it has prepared, and of what was decided. */
import type { AgentHostError } from "@reflexion/core/AgentHost"
import type { Reflection } from "@reflexion/core/Reflection"
import type * as ReviewLesson from "@reflexion/core/internal/learn/outcomes/ReviewLesson"
import type { Transcript } from "@reflexion/core/Transcript"
import type * as Effect from "effect/Effect"

/** What a review teaches, before any of it is kept: the agent is told of `lessons`, where it is sent on. */
export interface Prepared {
  readonly lessons: ReadonlyArray<Reflection>
  readonly save: Effect.Effect<void>
}

/** A review that is decided, in a project, with the session's record. */
export interface Decided {
  readonly root: string
  readonly review: ReviewLesson.Review
  readonly transcript: Effect.Effect<Transcript, AgentHostError>
}
