/**
 * Learning from reviews: lessons of the project's memory for the agent, and their outcomes. Without a layer nothing is
 * learned.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { AgentHost, type AgentHostError } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import type { DecisionLog } from "@reflexion/core/DecisionLog"
import * as ReflectionHeuristic from "@reflexion/core/internal/memory/lessons/ReflectionHeuristic"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as MemoryLine from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Reflection } from "@reflexion/core/Reflection"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Bounded from "../host/Bounded.ts"
import { orLogged } from "./decided.ts"

/** The services for files and programs. */
export type Platform = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/** The lessons of a review before they are saved. The agent gets `lessons` if it is nudged. */
export interface PreparedLessons {
  readonly lessons: ReadonlyArray<Reflection>
  readonly save: Effect.Effect<void>
}

/** A decided review in a project, with the session's record. */
interface Decided {
  readonly root: string
  readonly review: ReviewLesson.Review
  readonly transcript: Effect.Effect<Transcript, AgentHostError>
}

/** A project's memory. All functions may throw. */
export interface Place {
  readonly root: string
  readonly recent: () => ReviewLesson.ProjectLessons
  readonly append: (rows: ReadonlyArray<MemoryLine.Row>) => void
  /** Removes entries older than `before`, in ms since the epoch. */
  readonly forget: (before: number) => void
  /** True if the lessons may enter no prompt, because other people may be able to write the memory. */
  readonly isHeldBack: Effect.Effect<boolean, never, Platform>
}

/** Access to memories on disk. */
export interface Disk {
  readonly at: (root: string) => Place
  readonly isWorkspace: (root: string) => boolean
  /** True if the project has a memory. */
  readonly exists: (root: string) => boolean
  /** Records lessons as the user's own. May throw. */
  readonly own: (reflections: ReadonlyArray<Reflection>) => void
  /** Returns the lessons that the user wrote or trusts. */
  readonly known: (root: string, reflections: ReadonlyArray<Reflection>) => ReadonlyArray<Reflection>
}

interface Options extends Disk {
  readonly root: string
  readonly isOn: boolean
}

interface Service {
  /** Null if nothing is learned. Never fails, and saves nothing before `save` runs. */
  readonly prepare: (decided: Decided) => Effect.Effect<PreparedLessons | null>
  /** Returns the text for a session that begins. Empty if there is none. */
  readonly atStart: (sessionId: string) => Effect.Effect<string>
}

type Needs = AgentHost | CurrentConfig | DecisionLog | Platform

const dayMs = 86_400_000

/** Keeps the file system's own error message. */
const attempt = <A>(work: () => A): Effect.Effect<A, Error> =>
  Effect.try({ try: work, catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause))) })

const isoNow = Effect.map(Clock.currentTimeMillis, (now) => new Date(now).toISOString())

const placeOf = (options: Options) => attempt(() => options.at(options.root))

const outputIn =
  (events: ReadonlyArray<TranscriptEvent>) =>
  (callId: string): string | null => {
    const call = events.findLast((event) => event.type === "tool_call" && event.id === callId)
    return call?.type === "tool_call" ? call.output : null
  }

/** The result of learning: the lines to save and the lessons to tell. */
interface Taught {
  readonly rows: ReadonlyArray<MemoryLine.Row>
  readonly lessons: ReadonlyArray<Reflection>
}

const used = (
  lessons: ReadonlyArray<Reflection>,
  where: { readonly at: string; readonly attemptNumber: number | null } & ReviewLesson.Task
): ReadonlyArray<MemoryLine.Row> =>
  lessons.length === 0 ? [] : [{ event: "use", kind: "injected", reflectionIds: lessons.map(({ id }) => id), ...where }]

/**
 * Returns the lessons of a decided stop, or null if there are none. `told` are the ids of the lessons that the session
 * got at its start.
 */
const taughtBy = Effect.fnUntraced(function* (
  options: Options,
  { review, root, transcript }: Decided,
  told: ReadonlyArray<string>
): Effect.fn.Return<(Taught & { readonly place: Place }) | null, Error, CurrentConfig | Platform> {
  const { maxReflectionsPerRetry: limit } = (yield* CurrentConfig).memory
  const place = yield* placeOf(options)
  const learned = yield* attempt(place.recent)
  const events = (yield* Effect.orElseSucceed(transcript, () => ({ events: [] }))).events
  const order = events.reduce(TaskContext.step, TaskContext.initial).text
  const task = ReviewLesson.taskOf(place.root, { order, sessionId: review.sessionId })
  const at = yield* isoNow
  if (ReviewLesson.meaningOf(review) === "success") {
    // When a task is complete, records success for every lesson that the completion settles.
    const rows = ReviewLesson.settledBy(review, learned, { own: task, told }).map(
      ({ given: reflectionIds, ...of }): MemoryLine.Row => {
        return { event: "outcome", success: true, at, reflectionIds, ...of, attemptNumber: null }
      }
    )
    return rows.length === 0 ? null : { place, rows, lessons: [] }
  }
  const believed = (some: ReadonlyArray<Reflection>) => options.known(place.root, some)
  const known = learned.reflections.filter(({ subtaskId }) => subtaskId === task.subtaskId)
  const given = ReviewLesson.givenTo(learned.events, task.subtaskId)
  const ours = believed(ReviewLesson.openIn({ ...learned, reflections: known }))
  const previous = [...ours.filter(({ id }) => given.includes(id)), ...believed(known.filter(RetryPrompt.isResolved))]
  const outputOf = outputIn(events)
  const failure = ReviewLesson.failureOf(review, { root, task, known, given, outputOf, files: [] })
  const id = ReviewLesson.idOf(review.sessionId, `${review.timestamp} ${review.decision.attempt}`)
  const rules = MemoryLine.clean(ReflectionHeuristic.make(failure, { id, createdAt: at, previous }))
  if (ReviewLesson.isTakenBack(rules, believed(learned.reflections.filter(RetryPrompt.isTakenBack)))) return null
  const { attemptNumber } = failure
  // Lessons given at an earlier attempt in this session are already in the agent's context.
  const asked = { limit, told: attemptNumber > 1 ? given : [] }
  const fresh = review.decision.kind === "nudge" ? ReviewLesson.lessonsFor(rules, ours, asked) : []
  const lessons = fresh.length > 0 && !(yield* place.isHeldBack) ? fresh : []
  const rows: ReadonlyArray<MemoryLine.Row> = [
    { event: "outcome", success: false, at, reflectionIds: given, ...task, attemptNumber },
    rules,
    ...used(lessons, { at, ...task, attemptNumber: attemptNumber + 1 })
  ]
  return { place, rows, lessons }
})

