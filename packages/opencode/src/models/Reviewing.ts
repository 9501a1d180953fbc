/** What is beyond evidence in the reviews of a plugin, as far as the rest of it has to know. */
import type { FailureContext } from "@reflexion/core/FailureContext"
import type { JudgeService } from "@reflexion/core/JudgeService"
import type { Reflection } from "@reflexion/core/Reflection"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import type { JudgeSession } from "./JudgeSession.ts"

/** What a model makes of a failed attempt, given what was learned of the task before. */
export type Reflect = (
  failure: FailureContext,
  previous: ReadonlyArray<Reflection>
) => Effect.Effect<Reflection, { readonly message: string }>

/** `asking`: null where no model is ever asked; `reflect`: null where none reflects. */
export class Reviewing extends Context.Tag("@reflexion/opencode/Reviewing")<
  Reviewing,
  { readonly asking: Context.Tag.Service<JudgeSession> | null; readonly reflect: Reflect | null }
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
