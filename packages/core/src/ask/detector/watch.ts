/** A running session, looked at with each event and when a silence has lasted long enough. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import * as Mailbox from "effect/Mailbox"
import * as Stream from "effect/Stream"
import type { JudgmentContext } from "../../judge/verdict/Judgment.ts"
import * as StuckAssessment from "../../judge/stuck/StuckAssessment.ts"
import type { SessionInfo, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { LookOptions } from "../../judge/stuck/StuckLook.ts"
import { firstWord } from "../../judge/stuck/StuckRules.ts"

type Assessment = StuckAssessment.Assessment

export interface Watch {
  readonly session: SessionInfo
  readonly context: JudgmentContext
  readonly assess: (state: StuckAssessment.StuckState, options: LookOptions) => Effect.Effect<Assessment>
}

const loopsOf = ({ loops }: Assessment): string =>
  loops.map(({ count, pattern, period }) => `${pattern}:${period}:${count}`).join(" ")

const isSame = (one: Assessment, other: Assessment): boolean =>
  one.reason === other.reason && one.shouldNudge === other.shouldNudge && loopsOf(one) === loopsOf(other)

/** The silences, in seconds, after which a session may be something else than before. */
const marks = ({ context }: Watch): ReadonlyArray<number> => {
  const { silence, stall } = context.config.stuck
  return [silence, ...[firstWord, stall].filter((mark) => mark > silence)].toSorted((one, other) => one - other)
}

const lookAt = (
  watch: Watch,
  { since, state }: { readonly state: StuckAssessment.StuckState; readonly since: number }
): Effect.Effect<Assessment> =>
  Effect.flatMap(Clock.currentTimeMillis, (at) =>
    watch.assess(state, {
      session: watch.session,
      context: watch.context,
      now: new Date(at).toISOString(),
      silentSince: since
    })
  )

export const make = <E, R>(
  events: Stream.Stream<TranscriptEvent, E, R>,
  watch: Watch
): Stream.Stream<Assessment, E, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const out = yield* Mailbox.make<Assessment, E>()
      const waiting = yield* FiberHandle.make()
      const tell = (state: StuckAssessment.StuckState, since: number) =>
        Effect.flatMap(lookAt(watch, { state, since }), (assessment) => out.offer(assessment))
      const wait = (state: StuckAssessment.StuckState, since: number) =>
        Effect.forEach(
          marks(watch),
          (mark, index) =>
            Effect.zipRight(Effect.sleep((mark - (marks(watch)[index - 1] ?? 0)) * 1000), tell(state, since)),
          { discard: true }
        )
      const take = Effect.fnUntraced(function* (before: StuckAssessment.StuckState, event: TranscriptEvent) {
        const since = yield* Clock.currentTimeMillis
        const state = StuckAssessment.step(before, event, watch.context)
        yield* FiberHandle.clear(waiting)
        yield* tell(state, since)
        yield* FiberHandle.run(waiting, wait(state, since))
        return state
      })
      const watching = Stream.runFoldEffect(events, StuckAssessment.begin(watch.session), take)
      yield* Effect.forkScoped(Mailbox.into(watching, out))
      return Stream.changesWith(Mailbox.toStream(out), isSame)
    })
  )
