/**
 * The memory in a hook, as one call, so that a stop which neither fails nor ends a failure loads none of it: what a stop
 * teaches is kept, and what is known is given to the next attempt, or to a session that begins.
 */
import type * as MemoryEvent from "@reflexion/core/internal/memory/store/MemoryEvent"
import type { Reflection } from "@reflexion/core/Reflection"
import * as ReflectionHeuristic from "@reflexion/core/internal/memory/lessons/ReflectionHeuristic"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import type { HookEvent } from "../input/HookEvent.ts"
import * as CallOutput from "./callOutput.ts"
import * as LearnedFile from "./LearnedFile.ts"
import * as LessonTrust from "./LessonTrust.ts"
import * as MemoryPlace from "./MemoryPlace.ts"
import * as ReviewFiles from "../session/ReviewFiles.ts"
import * as SessionFile from "../session/SessionFile.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

/**
 * A stop that was decided: its review, what identifies it, and the feedback that goes out, empty where none does. `order` is
 * what the user ordered, `files` are those that the task edited, `told` the ids of what the session was told as it began; `settings` says how many lessons
 * a prompt has at most, and how long they are kept.
 */
export interface AtStop {
  readonly _tag: "stop"
  readonly root: string
  readonly review: ReviewLesson.Review
  readonly stop: string
  readonly order: string
  readonly feedback: string
  readonly files: ReadonlyArray<string>
  readonly told: ReadonlyArray<string>
  readonly settings: Pick<ReflexionConfig["memory"], "maxReflectionsPerRetry" | "retentionDays">
}

/** A session begins, or one of its stops was decided. */
export type Asked = AtStop | { readonly _tag: "start"; readonly root: string }

const dayMs = 86_400_000

const isoNow = <S>({ now }: Hook<S>): string => new Date(now()).toISOString()

/** What git tracks is shared with anyone who may push: until the user trusts it, it goes into no prompt. */
const isHeldBack = <S>(hook: Hook<S>, event: HookEvent, { file, root }: MemoryPlace.MemoryPlace): boolean => {
  if (LessonTrust.isTrusted(hook.directories, root)) return false
  const is = MemoryPlace.tracked(root, file, hook.env)
  if (is?.isKnown === false)
    Hooks.log(hook, event, { decision: "failure", reason: `no lessons: ${is.why}`, directory: root }, hook.now())
  return is !== null
}

/** That lessons are given to an attempt; nothing where there are none. */
const used = (
  lessons: ReadonlyArray<Reflection>,
  { at, ...where }: Pick<MemoryEvent.Use, "at" | "taskId" | "subtaskId" | "attemptNumber">
): ReadonlyArray<MemoryEvent.Use> => {
  const reflectionIds = lessons.map(({ id }) => id)
  return lessons.length === 0 ? [] : [{ event: "use", kind: "injected", at, reflectionIds, ...where }]
}

const outputIn =
  <S>(hook: Hook<S>, { transcript }: HookEvent) =>
  (callId: string): string | null => {
    try {
      return transcript === null ? null : CallOutput.find(hook.decoder, transcript, callId)
    } catch {
      // What the verdict says has to do.
      return null
    }
  }

/** Costs nobody the lessons: what is not forgotten now is at the next failure. */
const forget = <S>(
  hook: Hook<S>,
  event: HookEvent,
  { root, settings }: AtStop,
  place: MemoryPlace.MemoryPlace
): void => {
  const since = hook.now()
  try {
    LearnedFile.forget(place, since - settings.retentionDays * dayMs)
  } catch (cause) {
    const reason = `old lessons were not forgotten: ${Hooks.messageOf(cause)}`
    Hooks.log(hook, event, { decision: "failure", reason, directory: root }, since)
  }
}

/** A completion ends whatever it settles. */
const settle = (
  { review, told }: AtStop,
  learned: ReviewLesson.Learned,
  { at, own, place }: { readonly at: string; readonly own: ReviewLesson.Task; readonly place: MemoryPlace.MemoryPlace }
): void => {
  const settled = ReviewLesson.settledBy(review, learned, { own, told })
  const events = settled.map(({ given: reflectionIds, subtaskId, taskId }): MemoryEvent.Outcome => {
    const attemptNumber = subtaskId === own.subtaskId ? review.decision.attempt : null
    return { event: "outcome", success: true, at, reflectionIds, taskId, subtaskId, attemptNumber }
  })
  if (events.length > 0) LearnedFile.append(place, events)
}

