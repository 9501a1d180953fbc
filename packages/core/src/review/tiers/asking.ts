/** The model stage of a review: whether a model may be asked, which one, and what is logged. */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { isAsked } from "./BeyondEvidence.ts"
import type { ModelRecord, ReviewInput } from "./model.ts"
import { type Ask, unasked } from "./Question.ts"
import { turnOf } from "../../model/assessment/TurnRecord.ts"
import { AnsweredBy } from "../../model/calls/Fallbacks.ts"
import * as AskLines from "../../model/calls/AskLines.ts"
import { AskLog } from "../../model/calls/AskLog.ts"
import { Models } from "../../model/calls/Models.ts"
import { CurrentConfig, type ReflexionConfig } from "../../session/config/ReflexionConfig.ts"

type Whose = Pick<AskLines.AskLine, "host" | "session" | "attended">

/** Null if a model may be asked. If the log cannot be read, no model is asked. */
const refusal = Effect.fnUntraced(
  function* ({ attended, session }: Whose, { models }: ReflexionConfig) {
    const lines = yield* Effect.flatMap(AskLog, ({ read }) => read)
    if (AskLines.isOff(lines, session))
      return "No model is asked in this session any more: three questions in a row had no answer."
    const now = yield* Clock.currentTimeMillis
    const calls = AskLines.today(lines, now).filter((line) => line.attended).length
    return !attended || calls < models.callsPerDay
      ? null
      : `No model is asked any more today: ${calls} questions were asked, and models.callsPerDay allows no more.`
  },
  Effect.catchAll(({ message }) => Effect.succeed(`No model is asked: ${message}.`))
)

/** Returns a line for the user if no further question will be asked in this session. */
const keep = Effect.fnUntraced(
  function* (line: AskLines.AskLine) {
    const log = yield* AskLog
    yield* log.add(line)
    const to = line.model === null ? "" : ` to ${line.model}`
    return AskLines.isOff(yield* log.read, line.session)
      ? `reflexion: three questions in a row${to} had no answer, so no model is asked in this session any more.`
      : null
  },
  Effect.catchAll(({ message }) =>
    Effect.as(Effect.logWarning(`a question to a model was not logged: ${message}`), null)
  )
)

export interface Heard extends ReviewInput {
  /** The models that judged. Empty if the evidence decided. */
  readonly judges: ReadonlyArray<string>
}

/** Chooses a model only if there is a question and a transcript to show, so that no other turn costs money. */
export const stage = Effect.fnUntraced(function* (
  seen: Heard,
  put: Ask,
  asking: (model: string) => Effect.Effect<void> = () => Effect.void
) {
  const { attempt, judged, options, state, transcript } = seen
  const config = yield* CurrentConfig
  const isOff = config.model === "off" || seen.without?.includes("model") === true || transcript.events.length === 0
  if (isOff || !isAsked(state, judged.verdict, options)) return seen
  const turn = turnOf(state, { ...options, transcript, judged })
  const { attended } = turn.known
  const whose = { host: transcript.host, session: transcript.sessionId ?? "", attended }
  const why = yield* refusal(whose, config)
  if (why !== null) return { ...seen, judged: { ...judged, ...unasked(turn, why) } }
  yield* asking(config.model)
  const since = yield* Clock.currentTimeMillis
  const chosen = yield* Ref.make<ReadonlyArray<string>>([])
  const named = Effect.map(Ref.get(chosen), (all) => all.at(-1) ?? (config.model === "auto" ? null : config.model))
  const took = Effect.fnUntraced(function* (
    end: AskLines.AskEnd,
    given: Omit<NonNullable<ModelRecord["question"]>, "ms">
  ) {
    const question = { ...given, ms: (yield* Clock.currentTimeMillis) - since }
    const at = DateTime.formatIso(DateTime.unsafeMake(since))
    return { question, told: yield* keep({ ...whose, ...question, at, end }) }
  })
  const { asked, ...said } = yield* put(turn, { attempt, session: transcript }, Layer.build(Models.Judge)).pipe(
    Effect.provideService(AnsweredBy, { note: (name) => Ref.update(chosen, (all) => [...all, name]) }),
    // If the user sends a message meanwhile, the question counts as asked.
    Effect.onInterrupt(() =>
      Effect.flatMap(named, (model) => took("overtaken", { model, inputTokens: 0, outputTokens: 0 }))
    )
  )
  const { cost, source } = said.verdict
  const judges = source === "model" ? [...(yield* Ref.get(chosen)), asked.model ?? ""] : []
  const { inputTokens, outputTokens } = cost
  const kept =
    asked.end === null
      ? {}
      : yield* took(asked.end, { model: (yield* named) ?? asked.model, inputTokens, outputTokens })
  return { ...seen, judges, judged: { ...judged, ...said, asked: { ...asked, ...kept } } }
})
