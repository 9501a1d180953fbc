/**
 * The memory in a hook: what a stop teaches is kept, and what is known is given to the next attempt, or to a session that begins.
 * What it fails at is one line in the decision log.
 */
import type * as MemoryEvent from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Reflection } from "@reflexion/core/Reflection"
import * as ReflectionHeuristic from "@reflexion/core/internal/memory/lessons/ReflectionHeuristic"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as LearnedFile from "./LearnedFile.ts"
import * as LessonTrust from "./LessonTrust.ts"
import * as MemoryPlace from "./MemoryPlace.ts"
import * as ReviewFiles from "../session/ReviewFiles.ts"
import * as SessionFile from "../session/SessionFile.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

/**
 * A stop that was decided: its review, and what identifies it. `order` is what the user ordered, `files` are those that the task
 * edited, `events` those of the turn, `told` the ids of what the session was told as it began; `settings` says how many lessons
 * a prompt has at most, and how long they are kept.
 */
export interface AtStop {
  readonly root: string
  readonly review: ReviewLesson.Review
  readonly stop: string
  readonly order: string
  readonly files: ReadonlyArray<string>
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly told: ReadonlyArray<string>
  readonly settings: Pick<ReflexionConfig["memory"], "maxReflectionsPerRetry" | "retentionDays">
}

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

/** What a call of the agent printed. Where the call is of an earlier turn, the verdict's words stand for it. */
const outputIn =
  (events: ReadonlyArray<TranscriptEvent>) =>
  (callId: string): string | null => {
    const call = events.findLast((event) => event.type === "tool_call" && event.id === callId && event.output !== null)
    return call?.type === "tool_call" ? call.output : null
  }

/** What is done with a project's memory; null where it fails, which costs nobody the rest. */
const orLogged = <S, A>(
  hook: Hook<S>,
  event: HookEvent,
  at: { root: string; what: string },
  work: () => A
): A | null => {
  const since = hook.now()
  try {
    return work()
  } catch (cause) {
    const reason = `${at.what}: ${Hooks.messageOf(cause)}`
    Hooks.log(hook, event, { decision: "failure", reason, directory: at.root }, since)
    return null
  }
}

const alone = "the memory is left alone"

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

/** The feedback with what was learned before, empty where none goes out. Throws what the file system throws. */
const learn = <S>(hook: Hook<S>, event: HookEvent, asked: AtStop, feedback: string): string => {
  const { events, files, order, review, root, settings, stop } = asked
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
  const outputOf = outputIn(events)
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
  const isNew = !ReviewLesson.isLearned(failure, believed(known))
  if (isNew) LessonTrust.own(hook.directories, [reflection])
  LearnedFile.append(place, [
    { event: "outcome", success: false, at, reflectionIds: given, ...task, attemptNumber },
    ...(isNew ? [reflection] : []),
    ...used(lessons, { at, ...task, attemptNumber: attemptNumber + 1 })
  ])
  // What is not forgotten now is at the next failure.
  orLogged(hook, event, { root, what: "old lessons were not forgotten" }, () =>
    LearnedFile.forget(place, hook.now() - settings.retentionDays * dayMs)
  )
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

/** What a session is told, empty for nothing. Throws what the file system throws. */
const teach = <S>(hook: Hook<S>, event: HookEvent, root: string): string => {
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
 * The answer to a stop that fails, or completes a task in a project with a memory, with what was learned before in its feedback. A
 * completion ends what is open, whichever turn or session that is of.
 */
export const atStop = <S>(hook: Hook<S>, event: HookEvent, answer: HookAnswer, asked: AtStop): HookAnswer => {
  const { review, root } = asked
  const isPush = answer._tag === "push"
  const failed = isPush || review.decision.notice === "exhausted" || review.decision.notice === "unmoved"
  if (!failed && !(review.verdict.complete && MemoryPlace.exists(root))) return answer
  if (!ReviewFiles.isWorkspace(root, hook.env)) return answer
  const before = isPush ? answer.feedback : ""
  const feedback = orLogged(hook, event, { root, what: alone }, () => learn(hook, event, asked, before))
  return isPush && feedback !== null ? { ...answer, feedback } : answer
}

/** The answer where a session begins in a project that has a memory. */
export const atStart = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  if (event.subagent || event.cwd === null) return nothing
  const root = ProjectRoot.of(event.cwd)
  if (!MemoryPlace.exists(root) || !ReviewFiles.isWorkspace(root, hook.env)) return nothing
  const text = orLogged(hook, event, { root, what: alone }, () => teach(hook, event, root)) ?? ""
  return text === "" ? nothing : { _tag: "context", text }
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
