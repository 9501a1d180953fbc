/** The memory in a hook: saves the lesson of a stop, and gives known lessons to the next attempt or session. */
import * as MemoryLine from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Reflection } from "@reflexion/core/Reflection"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as StopLesson from "@reflexion/core/internal/memory/outcomes/StopLesson"
import * as Hooks from "../session/Hook.ts"
import type { HookAnswer, HookEvent } from "../input/HookEvent.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as LearnedFile from "./LearnedFile.ts"
import * as LessonTrust from "./LessonTrust.ts"
import * as MemoryPlace from "./MemoryPlace.ts"
import type { EndedTurn } from "./Outcomes.ts"
import * as SessionFile from "../session/SessionFile.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

export interface AtStop extends EndedTurn {
  /** The lessons that the session got at its start. */
  readonly told: ReadonlyArray<string>
}

const isoNow = <S>({ now }: Hooks.Hook<S>): string => new Date(now()).toISOString()

/** If git tracks the file, anyone who can push can change it. Then the user must first trust its lessons. */
const isHeldBack = <S>(hook: Hooks.Hook<S>, event: HookEvent, { file, root }: MemoryPlace.MemoryPlace): boolean => {
  if (LessonTrust.isTrusted(hook.directories, root)) return false
  const is = MemoryPlace.tracked(root, file, hook.env)
  if (is?.isKnown === false)
    Hooks.log(hook, event, { decision: "failure", reason: `no lessons: ${is.why}`, directory: root })
  return is !== null
}

/** Returns the feedback with earlier lessons added. Empty if there is no feedback. */
const learn = <S>(hook: Hooks.Hook<S>, event: HookEvent, asked: AtStop, feedback: string): string => {
  const { config, judgment, root } = asked
  const place = MemoryPlace.of(root, hook.env)
  const stop: StopLesson.Stop = {
    ...asked,
    memoryRoot: place.root,
    order: judgment.task.text,
    files: judgment.evidence.edits.map(({ path }) => path),
    at: isoNow(hook),
    limit: config.memory.maxReflectionsPerRetry
  }
  const believed = (some: ReadonlyArray<Reflection>) => LessonTrust.known(hook.directories, place.root, some)
  const learned = StopLesson.learn(stop, LearnedFile.read(place), believed)
  if (learned === null) return feedback
  const lessons = learned.lessons.length > 0 && !isHeldBack(hook, event, place) ? learned.lessons : []
  const rows = learned.rows(lessons)
  LessonTrust.own(
    hook.directories,
    rows.flatMap((row) => (MemoryLine.isEvent(row) ? [] : [row]))
  )
  LearnedFile.append(place, rows)
  // If this fails, the next stop tries again to delete old lessons.
  const forget = () => LearnedFile.forget(place, hook.now() - config.memory.retentionDays * 86_400_000)
  Hooks.orLogged(hook, event, { directory: root, what: "old lessons were not deleted" }, forget, undefined)
  return ReviewLesson.withLessons(feedback, lessons)
}

/** True if no process has given the session lessons before. */
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
  // Other people's untrusted lessons must not displace the user's own.
  const reflections = LessonTrust.known(hook.directories, place.root, learned.reflections)
  const lessons = ReviewLesson.lessonsAtStart({ ...learned, reflections }, { root: place.root, now: hook.now() })
  if (lessons.length === 0 || isHeldBack(hook, event, place) || !takes(hook, event, lessons)) return ""
  LearnedFile.append(place, StopLesson.givenAtStart(lessons, { at: isoNow(hook), root: place.root }))
  return ReviewLesson.startSection(lessons)
}

const alone = "the memory was not used"

/** A completed task also settles open lessons of other turns and sessions. */
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

/** Returns how many lessons are taken back. */
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
