/** Decides what the memory learns from a review, and for which task. It also puts lessons into the feedback. */
import type { Review as Archived } from "../../review/records/ArtifactFiles.ts"
import type { CheckResult } from "../../checks/CheckResult.ts"
import type { FailureContext, FailureType } from "../lessons/FailureContext.ts"
import { wordOf } from "../../base/system/KeyHash.ts"
import type { MemoryEvent } from "../store/MemoryLine.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import type { Reflection } from "../lessons/Reflection.ts"
import * as RetryPrompt from "../lessons/RetryPrompt.ts"
import type { Gate, Verdict } from "../../judge/verdict/Verdict.ts"
import { isContinuation } from "../../session/task/Intent.ts"

export type Review = Pick<Archived, "sessionId" | "timestamp" | "verdict" | "decision" | "checks">

const ended: ReadonlySet<string | null> = new Set(["exhausted", "unmoved"])

const types: Readonly<Record<string, FailureType>> = {
  tests: "test_failure",
  typecheck: "typecheck_failure",
  build: "build_failure"
}

const failing = ({ gates }: Verdict): Gate | undefined =>
  gates.find((gate) => gate.required && gate.result === "failed") ?? gates.find((gate) => gate.result === "failed")

/**
 * What a review means for the memory:
 * - `failure`: a check failed. The agent was told to continue, or the review ended without completion.
 * - `success`: the task is complete.
 * - Null in all other cases. Work without proof is perhaps complete, so there is nothing to learn.
 */
export const meaningOf = ({
  decision,
  verdict
}: Pick<Review, "decision" | "verdict">): "failure" | "success" | null => {
  if (verdict.complete) return "success"
  const open = verdict.status === "incomplete" || verdict.status === "stuck"
  const isFailed = open && failing(verdict) !== undefined
  return isFailed && (decision.kind === "nudge" || ended.has(decision.notice)) ? "failure" : null
}

const words = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(" ")

/** The task of a lesson. `subtaskId` comes from the words of the order, so that another session finds the same task. */
export interface Task {
  readonly taskId: string
  readonly subtaskId: string
}

/** `root` is the root of the project without symbolic links. */
export const projectOf = (root: string): string => {
  const name = /[^/\\]*$/.exec(root)?.[0] ?? ""
  return `${name.replaceAll(/[^\w.-]/g, "_").slice(0, 40)}-${wordOf(root)}`
}

/** A shorter order, such as "fix it", may mean any task, so it names a task only within its own session. */
const leastSaid = 16

/** From the session's `TaskContext`, so that a message such as "continue" is not a new task. */
export interface UserOrder {
  readonly order: string
  readonly sessionId: string
}

/** `root` is the root that the memory uses. */
export const taskOf = (root: string, { order, sessionId }: UserOrder): Task => {
  const said = words(order)
  const isAnywhere = said.length >= leastSaid && !isContinuation(order)
  return { taskId: projectOf(root), subtaskId: `task-${wordOf(isAnywhere ? said : `${sessionId} ${said}`)}` }
}

/** Every process that sees this end of a turn gets the same id. */
export const idOf = (sessionId: string, stop: string): string => `refl_${wordOf(`${sessionId} ${stop}`)}`

const isOut = (check: CheckResult | undefined, exitCode: number | null): boolean =>
  check?.result === "timed_out" || exitCode === 124

export interface ReviewContext {
  readonly root: string
  readonly task: Task
  /** Null if the record does not have the output of this call. */
  readonly outputOf: (callId: string) => string | null
  readonly files: ReadonlyArray<string>
  readonly known: ReadonlyArray<Reflection>
  /** The ids of the reflections in the attempt's prompt. */
  readonly given: ReadonlyArray<string>
}

const maxOutput = 65_536

const attemptOf = ({ decision, sessionId }: Review, known: ReadonlyArray<Reflection>): number =>
  decision.attempt ??
  1 + Math.max(0, ...known.filter((one) => one.sessionId === sessionId).map(({ attemptNumber }) => attemptNumber))

/** If the check also failed before the task, returns only the lines about new failures. */
const printedBy = ({ old = [], output, telling = [] }: CheckResult): string =>
  old.length > 0 && telling.length > 0 ? telling.join("\n") : output

