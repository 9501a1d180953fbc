/** How often a model may be asked at stops, and what is kept of each question. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Service as AskLog } from "../models/AskLog.ts"
import * as AskLines from "../models/AskLines.ts"
import type * as SelfAssessment from "../assessment/SelfAssessment.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import type { Seen } from "./model.ts"

/** Whose stop it is. */
export interface Whose extends Pick<AskLines.AskLine, "host" | "session" | "attended"> {}

export const whoseOf = ({ transcript }: Seen, { known }: SelfAssessment.Turn): Whose => ({
  host: transcript.host,
  session: transcript.sessionId ?? "",
  attended: known.attended
})

const off = "No model is asked in this session any more: three questions in a row had no answer."

const reached = (calls: number): string =>
  `No model is asked any more today: there were ${calls} questions, and models.callsPerDay is no more.`

/** Why a model is not asked, null where it may be. Who cannot count asks nobody. */
export const refusal = (log: AskLog, whose: Whose, { models }: Pick<ReflexionConfig, "models">) =>
  Effect.gen(function* () {
    const lines = yield* log.read
    if (AskLines.isOff(lines, whose.session)) return off
    if (!whose.attended) return null
    const now = yield* Clock.currentTimeMillis
    const { length } = AskLines.today(lines, now).filter(({ attended }) => attended)
    return length < models.callsPerDay ? null : reached(length)
  }).pipe(Effect.catchAll(({ message }) => Effect.succeed(`No model is asked: ${message}.`)))

const toldOff = ({ model }: Pick<AskLines.AskLine, "model">): string =>
  `reflexion: three questions in a row${model === null ? "" : ` to ${model}`} had no answer, so no model is asked in this session any more.`

/** Keeps a question; the line for the user where it was the last of the session. */
export const keep = (log: AskLog, line: AskLines.AskLine): Effect.Effect<string | null> =>
  Effect.gen(function* () {
    yield* log.add(line)
    return AskLines.isOff(yield* log.read, line.session) ? toldOff(line) : null
  }).pipe(
    Effect.catchAll(({ message }) =>
      Effect.as(Effect.logWarning(`a question to a model was not kept: ${message}`), null)
    )
  )
