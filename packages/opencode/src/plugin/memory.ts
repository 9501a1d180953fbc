/** Learns from reviews: lessons for the agent, and their outcomes. If there is no layer, nothing is learned. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { AgentHost, type AgentHostError } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import type { DecisionLog } from "@reflexion/core/DecisionLog"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as StopLesson from "@reflexion/core/internal/memory/outcomes/StopLesson"
import * as MemoryLine from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Reflection } from "@reflexion/core/Reflection"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import type { Transcript } from "@reflexion/core/Transcript"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Bounded from "../host/Bounded.ts"
import { orLogged } from "./decided.ts"

export type Platform = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/** Not saved yet. The agent gets `lessons` if it is nudged. */
export interface PreparedLessons {
  readonly lessons: ReadonlyArray<Reflection>
  readonly save: Effect.Effect<void>
}

interface Decided {
  readonly root: string
  readonly review: ReviewLesson.Review
  readonly transcript: Effect.Effect<Transcript, AgentHostError>
}

/** All functions may throw. */
export interface Place {
  readonly root: string
  readonly recent: () => ReviewLesson.ProjectLessons
  readonly append: (rows: ReadonlyArray<MemoryLine.Row>) => void
  /** `before` is in ms since the epoch. */
  readonly forget: (before: number) => void
  /** True if other people may be able to write the memory. Then no lesson may enter a prompt. */
  readonly isHeldBack: Effect.Effect<boolean, never, Platform>
}

export interface Disk {
  readonly at: (root: string) => Place
  readonly isWorkspace: (root: string) => boolean
  readonly exists: (root: string) => boolean
  /** May throw. */
  readonly own: (reflections: ReadonlyArray<Reflection>) => void
  /** The lessons that the user wrote or trusts. */
  readonly known: (root: string, reflections: ReadonlyArray<Reflection>) => ReadonlyArray<Reflection>
}

interface Options extends Disk {
  readonly root: string
  readonly isOn: boolean
}

interface Service {
  /** Null if nothing is learned. Never fails, and saves nothing before `save` runs. */
  readonly prepare: (decided: Decided) => Effect.Effect<PreparedLessons | null>
  /** The lessons for a session that begins. Empty if there is no text. */
  readonly atStart: (sessionId: string) => Effect.Effect<string>
}

type Needs = AgentHost | CurrentConfig | DecisionLog | Platform

const dayMs = 86_400_000

/** Keeps the file system's own error message. */
const attempt = <A>(work: () => A): Effect.Effect<A, Error> =>
  Effect.try({ try: work, catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause))) })

const isoNow = Effect.map(Clock.currentTimeMillis, (now) => new Date(now).toISOString())

const placeOf = (options: Options) => attempt(() => options.at(options.root))

/** `told` are the lessons that the session got at its start. */
const taughtBy = Effect.fnUntraced(function* (
  options: Options,
  { review, root, transcript }: Decided,
  told: ReadonlyArray<string>
): Effect.fn.Return<
  {
    readonly place: Place
    readonly lessons: ReadonlyArray<Reflection>
    readonly rows: ReadonlyArray<MemoryLine.Row>
  } | null,
  Error,
  CurrentConfig | Platform
> {
  const { maxReflectionsPerRetry: limit } = (yield* CurrentConfig).memory
  const place = yield* placeOf(options)
  const { events } = yield* Effect.orElseSucceed(transcript, () => ({ events: [] }))
  const order = events.reduce(TaskContext.step, TaskContext.initial).text
  const at = yield* isoNow
  const stop = `${review.timestamp} ${review.decision.attempt}`
  const asked = { review, root, memoryRoot: place.root, order, events, files: [], stop, at, told, limit }
  const known = yield* attempt(place.recent)
  const learned = StopLesson.learn(asked, known, (some) => options.known(place.root, some))
  if (learned === null) return null
  const lessons = learned.lessons.length > 0 && !(yield* place.isHeldBack) ? learned.lessons : []
  return { place, lessons, rows: learned.rows(lessons) }
})

const startOf = Effect.fnUntraced(function* (options: Options) {
  const place = yield* placeOf(options)
  const now = yield* Clock.currentTimeMillis
  const learned = yield* attempt(place.recent)
  const reflections = options.known(place.root, learned.reflections)
  const lessons = ReviewLesson.lessonsAtStart({ ...learned, reflections }, { root: place.root, now })
  if (lessons.length === 0 || (yield* place.isHeldBack)) return null
  const at = yield* isoNow
  yield* attempt(() => place.append(StopLesson.givenAtStart(lessons, { at, root: place.root })))
  return lessons
})

const make = Effect.fnUntraced(function* (options: Options) {
  const context = yield* Effect.context<Needs>()
  const { exists, isWorkspace, own, root } = options
  /** The lessons that each session got at its start. */
  const told = new Map<string, ReadonlyArray<string>>()
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

/** The program learns from each decided review, and adds known lessons to the feedback. */
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
