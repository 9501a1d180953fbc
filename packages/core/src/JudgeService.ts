/**
 * The judge as a service: a transcript in, a verdict out.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Judgment from "./Judgment.ts"
import { CurrentConfig } from "./ReflexionConfig.ts"
import * as RepoSignals from "./RepoSignals.ts"
import type { Transcript } from "./Transcript.ts"
import type { Verdict } from "./Verdict.ts"

/**
 * Why a transcript could not be judged. A model that fails is no reason: the judge then abstains.
 *
 * @since 0.1.0
 * @category errors
 */
export class JudgeError extends Schema.TaggedError<JudgeError>("@reflexion/core/JudgeError")("JudgeError", {
  reason: Schema.Literal("empty_transcript", "not_scripted"),
  sessionId: Schema.NullOr(Schema.String)
}) {
  override get message() {
    const session = this.sessionId ?? "without an id"
    return this.reason === "empty_transcript"
      ? `session ${session} has no events to judge: check that its transcript was read to the end`
      : `the test judge was asked about session ${session} more often than it has verdicts: script one more`
  }
}

/**
 * What a test judge was asked, oldest first.
 *
 * @since 0.1.0
 * @category testing
 */
export class JudgeRecord extends Context.Tag("@reflexion/core/JudgeService/JudgeRecord")<
  JudgeRecord,
  { readonly asked: Effect.Effect<ReadonlyArray<Transcript>> }
>() {}

const judgeFromEvidence = Effect.fnUntraced(function* (transcript: Transcript, repo: RepoSignals.RepoSignals) {
  const config = yield* CurrentConfig
  const started = yield* Clock.currentTimeNanos
  const now = DateTime.formatIso(yield* DateTime.now)
  const verdict = Judgment.judge(transcript, { context: { config, repo }, now })
  const ended = yield* Clock.currentTimeNanos
  return { ...verdict, cost: { ...verdict.cost, durationMs: Number(ended - started) / 1e6 } }
})

/**
 * Judges whether a session's last turn completed its task.
 *
 * @since 0.1.0
 * @category services
 */
export class JudgeService extends Context.Tag("@reflexion/core/JudgeService")<
  JudgeService,
  {
    /** Decides on the transcript's last turn. Never fails on a model's account: it abstains. */
    readonly judge: (transcript: Transcript) => Effect.Effect<Verdict, JudgeError>
  }
>() {
  /** Tier 1 alone: no model, no network. What the working copy says is read where the session's directory exists. */
  static readonly Evidence: Layer.Layer<JudgeService, never, CurrentConfig | FileSystem.FileSystem | Path.Path> =
    Layer.effect(
      JudgeService,
      Effect.gen(function* () {
        const context = yield* Effect.context<CurrentConfig | FileSystem.FileSystem | Path.Path>()
        const judge = Effect.fn("JudgeService.judge")(function* (transcript: Transcript) {
          if (transcript.events.length === 0) {
            return yield* new JudgeError({ reason: "empty_transcript", sessionId: transcript.sessionId })
          }
          const repo = transcript.cwd === null ? RepoSignals.empty : yield* RepoSignals.load(transcript.cwd)
          return yield* judgeFromEvidence(transcript, repo)
        })
        return { judge: (transcript) => Effect.provide(judge(transcript), context) }
      })
    )

  /** Gives the scripted verdicts in order and records what it was asked in `JudgeRecord`. */
  static readonly Test = (verdicts: ReadonlyArray<Verdict>): Layer.Layer<JudgeService | JudgeRecord> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const asked = yield* Ref.make<ReadonlyArray<Transcript>>([])
        const judge = Effect.fn("JudgeService.judge")(function* (transcript: Transcript) {
          const before = yield* Ref.getAndUpdate(asked, (all) => [...all, transcript])
          const scripted = verdicts[before.length]
          if (scripted !== undefined) return scripted
          return yield* new JudgeError({ reason: "not_scripted", sessionId: transcript.sessionId })
        })
        return Context.make(JudgeService, { judge }).pipe(Context.add(JudgeRecord, { asked: Ref.get(asked) }))
      })
    )
}
