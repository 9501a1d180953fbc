/** What is beyond evidence in the reviews of a plugin, as far as the rest of it has to know. */
import type { JudgeService } from "@reflexion/core/JudgeService"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import type { JudgeSession } from "../JudgeSession.ts"

/** `asking`: null where no model is ever asked. */
export class Reviewing extends Context.Tag("@reflexion/opencode/Reviewing")<
  Reviewing,
  { readonly asking: Context.Tag.Service<JudgeSession> | null }
>() {}

const isAlone = FiberRef.unsafeMake(false)

/** Reviews in it look at the evidence and at nothing else. */
export const alone: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.locally(isAlone, true)

type Judge = Context.Tag.Service<JudgeService>

/** One judge of two: the careful one reviews stops, the other tells how things stand. */
export const both = (evidence: Judge, careful: Judge): Judge => ({
  judge: evidence.judge,
  review: (transcript, options) =>
    Effect.flatMap(FiberRef.get(isAlone), (only) => (only ? evidence : careful).review(transcript, options))
})
