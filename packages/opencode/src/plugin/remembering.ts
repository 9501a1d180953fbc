/** The memory of one project, opened when something is learned of it for the first time. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { AgentHost, AgentHostError } from "@reflexion/core/AgentHost"
import type { DecisionLog } from "@reflexion/core/DecisionLog"
import type { FailureContext } from "@reflexion/core/FailureContext"
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as MemoryTrust from "@reflexion/core/internal/memory/log/MemoryTrust"
import type { Reflection } from "@reflexion/core/Reflection"
import type { ReflectionError } from "@reflexion/core/internal/memory/lessons/ReflectionError"
import { ReflectionService } from "@reflexion/core/ReflectionService"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { orLogged as orLoggedAs } from "./decided.ts"
import { AskingModel } from "../models/AskingModel.ts"
import { Reviewing } from "../models/Reviewing.ts"

/** What a review teaches, before any of it is kept: the agent is told of `lessons`, where it is sent on. */
export interface Prepared {
  readonly lessons: ReadonlyArray<Reflection>
  readonly save: Effect.Effect<void>
}

/** A review that is decided, in a project, with the session's record. */
export interface Decided {
  readonly root: string
  readonly review: ReviewLesson.Review
  readonly transcript: Effect.Effect<Transcript, AgentHostError>
}

/** Whose lessons they are. `own` notes them as the user's, and may throw; `known` gives those that may be believed. */
interface Belief {
  readonly own: (reflections: ReadonlyArray<Reflection>) => void
  readonly known: (root: string, reflections: ReadonlyArray<Reflection>) => ReadonlyArray<Reflection>
  readonly isTrusted: (root: string) => boolean
}

/**
 * A project's memory: by whose name its tasks are kept, the file to add to, what its end says, which may throw, and why
 * what the work tree learned for itself is not in it, null where it is.
 */
interface Place {
  readonly root: string
  readonly file: string
  readonly recent: () => ReviewLesson.Learned
  readonly problem: string | null
}

/**
 * `store`: the memory that lies at a path; `at`: a project's, which may throw. `isWorkspace`: whether a folder is a project
 * at all; `exists`: whether it has a memory.
 */
export interface Options {
  readonly root: string
  /** Whether a model that is configured reflects as well. */
  readonly reflects: boolean
  readonly belief: Belief
  readonly store: (path: string) => Layer.Layer<ReflexionStore, ReflectionError>
  readonly at: (root: string) => Place
  readonly isWorkspace: (root: string) => boolean
  readonly exists: (root: string) => boolean
}

export type Needs =
  | AgentHost
  | CommandExecutor.CommandExecutor
  | CurrentConfig
  | DecisionLog
  | FileSystem.FileSystem
  | Path.Path
  | Reviewing

/** What git tracks is shared with anyone who may push: until the user trusts it, it goes into no prompt. */
const isHeldBack = ({ belief }: Options, { file, root }: Place) =>
  belief.isTrusted(root) ? Effect.succeed(false) : MemoryTrust.isTracked({ directory: root, file })

class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

/** A workspace is not trusted: no link of its own is followed. */
const refuseLink = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = `${root}/${ArtifactFiles.directory}`
  if ((yield* Effect.option(fs.readLink(folder)))._tag === "Some")
    return yield* new Refused({ message: `${folder} is a symbolic link, which is not followed here` })
})

/** What the file system says, in its words. */
const attempt = <A>(work: () => A): Effect.Effect<A, Refused> =>
  Effect.try({
    try: work,
    catch: (cause) => new Refused({ message: cause instanceof Error ? cause.message : String(cause) })
  })

interface Opened {
  readonly place: Place
  readonly service: Context.Tag.Service<ReflectionService>
  readonly store: Context.Tag.Service<ReflexionStore>
}

const maxKnown = 50
const maxSessions = 512

/** An attempt: what was said and done, its task, and the ids of what it had been told. */
interface Told {
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly given: ReadonlyArray<string>
  readonly task: ReviewLesson.Task
}

const keep = Effect.fnUntraced(function* ({ store }: Opened, { belief }: Options, reflection: Reflection) {
  // As it was written, which may have fewer secrets; what lies under its id by now may be another's.
  const kept = yield* store.append(reflection)
  yield* Effect.try(() => belief.own(kept))
})

const isUnknown = ({ reason }: ReflectionError): boolean => reason === "not_found"

/**
 * What comes of an attempt. While a clone's memory may not be written the one that is open has the work tree's own lessons
 * alone: of the clone's it is known by their task.
 */
const recorded = (service: Opened["service"], outcome: Parameters<Opened["service"]["recordOutcome"]>[0]) =>
  Effect.catchIf(service.recordOutcome(outcome), isUnknown, () =>
    service.recordOutcome({ ...outcome, reflectionIds: [] })
  )