const atStop = <S>(hook: Hook<S>, event: HookEvent, asked: AtStop): string => {
  const { feedback, files, order, review, root, settings, stop } = asked
  const meaning = ReviewLesson.meaningOf(review)
  if (meaning === null) return feedback
  const place = MemoryPlace.of(root, hook.env)
  const learned = LearnedFile.read(place)
  const task = ReviewLesson.taskOf(place.root, { order, sessionId: review.sessionId })
  const at = isoNow(hook)
  if (meaning === "success") {
    settle(asked, learned, { at, own: task, place })
    return feedback
  }
  const known = learned.reflections.filter(({ subtaskId }) => subtaskId === task.subtaskId)
  const given = ReviewLesson.givenTo(learned.events, task.subtaskId)
  const id = ReviewLesson.idOf(event.sessionId, stop)
  if (known.some((one) => one.id === id)) return feedback
  const outputOf = outputIn(hook, event)
  const failure = ReviewLesson.failureOf(review, { root, task, files, known, given, outputOf })
  const { attemptNumber } = failure
  const believed = (lessons: ReadonlyArray<Reflection>): ReadonlyArray<Reflection> =>
    LessonTrust.known(hook.directories, place.root, lessons)
  const ours = believed(ReviewLesson.openIn({ ...learned, reflections: known }))
  const resolved = believed(known.filter(RetryPrompt.isResolved))
  const previous = [...ours.filter((one) => given.includes(one.id)), ...resolved]
  const reflection = ReflectionHeuristic.make(failure, { id, createdAt: at, previous })
  const takenBack = believed(learned.reflections.filter(RetryPrompt.isTakenBack))
  if (ReviewLesson.isTakenBack(reflection, takenBack)) return feedback
  // Of an earlier attempt of this session's: it stands in the context.
  const told = attemptNumber > 1 ? given : []
  const limit = settings.maxReflectionsPerRetry
  const fresh = feedback === "" ? [] : ReviewLesson.lessonsFor(reflection, ours, { limit, told })
  const lessons = fresh.length > 0 && !isHeldBack(hook, event, place) ? fresh : []
  LessonTrust.own(hook.directories, [reflection])
  LearnedFile.append(place, [
    { event: "outcome", success: false, at, reflectionIds: given, ...task, attemptNumber },
    reflection,
    ...used(lessons, { at, ...task, attemptNumber: attemptNumber + 1 })
  ])
  forget(hook, event, asked, place)
  return ReviewLesson.withLessons(feedback, lessons)
}

/** Says whether this process is the first to tell the session, and keeps what it tells. */
const takes = <S>(hook: Hook<S>, event: HookEvent, lessons: ReadonlyArray<Reflection>): boolean => {
  let first = false
  Hooks.update(hook, event, (session) => {
    first = session.taught !== true
    return first ? { ...session, taught: true, lessons: lessons.map(({ id }) => id) } : session
  })
  return first
}

const mayTell = <S>(hook: Hook<S>, event: HookEvent, root: string): boolean => {
  if (SessionFile.isStopped(Hooks.keyOf(hook, event))) return false
  const { config, problem } = Hooks.settingsOf(hook, root)
  return problem === null && config.memory.enabled && config.profile !== "advisory"
}

/** Those of others are in nobody's way, however new they are. */
const lessonsAtStart = <S>(
  { directories, now }: Hook<S>,
  place: MemoryPlace.MemoryPlace
): ReadonlyArray<Reflection> => {
  const learned = LearnedFile.read(place)
  const { root } = place
  const options = { root, now: now() }
  if (ReviewLesson.lessonsAtStart(learned, options).length === 0) return []
  const reflections = LessonTrust.known(directories, root, learned.reflections)
  return ReviewLesson.lessonsAtStart({ ...learned, reflections }, options)
}

const atStart = <S>(hook: Hook<S>, event: HookEvent, root: string): string => {
  if (!mayTell(hook, event, root)) return ""
  const place = MemoryPlace.of(root, hook.env)
  const lessons = lessonsAtStart(hook, place)
  if (lessons.length === 0 || isHeldBack(hook, event, place) || !takes(hook, event, lessons)) return ""
  const where = { at: isoNow(hook), taskId: ReviewLesson.projectOf(place.root), attemptNumber: null }
  const tasks = [...new Set(lessons.map(({ subtaskId }) => subtaskId))]
  const ofTask = (subtaskId: string) => lessons.filter((one) => one.subtaskId === subtaskId)
  LearnedFile.append(
    place,
    tasks.flatMap((subtaskId) => used(ofTask(subtaskId), { ...where, subtaskId }))
  )
  return ReviewLesson.startSection(lessons)
}

/**
 * The feedback with what was learned before, or what a session is told as it begins, empty for nothing. Throws what the
 * file system throws: the caller says what it would have said.
 */
export const run = <S>(hook: Hook<S>, event: HookEvent, asked: Asked): string => {
  if (!ReviewFiles.isWorkspace(asked.root, hook.env)) return asked._tag === "stop" ? asked.feedback : ""
  return asked._tag === "stop" ? atStop(hook, event, asked) : atStart(hook, event, asked.root)
}

/**
 * Takes back what was learned at a push that the user calls wrong; says how many lessons that are. Throws what the file
 * system throws.
 */
export const takeBack = (
  { directories, sessionId }: { readonly directories: UserDirectories; readonly sessionId: string },
  { at, attempt, root }: { readonly at: string; readonly attempt: number | null; readonly root: string }
): number => {
  const place = MemoryPlace.of(root)
  const over = ReviewLesson.takenBack(LearnedFile.read(place), { at, attempt, sessionId })
  if (over.length > 0) {
    LessonTrust.own(directories, over)
    LearnedFile.append(place, over)
  }
  return over.length
}
