/**
 * A review with all its tiers. The evidence comes first. If a required gate has no result, the user's checks run. If
 * the turn is then open, a model is asked. If the turn is complete, reviewers are asked.
 *
 * If a stage fails, the earlier verdict stays. No stage can complete a turn whose required gate has not passed.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Acceptance from "./acceptance.ts"
import * as Asking from "./asking.ts"
import * as BeyondEvidence from "./BeyondEvidence.ts"
import { type Consult, JudgeService } from "./JudgeService.ts"
import * as Question from "./Question.ts"
import type { ReviewResult, Options, ReviewInput } from "./model.ts"
import { eventsOf, givenAt } from "../../model/assessment/TurnRecord.ts"
import * as CheckChanges from "../../checks/CheckChanges.ts"
import * as CheckResult from "../../checks/CheckResult.ts"
import * as DueChecks from "../../checks/DueChecks.ts"
import { Verification } from "../../checks/Verification.ts"
import * as TaskStart from "../../checks/TaskStart.ts"
import * as EarlierText from "../../checks/EarlierText.ts"
import { notRun } from "../../checks/VerificationReading.ts"
import * as CrossReview from "../../model/crossreview/CrossReview.ts"
import { withoutKeys } from "../../model/crossreview/CrossReviewDiff.ts"
import { toldIn } from "../../model/crossreview/ReviewComments.ts"
import * as SessionDiff from "../../model/crossreview/SessionDiff.ts"
import * as ModelBudget from "../../model/calls/ModelBudget.ts"
import * as ModelRouting from "../../model/calls/ModelRouting.ts"
import type { Models } from "../../model/calls/Models.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as ProposedChecks from "../../session/project/ProposedChecks.ts"
import { oneLine } from "../../base/text/Text.ts"
import { maySpeak, redacted } from "../../judge/verdict/Conclusion.ts"
import { type ActiveCheck, CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import { gather } from "../../session/facts/Facts.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import { isGenuine } from "../../session/task/TaskContext.ts"

export type { Options } from "./model.ts"

type Needs = CommandExecutor.CommandExecutor | CurrentConfig | FileSystem.FileSystem | Models | Path.Path

/** If the stage breaks, the earlier result stays, and `told` reports the problem. */
const attempt = <S extends ReviewInput, R>(
  seen: S,
  stage: Effect.Effect<S, never, R>,
  told: (problem: string) => Partial<ReviewResult> = () => ({})
): Effect.Effect<S, never, R> =>
  Effect.catchAllDefect(stage, (defect) => {
    const problem = oneLine(redact(String(defect)), 200)
    const judged = { ...seen.judged, ...told(problem) }
    return Effect.as(Effect.logWarning(`a stage of a review broke: ${problem}`), { ...seen, judged })
  })

const projectOf = ({ directoryOf }: Options, { transcript }: ReviewInput): Effect.Effect<string | null> =>
  directoryOf === undefined ? Effect.succeed(transcript.cwd) : directoryOf(transcript)

const isThere = (directory: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.orElseSucceed(fs.exists(directory), () => false))

const noSandbox = "the host's sandbox does not work here, and without it no check is run"

const rewriting = "the command changes the files that it checks: name a command that only reads them"

const checksDue = ({ judged, options, state }: ReviewInput): ReadonlyArray<ActiveCheck> => {
  const { gates } = BeyondEvidence.dueAt(state, judged.verdict, options)
  return options.context.config.checks.filter(({ name }) => gates.includes(name))
}

const editedIn = (directory: string, path: Path.Path, { state, transcript }: ReviewInput): ReadonlyArray<string> =>
  state.evidence.edits.flatMap((edit) =>
    edit.path === "*" ? [] : [path.resolve(transcript.cwd ?? directory, edit.path)]
  )

const taskIn = (directory: string, path: Path.Path, seen: ReviewInput, since: string): TaskStart.Task => {
  const { state, transcript } = seen
  const calls = eventsOf(transcript, state.task).filter((event) => event.type === "tool_call")
  const base = transcript.cwd ?? directory
  return {
    since,
    edited: editedIn(directory, path, seen),
    undone: (file, text) => EarlierText.of(calls, (name) => path.resolve(base, name) === file, text)
  }
}

/**
 * A check runs in its own folder, or else in the session's project. The results count for this verdict and do not
 * change its mark.
 */
