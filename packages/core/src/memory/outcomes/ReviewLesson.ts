/**
 * What a review in a host means to the memory: whether anything is learned of it, for what task, from what failure, and
 * where in the feedback its words stand. Pure, so that a hook process and a long-running host learn the same.
 */
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

/** A review that is decided. */
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
 * `failure`: a check failed, and the agent was sent on or the review ended without completion. `success`: the task is
 * complete. Null for all else: what only was not shown may have been done, so that nothing is to be learned from it.
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

/** Whose lessons they are: a project's, and of these one task's, by its words, so that another session finds them. */
export interface Task {
  readonly taskId: string
  readonly subtaskId: string
}

/** The project's part of a task's name. `root` is the project's root without symbolic links. */
export const projectOf = (root: string): string => {
  const name = /[^/\\]*$/.exec(root)?.[0] ?? ""
  return `${name.replaceAll(/[^\w.-]/g, "_").slice(0, 40)}-${wordOf(root)}`
}

/** What says less than this, such as "fix it", may be any task: only its own session knows which. */
const leastSaid = 16

/** What the user ordered, as the session's `TaskContext` has it, so that "continue" makes no other task. */
export interface UserOrder {
  readonly order: string
  readonly sessionId: string
}

/** The task that a session is at. `root` is that of the memory. */
export const taskOf = (root: string, { order, sessionId }: UserOrder): Task => {
  const said = words(order)
  const isAnywhere = said.length >= leastSaid && !isContinuation(order)
  return { taskId: projectOf(root), subtaskId: `task-${wordOf(isAnywhere ? said : `${sessionId} ${said}`)}` }
}

/** The id of what is learned at a stop: the same for all who see the same stop. */
export const idOf = (sessionId: string, stop: string): string => `refl_${wordOf(`${sessionId} ${stop}`)}`

const isOut = (check: CheckResult | undefined, exitCode: number | null): boolean =>
  check?.result === "timed_out" || exitCode === 124

/**
 * What else is known at a review. `root` is the project's. `outputOf` gives what a call of the agent's printed, null where the record does not have
 * it; `files` are those that the task edited; `known` is what was learned of this task before, and `given` the ids of what
 * the attempt was told of it.
 */
export interface ReviewContext {
  readonly root: string
  readonly task: Task
  readonly outputOf: (callId: string) => string | null
  readonly files: ReadonlyArray<string>
  readonly known: ReadonlyArray<Reflection>
  readonly given: ReadonlyArray<string>
}

const maxOutput = 65_536

const attemptOf = ({ decision, sessionId }: Review, known: ReadonlyArray<Reflection>): number =>
  decision.attempt ??
  1 + Math.max(0, ...known.filter((one) => one.sessionId === sessionId).map(({ attemptNumber }) => attemptNumber))

/** What a red check printed; where it was red before, the lines about what fails now alone. */
const printedBy = ({ old = [], output, telling = [] }: CheckResult): string =>
  old.length > 0 && telling.length > 0 ? telling.join("\n") : output

/** What failed, by a review: the output of the run that shows it, else what is missing in the verdict's words. */
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
  // The reason comes last, for what a rule does not know it quotes from the end.
  const said = isPrinted ? printed : [...missing, verdict.reason.replace(/^Not done: /, "")].join("\n")
  return {
    failureType: isOut(check, run?.exitCode ?? null) ? "timeout" : type,
    errorOutput: redact(PlainText.clean(said).slice(-maxOutput)),
    ...(!isPrinted && missing.length > 0 && { missing }),
    ...(verdict.nextActions.length > 0 && { nextActions: verdict.nextActions })
  }
}

/** The failure that a review found. */
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

/** About how many tokens of a host's own budget the section may take. */
const tokens = 400

/**
 * What of the earlier lessons the next attempt is told: none that says what is learned at this very stop, for the feedback
 * says that, and none of `told`, the ids of what the session has been told already.
 */
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

