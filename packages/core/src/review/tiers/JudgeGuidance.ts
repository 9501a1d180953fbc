/**
 * What the user wants reviews to look at, apart from what every review does: from a file of a workspace that the user trusts,
 * or said in the session.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SessionInfo } from "../../session/transcript/Transcript.ts"

/**
 * `texts` gives those of the guidance files of the project that a folder belongs to, as they were when the user's trust in
 * them was looked up, the first before the second; null where the user does not trust it: then nothing that was said in it
 * counts either. `said` is what was set in the session itself.
 *
 * @category models
 */
export interface Options {
  readonly texts: (cwd: string) => Effect.Effect<ReadonlyArray<string> | null>
  readonly said?: (session: SessionInfo) => Effect.Effect<string | null>
}

const maxLength = 65_536

const isGuidance = (text: string): boolean => text.trim() !== "" && text.length <= maxLength

const nothing = (): Effect.Effect<string | null> => Effect.succeed(null)

/**
 * Asked before every review by a model; nobody is trusted and nothing is said unless a layer tells otherwise.
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
