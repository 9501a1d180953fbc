/** What is beyond evidence in the reviews of a plugin, as far as the rest of it has to know. */
import type { FailureContext } from "@reflexion/core/FailureContext"
import type { Reflection } from "@reflexion/core/Reflection"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
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