/** A failure as the rules reflected on it, with what may be believed of the attempts before. */
interface Reflected {
  readonly failure: FailureContext
  readonly ours: ReadonlyArray<Reflection>
  readonly reflection: Reflection
}

/**
 * What no push waits for: what is old is forgotten, and what a model says takes the place of the rules' word, by its id.
 * Where it says nothing that stands.
 */
const settled = Effect.fnUntraced(function* (
  opened: Opened,
  options: Options,
  { failure, ours, reflection: { createdAt, id } }: Reflected
) {
  const { memory } = yield* CurrentConfig
  const { reflect } = yield* Reviewing
  yield* opened.service.prune(Duration.days(memory.retentionDays))
  if (reflect === null || !options.reflects) return
  const { isOff } = yield* AskingModel
  if (yield* isOff(failure.sessionId)) return
  const said = yield* Effect.either(reflect(failure, ours))
  if (said._tag === "Right") return yield* keep(opened, options, { ...said.right, id, createdAt })
  yield* Effect.logWarning(`the rules reflect on the failure, for the model did not: ${said.left.message}`)
})

const failed = Effect.fnUntraced(function* (
  opened: Opened,
  options: Options,
  { review, root }: Decided,
  { events: said, given, task }: Told
) {
  const { place, service } = opened
  const { memory } = yield* CurrentConfig
  const { events, reflections } = yield* Effect.orElseSucceed(attempt(place.recent), () => ({
    events: [],
    reflections: []
  }))
  const own = yield* service.getRecent(task.subtaskId, maxKnown)
  const ids = new Set(own.map(({ id }) => id))
  const ofClone = reflections.filter(({ id, subtaskId }) => subtaskId === task.subtaskId && !ids.has(id))
  const known = [...own, ...ofClone.toReversed()]
  const outputOf = (callId: string): string | null => {
    const call = said.findLast((event) => event.type === "tool_call" && event.id === callId)
    return call?.type === "tool_call" ? call.output : null
  }
  const failure = ReviewLesson.failureOf(review, { root, task, known, given, outputOf, files: [] })
  const reflection = yield* service.generate(failure)
  if (ReviewLesson.isTakenBack(reflection, options.belief.known(place.root, reflections))) return null
  const isPush = review.decision.kind === "push"
  const ours = options.belief.known(place.root, ReviewLesson.openIn({ events, reflections: known }))
  const fresh = isPush
    ? ReviewLesson.lessonsFor(reflection, ours, { limit: memory.maxReflectionsPerRetry, told: given })
    : []
  const lessons = fresh.length > 0 && !(yield* isHeldBack(options, place)) ? fresh : []
  const reflectionIds = lessons.map(({ id }) => id)
  const { attemptNumber } = failure
  const save = Effect.gen(function* () {
    yield* recorded(service, { ...task, attemptNumber, reflectionIds: given, success: false })
    yield* keep(opened, options, reflection)
    if (lessons.length === 0) return
    const use = { ...task, attemptNumber: attemptNumber + 1, reflectionIds }
    yield* Effect.catchIf(service.recordUse(use), isUnknown, () => Effect.void)
  })
  return { lessons, save, later: settled(opened, options, { failure, ours, reflection }) }
})

/** The end of the memory's file alone says what is open: an agent's turn is over, and nobody is to wait for all of it. */
const completed = Effect.fnUntraced(function* ({ place, service }: Opened, { review }: Decided, { given, task }: Told) {
  const learned = yield* attempt(place.recent)
  const settled = ReviewLesson.settledBy(review, learned, { own: task, told: given })
  const ofTask = new Set(learned.reflections.flatMap((one) => (one.subtaskId === task.subtaskId ? [one.id] : [])))
  const save = Effect.forEach(
    settled,
    ({ given: known, subtaskId, taskId }) => {
      const more = subtaskId === task.subtaskId ? given.filter((id) => ofTask.has(id)) : []
      const reflectionIds = [...new Set([...known, ...more])]
      return recorded(service, { taskId, subtaskId, reflectionIds, success: true })
    },
    { discard: true }
  )
  return settled.length === 0 ? null : { lessons: [] as ReadonlyArray<Reflection>, save, later: Effect.void }
})

const placeOf = (options: Options) =>
  Effect.tap(
    attempt(() => options.at(options.root)),
    ({ problem }) =>
      problem === null ? Effect.void : Effect.logWarning(`the work tree's own lessons are not merged: ${problem}`)
  )

