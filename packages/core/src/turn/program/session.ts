/** One session's part of the program: its events one at a time, and what follows from each. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberMap from "effect/FiberMap"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import { AgentHost, type HostEvent } from "./AgentHost.ts"
import type { DecisionLog } from "../records/DecisionLog.ts"
import type { Judged, JudgeService } from "../../ask/tiers/JudgeService.ts"
import * as ReviewState from "../machine/ReviewState.ts"
import { ReviewStates } from "../machine/ReviewStates.ts"
import { readAhead } from "./ahead.ts"
import { caughtUp } from "./catchUp.ts"
import * as Guard from "../machine/Guard.ts"
import * as Watch from "./watch.ts"
import * as Work from "./work.ts"

/** What may be under way beside the taking of events; of each kind one at a time. */
type Kind = "review" | "injection" | "wake" | "watch" | "ahead"

/** How silence is dealt with. `stall` and `answer` in ms: how long an agent may be silent, and after a word of ours. */
export interface Silence {
  readonly stall: number
  readonly answer: number
  readonly assess: Work.Assess
}

interface Session {
  readonly id: string
  readonly options: ReviewState.ReviewOptions
  /** Whether the transcript, not the events, says what the user's last message is. */
  readonly oneShot: boolean
  readonly silence: Silence | null
  readonly inbox: Queue.Queue<Work.Happening | "end">
  readonly work: FiberMap.FiberMap<Kind>
  readonly memory: Ref.Ref<Memory>
}

/**
 * `saved`: what of the state is on the disk; `tried`: what was last tried to be. Null until the state is loaded.
 * `unkept`: the user said stop, and that is not on the disk. `ahead`: the session was begun to be read ahead.
 */
interface Memory {
  readonly state: ReviewState.ReviewState | null
  readonly saved: string | null
  readonly tried: string | null
  readonly unkept: boolean
  readonly ahead: boolean
  readonly judged: Judged | null
  readonly directory: string | null
  readonly closed: boolean
}

const blank: Memory = {
  state: null,
  saved: null,
  tried: null,
  unkept: false,
  ahead: false,
  judged: null,
  directory: null,
  closed: false
}

const remember = (session: Session, news: Partial<Memory>) =>
  Ref.update(session.memory, (memory) => ({ ...memory, ...news }))

/** What of a state outlasts the process. */
const lasting = (state: ReviewState.ReviewState): string => JSON.stringify({ ...ReviewState.resume(state), now: 0 })

const current = Effect.fnUntraced(function* (session: Session) {
  const known = (yield* Ref.get(session.memory)).state
  if (known !== null) return known
  const states = yield* ReviewStates
  const loaded = yield* states.load(session.id)
  const state = loaded === null ? ReviewState.initial : ReviewState.resume(loaded)
  yield* remember(session, { state, saved: lasting(state), tried: null })
  return state
})

/** Says whether what lasts of the state is on the disk. What failed once is tried again when it matters. */
const save = Effect.fnUntraced(function* (session: Session, state: ReviewState.ReviewState, matters: boolean) {
  const text = lasting(state)
  const { saved, tried } = yield* Ref.get(session.memory)
  if (text === saved) return true
  if (text === tried && !matters) return false
  const states = yield* ReviewStates
  const done = yield* states.save(session.id, state).pipe(
    Effect.as(true),
    Effect.catchAll((error) => Effect.as(Effect.logWarning(error.message), false))
  )
  yield* remember(session, { tried: text, ...(done && { saved: text }) })
  return done
})

/** The user's word, where every process of the host finds it. */
const keep = Effect.fnUntraced(function* (session: Session, word: "stop" | "start") {
  const states = yield* ReviewStates
  const kept = yield* states[word === "stop" ? "stop" : "restart"](session.id).pipe(
    Effect.as(true),
    Effect.catchAll((error) => Effect.as(Effect.logWarning(error.message), false))
  )
  yield* remember(session, { unkept: word === "stop" && !kept })
  return kept
})