const verify = Effect.fnUntraced(function* (seen: ReviewInput, options: Options) {
  const asDue = options.checks === false ? [] : checksDue(seen)
  if (asDue.length === 0) return seen
  const { judged, state } = seen
  const { repo } = seen.options.context
  const path = yield* Path.Path
  const project = yield* projectOf(options, seen)
  const since = givenAt(seen.transcript, state.task)
  const facts = gather(state, seen.options)
  const { attended, gates, reading } = facts
  const claimed = reading.claims.flatMap(({ gate, outcome }) => (outcome === "passed" ? [gate] : []))
  const isWanted = ({ name }: ActiveCheck): boolean => gates.some(({ gate, wanted }) => gate === name && wanted)
  const asked = (check: ActiveCheck) => ({
    ...(isWanted(check) && { wanted: true as const }),
    ...(DueChecks.isProved(facts, check.name) && { proved: true as const })
  })
  const runIn = Effect.fnUntraced(function* (directory: string | null, all: ReadonlyArray<ActiveCheck>) {
    const unrun = (why: string, some = all) => some.map(({ command, name }) => notRun(name, command, why))
    if (directory === null || !(yield* isThere(directory))) return unrun("the session's project folder does not exist")
    if (options.within === null) return unrun(noSandbox)
    const { run } = yield* Verification
    const [looking, writing] = Arr.partition(all, ({ command }) => ProposedChecks.rewritesFiles(command, repo))
    const ran = yield* run({
      directory,
      checks: looking.map((check) => ({ ...check, ...asked(check) })),
      limit: DueChecks.limit(all, attended),
      scripts: repo.scripts,
      secrets: ModelRouting.keyVariables(seen.options.context.config),
      ...(since !== null && { task: taskIn(directory, path, seen, since) })
    })
    return [...ran, ...unrun(rewriting, writing)]
  })
  const placeOf = (check: ActiveCheck) => check.directory ?? project
  const changedIn = yield* Effect.cachedFunction((place: string | null) =>
    place === null || since === null
      ? Effect.succeed(null)
      : TaskStart.changed({ project: place, task: taskIn(place, path, seen, since) })
  )
  const due = yield* Effect.filter(asDue, (check) =>
    DueChecks.isUnsure(facts, judged.verdict, check)
      ? Effect.map(changedIn(placeOf(check)), (changed) => DueChecks.isShown(facts, check, changed))
      : Effect.succeed(true)
  )
  if (due.length === 0) return seen
  const places = [...new Set(due.map(placeOf))]
  const ran = yield* Effect.forEach(places, (place) =>
    runIn(
      place,
      due.filter((check) => placeOf(check) === place)
    )
  )
  const checks = ran.flat().map((result) => {
    const altered =
      result.altered ?? CheckChanges.changedIn(facts, due.find(({ name }) => name === result.gate) ?? result)
    const known = altered === null ? result : { ...result, altered }
    return claimed.includes(result.gate) ? CheckResult.unexcused(known) : known
  })
  const told = CheckResult.ran(checks)
  if (told !== null && options.ended !== undefined) yield* options.ended(told)
  const unrun = CheckResult.unrun(checks)
  if (unrun !== null && options.unrun !== undefined) yield* options.unrun(unrun)
  const reviewed = { ...judged, ...CheckResult.review(state, checks, seen.options), mark: judged.mark, checks }
  return { ...seen, state: CheckResult.observe(state, checks), judged: reviewed }
})

const unreviewed = (problem: string): Partial<ReviewResult> => ({ crossReview: { consensus: null, problem } })

const diffOf = Effect.fnUntraced(function* (directory: string, options: Options, seen: ReviewInput) {
  const { state, transcript } = seen
  const path = yield* Path.Path
  const since = givenAt(transcript, state.task)
  if (options.diffOf !== undefined) {
    const diff = yield* options.diffOf(directory, since)
    return diff === null ? null : withoutKeys(diff).kept
  }
  const edited = editedIn(directory, path, seen)
  return yield* SessionDiff.ofDirectory(directory, { since, edited, within: options.within ?? [] })
})

const isTold = ({ state, transcript: { events } }: ReviewInput): boolean =>
  state.nudges.count > 0 &&
  events
    .slice(events.findLastIndex(isGenuine) + 1)
    .some((event) => event.type === "user_message" && isFeedback(event) && toldIn(event.text).length > 0)