const startOf = Effect.fnUntraced(function* (options: Options) {
  const place = yield* placeOf(options)
  const now = yield* Clock.currentTimeMillis
  const learned = yield* attempt(place.recent)
  const reflections = options.known(place.root, learned.reflections)
  const lessons = ReviewLesson.lessonsAtStart({ ...learned, reflections }, { root: place.root, now })
  if (lessons.length === 0 || (yield* place.isHeldBack)) return null
  const where = { at: yield* isoNow, taskId: ReviewLesson.projectOf(place.root), attemptNumber: null }
  const tasks = [...new Set(lessons.map(({ subtaskId }) => subtaskId))]
  const ofTask = (subtaskId: string) =>
    used(
      lessons.filter((one) => one.subtaskId === subtaskId),
      { ...where, subtaskId }
    )
  yield* attempt(() => place.append(tasks.flatMap(ofTask)))
  return lessons
})

const make = Effect.fnUntraced(function* (options: Options) {
  const context = yield* Effect.context<Needs>()
  const { exists, isWorkspace, own, root } = options
  /** The ids of the lessons that each session got at its start, by session. */
  const told = new Map<string, ReadonlyArray<string>>()
  /** If the work fails, logs the failure and returns `otherwise`. */
  const logged =
    (sessionId: string) =>
    <A, B>(work: Effect.Effect<A, unknown, Needs>, otherwise: B): Effect.Effect<A | B> =>
      work.pipe(
        orLogged(sessionId, { event: "memory", what: "the memory was not used" }, otherwise),
        Effect.provide(context)
      )
  const prepared = Effect.fnUntraced(function* (decided: Decided) {
    const { sessionId } = decided.review
    const taught = yield* taughtBy(options, decided, told.get(sessionId) ?? [])
    if (taught === null) return null
    const { lessons, place, rows } = taught
    const { retentionDays } = (yield* CurrentConfig).memory
    const now = yield* Clock.currentTimeMillis
    const save = attempt(() => {
      own(rows.flatMap((row) => (MemoryLine.isEvent(row) ? [] : [row])))
      place.append(rows)
      place.forget(now - retentionDays * dayMs)
    })
    return { lessons, save: Effect.asVoid(logged(sessionId)(save, undefined)) }
  })
  const service: Service = {
    prepare: (decided) => {
      const meaning = ReviewLesson.meaningOf(decided.review)
      const isDue = meaning === "failure" || (meaning === "success" && exists(root))
      return isDue && decided.root === root && isWorkspace(root)
        ? logged(decided.review.sessionId)(prepared(decided), null)
        : Effect.succeed(null)
    },
    atStart: (sessionId) =>
      isWorkspace(root) && exists(root)
        ? Effect.map(logged(sessionId)(startOf(options), null), (lessons) => {
            if (lessons === null) return ""
            const ids = lessons.map(({ id }) => id)
            Bounded.put(told, sessionId, ids)
            return ReviewLesson.startSection(lessons)
          })
        : Effect.succeed("")
  }
  return service
})

export class Memory extends Context.Reference<Memory>()("@reflexion/opencode/Memory", {
  defaultValue: (): Service => ({ prepare: () => Effect.succeed(null), atStart: () => Effect.succeed("") })
}) {}

export const layer = (options: Options): Layer.Layer<never, never, Needs> =>
  options.isOn ? Layer.effect(Memory, make(options)) : Layer.empty

/** Runs the program with learning: each decided review is learned from, and known lessons are added to the feedback. */
export const around = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | AgentHost | Artifacts> =>
  Effect.gen(function* () {
    const [artifacts, host, memory] = yield* Effect.all([Artifacts, AgentHost, Memory])
    const due = new Map<string, ReadonlyArray<Reflection>>()
    const write: typeof artifacts.write = (root, review) =>
      Effect.gen(function* () {
        yield* artifacts.write(root, review)
        due.delete(review.sessionId)
        const prepared = yield* memory.prepare({ root, review, transcript: host.transcript(review.sessionId) })
        if (prepared === null) return
        due.set(review.sessionId, prepared.lessons)
        yield* prepared.save
      })
    const inject: typeof host.inject = (sessionId, injection) =>
      Effect.suspend(() => {
        const text = ReviewLesson.withLessons(injection.text, due.get(sessionId) ?? [])
        due.delete(sessionId)
        return host.inject(sessionId, { ...injection, text })
      })
    return yield* program.pipe(
      Effect.provideService(AgentHost, { ...host, inject }),
      Effect.provideService(Artifacts, { write })
    )
  })