/** Says whether the event holds: with a word to stop on the disk nothing starts. */
const isSaid = Effect.fnUntraced(function* (session: Session, event: ReviewState.ReviewEvent) {
  if (event._tag !== "Command" || event.command === "status") return true
  return (yield* keep(session, event.command)) || event.command === "stop"
})

/** Before these it matters whether the user has said anything to another process. */
const isDue = (event: ReviewState.ReviewEvent): boolean =>
  event._tag === "Idle" || event._tag === "UserMessage" || (event._tag === "Command" && event.command === "status")

/** What the user said last is on the disk; what could not be put there in this process holds in it. */
const heard = Effect.fnUntraced(function* (session: Session, state: ReviewState.ReviewState, at: number) {
  if ((yield* Ref.get(session.memory)).unkept) {
    yield* keep(session, "stop")
    return []
  }
  const states = yield* ReviewStates
  const stopped = yield* states.isStopped(session.id)
  if (stopped === null || stopped !== state.enabled) return []
  const command = stopped ? ("stop" as const) : ("start" as const)
  return [{ _tag: "Command" as const, command, by: "elsewhere" as const, at }]
})

const answer = <R>(session: Session, kind: Kind, work: Effect.Effect<Work.Happening, never, R>) =>
  Effect.asVoid(
    FiberMap.run(
      session.work,
      kind,
      Effect.flatMap(work, (happening) => Queue.offer(session.inbox, happening))
    )
  )

const wakeAt = Effect.fnUntraced(function* (at: number) {
  yield* Effect.sleep(Duration.millis(Math.max(0, at - (yield* Work.now))))
  return { name: "clock", event: { _tag: "Clock" as const, at: yield* Work.now } }
})

const directoryOf = Effect.fnUntraced(function* (session: Session) {
  const known = (yield* Ref.get(session.memory)).directory
  if (known !== null) return known
  const directory = yield* Work.directoryOf(session.id)
  yield* remember(session, { directory })
  return directory
})

const record = Effect.fnUntraced(function* (session: Session, action: Work.Recorded, happening: Work.Happening) {
  const { maxAttempts } = session.options
  yield* Work.record(session.id, action, { happening, maxAttempts, directory: yield* directoryOf(session) })
})

interface Moment {
  readonly state: ReviewState.ReviewState
  readonly judged: Judged | null
  readonly happening: Work.Happening
}

const silenceOf = ({ silence }: Session, since: number | null) =>
  silence === null || since === null ? null : { assess: silence.assess, since }

/** What is almost read is not begun anew, and what cannot be read holds nothing up. */
const readOut = ({ work }: Session) =>
  Effect.flatMap(Effect.option(FiberMap.get(work, "ahead")), (reading) =>
    reading._tag === "None"
      ? Effect.void
      : Effect.zipRight(Effect.timeoutOption(Fiber.await(reading.value), "1 second"), FiberMap.remove(work, "ahead"))
  )

const perform = (
  session: Session,
  action: ReviewState.ReviewAction,
  { happening, judged, state }: Moment
): Effect.Effect<void, never, AgentHost | JudgeService | DecisionLog | ReviewStates> => {
  const { maxAttempts, timeout } = session.options
  switch (action._tag) {
    case "Review":
      return answer(
        session,
        "review",
        Work.review(session.id, {
          review: action.review,
          attempt: state.attempts + 1,
          timeout,
          silence: silenceOf(session, action.silentSince),
          ready: readOut(session)
        })
      )
    case "CancelReview":
      return FiberMap.remove(session.work, "review")
    case "Inject":
      return answer(session, "injection", Work.inject(session.id, action, { judged, state, maxAttempts, timeout }))
    case "Notify":
      return Work.notify(session.id, action.notice, { judged, state, maxAttempts })
    case "Wake":
      return answer(session, "wake", wakeAt(action.at))
    case "Record":
      return record(session, action, happening)
  }
}

