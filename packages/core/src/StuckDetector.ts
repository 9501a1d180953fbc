/**
 * Tells stuck from waiting from working, as a service: a transcript and a moment in, an assessment out.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as Compaction from "./Compaction.ts"
import type { JudgmentContext } from "./Judgment.ts"
import { CurrentConfig } from "./ReflexionConfig.ts"
import * as RepoSignals from "./RepoSignals.ts"
import * as StuckAssessment from "./StuckAssessment.ts"
import type { SessionInfo, Transcript, TranscriptEvent } from "./Transcript.ts"

/**
 * When a session is looked at. `now` is in ISO 8601, null for the moment of the last event; `attempt` is the number that
 * a nudge would have, counted from 1: what the transcript shows of earlier ones may raise it. `heardAt`: the last sign of
 * life, where the host knows of one that is no event, such as half a word.
 *
 * @since 0.1.0
 * @category models
 */
export interface Moment {
  readonly now: string | null
  readonly attempt?: number
  readonly heardAt?: string | null
}

/**
 * What a test detector was asked, oldest first.
 *
 * @since 0.1.0
 * @category testing
 */
export class StuckRecord extends Context.Tag("@reflexion/core/StuckDetector/StuckRecord")<
  StuckRecord,
  { readonly asked: Effect.Effect<ReadonlyArray<{ readonly transcript: Transcript; readonly at: Moment }>> }
>() {}

const momentOf = (at: Moment | string | null): Moment => (typeof at === "object" && at !== null ? at : { now: at })

type Needs = CurrentConfig | FileSystem.FileSystem | Path.Path

const contextOf = Effect.fnUntraced(function* (cwd: string | null) {
  const config = yield* CurrentConfig
  const repo = cwd === null ? RepoSignals.empty : yield* RepoSignals.load(cwd)
  const context: JudgmentContext = { config, repo, cwd }
  return context
})

/**
 * Says of a session whether it is stuck, waits for its user, works or is done. It fails for nothing: what it cannot tell
 * is `working`, and nobody is nudged.
 *
 * @since 0.1.0
 * @category services
 */
export class StuckDetector extends Context.Tag("@reflexion/core/StuckDetector")<
  StuckDetector,
  {
    /** Assesses a session at a moment. */
    readonly assess: (transcript: Transcript, now: Moment | string | null) => Effect.Effect<StuckAssessment.Assessment>
    /** Assesses a running session at each event, and when a silence has lasted long enough: what differs is told. */
    readonly watch: <E, R>(
      events: Stream.Stream<TranscriptEvent, E, R>,
      session: SessionInfo
    ) => Stream.Stream<StuckAssessment.Assessment, E, R>
    /** What to say to an agent whose context was compacted. */
    readonly compaction: (transcript: Transcript) => Effect.Effect<Compaction.CompactionAssessment>
  }
>() {
  /** Tier 1 alone: no model, no network. */
  static readonly Heuristic: Layer.Layer<StuckDetector, never, Needs> = Layer.effect(
    StuckDetector,
    Effect.gen(function* () {
      const needs = yield* Effect.context<Needs>()
      const assess = Effect.fn("StuckDetector.assess")(function* (transcript: Transcript, now: Moment | string | null) {
        const context = yield* contextOf(transcript.cwd)
        return StuckAssessment.assessTranscript(transcript, { ...momentOf(now), context }).assessment
      }, Effect.provide(needs))
      const compaction = Effect.fn("StuckDetector.compaction")(function* (transcript: Transcript) {
        const now = DateTime.formatIso(yield* DateTime.now)
        return Compaction.assess(transcript, { context: yield* contextOf(transcript.cwd), now })
      }, Effect.provide(needs))
      return { assess, compaction, watch: () => Stream.empty }
    })
  )

  /** Gives the scripted assessments in order, the last of them for ever, and records what it was asked. */
  static readonly Test = (
    assessments: readonly [StuckAssessment.Assessment, ...Array<StuckAssessment.Assessment>],
    compaction?: Compaction.CompactionAssessment
  ): Layer.Layer<StuckDetector | StuckRecord> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const asked = yield* Ref.make<ReadonlyArray<{ readonly transcript: Transcript; readonly at: Moment }>>([])
        const assess = Effect.fn("StuckDetector.assess")(function* (
          transcript: Transcript,
          now: Moment | string | null
        ) {
          const before = yield* Ref.getAndUpdate(asked, (all) => [...all, { transcript, at: momentOf(now) }])
          return assessments[Math.min(before.length, assessments.length - 1)] ?? assessments[0]
        })
        return Context.make(StuckDetector, {
          assess,
          watch: () => Stream.fromIterable(assessments),
          compaction: (transcript) => Effect.succeed(compaction ?? Compaction.assess(transcript))
        }).pipe(Context.add(StuckRecord, { asked: Ref.get(asked) }))
      })
    )
}
