/** Decides what a project's memory learns at a stop, and which earlier lessons the agent gets. */
import * as ReflectionHeuristic from "../lessons/ReflectionHeuristic.ts"
import type { Reflection } from "../lessons/Reflection.ts"
import * as RetryPrompt from "../lessons/RetryPrompt.ts"
import * as MemoryLine from "../store/MemoryLine.ts"
import type { TranscriptEvent } from "../../session/transcript/Transcript.ts"
import * as ReviewLesson from "./ReviewLesson.ts"

export interface Stop {
  readonly review: ReviewLesson.Review
  readonly root: string
  /** The root that names the project's tasks in its memory. */
  readonly memoryRoot: string
  readonly order: string
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly files: ReadonlyArray<string>
  /** Identifies the stop in its session. */
  readonly stop: string
  readonly at: string
  /** The ids of the lessons that the session got at its start. */
  readonly told: ReadonlyArray<string>
  /** The maximum number of lessons for the agent. */
  readonly limit: number
}

export interface Learned {
  /** The earlier lessons that the agent may get. */
  readonly lessons: ReadonlyArray<Reflection>
  /** The rows to save if the agent gets these lessons. */
  readonly rows: (given: ReadonlyArray<Reflection>) => ReadonlyArray<MemoryLine.Row>
}

type Believed = (some: ReadonlyArray<Reflection>) => ReadonlyArray<Reflection>

const used = (
  lessons: ReadonlyArray<Reflection>,
  where: Pick<MemoryLine.LessonUse, "at" | "taskId" | "subtaskId" | "attemptNumber">
): ReadonlyArray<MemoryLine.Row> =>
  lessons.length === 0 ? [] : [{ event: "use", kind: "injected", reflectionIds: lessons.map(({ id }) => id), ...where }]

/** Null if the call is from an earlier turn. Then the verdict's text is used. */
const outputIn =
  (events: ReadonlyArray<TranscriptEvent>) =>
  (callId: string): string | null => {
    const call = events.findLast((event) => event.type === "tool_call" && event.id === callId && event.output !== null)
    return call?.type === "tool_call" ? call.output : null
  }

/** Records success for every lesson that the completion of a task settles. */
const settled = (
  { at, review, told }: Stop,
  own: ReviewLesson.Task,
  learned: ReviewLesson.ProjectLessons
): ReadonlyArray<MemoryLine.Row> =>
  ReviewLesson.settledBy(review, learned, { own, told }).map(({ given: reflectionIds, ...task }) => {
    const attemptNumber = task.subtaskId === own.subtaskId ? review.decision.attempt : null
    return { event: "outcome", success: true, at, reflectionIds, ...task, attemptNumber }
  })

/** Null if nothing is learned. `believed` keeps only the lessons that the user wrote or trusts. */
export const learn = (stop: Stop, learned: ReviewLesson.ProjectLessons, believed: Believed): Learned | null => {
  const { at, events, files, limit, memoryRoot, order, review, root } = stop
  const meaning = ReviewLesson.meaningOf(review)
  const task = ReviewLesson.taskOf(memoryRoot, { order, sessionId: review.sessionId })
  if (meaning === null) return null
  if (meaning === "success") {
    const rows = settled(stop, task, learned)
    return rows.length === 0 ? null : { lessons: [], rows: () => rows }
  }
  const known = learned.reflections.filter(({ subtaskId }) => subtaskId === task.subtaskId)
  const given = ReviewLesson.givenTo(learned.events, task.subtaskId)
  const id = ReviewLesson.idOf(review.sessionId, stop.stop)
  if (known.some((one) => one.id === id)) return null
  const ofTask = believed(known)
  const ours = ReviewLesson.openIn({ ...learned, reflections: ofTask })
  const previous = [...ours.filter((one) => given.includes(one.id)), ...ofTask.filter(RetryPrompt.isResolved)]
  const failure = ReviewLesson.failureOf(review, { root, task, files, known, given, outputOf: outputIn(events) })
  const reflection = MemoryLine.clean(ReflectionHeuristic.make(failure, { id, createdAt: at, previous }))
  const takenBack = believed(learned.reflections.filter(RetryPrompt.isTakenBack))
  if (ReviewLesson.isTakenBack(reflection, takenBack)) return null
  const { attemptNumber } = failure
  // The agent's context already has the lessons that it got at an earlier attempt in this session.
  const asked = { limit, told: attemptNumber > 1 ? given : [] }
  const isNew = !ReviewLesson.isLearned(failure, ofTask)
  return {
    lessons: review.decision.kind === "nudge" ? ReviewLesson.lessonsFor(reflection, ours, asked) : [],
    rows: (lessons) => [
      { event: "outcome", success: false, at, reflectionIds: given, ...task, attemptNumber },
      ...(isNew ? [reflection] : []),
      ...used(lessons, { at, ...task, attemptNumber: attemptNumber + 1 })
    ]
  }
}

/** The rows to save if a session gets these lessons at its start. */
export const givenAtStart = (
  lessons: ReadonlyArray<Reflection>,
  { at, root }: { readonly at: string; readonly root: string }
): ReadonlyArray<MemoryLine.Row> => {
  const where = { at, taskId: ReviewLesson.projectOf(root), attemptNumber: null }
  return [...new Set(lessons.map(({ subtaskId }) => subtaskId))].flatMap((subtaskId) =>
    used(
      lessons.filter((one) => one.subtaskId === subtaskId),
      { ...where, subtaskId }
    )
  )
}
