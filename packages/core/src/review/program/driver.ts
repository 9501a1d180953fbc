/** Runs the program for one session. `ReviewState` decides, and only this file performs the actions. */
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberMap from "effect/FiberMap"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import { type Judged, JudgeService } from "../tiers/JudgeService.ts"
import * as Feedback from "../../judge/verdict/Feedback.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import { isAttended } from "../../session/facts/Facts.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"
import * as Decision from "../machine/Decision.ts"
import * as Guard from "../machine/Guard.ts"
import * as ReviewState from "../machine/ReviewState.ts"
import { ReviewStates } from "../machine/ReviewStates.ts"
import * as ArtifactFiles from "../records/ArtifactFiles.ts"
import { Artifacts } from "../records/Artifacts.ts"
import { DecisionLog } from "../records/DecisionLog.ts"
import * as Notice from "../records/Notice.ts"
import { AgentHost, type HostEvent } from "./AgentHost.ts"
import { type PendingNudge, type Silence, silenced, watch } from "./silence.ts"

export type { Silence } from "./silence.ts"

type State = ReviewState.ReviewState

type Event = ReviewState.ReviewEvent

type Of<Tag extends ReviewState.ReviewAction["_tag"]> = Extract<ReviewState.ReviewAction, { readonly _tag: Tag }>

interface Happening {
  readonly event: Event
  readonly name: string
  readonly judged?: Judged
  readonly durationMs?: number
}

/** At most one of each kind runs at a time. */
type Kind = "review" | "injection" | "wake" | "watch"

/** The time limit for a small action of the host or the disk. */
const moment = Duration.seconds(10)

/** The log shows the message as the reason. */
class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  return failure instanceof Error ? failure.message : String(failure)
}

/** Fails after the duration, even if the effect hangs. */
const within = <A, E, R>(effect: Effect.Effect<A, E, R>, duration: Duration.Duration) =>
  Effect.disconnect(effect).pipe(
    Effect.timeoutFail({
      duration,
      onTimeout: () => new Refused({ message: `no answer within ${Duration.format(duration)}` })
    })
  )

const orWarned = <E extends { readonly message: string }, R>(effect: Effect.Effect<unknown, E, R>) =>
  effect.pipe(
    Effect.as(true),
    Effect.catchAll(({ message }) => Effect.as(Effect.logWarning(message), false))
  )

export const now = Effect.map(DateTime.now, (time) => time.epochMillis)

const iso = (millis: number): string => new Date(millis).toISOString()

const lasting = (state: State): string => JSON.stringify({ ...ReviewState.resume(state), now: 0 })

/** Used if the state cannot be saved, because the nudge would be unknown after a restart. */
const withoutNudge = (actions: ReadonlyArray<ReviewState.ReviewAction>): ReadonlyArray<ReviewState.ReviewAction> =>
  actions.flatMap((action): ReadonlyArray<ReviewState.ReviewAction> => {
    if (action._tag === "Inject") return []
    if (action._tag !== "Record" || action.decision !== "nudge") return [action]
    return [
      { ...action, decision: "failure", reason: `not nudged, because the state cannot be saved: ${action.reason}` }
    ]
  })

const missed = (transcript: Transcript, state: State, at: number): ReadonlyArray<Event> => {
  const task = NeutralTranscript.events(transcript).reduce(TaskContext.step, TaskContext.initial)
  const events: Array<Event> = []
  if (NeutralTranscript.isSubagent(transcript) && state.kind === "root")
    events.push({ _tag: "ChildSession", kind: "subagent", at })
  if (task.mode !== "unknown" && task.mode !== state.mode) events.push({ _tag: "ModeChanged", mode: task.mode, at })
  if (task.userMessageId !== null && task.userMessageId !== state.root)
    events.push({ _tag: "UserMessage", id: task.userMessageId, genuine: true, at })
  return events
}

const isEnd = ({ _tag }: Event): boolean => _tag === "Idle" || _tag === "Error"

/** True if we check before this event whether the user gave a command to another process. */
const isDue = (event: Event): boolean =>
  isEnd(event) || event._tag === "UserMessage" || (event._tag === "Command" && event.command === "status")

/** True if the agent may be working after this event. Other events change nothing. */
const watched: Readonly<Record<string, boolean>> = {
  UserMessage: true,
  AssistantMessage: true,
  InjectionDone: true,
  Idle: false,
  Abort: false,
  Error: false,
  Deleted: false
}

export interface Options {
  readonly review: ReviewState.ReviewOptions
  /** Null if the process ends with the turn. Then silence is not watched. Missed events come from the transcript. */
  readonly silence: Silence | null
}