/** Without a saved state no push: after a restart nobody would know of it. */
const withoutPush = (actions: ReadonlyArray<ReviewState.ReviewAction>): ReadonlyArray<ReviewState.ReviewAction> =>
  actions.flatMap((action): ReadonlyArray<ReviewState.ReviewAction> => {
    if (action._tag === "Inject") return []
    if (action._tag !== "Record" || action.decision !== "push") return [action]
    return [{ ...action, decision: "failure", reason: `not pushed, for the state cannot be saved: ${action.reason}` }]
  })

/** Whoever hears of a decision finds its files written. */
const archive = Effect.fnUntraced(function* (
  session: Session,
  actions: ReadonlyArray<ReviewState.ReviewAction>,
  { happening }: Moment
) {
  if (happening.judged === undefined) return
  const { maxAttempts } = session.options
  const directory = yield* directoryOf(session)
  yield* Work.archive(session.id, actions, { judged: happening.judged, directory, maxAttempts })
})

/** Saves, then acts. What would still be sent is no longer wanted once something else has happened. */
const follow = Effect.fnUntraced(function* (
  session: Session,
  wanted: ReadonlyArray<ReviewState.ReviewAction>,
  moment: Moment & { readonly before: ReviewState.ReviewState }
) {
  const { before, state } = moment
  if (state.phase._tag !== "injecting") yield* FiberMap.remove(session.work, "injection")
  const push = wanted.some((action) => action._tag === "Inject")
  const saved = yield* save(session, state, push)
  const actions = saved ? wanted : withoutPush(wanted)
  // Nothing is sent: the next stop may try again.
  const unsent: ReviewState.ReviewState = { ...before, now: state.now, phase: { _tag: "quiet" } }
  yield* remember(session, { state: saved || !push ? state : unsent, judged: moment.judged })
  yield* archive(session, actions, moment)
  yield* Effect.forEach(actions, (action) => perform(session, action, moment), { discard: true })
})

const take = Effect.fnUntraced(function* (session: Session, happening: Work.Happening) {
  const before = yield* current(session)
  const [state, wanted] = ReviewState.decide(before, happening.event, session.options)
  const judged = happening.judged ?? (yield* Ref.get(session.memory)).judged
  yield* follow(session, wanted, { before, state, happening, judged })
})

const failure = (reason: string): Work.Recorded => ({
  _tag: "Record",
  decision: "failure",
  reason,
  status: null,
  severity: null,
  attempt: null
})

/**
 * A fault in one event is that event's alone. What was under way is given up, so that the next stop is reviewed. A state
 * that cannot be loaded is reported at a stop, not at each of the many events between.
 */
const survive = Effect.fnUntraced(function* (session: Session, happening: Work.Happening, cause: Cause.Cause<unknown>) {
  const { state } = yield* Ref.get(session.memory)
  if (state === null && happening.event._tag !== "Idle") return
  yield* Ref.update(session.memory, (memory) => ({
    ...memory,
    state: memory.state === null ? null : { ...memory.state, phase: { _tag: "quiet" as const } }
  }))
  yield* Effect.logWarning(`session ${session.id}: ${happening.name} could not be handled`, cause)
  yield* record(session, failure(Cause.pretty(cause)), happening)
})

/** What happened before an event, and nobody told of. */
const missedBefore = Effect.fnUntraced(function* (session: Session, event: ReviewState.ReviewEvent) {
  const state = yield* current(session)
  const missed = yield* caughtUp(session.id, event, { state, always: session.oneShot })
  const words = isDue(event) ? yield* heard(session, state, event.at) : []
  return [...words, ...missed]
})

const handle = Effect.fnUntraced(
  function* (session: Session, happening: Work.Happening) {
    const { event, name } = happening
    if (!(yield* isSaid(session, event))) return
    for (const missed of yield* missedBefore(session, event)) yield* take(session, { event: missed, name })
    const { state: before } = yield* Ref.get(session.memory)
    yield* take(session, happening)
    yield* attend(session, before, event._tag)
    if (event._tag === "AssistantMessage") yield* prepare(session)
  },
  (effect, session, happening) =>
    effect.pipe(
      Effect.catchAllCause((cause) => survive(session, happening, cause)),
      Effect.catchAllCause(Effect.logError)
    )
)

