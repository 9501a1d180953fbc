/** The judge as a service: it takes a transcript and returns a verdict. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import type { Model } from "../../model/calls/Model.ts"
import { isAsked } from "./BeyondEvidence.ts"
import * as Question from "./Question.ts"
import { turnOf } from "../../model/assessment/TurnRecord.ts"
import { progressOf } from "./Progress.ts"
import * as Judgment from "../../judge/verdict/Judgment.ts"
import * as ModelRouting from "../../model/calls/ModelRouting.ts"
import { withMore } from "../../session/config/DoneWhenGates.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../session/project/RepoSignals.ts"
import type { Loop } from "../../session/facts/Loop.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"
import type { ReviewResult, ReviewInput } from "./model.ts"

export type { ReviewResult as Judged, ReviewInput as Seen } from "./model.ts"

/**
 * Why a transcript could not be judged. If a model fails, the judge abstains instead.
 *
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
 * The options of one review.
 *
 * @category models
 */
export interface ReviewOptions {
  /** The number that a nudge for this verdict would have, from 1. Earlier nudges in the transcript raise it. */
  readonly attempt: number
  /** Uses only the evidence, even if the judge has more stages. */
  readonly evidence?: boolean
  readonly loops?: ReadonlyArray<Loop>
}

const maxSessions = 16

/** Remembers the last sessions. If a transcript has grown, only its new events are folded. */
const makeReplay = () => {
  const kept = new Map<string | null, Judgment.Replay>()
  return (transcript: Transcript, given: Judgment.JudgmentContext): Judgment.Replay => {
    const before = kept.get(transcript.sessionId)
    const same = before !== undefined && JSON.stringify(before.context) === JSON.stringify(given)
    const replayed = Judgment.replay(transcript, same ? before.context : given, before)
    kept.delete(transcript.sessionId)
    kept.set(transcript.sessionId, replayed)
    for (const oldest of kept.keys()) if (kept.size > maxSessions) kept.delete(oldest)
    return replayed
  }
}

/**
 * Reviews the verdicts that evidence leaves open, and returns all others unchanged.
 *
 * @category models
 */
export type Consult = (seen: ReviewInput) => Effect.Effect<ReviewResult>

const nobody: Consult = ({ judged }) => Effect.succeed(judged)

const told = (seen: ReviewInput, judged: ReviewResult): ReviewResult => {
  const route = judged.wouldContinue ? ModelRouting.route(seen.options.context.config, seen.state) : null
  const progress = progressOf(seen, judged)
  return { ...judged, ...(route !== null && { route }), ...(progress !== null && { progress }) }
}

type Needs = CurrentConfig | FileSystem.FileSystem | Path.Path

const makeService = Effect.fnUntraced(function* (consult: Consult) {
  const needs = yield* Effect.context<Needs>()
  const replay = makeReplay()
  const review = Effect.fn("JudgeService.review")(function* (
    transcript: Transcript,
    { attempt: least, evidence, loops = [] }: Partial<ReviewOptions>
  ) {
    const { cwd, events, sessionId } = transcript
    if (events.length === 0) return yield* new JudgeError({ reason: "empty_transcript", sessionId })
    const repo = cwd === null ? RepoSignals.empty : yield* RepoSignals.load(cwd)
    const started = yield* Clock.currentTimeNanos
    const config = withMore(yield* CurrentConfig, transcript.doneWhen ?? [])
    const { context, state } = replay(transcript, { config, repo, cwd })
    const attempt = least === undefined ? 1 : Math.max(least, state.nudges.count + 1)
    const now = DateTime.formatIso(yield* DateTime.now)
    const options: Judgment.VerdictOptions = { session: transcript, context, now, attempt, loops }
    const seen: ReviewInput = { transcript, state, options, attempt, judged: Judgment.review(state, options) }
    const found = told(seen, yield* (evidence === true ? nobody : consult)(seen))
    const durationMs = Number((yield* Clock.currentTimeNanos) - started) / 1e6
    return { ...found, verdict: { ...found.verdict, cost: { ...found.verdict.cost, durationMs } } }
  }, Effect.provide(needs))
  return { review, judge: (transcript: Transcript) => Effect.map(review(transcript, {}), ({ verdict }) => verdict) }
})

