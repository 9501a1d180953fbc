/** The memory in a hook. The hook saves the lesson of a stop and gives known lessons to the next attempt or session. */
import type * as MemoryEvent from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Reflection } from "@reflexion/core/Reflection"
import * as ReflectionHeuristic from "@reflexion/core/internal/memory/lessons/ReflectionHeuristic"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as Hooks from "../session/Hook.ts"
import type { HookAnswer, HookEvent } from "../input/HookEvent.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as LearnedFile from "./LearnedFile.ts"
import * as LessonTrust from "./LessonTrust.ts"
import * as MemoryPlace from "./MemoryPlace.ts"
import type { EndedTurn } from "./Outcomes.ts"
import * as SessionFile from "../session/SessionFile.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

/** A stop whose lesson is saved. */
export interface AtStop extends EndedTurn {
  /** The ids of the lessons that the session was given at its start. */
  readonly told: ReadonlyArray<string>
}

const isoNow = <S>({ now }: Hooks.Hook<S>): string => new Date(now()).toISOString()

/** Anyone who can push can change a file that git tracks. No prompt gets such lessons until the user trusts them. */
const isHeldBack = <S>(hook: Hooks.Hook<S>, event: HookEvent, { file, root }: MemoryPlace.MemoryPlace): boolean => {
  if (LessonTrust.isTrusted(hook.directories, root)) return false
  const is = MemoryPlace.tracked(root, file, hook.env)
  if (is?.isKnown === false)
    Hooks.log(hook, event, { decision: "failure", reason: `no lessons: ${is.why}`, directory: root })
  return is !== null
}

const used = (
  lessons: ReadonlyArray<Reflection>,
  { at, ...where }: Pick<MemoryEvent.LessonUse, "at" | "taskId" | "subtaskId" | "attemptNumber">
): ReadonlyArray<MemoryEvent.LessonUse> => {
  const reflectionIds = lessons.map(({ id }) => id)
  return lessons.length === 0 ? [] : [{ event: "use", kind: "injected", at, reflectionIds, ...where }]
}

/** Returns the output of a call. Null if the call is from an earlier turn; then the verdict's text is used. */
const outputIn =
  (events: ReadonlyArray<TranscriptEvent>) =>
  (callId: string): string | null => {
    const call = events.findLast((event) => event.type === "tool_call" && event.id === callId && event.output !== null)
    return call?.type === "tool_call" ? call.output : null
  }

/** When a task is complete, records success for every lesson that the completion settles. */
const settle = (
  { review, told }: AtStop,
  learned: ReviewLesson.ProjectLessons,
  { at, own, place }: { readonly at: string; readonly own: ReviewLesson.Task; readonly place: MemoryPlace.MemoryPlace }
): void => {
  const settled = ReviewLesson.settledBy(review, learned, { own, told })
  const events = settled.map(({ given: reflectionIds, subtaskId, taskId }): MemoryEvent.Outcome => {
    const attemptNumber = subtaskId === own.subtaskId ? review.decision.attempt : null
    return { event: "outcome", success: true, at, reflectionIds, taskId, subtaskId, attemptNumber }
  })
  LearnedFile.append(place, events)
}

/**
 * Saves the lesson and returns the feedback with earlier lessons added. Empty if there is no feedback. Throws what the
 * file system throws.
 */
