/** Sessions of ours are where the host works, by whichever of the folder's names. */
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as JudgeSession from "./JudgeSession.ts"

const placeOf = (directory: string) =>
  Effect.map(RecordFiles.namesOf(directory), (otherNames) => ({ directory, otherNames }))

export const layer = (directory: string) =>
  Layer.unwrapEffect(Effect.map(placeOf(directory), JudgeSession.JudgeSession.layer))

/** A process that was killed while it asked a model may have left a session, be it that this one asks none. */
export const leftBehind = (directory: string) =>
  Layer.unwrapEffect(Effect.map(placeOf(directory), JudgeSession.leftBehind))
