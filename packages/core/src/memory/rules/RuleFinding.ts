/** Findings of the rules, in words. */
import type { AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { hashOf } from "./RulesState.ts"
import { oneLine } from "../../base/text/Text.ts"
import { sessionId, type ReflectionFinding, type Rule, type SubjectType } from "./model.ts"

/** The same episode has the same id, whoever finds it: it is known by what it is of, and by the attempt that showed it. */
export const idOf = (rule: Rule, subject: string, episode: string): string =>
  `${rule}-${hashOf(subject)}-${hashOf(episode)}`

export interface Subject {
  readonly type: SubjectType
  readonly id: string
}

export const isoOf = (at: number): string => new Date(at).toISOString()

/** To the minute. */
export const minuteOf = (at: number): string => `${isoOf(at).slice(0, 16)}Z`

export const finding = (
  rule: Rule,
  {
    at,
    detail,
    id,
    subject
  }: {
    readonly id: string
    readonly at: number
    readonly subject: Subject
    readonly detail: string
  }
): ReflectionFinding => ({
  id,
  at: isoOf(at),
  action: "reflection_rule",
  sessionId,
  rule,
  severity: "warning",
  subjectType: subject.type,
  subjectId: subject.id,
  detail,
  actionTaken: null
})

export const subjectOfRun = ({ sessionId, taskId }: AttemptOutcome): Subject =>
  taskId === null ? { type: "sub_session", id: sessionId } : { type: "task", id: taskId }

/** On one line and without its secrets, which would not be known as such where one is cut in two. */
export const shortOf = (text: string, limit: number): string => oneLine(redact(text), limit)

/** How a task is spoken of: by its id, and by what is to be done. */
export const nameOfRun = ({ objective, taskId }: AttemptOutcome): string => {
  const words = shortOf(objective, 120)
  if (taskId === null) return words === "" ? "A task without an id" : `The task "${words}"`
  return `Task ${oneLine(taskId, 100)}${words === "" ? "" : ` (${words})`}`
}