/** Where the agent may be at work, and where it is not. */
const watched: Readonly<Record<string, boolean>> = {
  UserMessage: true,
  AssistantMessage: true,
  TodoUpdate: true,
  InjectionDone: true,
  Idle: false,
  Abort: false,
  Error: false,
  Deleted: false
}

/** Watches the agent while it is at work; a word of ours begins the watch anew, for its answer is due. */
const attend = Effect.fnUntraced(function* (session: Session, before: ReviewState.ReviewState | null, tag: string) {
  const { silence } = session
  const wanted = watched[tag]
  if (silence === null || wanted === undefined) return
  if (!wanted) return yield* FiberMap.remove(session.work, "watch")
  const phase = before?.phase
  const owed =
    tag === "InjectionDone" && phase?._tag === "injecting" ? { since: phase.since, within: silence.answer } : null
  const watching = Watch.watch(session.id, { stall: silence.stall, owed }, (happening) =>
    Queue.offer(session.inbox, happening)
  )
  yield* FiberMap.run(session.work, "watch", watching, { onlyIfMissing: owed === null })
})

/** Once, when the agent begins to work in a session whose stops are reviewed; one that is only opened costs nothing. */
const prepare = Effect.fnUntraced(function* (session: Session) {
  const { ahead, state } = yield* Ref.get(session.memory)
  if (ahead || session.oneShot || state === null || Guard.refusal(state) !== null) return
  yield* remember(session, { ahead: true })
  yield* FiberMap.run(session.work, "ahead", readAhead(session.id))
})

const isOver = ({ closed, state }: Memory): boolean => {
  if (state === null) return closed
  return state.phase._tag === "quiet" && (closed || state.ended)
}

/** Takes what comes next, and says whether it was the last. */
const next = Effect.fnUntraced(function* (session: Session) {
  const happening = yield* Queue.take(session.inbox)
  if (happening === "end") yield* remember(session, { closed: true })
  else yield* handle(session, happening)
  return isOver(yield* Ref.get(session.memory))
})

/**
 * Whether it can be let go and taken up again as after a restart: nothing is under way, all that lasts of its state is on the
 * disk, and the host has reported nothing of the moment, which it would not report anew. Who waits for its inbox has handled
 * all that came.
 */
const isAtRest = Effect.fnUntraced(function* ({ inbox, memory, work }: Session) {
  const { saved, state, unkept } = yield* Ref.get(memory)
  if (state === null || unkept || (yield* Queue.size(inbox)) >= 0 || (yield* FiberMap.size(work)) > 0) return false
  return (
    saved === lasting(state) &&
    JSON.stringify({ ...ReviewState.resume(state), now: state.now }) === JSON.stringify(state)
  )
})

export interface Options {
  readonly review: ReviewState.ReviewOptions
  readonly oneShot: boolean
  /** Null where nobody watches: the process ends with the stop. */
  readonly silence: Silence | null
}

/** A session's inbox and the work on it, which ends when the session is deleted or, after `end`, at rest. */
export const make = Effect.fnUntraced(function* (id: string, options: Options) {
  const inbox = yield* Queue.unbounded<Work.Happening | "end">()
  const memory = yield* Ref.make(blank)
  let begun: Session | null = null
  const work = Effect.gen(function* () {
    const session: Session = {
      id,
      options: options.review,
      oneShot: options.oneShot,
      silence: options.silence,
      inbox,
      work: yield* FiberMap.make<Kind>(),
      memory
    }
    begun = session
    yield* Effect.repeat(next(session), { until: (over) => over })
  })
  return {
    offer: ({ event, name }: HostEvent) => Queue.offer(inbox, { event, name: name ?? event._tag }),
    end: Queue.offer(inbox, "end"),
    rests: Effect.suspend(() => (begun === null ? Effect.succeed(false) : isAtRest(begun))),
    work: Effect.scoped(work)
  }
})