/**
 * Feedback with the lessons in it. They stand before its last paragraph, which is what the agent is to do and marks the whole as feedback; its first words have the one count that there is.
 */
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
  "Earlier sessions in this project ended without completing their tasks. This is what was learned from them, in case the present task is one of those. Weigh it against what you see; it is no order."

const startOptions: RetryPrompt.Options = { limit: startLimit, tokens, introduction: atStart, counted: false }

/** What is known of a project: what was learned, and what came of it. */
export interface ProjectLessons {
  readonly reflections: ReadonlyArray<Reflection>
  readonly events: ReadonlyArray<MemoryEvent>
}

/** The lessons whose failures stand: their tasks did not complete afterwards, and nobody resolved them. */
export const openIn = ({ events, reflections }: ProjectLessons): ReadonlyArray<Reflection> => {
  // When each task was last completed: what was merged into a memory stands behind what is newer.
  const completed = new Map<string | null, string>()
  for (const one of events)
    if (one.event === "outcome" && one.success && one.at > (completed.get(one.subtaskId) ?? ""))
      completed.set(one.subtaskId, one.at)
  return reflections.filter(
    (one) => one.createdAt > (completed.get(one.subtaskId) ?? "") && !RetryPrompt.isResolved(one)
  )
}

/** A nudge and its lesson are written down one after the other, in either order. */
const apartMs = 60_000

/**
 * What was learned at a nudge that the user calls wrong, and what the session had learned of the same failure before, as
 * lessons that are over. `at` is when it was made, `attempt` its number, null where it is not known.
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

/** Whether a failure whose output is in an earlier turn was learned in its session already, from what was printed then. */
export const isLearned = (
  { failureType, missing = [], sessionId }: FailureContext,
  known: ReadonlyArray<Reflection>
): boolean => {
  const names = [...missing.join("\n").matchAll(named)].map(([name]) => name)
  const own = known.filter((one) => one.sessionId === sessionId && one.tags[0] === failureType)
  return own.some(({ analysis }) => names.some((name) => analysis.includes(`The test ${name} failed`)))
}

/** Whether the user has called a nudge wrong that was made for this very failure. */
export const isTakenBack = (lesson: Reflection, known: ReadonlyArray<Reflection>): boolean =>
  known.some((one) => RetryPrompt.isTakenBack(one) && RetryPrompt.keyOf(one) === RetryPrompt.keyOf(lesson))

/** What the attempts at a task were told since one of them ended. */
export const givenTo = (events: ReadonlyArray<MemoryEvent>, subtaskId: string): ReadonlyArray<string> => {
  const own = events.filter((one) => one.subtaskId === subtaskId)
  const last = own.findLastIndex(({ event }) => event === "outcome")
  return [...new Set(own.slice(last + 1).flatMap(({ reflectionIds }) => reflectionIds))]
}

/** Whether the check that had failed passes now; a lesson of anything else is settled by its own task alone. */
const passesNow =
  ({ gates }: Verdict) =>
  ({ tags }: Reflection): boolean => {
    const passed = gates.filter(({ result }) => result === "passed")
    const checked = Object.entries(types).find(([, type]) => tags.includes(type))
    return checked !== undefined && passed.some(({ gate }) => gate === checked[0])
  }

/** A task that a completion settles, and the ids of what its attempts were told. */
export interface SettledTask extends Task {
  readonly given: ReadonlyArray<string>
}

/**
 * What a completed review settles: its own task (`own`), in whatever session that failed, and every task whose failing check passes now, where this session learned of that or was told (`told`, by ids). Whatever words came between, the failure is
 * gone.
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

/**
 * What a new session in a project may be told: the newest lessons of the last days whose tasks did not complete
 * afterwards. `now` is in ms.
 */
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

/** The section for a session that begins, empty where there is nothing to say. */
export const startSection = (lessons: ReadonlyArray<Reflection>): string => RetryPrompt.render(lessons, startOptions)