/** The end of the memory's file alone: a session that begins is not to wait for all of it. */
const startOf = Effect.fnUntraced(function* (options: Options, open: Effect.Effect<Opened, ReflectionError | Refused>) {
  const place = yield* placeOf(options)
  const { root } = place
  const now = yield* Clock.currentTimeMillis
  const learned = yield* attempt(place.recent)
  const reflections = options.belief.known(root, learned.reflections)
  const lessons = ReviewLesson.lessonsAtStart({ ...learned, reflections }, { root, now })
  if (lessons.length === 0 || (yield* isHeldBack(options, place))) return { lessons, text: "" }
  const { service } = yield* open
  const taskId = ReviewLesson.projectOf(root)
  yield* Effect.forEach(
    new Set(lessons.map(({ subtaskId }) => subtaskId)),
    (subtaskId) => {
      const reflectionIds = lessons.filter((one) => one.subtaskId === subtaskId).map(({ id }) => id)
      return Effect.catchIf(service.recordUse({ reflectionIds, taskId, subtaskId }), isUnknown, () => Effect.void)
    },
    { discard: true }
  )
  return { lessons, text: ReviewLesson.startSection(lessons) }
})

/** What each session was told and nothing has come of yet. */
const makeGiven = () => {
  const all = new Map<string, ReadonlyArray<Reflection>>()
  const add = (sessionId: string, lessons: ReadonlyArray<Reflection>): void => {
    if (all.size >= maxSessions) all.delete(all.keys().next().value ?? "")
    all.set(sessionId, [...(all.get(sessionId) ?? []), ...lessons])
  }
  const of = (sessionId: string, { subtaskId }: ReviewLesson.Task): ReadonlyArray<string> => [
    ...new Set((all.get(sessionId) ?? []).filter((one) => one.subtaskId === subtaskId).map(({ id }) => id))
  ]
  const ofSession = (sessionId: string): ReadonlyArray<string> => (all.get(sessionId) ?? []).map(({ id }) => id)
  const over = (sessionId: string): void => void all.delete(sessionId)
  return { add, of, ofSession, over }
}

const opened = (options: Options) =>
  Effect.gen(function* () {
    const place = yield* placeOf(options)
    const context = yield* Layer.build(Layer.provideMerge(ReflectionService.Heuristic, options.store(place.file)))
    const opened: Opened = {
      place,
      service: Context.get(context, ReflectionService),
      store: Context.get(context, ReflexionStore)
    }
    return opened
  })

/** What it fails at is a line in the decision log, and nothing else. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const context = yield* Effect.context<Needs>()
  const scope = yield* Effect.scope
  const opening = Effect.provideService(opened(options), Scope.Scope, scope)
  const [building, forget] = yield* Effect.cachedInvalidateWithTTL(opening, Duration.infinity)
  // What failed once is tried again at the next failure.
  const memory = Effect.tapErrorCause(building, () => forget)
  const open = Effect.zipRight(Effect.provide(refuseLink(options.root), context), memory)
  const given = makeGiven()
  const orLogged =
    (sessionId: string) =>
    <A, E>(work: Effect.Effect<A, E, Needs>, otherwise: A): Effect.Effect<A> =>
      work.pipe(
        orLoggedAs(sessionId, { event: "memory", what: "the memory is left alone" }, otherwise),
        Effect.provide(context)
      )
  const prepare = (decided: Decided): Effect.Effect<Prepared | null> => {
    const { review, root } = decided
    const { sessionId } = review
    const meaning = ReviewLesson.meaningOf(review)
    const isDue = meaning === "failure" || (meaning === "success" && options.exists(root))
    if (!isDue || root !== options.root || !options.isWorkspace(root)) return Effect.succeed(null)
    const found = Effect.gen(function* () {
      const memory = yield* open
      const record = yield* Effect.option(decided.transcript)
      const events = record._tag === "Some" ? record.value.events : []
      const order = events.reduce(TaskContext.step, TaskContext.initial).text
      const task = ReviewLesson.taskOf(memory.place.root, { order, sessionId })
      const told = {
        events,
        task,
        given: meaning === "success" ? given.ofSession(sessionId) : given.of(sessionId, task)
      }
      const prepared =
        meaning === "success" ? yield* completed(memory, decided, told) : yield* failed(memory, options, decided, told)
      if (prepared === null) return null
      const { later, lessons, save } = prepared
      const after = Effect.sync(() => {
        given.over(sessionId)
        if (meaning === "failure") given.add(sessionId, lessons)
      })
      const logged = orLogged(sessionId)
      const waiting = Effect.forkIn(logged(later, undefined), scope)
      return { lessons, save: Effect.asVoid(logged(Effect.zipRight(Effect.zipRight(save, after), waiting), undefined)) }
    })
    return orLogged(sessionId)(found, null)
  }
  const atStart = (sessionId: string): Effect.Effect<string> =>
    options.isWorkspace(options.root)
      ? orLogged(sessionId)(
          Effect.map(startOf(options, open), ({ lessons, text }) => {
            if (text !== "") given.add(sessionId, lessons)
            return text
          }),
          ""
        )
      : Effect.succeed("")
  return { prepare, atStart }
})
