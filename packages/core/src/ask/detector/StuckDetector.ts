/** Tells stuck from waiting from working, as a service: a transcript and a moment in, an assessment out. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { Model } from "../models/Model.ts"
import * as Compaction from "../../judge/compaction/Compaction.ts"
import * as Asking from "./asking.ts"
import { look, type Look } from "../../judge/stuck/StuckLook.ts"
import { type Answer, believe } from "./answer.ts"
import * as Prompt from "./prompt.ts"
import type { JudgmentContext } from "../../judge/verdict/Judgment.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../session/project/RepoSignals.ts"
import * as StuckAssessment from "../../judge/stuck/StuckAssessment.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"

/**
 * When a session is looked at. `now` is in ISO 8601, null for the moment of the last event; `attempt` is the number that
 * a nudge would have, counted from 1: what the transcript shows of earlier ones may raise it. `heardAt`: the last sign of
 * life, where the host knows of a later one than the record, such as half a word.
 *
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
 * @category testing
 */
export class StuckRecord extends Context.Tag("@reflexion/core/StuckDetector/StuckRecord")<
  StuckRecord,
  { readonly asked: Effect.Effect<ReadonlyArray<{ readonly transcript: Transcript; readonly at: Moment }>> }
>() {}

const momentOf = (at: Moment | string | null): Moment => (typeof at === "object" && at !== null ? at : { now: at })

/**
 * Counts the changes of the prompt.
 *
 * @category constants
 */
export const promptVersion: number = Prompt.version

type Needs = CurrentConfig | FileSystem.FileSystem | Path.Path

const contextOf = Effect.fnUntraced(function* (cwd: string | null) {
  const config = yield* CurrentConfig
  const repo = cwd === null ? RepoSignals.empty : yield* RepoSignals.load(cwd)
  const context: JudgmentContext = { config, repo, cwd }
  return context
})

/** Asks about what evidence leaves open, and about nothing else; null where there is no answer. */
type Ask = (look: Look) => Effect.Effect<Answer | null>

const nobody: Ask = () => Effect.succeed(null)

const makeService = Effect.fnUntraced(function* (ask: Ask) {
  const needs = yield* Effect.context<Needs>()
  const assess = Effect.fn("StuckDetector.assess")(function* (transcript: Transcript, now: Moment | string | null) {
    const context = yield* contextOf(transcript.cwd)
    const state = StuckAssessment.replay(transcript, context)
    const seen = look(state, { ...momentOf(now), session: transcript, context })
    // No answer could lead to a nudge where none may be sent: nobody is asked then.
    if (seen.found.decided || seen.refused !== null) return seen.assessment
    return believe(seen, yield* ask(seen))
  }, Effect.provide(needs))
  const compaction = Effect.fn("StuckDetector.compaction")(function* (transcript: Transcript) {
    const now = DateTime.formatIso(yield* DateTime.now)
    const context = yield* contextOf(transcript.cwd)
    return Compaction.read(Compaction.replay(transcript, context), { session: transcript, context, now })
  }, Effect.provide(needs))
  return { assess, compaction }
})

/**
 * Says of a session whether it is stuck, waits for its user, works or is done. It fails for nothing: what it cannot tell
 * is `working`, and nobody is nudged.
 *
 * @category services
 */
export class StuckDetector extends Context.Tag("@reflexion/core/StuckDetector")<
  StuckDetector,
  {
    /** Assesses a session at a moment; a bare text is the moment's `now`. */
    readonly assess: (transcript: Transcript, now: Moment | string | null) => Effect.Effect<StuckAssessment.Assessment>
    /** What to say to an agent whose context was compacted. */
    readonly compaction: (transcript: Transcript) => Effect.Effect<Compaction.CompactionAssessment>
  }
>() {
  /**
   * Tier 1, and for what it leaves undecided one structured call of the model, once for as long as nothing moves. A model that
   * fails, takes longer than 10 seconds or goes against the record changes nothing, and none of its words goes anywhere.
   */
  static readonly Live: Layer.Layer<StuckDetector, never, CurrentConfig | FileSystem.FileSystem | Path.Path | Model> =
    Layer.effect(StuckDetector, Effect.flatMap(Asking.make, makeService))

  /** Tier 1 alone: no model, no network. */
  static readonly Heuristic: Layer.Layer<StuckDetector, never, CurrentConfig | FileSystem.FileSystem | Path.Path> =
    Layer.effect(StuckDetector, makeService(nobody))

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
          compaction: (transcript) => Effect.succeed(compaction ?? Compaction.assess(transcript))
        }).pipe(Context.add(StuckRecord, { asked: Ref.get(asked) }))
      })
    )
}