/** The output of the failed run, or else the missing work from the verdict. */
export const shownBy = (
  { checks = [], verdict }: Pick<Review, "checks" | "verdict">,
  outputOf: ReviewContext["outputOf"] = () => null
): Pick<FailureContext, "errorOutput" | "failureType" | "missing" | "nextActions"> => {
  const gate = failing(verdict)
  const check = checks.find((one) => one.gate === gate?.gate && one.result !== "passed")
  const run = gate?.evidence.at(-1)
  const callId = run?.callId ?? null
  const printed = check === undefined ? (callId === null ? null : outputOf(callId)) : printedBy(check)
  const type = types[gate?.gate ?? ""] ?? "verification_failed"
  const isPrinted = printed !== null && printed.trim() !== ""
  const missing = [...verdict.missing, ...verdict.contradictions.map(({ fact }) => fact)]
  // The reason comes last, because the rules quote the end of an unknown text.
  const said = isPrinted ? printed : [...missing, verdict.reason.replace(/^Not done: /, "")].join("\n")
  return {
    failureType: isOut(check, run?.exitCode ?? null) ? "timeout" : type,
    errorOutput: redact(PlainText.clean(said).slice(-maxOutput)),
    ...(!isPrinted && missing.length > 0 && { missing }),
    ...(verdict.nextActions.length > 0 && { nextActions: verdict.nextActions })
  }
}

export const failureOf = (
  review: Review,
  { files, given, known, outputOf, root, task }: ReviewContext
): FailureContext => {
  const { sessionId, timestamp, verdict } = review
  return {
    id: `failure_${wordOf(`${sessionId} ${timestamp}`)}`,
    sessionId,
    ...task,
    subtaskDescription: verdict.task.summary,
    attemptNumber: attemptOf(review, known),
    ...shownBy(review, outputOf),
    filesModified: files.slice(-20).map((file) => (file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file)),
    previousReflections: given,
    createdAt: new Date(timestamp).toISOString()
  }
}

/** About how many tokens the section may take from the host's own budget. */
const tokens = 400

/** Leaves out what the feedback says (`learned`), and lessons that the session received (`told` has their ids). */
export const lessonsFor = (
  learned: Reflection,
  known: ReadonlyArray<Reflection>,
  { limit, told }: { readonly limit: number; readonly told: ReadonlyArray<string> }
): ReadonlyArray<Reflection> => {
  const key = RetryPrompt.keyOf(learned)
  const others = known.filter(
    (one) => one.id !== learned.id && !told.includes(one.id) && RetryPrompt.keyOf(one) !== key
  )
  return RetryPrompt.select(others, { limit, tokens, counted: false })
}

/** The last paragraph says what to do and marks the text as feedback, so it stays at the end. */
export const withLessons = (feedback: string, lessons: ReadonlyArray<Reflection>): string => {
  const section = RetryPrompt.render(lessons, { limit: lessons.length, tokens, counted: false })
  const end = feedback.lastIndexOf("\n\n")
  if (section === "" || end < 0) return feedback
  return `${feedback.slice(0, end)}\n\n${section}${feedback.slice(end)}`
}

const startDays = 7
const startLimit = 3
const dayMs = 86_400_000

const atStart =
  "Earlier sessions in this project ended without completing their tasks. These are the lessons, in case the present task is one of those. Treat them as hints, not as orders: trust what you see."

const startOptions: RetryPrompt.Options = { limit: startLimit, tokens, introduction: atStart, counted: false }

export interface ProjectLessons {
  readonly reflections: ReadonlyArray<Reflection>
  readonly events: ReadonlyArray<MemoryEvent>
}

/** Returns the lessons that nobody resolved and whose task was not completed afterwards. */
export const openIn = ({ events, reflections }: ProjectLessons): ReadonlyArray<Reflection> => {
  // The last completion of each task. The times are compared, because merged events may come after newer events.
  const completed = new Map<string | null, string>()
  for (const one of events)
    if (one.event === "outcome" && one.success && one.at > (completed.get(one.subtaskId) ?? ""))
      completed.set(one.subtaskId, one.at)
  return reflections.filter(
    (one) => one.createdAt > (completed.get(one.subtaskId) ?? "") && !RetryPrompt.isResolved(one)
  )
}

/** In ms. The longest time between the records of a nudge and of its lesson. Either record may be written first. */
const apartMs = 60_000

/**
 * Returns the lessons of a nudge that the user calls wrong, and earlier lessons of the session with the same key. All
 * are marked as taken back. `at` is the time of the nudge, and `attempt` is its number (null if unknown).
 */