const answerOf = ({ transcript: { events } }: ReviewInput): string => {
  const last = events.findLast((event) => event.type === "assistant_message" && event.text.trim() !== "")
  return last?.type === "assistant_message" ? last.text : ""
}

const authorsOf = ({ state, transcript }: ReviewInput): ReadonlyArray<string> => {
  const names = eventsOf(transcript, state.task).flatMap((event) =>
    event.type === "assistant_message" && event.model !== null ? [event.model] : []
  )
  return [...new Set(names)]
}

const withConsensus = (seen: ReviewInput, consensus: CrossReview.Consensus): Partial<ReviewResult> => {
  const { attempt, judged, options, state } = seen
  const turn = gather(state, options)
  const { maxAttempts } = options.context.config
  const given = { attempt, maxAttempts, told: isTold(seen), answer: answerOf(seen) }
  const applied = (speaks: boolean) => CrossReview.apply(judged.verdict, consensus, { ...given, maySpeak: speaks })
  const verdict = applied(maySpeak(turn))
  const dissents = judged.verdict.complete && !verdict.complete
  return {
    verdict: redacted(verdict),
    wouldContinue: dissents ? applied(maySpeak({ ...turn, profile: "balanced" })).shouldContinue : judged.wouldContinue,
    crossReview: { consensus, problem: null }
  }
}

const others = Effect.fnUntraced(function* (seen: Asking.Heard, options: Options) {
  const { judged, state, transcript } = seen
  const config = yield* CurrentConfig
  const context = { ...seen.options.context, config }
  const isUnwanted = options.crossReview === false || seen.without?.includes("crossReview") === true
  if (isUnwanted || !BeyondEvidence.dueAt(state, judged.verdict, { ...seen.options, context }).crossReview) return {}
  if (transcript.events.length === 0)
    return unreviewed("the task's record is too long to find out what the task changed")
  const directory = yield* projectOf(options, seen)
  if (directory === null || !(yield* isThere(directory)))
    return unreviewed("the session's project folder does not exist")
  const diff = yield* diffOf(directory, options, seen)
  if (diff === null) return unreviewed("git does not show what was changed")
  if (diff.trim() === "") return unreviewed("nothing is changed in the working copy")
  const { requirements, summary } = judged.verdict.task
  const { runReview } = yield* CrossReview.CrossReview
  const biased = { judgedBy: seen.judges, writtenBy: authorsOf(seen) }
  return withConsensus(seen, yield* runReview({ summary, requirements }, diff, biased))
})

/**
 * All questions of one review share `models.tokensPerReview`. With an `AskLog`, they are logged and limited in number.
 *
 * @category constructors
 */
export const consult: (
  options: Options
) => Effect.Effect<Consult, never, Needs | Verification | CrossReview.CrossReview> = Effect.fnUntraced(function* (
  options: Options
) {
  const context = yield* Effect.context<Needs | Verification | CrossReview.CrossReview>()
  const { models } = yield* CurrentConfig
  const put = yield* Question.make
  const run = Effect.fnUntraced(function* (seen: ReviewInput) {
    const unverified = (problem: string): Partial<ReviewResult> => ({
      checks: checksDue(seen).map(({ command, name }) => notRun(name, command, problem))
    })
    const checked: Asking.Heard = { ...(yield* attempt(seen, verify(seen, options), unverified)), judges: [] }
    const asked = yield* attempt(checked, Asking.stage(checked, put, options.asking))
    const reviewing = Effect.map(others(asked, options), (more) => ({ ...asked, judged: { ...asked.judged, ...more } }))
    const { judged } = yield* attempt(asked, reviewing, unreviewed)
    return Acceptance.told(judged, seen.options.context.config.doneWhen)
  })
  return (seen: ReviewInput) =>
    run(seen).pipe(ModelBudget.within({ tokens: models.tokensPerReview }), Effect.provide(context))
})

/**
 * Builds the same tiers with the configured checks and reviewers. Programs that fold the sessions themselves need this.
 *
 * @category constructors
 */
export const make = ({ started, ...options }: Options): Effect.Effect<Consult, never, Needs> => {
  const { state, within } = options
  const checks = Verification.Live({
    directory: state,
    within: within ?? [],
    wait: "1 minute",
    ...(started && { started })
  })
  return Effect.provide(consult(options), Layer.merge(checks, CrossReview.CrossReview.Live))
}

/**
 * The judge with all its tiers.
 *
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<JudgeService, never, Needs> => JudgeService.layer(make(options))
