/**
 * The memory in a hook, as one call, so that a stop which neither fails nor ends a failure loads none of it: what a stop
 * teaches is kept, and what is known is given to the next attempt, or to a session that begins.
 *
 * @since 0.1.0
 */
import type * as MemoryEvent from "@reflexion/core/MemoryEvent"
import type { Reflection } from "@reflexion/core/Reflection"
import * as ReflectionHeuristic from "@reflexion/core/ReflectionHeuristic"
import * as ReviewLesson from "@reflexion/core/ReviewLesson"
import type { Hook } from "./Hook.ts"
import * as Hooks from "./Hook.ts"
import type { HookEvent } from "./HookEvent.ts"
import * as CallOutput from "./internal/callOutput.ts"
import * as LearnedFile from "./internal/learnedFile.ts"
import * as ProjectRoot from "./internal/projectRoot.ts"
import { isTracked } from "./internal/trackedFile.ts"
import * as ReviewFiles from "./ReviewFiles.ts"
import * as SessionFile from "./SessionFile.ts"
import * as Trust from "./Trust.ts"

/**
 * A stop that was decided: its review, what identifies it, and the feedback that goes out, empty where none does. `files`
 * are those that the task edited; `limit`, how many lessons a prompt has at most.
 *
 * @since 0.1.0
 * @category models
 */
export interface AtStop {
  readonly _tag: "stop"
  readonly root: string
  readonly review: ReviewLesson.Review
  readonly stop: string
  readonly feedback: string
  readonly files: ReadonlyArray<string>
  readonly limit: number
}

/**
 * A session begins, or one of its stops was decided.
 *
 * @since 0.1.0
 * @category models
 */
export type Asked = AtStop | { readonly _tag: "start"; readonly root: string }

const isoNow = <S>({ now }: Hook<S>): string => new Date(now()).toISOString()

/** What the running attempt was told of its task. */
const givenTo = (events: ReadonlyArray<MemoryEvent.MemoryEvent>, subtaskId: string): ReadonlyArray<string> => {
  const own = events.filter((one) => one.subtaskId === subtaskId)
  const last = own.findLastIndex(({ event }) => event === "outcome")
  return [...new Set(own.slice(last + 1).flatMap(({ reflectionIds }) => reflectionIds))]
}

/** What git tracks was written by whoever may push. */
const isBelieved = <S>(hook: Hook<S>, root: string): boolean =>
  !isTracked(root, LearnedFile.pathOf(root), hook.env) || Trust.status(hook.directories, root) === "trusted"

const used = (
  at: string,
  lessons: ReadonlyArray<Reflection>,
  where: Pick<MemoryEvent.Use, "taskId" | "subtaskId" | "attemptNumber">
): ReadonlyArray<MemoryEvent.Use> =>
  lessons.length === 0
    ? []
    : [{ event: "use", kind: "injected", at, reflectionIds: lessons.map(({ id }) => id), ...where }]

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

const atStop = <S>(hook: Hook<S>, event: HookEvent, asked: AtStop): string => {
  const { feedback, files, limit, review, root, stop } = asked
  const learned = LearnedFile.read(root)
  const task = ReviewLesson.taskOf(root, review.verdict)
  const known = learned.reflections.filter(({ subtaskId }) => subtaskId === task.subtaskId)
  const given = givenTo(learned.events, task.subtaskId)
  const at = isoNow(hook)
  const outputOf = outputIn(hook, event)
  const failure = ReviewLesson.failureOf(review, { root, files, known, given, outputOf })
  const success = ReviewLesson.meaningOf(review) === "success"
  const { attemptNumber } = failure
  const outcome: MemoryEvent.Outcome = { event: "outcome", success, at, reflectionIds: given, ...task, attemptNumber }
  if (success) {
    if (known.length > 0) LearnedFile.append(root, [outcome])
    return feedback
  }
  const id = ReviewLesson.idOf(event.sessionId, stop)
  if (known.some((one) => one.id === id)) return feedback
  const previous = known.filter((one) => given.includes(one.id))
  const reflection = ReflectionHeuristic.make(failure, { id, createdAt: at, previous })
  // Of an earlier attempt of this session's: it stands in the context.
  const told = attemptNumber > 1 ? given : []
  const fresh = feedback === "" ? [] : ReviewLesson.lessonsFor(reflection, known, { limit, told })
  const lessons = fresh.length > 0 && isBelieved(hook, root) ? fresh : []
  const next = { ...task, attemptNumber: attemptNumber + 1 }
  LearnedFile.append(root, [outcome, reflection, ...used(at, lessons, next)])
  return ReviewLesson.withLessons(feedback, lessons)
}

/** Says whether this process is the first to tell the session. */
const takes = <S>(hook: Hook<S>, event: HookEvent): boolean => {
  let first = false
  Hooks.update(hook, event, (session) => {
    first = session.taught !== true
    return first ? { ...session, taught: true } : session
  })
  return first
}

const mayTell = <S>(hook: Hook<S>, event: HookEvent, root: string): boolean => {
  if (SessionFile.isStopped(Hooks.keyOf(hook, event))) return false
  const { config, problem } = Hooks.settingsOf(hook, root)
  return problem === null && config.reflexion.enabled && config.profile !== "advisory"
}

const atStart = <S>(hook: Hook<S>, event: HookEvent, root: string): string => {
  if (!mayTell(hook, event, root)) return ""
  const lessons = ReviewLesson.lessonsAtStart(LearnedFile.read(root), { root, now: hook.now() })
  if (lessons.length === 0 || !isBelieved(hook, root) || !takes(hook, event)) return ""
  const tasks = [...new Set(lessons.map(({ subtaskId }) => subtaskId))]
  const taskId = ReviewLesson.projectOf(root)
  const at = isoNow(hook)
  LearnedFile.append(
    root,
    tasks.flatMap((subtaskId) =>
      used(
        at,
        lessons.filter((one) => one.subtaskId === subtaskId),
        { taskId, subtaskId, attemptNumber: null }
      )
    )
  )
  return ReviewLesson.startSection(lessons)
}

/**
 * The feedback with what was learned before, or what a session is told as it begins, empty for nothing. Throws what the
 * file system throws: the caller says what it would have said.
 *
 * @since 0.1.0
 * @category handlers
 */
export const run = <S>(hook: Hook<S>, event: HookEvent, asked: Asked): string => {
  if (!ReviewFiles.isWorkspace(asked.root, ProjectRoot.real(hook.env["HOME"] ?? "/")))
    return asked._tag === "stop" ? asked.feedback : ""
  return asked._tag === "stop" ? atStop(hook, event, asked) : atStart(hook, event, asked.root)
}