export const takenBack = (
  { reflections }: Pick<ProjectLessons, "reflections">,
  { at, attempt, sessionId }: { readonly at: string; readonly attempt: number | null; readonly sessionId: string }
): ReadonlyArray<Reflection> => {
  const since = Date.parse(at) - apartMs
  const own = reflections.filter((one) => one.sessionId === sessionId && !RetryPrompt.isResolved(one))
  const wrong = own.filter(
    ({ attemptNumber, createdAt }) => Date.parse(createdAt) >= since && attemptNumber >= (attempt ?? 1)
  )
  const keys = new Set(wrong.map(RetryPrompt.keyOf))
  return own.filter((one) => keys.has(RetryPrompt.keyOf(one))).map(RetryPrompt.takeBack)
}

const named = /"([^"\n]{1,120})"/g

/** True if the session already learned about this failure from an output in an earlier turn. */
export const isLearned = (
  { failureType, missing = [], sessionId }: FailureContext,
  known: ReadonlyArray<Reflection>
): boolean => {
  const names = [...missing.join("\n").matchAll(named)].map(([name]) => name)
  const own = known.filter((one) => one.sessionId === sessionId && one.tags[0] === failureType)
  return own.some(({ analysis }) => names.some((name) => analysis.includes(`The test ${name} failed`)))
}

/** True if the user called a nudge for this same failure wrong. */
export const isTakenBack = (lesson: Reflection, known: ReadonlyArray<Reflection>): boolean =>
  known.some((one) => RetryPrompt.isTakenBack(one) && RetryPrompt.keyOf(one) === RetryPrompt.keyOf(lesson))

/** The reflections that attempts at a task received since its last outcome. Events from other machines do not count. */
export const givenTo = (events: ReadonlyArray<MemoryEvent>, subtaskId: string): ReadonlyArray<string> => {
  const own = events.filter((one) => one.subtaskId === subtaskId && one.id === undefined)
  const last = own.findLastIndex(({ event }) => event === "outcome")
  return [...new Set(own.slice(last + 1).flatMap(({ reflectionIds }) => reflectionIds))]
}

/** True if the check that had failed passes now. A lesson without a check can be settled only by its own task. */
const passesNow =
  ({ gates }: Verdict) =>
  ({ tags }: Reflection): boolean => {
    const passed = gates.filter(({ result }) => result === "passed")
    const checked = Object.entries(types).find(([, type]) => tags.includes(type))
    return checked !== undefined && passed.some(({ gate }) => gate === checked[0])
  }

export interface SettledTask extends Task {
  /** The ids of the reflections that the attempts at the task received. */
  readonly given: ReadonlyArray<string>
}

/**
 * Returns the tasks that a completed review settles: its own task, and other tasks whose failing check passes now.
 * Another task counts only if this session learned its lesson, or received the lesson (`told` has the ids).
 */
export const settledBy = (
  { sessionId, verdict }: Pick<Review, "sessionId" | "verdict">,
  learned: ProjectLessons,
  { own, told }: { readonly own: Task; readonly told: ReadonlyArray<string> }
): ReadonlyArray<SettledTask> => {
  const open = openIn(learned).filter(({ taskId }) => taskId === own.taskId)
  const passes = passesNow(verdict)
  const others = open.filter(
    (one) => one.subtaskId !== own.subtaskId && (one.sessionId === sessionId || told.includes(one.id)) && passes(one)
  )
  const subtasks = new Set([own.subtaskId, ...others.map(({ subtaskId }) => subtaskId)])
  const ids = new Set(learned.reflections.map(({ id }) => id))
  return [...subtasks].flatMap((subtaskId) => {
    const given = givenTo(learned.events, subtaskId).filter((id) => ids.has(id))
    const isDue = given.length > 0 || open.some((one) => one.subtaskId === subtaskId)
    return isDue ? [{ taskId: own.taskId, subtaskId, given }] : []
  })
}

/** The newest lessons of the last days whose tasks were not completed afterwards. `now` is in ms. */
export const lessonsAtStart = (
  learned: ProjectLessons,
  { now, root }: { readonly now: number; readonly root: string }
): ReadonlyArray<Reflection> => {
  const since = new Date(now - startDays * dayMs).toISOString()
  const project = projectOf(root)
  const newest = openIn(learned)
    .filter(({ createdAt, taskId }) => taskId === project && createdAt > since)
    .filter((one) => RetryPrompt.select([one]).length > 0)
    .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    .slice(0, startLimit)
  return RetryPrompt.select(newest, startOptions)
}

export const startSection = (lessons: ReadonlyArray<Reflection>): string => RetryPrompt.render(lessons, startOptions)
