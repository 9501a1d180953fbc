/** The model's part of a review: what evidence leaves open is put to it, with what else it needs to know. */
import * as Effect from "effect/Effect"
import type { Model } from "../models/Model.ts"
import { JudgeGuidance } from "./JudgeGuidance.ts"
import * as ModelRouting from "../models/ModelRouting.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import * as SelfAssessment from "../assessment/SelfAssessment.ts"
import * as Asking from "./judgeAsking.ts"
import * as Load from "../../session/project/Load.ts"
import { isAsked } from "../../judge/verdict/LeftOpen.ts"
import { maySend } from "./BeyondEvidence.ts"
import type { Judged, Seen } from "./model.ts"

/** The turn as a model is asked about it, null where there is nothing to ask. */
export const turnOf = ({ judged, options, state, transcript }: Seen): SelfAssessment.Turn | null => {
  const turn = SelfAssessment.turnOf(state, { ...options, transcript, judged })
  return isAsked(turn.known, judged.verdict) && maySend(state, options) && !SelfAssessment.isTold(turn) ? turn : null
}

export type Reader = (seen: Seen) => Effect.Effect<Judged, never, Model>

/** Which model is asked is not yet said, and neither what it may cost. */
export const makeReader = Effect.gen(function* () {
  const { maxAttempts, model, models } = yield* CurrentConfig
  const patience = ModelRouting.patience({ model, models })
  const guidance = yield* JudgeGuidance
  const instructionsOf = yield* Load.instructions
  const read: Reader = Effect.fnUntraced(function* (seen: Seen) {
    const turn = turnOf(seen)
    if (turn === null) return seen.judged
    const instructions = yield* instructionsOf(seen.transcript.cwd)
    const telling = { attempt: seen.attempt, maxAttempts, instructions, guidance: yield* guidance.of(seen.transcript) }
    return yield* Asking.consult(turn, { models, patience, telling })
  })
  return read
})
