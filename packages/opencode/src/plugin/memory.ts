/** What reviews teach: lessons of a project's memory for the agent, and what came of them. Nothing is learned without a layer. */
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

/** What files and programs are reached by. */
export type Platform = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/** What a review teaches, before any of it is kept: the agent is told of `lessons`, where it is sent on. */
export interface PreparedLessons {
  readonly lessons: ReadonlyArray<Reflection>
  readonly save: Effect.Effect<void>
}

/** A review that is decided, in a project, with the session's record. */
interface Decided {
  readonly root: string
  readonly review: ReviewLesson.Review
  readonly transcript: Effect.Effect<Transcript, AgentHostError>
}

/** A project's memory. `isHeldBack`: it goes into no prompt, for others may write it. All of it may throw. */
export interface Place {
  readonly root: string
  readonly recent: () => ReviewLesson.ProjectLessons
  readonly append: (rows: ReadonlyArray<MemoryLine.Row>) => void
  /** Before a time in ms. */
  readonly forget: (before: number) => void
  readonly isHeldBack: Effect.Effect<boolean, never, Platform>
}

/** `exists`: whether it has a memory. `own` notes lessons as the user's, and may throw; `known` gives those to be believed. */
export interface Disk {
  readonly at: (root: string) => Place
  readonly isWorkspace: (root: string) => boolean
  readonly exists: (root: string) => boolean
  readonly own: (reflections: ReadonlyArray<Reflection>) => void
  readonly known: (root: string, reflections: ReadonlyArray<Reflection>) => ReadonlyArray<Reflection>
}

interface Options extends Disk {
  readonly root: string
  readonly isOn: boolean
}

interface Service {
  /** Null where nothing is learned; never fails, and keeps nothing before it is told to. */
  readonly prepare: (decided: Decided) => Effect.Effect<PreparedLessons | null>
  /** What a session that begins is told, empty for nothing. */
  readonly atStart: (sessionId: string) => Effect.Effect<string>
}

type Needs = AgentHost | CurrentConfig | DecisionLog | Platform

const dayMs = 86_400_000

/** What the file system says, in its words. */
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

/** What is learned: the lines to keep, and the lessons to tell. */
interface Taught {
  readonly rows: ReadonlyArray<MemoryLine.Row>
  readonly lessons: ReadonlyArray<Reflection>
}

const used = (
  lessons: ReadonlyArray<Reflection>,
  where: { readonly at: string; readonly attemptNumber: number | null } & ReviewLesson.Task
): ReadonlyArray<MemoryLine.Row> =>
  lessons.length === 0 ? [] : [{ event: "use", kind: "injected", reflectionIds: lessons.map(({ id }) => id), ...where }]

/** What a decided stop teaches, null for nothing. `told`: the ids of what the session was told as it began. */
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
    // A completion ends whatever it settles.
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
  // What an earlier attempt of this session's was told stands in the context.
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
  /** By session, the ids of what it was told as it began. */
  const told = new Map<string, ReadonlyArray<string>>()
  /** What it fails at is a line in the decision log, and nothing else. */
  const logged =
    (sessionId: string) =>
    <A, B>(work: Effect.Effect<A, unknown, Needs>, otherwise: B): Effect.Effect<A | B> =>
      work.pipe(
        orLogged(sessionId, { event: "memory", what: "the memory is left alone" }, otherwise),
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

/** The same program, in which whatever is decided is learned from, and what was learned goes out with the feedback. */
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
