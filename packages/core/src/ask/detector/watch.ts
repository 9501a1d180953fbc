/** A running session, looked at with each event and when a silence has lasted long enough. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Equivalence from "effect/Equivalence"
import * as FiberHandle from "effect/FiberHandle"
import * as Mailbox from "effect/Mailbox"
import * as Stream from "effect/Stream"
import type { JudgmentContext } from "../../judge/verdict/Judgment.ts"
import * as StuckAssessment from "../../judge/stuck/StuckAssessment.ts"
import type { SessionInfo, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { LookOptions } from "../../judge/stuck/model.ts"
import { firstWord } from "../../judge/stuck/StuckLook.ts"

type Assessment = StuckAssessment.Assessment

export interface Watch {
  readonly session: SessionInfo
  readonly context: JudgmentContext
  readonly assess: (state: StuckAssessment.StuckState, options: LookOptions) => Effect.Effect<Assessment>
}

const isSame = Equivalence.mapInput(Equivalence.string, ({ loops, reason, shouldNudge }: Assessment) =>
  JSON.stringify([reason, shouldNudge, loops.map(({ count, pattern, period }) => [pattern, period, count])])
)

/** The silences, in seconds, after which a session may be something else than before, each from the one before it. */
const naps = ({ silence, stall }: JudgmentContext["config"]["stuck"]): ReadonlyArray<number> => {
  const marks = [silence, ...[firstWord, stall].filter((mark) => mark > silence)].toSorted((one, other) => one - other)
  return marks.map((mark, index) => mark - (marks[index - 1] ?? 0))
}

export const make = <E, R>(
  events: Stream.Stream<TranscriptEvent, E, R>,
  { assess, context, session }: Watch
): Stream.Stream<Assessment, E, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const out = yield* Mailbox.make<Assessment, E>()
      const waiting = yield* FiberHandle.make()
      const tell = Effect.fnUntraced(function* (state: StuckAssessment.StuckState, silentSince: number) {
        const now = new Date(yield* Clock.currentTimeMillis).toISOString()
        yield* out.offer(yield* assess(state, { session, context, now, silentSince }))
      })
      const take = Effect.fnUntraced(function* (before: StuckAssessment.StuckState, event: TranscriptEvent) {
        const since = yield* Clock.currentTimeMillis
        const state = StuckAssessment.step(before, event, context)
        yield* FiberHandle.clear(waiting)
        yield* tell(state, since)
        const later = Effect.forEach(
          naps(context.config.stuck),
          (nap) => Effect.zipRight(Effect.sleep(nap * 1000), tell(state, since)),
          { discard: true }
        )
        yield* FiberHandle.run(waiting, later)
        return state
      })
      const watching = Stream.runFoldEffect(events, StuckAssessment.begin(session), take)
      yield* Effect.forkScoped(Mailbox.into(watching, out))
      return Stream.changesWith(Mailbox.toStream(out), isSame)
    })
  )