const asking = Effect.gen(function* () {
  const context = yield* Effect.context<Model>()
  const put = yield* Question.make
  const consult: Consult = (seen) => {
    const { attempt, judged, options, state, transcript } = seen
    return isAsked(state, judged.verdict, options)
      ? put(
          turnOf(state, { ...options, transcript, judged }),
          { attempt, session: transcript },
          Effect.succeed(context)
        )
      : Effect.succeed(judged)
  }
  return consult
})

/**
 * Judges whether a session's last turn completed its task.
 *
 * @example
 * ```ts
 * import { NodeContext } from "@effect/platform-node"
 * import { JudgeService } from "@reflexion/core/JudgeService"
 * import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
 * import * as Transcript from "@reflexion/core/Transcript"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const transcript = Transcript.make({
 *     sessionId: "s1",
 *     mode: "build",
 *     events: [
 *       { type: "user_message", id: "u1", text: "Fix the total of the cart and run npm test." },
 *       {
 *         type: "tool_call",
 *         id: "c1",
 *         tool: "bash",
 *         status: "error",
 *         input: { command: "npm test" },
 *         exitCode: 1,
 *         output: "FAIL  test/total.test.ts > total"
 *       },
 *       { type: "assistant_message", text: "I fixed the total.", completed: true }
 *     ]
 *   })
 *   const judge = yield* JudgeService
 *   const { missing, shouldContinue, status } = yield* judge.judge(transcript)
 *   console.log(status, shouldContinue) // => incomplete true
 *   console.log(missing[0]) // => the tests fail: 1 failing test: "total" (test/total.test.ts) (`npm test`)
 * })
 *
 * const JudgeLive = JudgeService.Evidence.pipe(
 *   Layer.provide(CurrentConfig.layer({ profile: "balanced" })),
 *   Layer.provide(NodeContext.layer)
 * )
 *
 * await Effect.runPromise(Effect.provide(program, JudgeLive))
 * ```
 *
 * @category services
 */
export class JudgeService extends Context.Tag("@reflexion/core/JudgeService")<
  JudgeService,
  {
    /** Judges the last turn. If a model fails, the judge abstains instead of failing. */
    readonly judge: (transcript: Transcript) => Effect.Effect<Verdict, JudgeError>
    /** Judges the last turn. The feedback is written for this attempt and was never sent before. */
    readonly review: (transcript: Transcript, options: ReviewOptions) => Effect.Effect<ReviewResult, JudgeError>
  }
>() {
  /**
   * Tier 1, and one model call at the end of a turn with work. If the answer cannot be read, the model is asked once
   * more. The model may lower a verdict or decide an open verdict. It cannot complete a turn whose required gate has
   * not passed. If the model fails, tier 1's verdict stays.
   */
  static readonly Live: Layer.Layer<JudgeService, never, CurrentConfig | FileSystem.FileSystem | Path.Path | Model> =
    Layer.effect(JudgeService, Effect.flatMap(asking, makeService))

  /** Tier 1 only: no model and no network. The working copy is read if the session's directory exists. */
  static readonly Evidence: Layer.Layer<JudgeService, never, CurrentConfig | FileSystem.FileSystem | Path.Path> =
    Layer.effect(JudgeService, makeService(nobody))

  static readonly layer = <E, R>(
    consult: Effect.Effect<Consult, E, R>
  ): Layer.Layer<JudgeService, E, R | CurrentConfig | FileSystem.FileSystem | Path.Path> =>
    Layer.effect(JudgeService, Effect.flatMap(consult, makeService))

  /** Gives the verdicts in order. Each has a new mark, as if the evidence had changed. */
  static readonly Test = (verdicts: ReadonlyArray<Verdict>): Layer.Layer<JudgeService> =>
    Layer.effect(
      JudgeService,
      Effect.map(Ref.make(0), (asked) => {
        const review = Effect.fn("JudgeService.review")(function* ({ sessionId }: Transcript) {
          const count = yield* Ref.getAndUpdate(asked, (before) => before + 1)
          const verdict = verdicts[count]
          if (verdict === undefined) return yield* new JudgeError({ reason: "not_scripted", sessionId })
          const { nudges } = Judgment.initial
          return { verdict, wouldContinue: verdict.shouldContinue, mark: `scripted:${count}`, nudges }
        })
        return { review, judge: (transcript) => Effect.map(review(transcript), ({ verdict }) => verdict) }
      })
    )
}