const learn = <S>(hook: Hooks.Hook<S>, event: HookEvent, asked: AtStop, feedback: string): string => {
  const { config, events, judgment, review, root, stop } = asked
  const meaning = ReviewLesson.meaningOf(review)
  if (meaning === null) return feedback
  const place = MemoryPlace.of(root, hook.env)
  const learned = LearnedFile.read(place)
  const task = ReviewLesson.taskOf(place.root, { order: judgment.task.text, sessionId: review.sessionId })
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
  const files = judgment.evidence.edits.map(({ path }) => path)
  const failure = ReviewLesson.failureOf(review, { root, task, files, known, given, outputOf })
  const { attemptNumber } = failure
  const believed = LessonTrust.known(hook.directories, place.root, learned.reflections)
  const ofTask = believed.filter((one) => known.includes(one))
  const ours = ReviewLesson.openIn({ ...learned, reflections: ofTask })
  const previous = [...ours.filter((one) => given.includes(one.id)), ...ofTask.filter(RetryPrompt.isResolved)]
  const reflection = ReflectionHeuristic.make(failure, { id, createdAt: at, previous })
  if (ReviewLesson.isTakenBack(reflection, believed.filter(RetryPrompt.isTakenBack))) return feedback
  // Lessons given at an earlier attempt in this session are already in the agent's context.
  const told = attemptNumber > 1 ? given : []
  const limit = config.memory.maxReflectionsPerRetry
  const fresh = feedback === "" ? [] : ReviewLesson.lessonsFor(reflection, ours, { limit, told })
  const lessons = fresh.length > 0 && !isHeldBack(hook, event, place) ? fresh : []
  const isNew = !ReviewLesson.isLearned(failure, ofTask)
  if (isNew) LessonTrust.own(hook.directories, [reflection])
  LearnedFile.append(place, [
    { event: "outcome", success: false, at, reflectionIds: given, ...task, attemptNumber },
    ...(isNew ? [reflection] : []),
    ...used(lessons, { at, ...task, attemptNumber: attemptNumber + 1 })
  ])
  // If this fails, the next failed stop tries again to forget old lessons.
  const forget = () => LearnedFile.forget(place, hook.now() - config.memory.retentionDays * 86_400_000)
  Hooks.orLogged(hook, event, { directory: root, what: "old lessons were not deleted" }, forget, undefined)
  return ReviewLesson.withLessons(feedback, lessons)
}

/** Saves which lessons this session gets. Returns true if this process is the first to give them. */
const takes = <S>(hook: Hooks.Hook<S>, event: HookEvent, lessons: ReadonlyArray<Reflection>): boolean => {
  let first = false
  Hooks.update(hook, event, (session) => {
    first = session.lessons === undefined
    return first ? { ...session, lessons: lessons.map(({ id }) => id) } : session
  })
  return first
}

const mayTell = <S>(hook: Hooks.Hook<S>, event: HookEvent, root: string): boolean => {
  if (SessionFile.isStopped(Hooks.keyOf(hook, event))) return false
  const { config, problem } = Hooks.settingsOf(hook, root)
  return problem === null && config.memory.enabled && config.profile !== "advisory"
}

const teach = <S>(hook: Hooks.Hook<S>, event: HookEvent, root: string): string => {
  if (!mayTell(hook, event, root)) return ""
  const place = MemoryPlace.of(root, hook.env)
  const learned = LearnedFile.read(place)
  // Lessons of other people do not displace the user's own, even if they are newer.
  const reflections = LessonTrust.known(hook.directories, place.root, learned.reflections)
  const lessons = ReviewLesson.lessonsAtStart({ ...learned, reflections }, { root: place.root, now: hook.now() })
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

const alone = "the memory was not used"

/** Adds earlier lessons to the feedback. A complete task also settles open lessons of other turns and sessions. */
export const atStop = <S>(hook: Hooks.Hook<S>, event: HookEvent, answer: HookAnswer, asked: AtStop): HookAnswer => {
  const { config, review, root } = asked
  const isNudge = answer._tag === "nudge"
  const failed = isNudge || review.decision.notice === "exhausted" || review.decision.notice === "unmoved"
  if (!config.memory.enabled || !(failed || (review.verdict.complete && MemoryPlace.exists(root)))) return answer
  const before = isNudge ? answer.feedback : ""
  const learned = () => learn(hook, event, asked, before)
  const feedback = Hooks.orLogged(hook, event, { directory: root, what: alone }, learned, before)
  return isNudge ? { ...answer, feedback } : answer
}

export const atStart = <S>(hook: Hooks.Hook<S>, event: HookEvent): string | null => {
  if (event.subagent || event.cwd === null) return null
  const root = ProjectRoot.of(event.cwd)
  if (!MemoryPlace.exists(root) || !ProjectRoot.isWorkspace(root, hook.env)) return null
  return Hooks.orLogged(hook, event, { directory: root, what: alone }, () => teach(hook, event, root), "") || null
}

/**
 * Takes back the lessons from a nudge that the user calls wrong. Returns their number. Throws what the file system
 * throws.
 */
export const takeBack = (
  { directories, sessionId }: { readonly directories: UserDirectories; readonly sessionId: string },
  { at, attempt, root }: { readonly at: string; readonly attempt: number | null; readonly root: string }
): number => {
  const place = MemoryPlace.of(root)
  const over = ReviewLesson.takenBack(LearnedFile.read(place), { at, attempt, sessionId })
  LessonTrust.own(directories, over)
  LearnedFile.append(place, over)
  return over.length
}
