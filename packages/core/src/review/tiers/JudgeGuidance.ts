/** The user's own guidance for reviews, from a file in a trusted workspace or from the session. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SessionInfo } from "../../session/transcript/Transcript.ts"

/**
 * Where the guidance comes from.
 *
 * @category models
 */
export interface Options {
  /**
   * The project's guidance files, in order of priority, exactly as the trust check saw them. Null if the user does not
   * trust the project: then guidance from the session is ignored too.
   */
  readonly texts: (cwd: string) => Effect.Effect<ReadonlyArray<string> | null>
  readonly said?: (session: SessionInfo) => Effect.Effect<string | null>
}

const maxLength = 65_536

const isGuidance = (text: string): boolean => text.trim() !== "" && text.length <= maxLength

const nothing = (): Effect.Effect<string | null> => Effect.succeed(null)

/**
 * Asked before each review by a model. By default there is no guidance, and no project is trusted.
 *
 * @category references
 */
export class JudgeGuidance extends Context.Reference<JudgeGuidance>()("@reflexion/core/JudgeGuidance", {
  defaultValue: () => ({ of: (_session: SessionInfo): Effect.Effect<string | null> => nothing() })
}) {
  static readonly layer = ({ said = nothing, texts }: Options): Layer.Layer<JudgeGuidance> =>
    Layer.succeed(JudgeGuidance, {
      of: Effect.fnUntraced(function* (session: SessionInfo) {
        const found = session.cwd === null ? null : yield* texts(session.cwd)
        return found === null ? null : (found.find(isGuidance) ?? (yield* said(session)))
      })
    })
}
