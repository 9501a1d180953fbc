/** One session's part of the program: its events one at a time, and what follows from each. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Queue from "effect/Queue"
import type { AgentHost, HostEvent } from "../AgentHost.ts"
import type { DecisionLog } from "../DecisionLog.ts"
import type { Judged, JudgeService } from "../JudgeService.ts"
import * as ReviewState from "../ReviewState.ts"
import { ReviewStates } from "../ReviewStates.ts"
import { caughtUp } from "./reviewCatchUp.ts"
import * as Work from "./reviewWork.ts"

/** What may be under way beside the taking of events; of each kind one at a time. */
type Kind = "review" | "injection" | "wake"

interface Session {
  readonly id: string
  readonly options: ReviewState.ReviewOptions
  /** Whether the transcript, not the events, says what the user's last message is. */
  readonly oneShot: boolean
  readonly inbox: Queue.Queue<Work.Happening | "end">
  readonly work: FiberMap.FiberMap<Kind>
  state: ReviewState.ReviewState | null
  judged: Judged | null
  directory: string | null
  /** What of the state was saved, and what it was last tried with. */
  saved: string
  tried: string
  closed: boolean
}

/** What of a state outlasts the process. */
const lasting = (state: ReviewState.ReviewState): string => JSON.stringify({ ...ReviewState.resume(state), now: 0 })

const current = Effect.fnUntraced(function* (session: Session) {
  if (session.state !== null) return session.state
  const states = yield* ReviewStates
  const loaded = yield* states.load(session.id)
  session.state = loaded === null ? ReviewState.initial : ReviewState.resume(loaded)
  session.saved = lasting(session.state)
  session.tried = session.saved
  return session.state
})

/** Says whether what lasts of the state is on the disk. */
const save = Effect.fnUntraced(function* (session: Session, state: ReviewState.ReviewState, insist: boolean) {
  const text = lasting(state)
  if (text === session.saved) return true
  if (text === session.tried && !insist) return false
  session.tried = text
  const states = yield* ReviewStates
  const saved = yield* states.save(session.id, state).pipe(
    Effect.as(true),
    Effect.catchAllCause((cause) => Effect.as(Effect.logWarning(Cause.squash(cause)), false))
  )
  if (saved) session.saved = text
  return saved
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
  session.directory ??= yield* Work.directoryOf(session.id)
  return session.directory
})

const record = Effect.fnUntraced(function* (session: Session, action: Work.Recorded, happening: Work.Happening) {
  const { maxAttempts } = session.options
  yield* Work.record(session.id, action, { happening, maxAttempts, directory: yield* directoryOf(session) })
})

interface Moment {
  readonly state: ReviewState.ReviewState
  readonly happening: Work.Happening
}

const perform = (
  session: Session,
  action: ReviewState.ReviewAction,
  { happening, state }: Moment
): Effect.Effect<void, never, AgentHost | JudgeService | DecisionLog> => {
  const { judged, options } = session
  const { maxAttempts, timeout } = options
  switch (action._tag) {
    case "Review":
      return answer(
        session,
        "review",
        Work.review(session.id, { review: action.review, attempt: state.attempts + 1, timeout })
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

const dropPush = (session: Session, { review }: { readonly review: number }, state: ReviewState.ReviewState) => {
  const failed = { _tag: "InjectionFailed", review, reason: "unsaved", at: state.now } as const
  session.state = ReviewState.decide(state, failed, session.options)[0]
}

const take = Effect.fnUntraced(function* (session: Session, happening: Work.Happening) {
  const before = yield* current(session)
  const [state, wanted] = ReviewState.decide(before, happening.event, session.options)
  session.state = state
  if (happening.judged !== undefined) session.judged = happening.judged
  // What would still be sent is no longer wanted once something else has happened.
  if (state.phase._tag !== "injecting") yield* FiberMap.remove(session.work, "injection")
  const push = wanted.find((action) => action._tag === "Inject")
  const saved = yield* save(session, state, push !== undefined)
  const actions = saved ? wanted : withoutPush(wanted)
  if (!saved && push !== undefined) dropPush(session, push, state)
  yield* Effect.forEach(actions, (action) => perform(session, action, { state, happening }), { discard: true })
  if (happening.judged === undefined) return
  const { maxAttempts } = session.options
  const directory = yield* directoryOf(session)
  yield* Work.archive(session.id, actions, { judged: happening.judged, directory, maxAttempts })
})

const failure = (reason: string): Work.Recorded => ({
  _tag: "Record",
  decision: "failure",
  reason,
  status: null,
  severity: null,
  attempt: null
})

/** A fault in one event is that event's alone. What was under way is given up, so that the next stop is reviewed. */
const survive = Effect.fnUntraced(function* (session: Session, happening: Work.Happening, cause: Cause.Cause<unknown>) {
  if (session.state !== null) session.state = { ...session.state, phase: { _tag: "quiet" } }
  yield* Effect.logWarning(`session ${session.id}: ${happening.name} could not be handled`, cause)
  yield* record(session, failure(Cause.pretty(cause)), happening)
})

const handle = Effect.fnUntraced(function* (session: Session, happening: Work.Happening) {
  const state = yield* current(session)
  const missed = yield* caughtUp(session.id, happening.event, { state, always: session.oneShot })
  for (const event of missed) yield* take(session, { event, name: happening.name })
  yield* take(session, happening)
})

const isOver = ({ closed, state }: Session): boolean => {
  if (state === null) return closed
  return state.phase._tag === "quiet" && (closed || state.ended)
}

const next = Effect.fnUntraced(function* (session: Session) {
  const happening = yield* Queue.take(session.inbox)
  if (happening === "end") session.closed = true
  else
    yield* handle(session, happening).pipe(
      Effect.catchAllCause((cause) => survive(session, happening, cause)),
      Effect.catchAllCause((cause) => Effect.logError(cause))
    )
  return isOver(session)
})

export interface Options {
  readonly review: ReviewState.ReviewOptions
  readonly oneShot: boolean
}

/** A session's inbox and the work on it, which ends when the session is deleted or, after `end`, at rest. */
export const make = Effect.fnUntraced(function* (id: string, options: Options) {
  const inbox = yield* Queue.unbounded<Work.Happening | "end">()
  const work = Effect.gen(function* () {
    const session: Session = {
      id,
      options: options.review,
      oneShot: options.oneShot,
      inbox,
      work: yield* FiberMap.make<Kind>(),
      state: null,
      judged: null,
      directory: null,
      saved: "",
      tried: "",
      closed: false
    }
    yield* Effect.repeat(next(session), { until: (over) => over })
  })
  return {
    offer: ({ event, name }: HostEvent) => Queue.offer(inbox, { event, name: name ?? event._tag }),
    end: Queue.offer(inbox, "end"),
    work: Effect.scoped(work)
  }
})
