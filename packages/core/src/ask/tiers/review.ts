/**
 * A review beyond evidence: the checks, the model, the reviewers, each on the verdict that the one before it left. A stage that
 * breaks leaves that verdict, and says so.
 */
import * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Acceptance from "./acceptance.ts"
import * as Limits from "./askLimits.ts"
import * as BeyondEvidence from "./BeyondEvidence.ts"
import { progressOf } from "./Progress.ts"
import { turnOf, type Reader } from "./Question.ts"
import type { Judged, Options, Seen } from "./model.ts"
import * as SelfAssessment from "../assessment/SelfAssessment.ts"
import { eventsOf, givenAt } from "../assessment/TurnRecord.ts"
import * as CheckResult from "../checks/CheckResult.ts"
import { Verification } from "../checks/Verification.ts"
import { notRun, unmasked } from "../checks/VerificationReading.ts"
import * as CrossReview from "../crossreview/CrossReview.ts"
import { withoutKeys } from "../crossreview/CrossReviewDiff.ts"
import { toldIn } from "../crossreview/ReviewComments.ts"
import * as SessionDiff from "../crossreview/SessionDiff.ts"
import { AnsweredBy } from "../models/Fallbacks.ts"
import type { Service as AskLog } from "../models/AskLog.ts"
import * as Deadline from "../models/Deadline.ts"
import { ModelFailure } from "../models/ModelCall.ts"
import * as ModelRouting from "../models/ModelRouting.ts"
import { Models } from "../models/Models.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { oneLine } from "../../base/text/Text.ts"
import { maySpeak, redacted } from "../../judge/verdict/Conclusion.ts"
import { type ActiveCheck, CurrentConfig, type ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import { gather } from "../../session/facts/Facts.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import { isGenuine } from "../../session/task/TaskContext.ts"

/** What the stages are made of. `config` has the models; which checks are run is said by the session's own. */
export interface Tiers extends Options {
  readonly config: ReflexionConfig
  readonly log: AskLog
  readonly read: Reader
}

const services = [
  CommandExecutor.CommandExecutor,
  CrossReview.CrossReview,
  CurrentConfig,
  FileSystem.FileSystem,
  Models,
  Path.Path,
  Verification
] as const

type Services = Context.Tag.Identifier<(typeof services)[number]>

/** Nothing but these: what the surroundings set for one review is left to it. */
export const needs = Effect.map(Effect.context<Services>(), Context.pick(...services))

/** A stage that breaks leaves the verdict with what `tell` says of the problem. */
const attempt = <S extends Seen, R>(
  seen: S,
  stage: Effect.Effect<S, never, R>,
  tell: (problem: string) => Judged
): Effect.Effect<S, never, R> =>
  Effect.catchAllDefect(stage, (defect) => {
    const problem = oneLine(redact(String(defect)), 200)
    return Effect.as(Effect.logWarning(`a stage of a review broke: ${problem}`), { ...seen, judged: tell(problem) })
  })

const projectOf = ({ directoryOf }: Options, { transcript }: Seen): Effect.Effect<string | null> =>
  directoryOf === undefined ? Effect.succeed(transcript.cwd) : directoryOf(transcript)

/** Whether it is there still. */
const exists = (directory: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.orElseSucceed(fs.exists(directory), () => false))

const dueAt = ({ judged, options, state }: Seen, config: ReflexionConfig) =>
  BeyondEvidence.dueAt(state, judged.verdict, { ...options, context: { ...options.context, config } })

const noSandbox =
  "there is no sandbox here to run it in, and verify.unsandboxed of your own configuration does not let it run without one"

/** Why nothing can be run in a project, null where it can. */
const hindrance = Effect.fnUntraced(function* (directory: string, tiers: Tiers, seen: Seen) {
  if (!(yield* exists(directory))) return "the session's project is no longer there"
  if (tiers.within === null && !seen.options.context.config.verify.unsandboxed) return noSandbox
  return tiers.mayRun === undefined ? null : yield* tiers.mayRun(directory)
})

const runIn = Effect.fnUntraced(function* (
  directory: string | null,
  checks: ReadonlyArray<ActiveCheck>,
  { seen, tiers }: { readonly seen: Seen; readonly tiers: Tiers }
) {
  const why = directory === null ? "the session's project is not known" : yield* hindrance(directory, tiers, seen)
  if (directory === null || why !== null) return checks.map(({ command, gate }) => notRun(gate, command, why ?? ""))
  const verification = yield* Verification
  const results = yield* verification.run({ directory, checks, gates: checks.map(({ gate }) => gate) })
  return results.map((result) => unmasked(result, seen.options.context.repo.scripts))
})

const checksDue = (seen: Seen): ReadonlyArray<ActiveCheck> => {
  const { config } = seen.options.context
  const { gates } = dueAt(seen, config)
  return config.verify.checks.filter(({ gate }) => gates.includes(gate))
}

/**
 * The turn as the checks have it; what was taken for a project is run at its root, whatever folder of it the session is in. What
 * they prove holds for this verdict, and moves nothing.
 */
const verify = Effect.fnUntraced(function* (seen: Seen, tiers: Tiers) {
  const due = tiers.checks === false ? [] : checksDue(seen)
  if (due.length === 0) return seen
  const directory = yield* projectOf(tiers, seen)
  const places = [...new Set(due.map(({ directory: own }) => own ?? directory))]
  const checks = (yield* Effect.forEach(places, (place) =>
    runIn(
      place,
      due.filter(({ directory: own }) => (own ?? directory) === place),
      { seen, tiers }
    )
  )).flat()
  const ran = CheckResult.ran(checks)
  if (ran !== null && tiers.ended !== undefined) yield* tiers.ended(ran)
  const { mark } = seen.judged
  const judged = { ...seen.judged, ...CheckResult.review(seen.state, checks, seen.options), mark, checks }
  return { ...seen, state: CheckResult.observe(seen.state, checks), judged }
})

const unverified = (seen: Seen, problem: string): Judged => ({
  ...seen.judged,
  checks: checksDue(seen).map(({ command, gate }) => notRun(gate, command, problem))
})

/** `judges`: by which names the models are known whose answer counted for the verdict; none where evidence gave it. */
interface Asked extends Seen {
  readonly judges: ReadonlyArray<string>
}

const unreachedInTime = () =>
  new ModelFailure({ reason: "timed_out", model: null, detail: "which can be asked was not known in time" })

/** Choosing among the models may take requests of its own, and counts to the wait for an answer. */
const judgesInTime = Deadline.limited(unreachedInTime)(Layer.build(Models.Judge))

/** What is not asked is not paid for: the model is sought only where there is something to ask. */
const ask = Effect.fnUntraced(function* (seen: Asked, { asking, config, log, read }: Tiers) {
  const turn = config.model === "off" || seen.without?.includes("model") === true ? null : turnOf(seen)
  if (turn === null) return seen
  const { mark } = seen.judged
  const whose = Limits.whoseOf(seen, turn)
  const why = yield* Limits.refusal(log, whose, config)
  if (why !== null) return { ...seen, judged: { ...seen.judged, ...SelfAssessment.unanswered(turn, why), mark } }
  if (asking !== undefined) yield* asking(config.model)
  const since = yield* Clock.currentTimeMillis
  const chosen = yield* Ref.make<ReadonlyArray<string>>([])
  const keep = (end: SelfAssessment.AskEnd, given: Omit<SelfAssessment.Question, "ms">) =>
    Effect.gen(function* () {
      const question = { ...given, ms: (yield* Clock.currentTimeMillis) - since }
      const at = DateTime.formatIso(DateTime.unsafeMake(since))
      return { question, told: yield* Limits.keep(log, { ...whose, ...question, at, end }) }
    })
  const named = Effect.map(Ref.get(chosen), (names) => names.at(-1) ?? (config.model === "auto" ? null : config.model))
  const unreached = ({ detail, reason }: ModelFailure): Judged =>
    SelfAssessment.unanswered(turn, `No model can be asked: ${detail}.`, reason === "timed_out" ? "late" : "failed")
  const said = yield* Effect.flatMap(judgesInTime, (judging) => Effect.provide(read(seen), judging)).pipe(
    Effect.scoped,
    Deadline.within(Duration.seconds(ModelRouting.patience(config))),
    Effect.provideService(AnsweredBy, { note: (name) => Ref.update(chosen, (all) => [...all, name]) }),
    Effect.catchAll((failure) => Effect.succeed(unreached(failure))),
    // A user who types on in the meantime has had it asked all the same.
    Effect.onInterrupt(() =>
      Effect.flatMap(named, (model) => keep("overtaken", { model, inputTokens: 0, outputTokens: 0 }))
    )
  )
  const { asked, verdict } = said
  const judges = verdict.source === "model" ? [...(yield* Ref.get(chosen)), asked?.model ?? ""] : []
  if (asked === undefined || asked.end === null) return { ...seen, judges, judged: { ...seen.judged, ...said, mark } }
  const { inputTokens, outputTokens } = verdict.cost
  const kept = yield* keep(asked.end, { model: (yield* named) ?? asked.model, inputTokens, outputTokens })
  return { ...seen, judges, judged: { ...seen.judged, ...said, asked: { ...asked, ...kept }, mark } }
})

const unasked = (seen: Seen, problem: string): Judged => {
  const turn = turnOf(seen)
  if (turn === null) return seen.judged
  return { ...seen.judged, ...SelfAssessment.unanswered(turn, `A model was asked: ${problem}`) }
}

/** A task whose record is too long: what is its own cannot be told from what was there before. */
const isUnheld = ({ transcript }: Seen): boolean => transcript.events.length === 0

const diffOf = Effect.fnUntraced(function* (directory: string, tiers: Tiers, seen: Seen) {
  const path = yield* Path.Path
  const since = givenAt(seen.transcript, seen.state.task)
  if (tiers.diffOf !== undefined) {
    const diff = yield* tiers.diffOf(directory, since)
    return diff === null ? null : withoutKeys(diff).kept
  }
  const edited = seen.state.evidence.edits.flatMap((edit) =>
    edit.path === "*" ? [] : [path.resolve(seen.transcript.cwd ?? directory, edit.path)]
  )
  return yield* SessionDiff.ofDirectory(directory, { since, edited, within: tiers.within ?? [] })
})

const unreviewed = (seen: Seen, problem: string): Judged => ({
  ...seen.judged,
  crossReview: { consensus: null, problem }
})

/** Whether the agent was told of a review comment since the user's last message. */
const isTold = ({ state, transcript: { events } }: Seen): boolean =>
  state.pushes.count > 0 &&
  events
    .slice(events.findLastIndex((event) => event.type === "user_message" && isGenuine(event)) + 1)
    .some((event) => event.type === "user_message" && isFeedback(event) && toldIn(event.text).length > 0)

/** What the agent said last. */
const answerOf = ({ transcript: { events } }: Seen): string => {
  const last = events.findLast((event) => event.type === "assistant_message" && event.text.trim() !== "")
  return last?.type === "assistant_message" ? last.text : ""
}

/** The models that worked on the task, as far as its record names them. */
const authorsOf = ({ state, transcript }: Seen): ReadonlyArray<string> => [
  ...new Set(
    eventsOf(transcript, state.task).flatMap((event) =>
      event.type === "assistant_message" && event.model !== null ? [event.model] : []
    )
  )
]

/** The verdict with what others think of it, who may only lower it. */
const withConsensus = (seen: Seen, consensus: CrossReview.Consensus): Judged => {
  const { attempt, judged, options, state } = seen
  const turn = gather(state, options)
  const { maxAttempts } = options.context.config
  const given = { attempt, maxAttempts, told: isTold(seen), answer: answerOf(seen) }
  const applied = (speaks: boolean) => CrossReview.apply(judged.verdict, consensus, { ...given, maySpeak: speaks })
  const verdict = applied(maySpeak(turn))
  const dissents = judged.verdict.complete && !verdict.complete
  return {
    ...judged,
    verdict: redacted(verdict),
    wouldContinue: dissents ? applied(maySpeak({ ...turn, profile: "balanced" })).shouldContinue : judged.wouldContinue,
    crossReview: { consensus, problem: null }
  }
}

const others = Effect.fnUntraced(function* (seen: Asked, tiers: Tiers) {
  const isUnwanted = tiers.crossReview === false || seen.without?.includes("crossReview") === true
  if (isUnwanted || !dueAt(seen, tiers.config).crossReview) return seen.judged
  if (isUnheld(seen)) return unreviewed(seen, "the record of its task is too long to tell what the task has changed")
  const directory = yield* projectOf(tiers, seen)
  if (directory === null || !(yield* exists(directory))) return unreviewed(seen, "the session's project is not there")
  const diff = yield* diffOf(directory, tiers, seen)
  if (diff === null) return unreviewed(seen, "git does not tell what was changed")
  if (diff.trim() === "") return unreviewed(seen, "nothing is changed in the working copy")
  const { requirements, summary } = seen.judged.verdict.task
  const crossReview = yield* CrossReview.CrossReview
  const biased = { judgedBy: seen.judges, writtenBy: authorsOf(seen) }
  return withConsensus(seen, yield* crossReview.runReview({ summary, requirements }, diff, biased))
})

export const run = Effect.fnUntraced(function* (seen: Seen, tiers: Tiers) {
  const checked = yield* attempt(seen, verify(seen, tiers), (problem) => unverified(seen, problem))
  const verified: Asked = { ...checked, judges: [] }
  const asked = yield* attempt(verified, ask(verified, tiers), (problem) => unasked(verified, problem))
  const reviewed = yield* attempt(
    asked,
    Effect.map(others(asked, tiers), (judged) => ({ ...asked, judged })),
    (problem) => unreviewed(asked, problem)
  )
  const judged = Acceptance.told(reviewed.judged, seen.options.context.config.doneWhen)
  const progress = progressOf(seen, judged)
  return progress === null ? judged : { ...judged, progress }
})
