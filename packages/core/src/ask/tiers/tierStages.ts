/** The stages of a review beyond evidence, each on the verdict that the one before it left. */
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
import * as CheckResult from "../checks/CheckResult.ts"
import * as CrossReview from "../crossreview/CrossReview.ts"
import type { Service as AskLog } from "../models/AskLog.ts"
import * as Deadline from "../models/Deadline.ts"
import { ModelFailure } from "../models/ModelCall.ts"
import * as ModelRouting from "../models/ModelRouting.ts"
import { Models } from "../models/Models.ts"
import { type ActiveCheck, CurrentConfig, type ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import * as SelfAssessment from "../assessment/SelfAssessment.ts"
import * as SessionDiff from "../crossreview/SessionDiff.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { isGenuine } from "../../session/task/TaskContext.ts"
import { Verification } from "../checks/Verification.ts"
import { AnsweredBy } from "../models/AnsweringModel.ts"
import { maySpeak, redacted } from "../../judge/verdict/Conclusion.ts"
import { gather } from "../../session/facts/Facts.ts"
import * as Cache from "../crossreview/CrossReviewCache.ts"
import * as Diff from "../crossreview/CrossReviewDiff.ts"
import * as Panel from "../crossreview/Panel.ts"
import * as Prompt from "../crossreview/CrossReviewPrompt.ts"
import { turnOf, type Reader } from "./judgeReader.ts"
import { progressOf } from "./Progress.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import * as Git from "../../base/system/QuietGit.ts"
import { writtenIn } from "./sessionFiles.ts"
import { oneLine } from "../../base/text/Text.ts"
import { eventsOf, givenAt } from "../assessment/TurnRecord.ts"
import { digest } from "../../base/system/KeyHash.ts"
import { doubted, notRun, unmasked } from "../checks/VerificationReading.ts"
import * as Scripts from "./verificationScripts.ts"
import type { Judged, Options, Seen } from "./model.ts"

/** What the stages are made of. `config` has the models; which checks are run is said by the session's own. */
export interface Tiers extends Options {
  readonly config: ReflexionConfig
  readonly log: AskLog
  readonly read: Reader
}

type Services =
  | CommandExecutor.CommandExecutor
  | CrossReview.CrossReview
  | CurrentConfig
  | FileSystem.FileSystem
  | Models
  | Path.Path
  | Verification

/** Nothing but these: what the surroundings set for one review is left to it. */
export const needs = Effect.map(
  Effect.context<Services>(),
  Context.pick(
    CommandExecutor.CommandExecutor,
    CrossReview.CrossReview,
    CurrentConfig,
    FileSystem.FileSystem,
    Models,
    Path.Path,
    Verification
  )
)

const projectOf = ({ directoryOf }: Options, { transcript }: Seen): Effect.Effect<string | null> =>
  directoryOf === undefined ? Effect.succeed(transcript.cwd) : directoryOf(transcript)

/** Whether it is there still. */
const exists = (directory: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.orElseSucceed(fs.exists(directory), () => false))

const noSandbox =
  "there is no sandbox here to run it in, and verify.unsandboxed of your own configuration does not let it run without one"

/** Why nothing can be run in a project, null where it can. */
const hindrance = Effect.fnUntraced(function* (directory: string | null, tiers: Tiers, seen: Seen) {
  if (directory === null) return "the session's project is not known"
  if (!(yield* exists(directory))) return "the session's project is no longer there"
  if (tiers.within === null && !seen.options.context.config.verify.unsandboxed) return noSandbox
  return tiers.mayRun === undefined ? null : yield* tiers.mayRun(directory)
})

/** A task whose record is too long: what is its own cannot be told from what was there before. */
const isUnheld = ({ transcript }: Seen): boolean => transcript.events.length === 0

const baseOf = Effect.fnUntraced(function* (directory: string, { seen, tiers }: { seen: Seen; tiers: Tiers }) {
  if (isUnheld(seen)) return null
  const git = yield* Git.open(directory, tiers.within ?? [])
  if (git === null) return null
  return { git, base: yield* Git.baseOf(git, directory, givenAt(seen.transcript, seen.state.task)) }
})

/** What passed, as far as the project's scripts let it fail, and the task has left alone what was run. */
const weigh = Effect.fnUntraced(function* (
  results: ReadonlyArray<CheckResult.CheckResult>,
  directory: string,
  of: { readonly seen: Seen; readonly tiers: Tiers }
) {
  const path = yield* Path.Path
  const written = yield* writtenIn(of.seen)
  const { repo } = of.seen.options.context
  const around = { repo, written, base: baseOf(directory, of) }
  const told = results.map((result) => unmasked(result, repo.scripts))
  return yield* Effect.forEach(told, (result) =>
    Effect.map(result.result === "passed" ? Scripts.editedFor(result, around) : Effect.succeed(null), (file) =>
      file === null ? result : doubted(result, path.relative(directory, file) || file)
    )
  )
})

const runIn = Effect.fnUntraced(function* (
  directory: string | null,
  checks: ReadonlyArray<ActiveCheck>,
  of: { readonly seen: Seen; readonly tiers: Tiers }
) {
  const why = yield* hindrance(directory, of.tiers, of.seen)
  const verification = yield* Verification
  const gates = checks.map(({ gate }) => gate)
  return why === null && directory !== null
    ? yield* weigh(yield* verification.run({ directory, checks, gates }), directory, of)
    : checks.map(({ command, gate }) => notRun(gate, command, why ?? ""))
})

/** What was taken for a project is run at its root, whatever folder of it the session is in. */
const runChecks = Effect.fnUntraced(function* (gates: ReadonlyArray<string>, tiers: Tiers, seen: Seen) {
  const directory = yield* projectOf(tiers, seen)
  const due = seen.options.context.config.verify.checks.filter(({ gate }) => gates.includes(gate))
  const places = [...new Set(due.map(({ directory: own }) => own ?? directory))]
  const results = yield* Effect.forEach(places, (place) =>
    runIn(
      place,
      due.filter(({ directory: own }) => (own ?? directory) === place),
      { seen, tiers }
    )
  )
  const ran = CheckResult.ran(results.flat())
  if (ran !== null && tiers.ended !== undefined) yield* tiers.ended(ran)
  return results.flat()
})

const dueAt = ({ judged, options, state }: Seen, config: ReflexionConfig) =>
  BeyondEvidence.dueAt(state, judged.verdict, { ...options, context: { ...options.context, config } })

/** The turn as the checks have it. What they prove holds for this verdict, and moves nothing. */
const verify = Effect.fnUntraced(function* (seen: Seen, tiers: Tiers) {
  const { gates } = dueAt(seen, seen.options.context.config)
  if (tiers.checks === false || gates.length === 0) return seen
  const checks = yield* runChecks(gates, tiers, seen)
  const judged = CheckResult.review(seen.state, checks, seen.options)
  const mark = seen.judged.mark
  return {
    ...seen,
    state: CheckResult.observe(seen.state, checks),
    judged: { ...seen.judged, ...judged, mark, checks }
  }
})

/** `judges`: by which names the models are known whose answer counted for the verdict; none where evidence gave it. */
interface Asked extends Seen {
  readonly judges: ReadonlyArray<string>
}

/** By the names under which they were chosen, and by what they call themselves. */
const judgesOf = ({ asked }: Judged, chosen: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (asked === undefined || asked.by === null) return []
  const own = asked.model
  const there = chosen.flatMap((name) => {
    const place = ModelRouting.parse(name)
    return own === null || place === null ? [] : [ModelRouting.show({ ...place, model: own })]
  })
  return [...new Set([...chosen, ...there, ...(own === null ? [] : [own])])]
}

/** With what the question took, which is kept. */
const counted = Effect.fnUntraced(function* (
  judged: Judged,
  { model, since, whose }: { readonly model: string | null; readonly since: number; readonly whose: Limits.Whose },
  log: AskLog
) {
  const { asked } = judged
  if (asked === undefined || asked.end === null) return judged
  const { inputTokens, outputTokens } = judged.verdict.cost
  const ms = (yield* Clock.currentTimeMillis) - since
  const question = { model: model ?? asked.model, ms, inputTokens, outputTokens }
  const at = DateTime.formatIso(DateTime.unsafeMake(since))
  const told = yield* Limits.keep(log, { ...whose, ...question, at, end: asked.end })
  return { ...judged, asked: { ...asked, question, told } }
})

const unreachedInTime = () =>
  new ModelFailure({ reason: "timed_out", model: null, detail: "which can be asked was not known in time" })

/** Choosing among the models may take requests of its own, and counts to the wait for an answer. */
const judgesInTime = Deadline.limited(unreachedInTime)(Layer.build(Models.Judge))

/** What is not asked is not paid for: the model is sought only where there is something to ask. */
const ask = Effect.fnUntraced(function* (seen: Asked, { asking, config, log, read }: Tiers) {
  const turn = config.model === "off" || seen.without?.includes("model") === true ? null : turnOf(seen)
  if (turn === null) return seen
  const whose = Limits.whoseOf(seen, turn)
  const why = yield* Limits.refusal(log, whose, config)
  const { mark } = seen.judged
  if (why !== null) return { ...seen, judged: { ...seen.judged, ...SelfAssessment.unanswered(turn, why), mark } }
  if (asking !== undefined) yield* asking(config.model)
  const unreached = ({ detail, reason }: ModelFailure): Judged =>
    SelfAssessment.unanswered(turn, `No model can be asked: ${detail}.`, reason === "timed_out" ? "late" : "failed")
  const chosen = yield* Ref.make<ReadonlyArray<string>>([])
  const since = yield* Clock.currentTimeMillis
  const named = (names: ReadonlyArray<string>) => names.at(-1) ?? (config.model === "auto" ? null : config.model)
  // Whoever types on while it is asked has had it asked all the same.
  const overtaken = Effect.flatMap(Effect.all([Clock.currentTimeMillis, Ref.get(chosen)]), ([now, names]) => {
    const took = { model: named(names), ms: now - since, inputTokens: 0, outputTokens: 0 }
    return Limits.keep(log, { ...whose, ...took, at: DateTime.formatIso(DateTime.unsafeMake(since)), end: "overtaken" })
  })
  const said = yield* Effect.flatMap(judgesInTime, (judging) => Effect.provide(read(seen), judging)).pipe(
    Effect.scoped,
    Deadline.within(Duration.seconds(ModelRouting.patience(config))),
    Effect.provideService(AnsweredBy, { note: (name) => Ref.update(chosen, (all) => [...all, name]) }),
    Effect.catchAll((failure) => Effect.succeed(unreached(failure))),
    Effect.onInterrupt(() => overtaken)
  )
  const names = yield* Ref.get(chosen)
  const judged = yield* counted(said, { model: named(names), since, whose }, log)
  const judges = judged.verdict.source === "model" ? judgesOf(judged, names) : []
  return { ...seen, judges, judged: { ...seen.judged, ...judged, mark } }
})

const diffOf = Effect.fnUntraced(function* (directory: string, tiers: Tiers, seen: Seen) {
  const since = givenAt(seen.transcript, seen.state.task)
  if (tiers.diffOf !== undefined) {
    const diff = yield* tiers.diffOf(directory, since)
    return diff === null ? null : Diff.withoutKeys(diff).kept
  }
  const edited = (yield* writtenIn(seen)).map(({ path }) => path)
  return yield* SessionDiff.ofDirectory(directory, { since, edited, within: tiers.within ?? [] })
})

const unreviewed = (seen: Seen, problem: string): Judged => ({
  ...seen.judged,
  crossReview: { consensus: null, problem }
})

/** The texts that the agent was pushed with since the user's last message. */
const remindersOf = ({ state, transcript: { events } }: Seen): ReadonlyArray<string> =>
  state.pushes.count === 0
    ? []
    : events
        .slice(events.findLastIndex((event) => event.type === "user_message" && isGenuine(event)) + 1)
        .flatMap((event) => (event.type === "user_message" && isFeedback(event) ? [event.text] : []))

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
const withConsensus = (seen: Seen, consensus: CrossReview.Consensus, known: boolean): Judged => {
  const { attempt, judged, options, state } = seen
  const turn = gather(state, options)
  const { maxAttempts } = options.context.config
  const given = { attempt, maxAttempts, reminders: remindersOf(seen), answer: answerOf(seen) }
  const applied = (speaks: boolean) => CrossReview.apply(judged.verdict, consensus, { ...given, maySpeak: speaks })
  const verdict = applied(maySpeak(turn))
  const dissents = judged.verdict.complete && !verdict.complete
  return {
    ...judged,
    verdict: redacted(verdict),
    wouldContinue: dissents ? applied(maySpeak({ ...turn, profile: "balanced" })).shouldContinue : judged.wouldContinue,
    crossReview: { consensus, problem: null, ...(known && { known }) }
  }
}

/** A change that was reviewed is not reviewed again, nor paid for, as long as it, the task, who may review it and who wrote and judged it are the same. */
const reviewed = Effect.fnUntraced(function* (
  { biased, diff, task }: { readonly task: CrossReview.Task; readonly diff: string; readonly biased: Panel.Biased },
  { config, state }: Tiers
) {
  const panel = Panel.of(yield* CrossReview.configured(config), biased)
  const asked = panel.asked.map(({ modelId, real, role }) => [role, modelId, real])
  const about = [Prompt.version, asked, panel.leftOut, biased, task.summary, task.requirements, diff]
  const key = yield* digest(new TextEncoder().encode(JSON.stringify(about)))
  const known = yield* Cache.find(state, key)
  if (known !== null) return { consensus: known, known: true }
  const crossReview = yield* CrossReview.CrossReview
  const consensus = yield* crossReview.runReview(task, diff, biased)
  yield* Cache.save(state, key, consensus)
  return { consensus, known: false }
})

const review = Effect.fnUntraced(function* (seen: Asked, tiers: Tiers) {
  const isUnwanted = tiers.crossReview === false || seen.without?.includes("crossReview") === true
  if (isUnwanted || !dueAt(seen, tiers.config).crossReview) return seen.judged
  if (isUnheld(seen)) return unreviewed(seen, "the record of its task is too long to tell what the task has changed")
  const directory = yield* projectOf(tiers, seen)
  if (directory === null || !(yield* exists(directory))) return unreviewed(seen, "the session's project is not there")
  const diff = yield* diffOf(directory, tiers, seen)
  if (diff === null) return unreviewed(seen, "git does not tell what was changed")
  if (diff.trim() === "") return unreviewed(seen, "nothing is changed in the working copy")
  const { requirements, summary } = seen.judged.verdict.task
  const biased = { judgedBy: seen.judges, writtenBy: authorsOf(seen) }
  const { consensus, known } = yield* reviewed({ task: { summary, requirements }, diff, biased }, tiers)
  return withConsensus(seen, consensus, known)
})

/** A stage that breaks leaves what was there, and says so. */
const survive =
  <S extends Seen>(seen: S, tell: (problem: string) => Judged) =>
  (defect: unknown) => {
    const problem = oneLine(redact(String(defect)), 200)
    return Effect.as(Effect.logWarning(`a stage of a review broke: ${problem}`), { ...seen, judged: tell(problem) })
  }

const unverified =
  (seen: Seen) =>
  (problem: string): Judged => {
    const { config } = seen.options.context
    const { gates } = dueAt(seen, config)
    const left = config.verify.checks.filter(({ gate }) => gates.includes(gate))
    return { ...seen.judged, checks: left.map(({ command, gate }) => notRun(gate, command, problem)) }
  }

const unasked =
  (seen: Seen) =>
  (problem: string): Judged => {
    const turn = turnOf(seen)
    return turn === null
      ? seen.judged
      : { ...seen.judged, ...SelfAssessment.unanswered(turn, `A model was asked: ${problem}`) }
  }

export const run = Effect.fnUntraced(function* (seen: Seen, tiers: Tiers) {
  const checked = yield* Effect.catchAllDefect(verify(seen, tiers), survive(seen, unverified(seen)))
  const verified: Asked = { ...checked, judges: [] }
  const asked = yield* Effect.catchAllDefect(ask(verified, tiers), survive(verified, unasked(verified)))
  const broken = (problem: string) => unreviewed(asked, problem)
  const reviewed = Effect.map(review(asked, tiers), (judged) => ({ ...asked, judged }))
  const { judged: last } = yield* Effect.catchAllDefect(reviewed, survive(asked, broken))
  const judged = Acceptance.told(last, seen.options.context.config.doneWhen)
  const progress = progressOf(seen, judged)
  return progress === null ? judged : { ...judged, progress }
})