/** `work` ends when the session is deleted. After `end`, it also ends when nothing is in progress. */
export const make = Effect.fnUntraced(function* (id: string, { review: options, silence }: Options) {
  const [host, judge, states, artifacts, log, config] = yield* Effect.all([
    AgentHost,
    JudgeService,
    ReviewStates,
    Artifacts,
    DecisionLog,
    CurrentConfig
  ])
  const { maxAttempts } = options
  const timeout = Duration.millis(options.timeout)
  const inbox = yield* Queue.unbounded<Happening | "end">()
  const scope = yield* Scope.make()
  const work = yield* Scope.extend(FiberMap.make<Kind>(), scope)
  // `state` is null until it is loaded. `saved` is the text on disk. `tried` is the text of the last attempt to save.
  let state: State | null = null
  let saved: string | null = null
  let tried: string | null = null
  let isUnkept = false
  let isClosed = false
  let judged: Judged | null = null
  let directory: string | null = null

  const current = Effect.gen(function* () {
    if (state !== null) return state
    const loaded = yield* states.load(id)
    state = loaded === null ? ReviewState.initial : ReviewState.resume(loaded)
    saved = lasting(state)
    tried = null
    return state
  })

  const directoryOf = Effect.gen(function* () {
    directory ??= yield* Effect.orElseSucceed(within(host.directory(id), moment), () => null)
    return directory
  })

  /** True if the state is on disk. After a failure, the same state is saved again only if `matters` is true. */
  const save = Effect.fnUntraced(function* (next: State, matters: boolean) {
    const text = lasting(next)
    if (text === saved) return true
    if (text === tried && !matters) return false
    tried = text
    const isDone = yield* orWarned(states.save(id, next))
    if (isDone) saved = text
    return isDone
  })

  const keep = Effect.fnUntraced(function* (word: "stop" | "start") {
    const isKept = yield* orWarned(states.setStopped(id, word === "stop"))
    isUnkept = word === "stop" && !isKept
    return isKept
  })

  /** The last command on disk, if the state differs from it. A stop that could not be saved applies in this process. */
  const heard = Effect.fnUntraced(function* ({ enabled }: State, at: number): Effect.fn.Return<ReadonlyArray<Event>> {
    if (isUnkept) return yield* Effect.as(keep("stop"), [])
    const isStopped = yield* states.isStopped(id)
    if (isStopped === null || isStopped !== enabled) return []
    return [{ _tag: "Command", command: isStopped ? "stop" : "start", by: "elsewhere", at }]
  })

  /** If the session cannot be read, this is tried again at the end of the next turn. */
  const caughtUp = (known: State, at: number) =>
    within(host.transcript(id), moment).pipe(
      Effect.map((transcript) => missed(transcript, known, at)),
      Effect.catchAll(({ message }) =>
        Effect.as(Effect.logWarning(`session ${id} could not be read at its stop: ${message}`), [])
      )
    )

  const before = Effect.fnUntraced(function* (event: Event) {
    const known = yield* current
    const isCaughtUp = !isEnd(event) || known.ended || (known.root !== null && silence !== null)
    const events = isCaughtUp ? [] : yield* caughtUp(known, event.at)
    return isDue(event) ? [...(yield* heard(known, event.at)), ...events] : events
  })

  /** With `continuesAfterLimit`, removes the end of a usage limit if a user may be present. */
  const unattended = Effect.fnUntraced(function* (event: Event) {
    if (event._tag !== "Error" || event.limitEnd === undefined || options.continuesAfterLimit !== true) return event
    const session = yield* Effect.option(within(host.transcript(id), moment))
    const isAlone = Option.isSome(session) && !isAttended({ context: { config }, session: session.value })
    return isAlone ? event : { _tag: event._tag, at: event.at }
  })

  const judgeNow = Effect.fnUntraced(function* (attempt: number, since: number | null) {
    const transcript = yield* host.transcript(id)
    if (silence === null || since === null) return yield* judge.review(transcript, { attempt })
    const heardAt = since === 0 ? null : iso(since)
    const assessment = yield* silence.assess(transcript, { now: iso(yield* now), attempt, heardAt })
    const loops = assessment.finding === undefined ? [] : assessment.loops
    // A working agent has not said that it is done, so there is no claim to check and no model is asked.
    return silenced(yield* judge.review(transcript, { attempt, evidence: true, loops }), assessment)
  })

  const review = Effect.fnUntraced(function* ({ review: number, silentSince }: Of<"Review">, attempt: number) {
    const judging = within(judgeNow(attempt, silentSince), timeout)
    const [duration, exit] = yield* Effect.timed(Effect.exit(judging))
    const came = Exit.match(exit, { onFailure: reasonOf, onSuccess: (one): Judged | string => one })
    const happening: Happening = {
      name: "review",
      durationMs: Duration.toMillis(duration),
      event: ReviewState.answered(number, came, yield* now)
    }
    return typeof came === "string" ? happening : { ...happening, judged: came }
  })

  const injectNow = Effect.fnUntraced(function* (
    { attempt, review: number, silentSince }: Of<"Inject">,
    root: State["root"]
  ) {
    if ((yield* states.isStopped(id)) === true)
      return yield* new Refused({ message: "the user stopped reflexion in this session" })
    const text = judged?.verdict.feedback ?? null
    // If the attempts differ, the feedback was already sent, or reflexion could not recognise it later.
    if (judged === null || text === null || Feedback.attemptOf(text) !== attempt)
      return yield* new Refused({ message: `there is no feedback for attempt ${attempt}` })
    yield* host.inject(id, {
      text,
      attempt,
      maxAttempts,
      reviewId: `${id}/${number}`,
      userMessageId: root,
      silentSince,
      notice: Notice.nudge({ verdict: judged.verdict, attempt, maxAttempts }),
      ...(judged.route !== undefined && { model: judged.route.model })
    })
  })

  const inject = Effect.fnUntraced(function* (action: Of<"Inject">, root: State["root"]) {
    const exit = yield* Effect.exit(within(injectNow(action, root), timeout))
    const answer = { review: action.review, at: yield* now }
    const event: Event = Exit.isSuccess(exit)
      ? { _tag: "InjectionDone", ...answer }
      : { _tag: "InjectionFailed", reason: reasonOf(exit.cause), ...answer }
    return { name: "injection", event }
  })

  const wakeAt = Effect.fnUntraced(function* (at: number) {
    yield* Effect.sleep(Duration.millis(Math.max(0, at - (yield* now))))
    const event: Event = { _tag: "Clock", at: yield* now }
    return { name: "clock", event }
  })

  /** A failure to show the notice has no other effect. */
  const notify = ({ notice, until }: Of<"Notify">, { attempts }: State) => {
    const verdict = judged?.verdict ?? null
    const text = Notice.render({ notice, verdict, attempts, maxAttempts, progress: judged?.progress, until })
    return within(host.notify(id, { kind: notice, text }), moment).pipe(
      Effect.catchAllCause((cause) =>
        Effect.logWarning(`the user could not be told "${text}" in session ${id}: ${reasonOf(cause)}`)
      )
    )
  }

  const record = Effect.fnUntraced(function* (action: Of<"Record">, happening: Happening) {
    const where = {
      at: DateTime.formatIso(yield* DateTime.now),
      host: host.name,
      sessionId: id,
      directory: yield* directoryOf,
      event: happening.name,
      maxAttempts,
      durationMs: happening.durationMs ?? null
    }
    yield* log.append(Decision.of(action, where, happening.judged ?? null))
  })

  /** Writes the record before anyone is told about the decision. */
  const archive = Effect.fnUntraced(function* (actions: ReadonlyArray<ReviewState.ReviewAction>, happening: Happening) {
    const found = happening.judged ?? null
    const kept = ArtifactFiles.reviewOf(found, actions, { sessionId: id, timestamp: yield* now, maxAttempts })
    const place = kept === null ? null : yield* directoryOf
    if (kept === null || place === null) return
    yield* within(artifacts.write(place, kept), moment).pipe(
      Effect.catchAllCause((cause) => Effect.logWarning(`the review's record was not written: ${reasonOf(cause)}`))
    )
  })

  const answer = (kind: Kind, happening: Effect.Effect<Happening>) =>
    Effect.asVoid(
      FiberMap.run(
        work,
        kind,
        Effect.flatMap(happening, (one) => Queue.offer(inbox, one))
      )
    )

  const perform = (action: ReviewState.ReviewAction, next: State, happening: Happening): Effect.Effect<void> => {
    switch (action._tag) {
      case "Review":
        return answer("review", review(action, next.attempts + 1))
      case "CancelReview":
        return FiberMap.remove(work, "review")
      case "Inject":
        return answer("injection", inject(action, next.root))
      case "Notify":
        return notify(action, next)
      case "Wake":
        return answer("wake", wakeAt(action.at))
      case "Record":
        return record(action, happening)
    }
  }

  /** Saves before it acts. If the event ends the phase `injecting`, feedback that is being sent is cancelled. */
  const take = Effect.fnUntraced(function* (happening: Happening) {
    const known = yield* current
    const [next, wanted] = ReviewState.decide(known, happening.event, options)
    if (next.phase._tag !== "injecting") yield* FiberMap.remove(work, "injection")
    const isNudge = wanted.some((action) => action._tag === "Inject")
    const isSaved = yield* save(next, isNudge)
    const actions = isSaved ? wanted : withoutNudge(wanted)
    // If the state of a nudge was not saved, nothing is sent. The end of the next turn may try again.
    state = isSaved || !isNudge ? next : { ...known, now: next.now, phase: { _tag: "quiet" } }
    judged = happening.judged ?? judged
    yield* archive(actions, happening)
    yield* Effect.forEach(actions, (action) => perform(action, next, happening), { discard: true })
  })

  const activity = within(host.activity(id), moment).pipe(Effect.orElseSucceed(() => undefined))
  const report = (event: Event) => Queue.offer(inbox, { name: "silence", event })

  /** After our feedback the watch starts again, because an answer is expected. */
  const attend = Effect.fnUntraced(function* (phase: State["phase"] | undefined, tag: string) {
    const isWatched = watched[tag]
    if (silence === null || isWatched === undefined) return
    if (!isWatched) return yield* FiberMap.remove(work, "watch")
    const owed: PendingNudge | null =
      tag === "InjectionDone" && phase?._tag === "injecting" ? { since: phase.since, within: silence.answer } : null
    const watching = watch(silence, owed, { now, activity, report })
    yield* FiberMap.run(work, "watch", watching, { onlyIfMissing: owed === null })
  })

  /** Stores the command. A start command that could not be stored has no effect. */
  const isSaid = Effect.fnUntraced(function* (event: Event) {
    if (event._tag !== "Command" || event.command === "status") return true
    return (yield* keep(event.command)) || event.command === "stop"
  })

  const follow = Effect.fnUntraced(function* (happening: Happening) {
    const { event, name } = happening
    if (!(yield* isSaid(event))) return
    for (const earlier of yield* before(event)) yield* take({ event: earlier, name })
    const phase = state?.phase
    yield* take({ ...happening, event: yield* unattended(event) })
    yield* attend(phase, event._tag)
  })

  /**
   * A failure ends the work in progress, but the next turn is reviewed. A state that cannot be loaded is reported only
   * at a turn's end, because other events are too frequent.
   */
  const survive = Effect.fnUntraced(function* (happening: Happening, cause: Cause.Cause<unknown>) {
    if (state === null && happening.event._tag !== "Idle") return
    if (state !== null) state = { ...state, phase: { _tag: "quiet" } }
    yield* Effect.logWarning(`session ${id}: ${happening.name} could not be handled`, cause)
    yield* record(Guard.record("failure", Cause.pretty(cause)), happening)
  })

  const handle = (happening: Happening) =>
    follow(happening).pipe(
      Effect.catchAllCause((cause) => survive(happening, cause)),
      Effect.catchAllCause(Effect.logError)
    )

  /** A program that ends does not wait for the end of a usage limit. */
  const isLeft = ({ phase }: State): boolean => silence !== null && phase._tag === "settling" && phase.limited === true

  /** Returns true after the last event. */
  const next = Effect.gen(function* () {
    const happening = yield* Queue.take(inbox)
    if (happening === "end") isClosed = true
    else yield* handle(happening)
    if (state === null) return isClosed
    return state.phase._tag === "quiet" ? isClosed || state.ended : isClosed && isLeft(state)
  })

  /**
   * True if the session can be closed and resumed from disk: nothing is in progress, and no host report would be lost.
   * A negative queue size means that the worker waits for the next event.
   */
  const rests = Effect.gen(function* () {
    if (state === null || isUnkept || (yield* Queue.size(inbox)) >= 0 || (yield* FiberMap.size(work)) > 0) return false
    const resumed = JSON.stringify({ ...ReviewState.resume(state), now: state.now })
    return saved === lasting(state) && resumed === JSON.stringify(state)
  })

  return {
    offer: ({ event, name }: HostEvent) => Queue.offer(inbox, { event, name: name ?? event._tag }),
    end: Queue.offer(inbox, "end"),
    rests,
    work: Effect.asVoid(Effect.repeat(next, { until: (isOver) => isOver })).pipe(
      Effect.ensuring(Scope.close(scope, Exit.void))
    )
  }
})
