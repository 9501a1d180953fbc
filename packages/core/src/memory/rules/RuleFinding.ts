/** Findings of the rules, in words. */
import type { AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { oneLine } from "../../base/text/Text.ts"
import { byHand } from "./words.ts"
import type { ReflectionFinding, Rule } from "./ReflectionFinding.ts"

/** 64 bits of a text. */
export const hashOf = (text: string): string =>
  `${KeyHash.ofText(text).toString(36)}${KeyHash.ofText(`reflection ${text}`).toString(36)}`

/** What the findings of a rule share that are of the same thing, by its key. */
export const ofKey = (rule: Rule, key: string): string => `${rule}-${hashOf(key)}`

/** The same episode has the same id for all who find it: it is known by what it is of, and by an attempt. */
export const idOf = (of: string, episode: string): string => `${of}-${hashOf(episode)}`

/** `ofKey` of a finding's id, whichever of the attempts showed it, and whichever program found it. */
export const ofId = (id: string): string => {
  const bare = id.startsWith(byHand) ? id.slice(byHand.length) : id
  return bare.slice(0, Math.max(0, bare.lastIndexOf("-")))
}

export const isoOf = (at: number): string => new Date(at).toISOString()

/** To the minute. */
export const minuteOf = (at: number): string => `${isoOf(at).slice(0, 16)}Z`

export const subjectOfRun = ({
  sessionId,
  taskId
}: AttemptOutcome): Pick<ReflectionFinding, "subjectType" | "subjectId"> =>
  taskId === null ? { subjectType: "sub_session", subjectId: sessionId } : { subjectType: "task", subjectId: taskId }

/** On one line and without its secrets, which would not be known as such where one is cut in two. */
export const shortOf = (text: string, limit: number): string => oneLine(redact(text), limit)

/** How a task is spoken of: by its id, and by what is to be done. */
export const nameOfRun = ({ objective, taskId }: AttemptOutcome): string => {
  const words = shortOf(objective, 120)
  if (taskId === null) return words === "" ? "A task without an id" : `The task "${words}"`
  return `Task ${oneLine(taskId, 100)}${words === "" ? "" : ` (${words})`}`
}
