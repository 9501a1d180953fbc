/** Writes the text that tells the agent what is missing: specific, short, and firmer with each attempt. */
import { clip, oneLine } from "../../base/text/Text.ts"
import { marker, unsurely } from "../../session/task/OwnFeedback.ts"

export { attemptOf } from "../../session/task/OwnFeedback.ts"

/** @category limits */
export const maxLength = 2000

/** @category models */
export interface Input {
  /** Most important first. */
  readonly facts: ReadonlyArray<string>
  /** Most important first. */
  readonly actions: ReadonlyArray<string>
  /** What is left to the user. */
  readonly human: ReadonlyArray<string>
  /** Lines that failed commands printed. As many as fit are used. */
  readonly printed?: ReadonlyArray<string>
  /** The number of the reminder, counted from 1. */
  readonly attempt: number
  readonly maxAttempts: number
  /** True if nobody is present to answer the agent. */
  readonly unattended?: boolean
  /** True if only a model suspects that something is missing. */
  readonly unsure?: boolean
}

const bullets = (items: ReadonlyArray<string>, limit: number): ReadonlyArray<string> =>
  items.map((item) => `- ${oneLine(item.replace(/\.\.$/, "."), limit)}`)

/** The number never exceeds the maximum: after the last reminder, the judge writes the same number again. */
const opening = ({ attempt, maxAttempts, unsure }: Input): string => {
  const marker = `[reflexion ${Math.min(attempt, maxAttempts)}/${maxAttempts}]`
  if (unsure === true) return `${marker} ${unsurely}`
  if (attempt <= 1) return `${marker} The task is not done yet.`
  if (attempt < maxAttempts) return `${marker} The task is still not done.`
  return `${marker} Last nudge: the task is still not done.`
}

const closing = ({ attempt, maxAttempts }: Input): string => {
  if (attempt >= maxAttempts) {
    return "If you are blocked, say exactly what blocks you and what you need."
  }
  if (attempt > 1) return "Do this now, or say what blocks you. Report the actual output."
  return "Then report the actual output of the commands. If something blocks you, say what."
}

const alone = "Nobody is there to answer in this session: decide within the task, and say what you assumed."

const draft = (input: Input, limit: number, printed: ReadonlyArray<string> = []): string => {
  const lines = [opening(input), "", ...bullets(input.facts.slice(0, 8), limit)]
  if (input.actions.length > 0)
    lines.push(
      "",
      "Next:",
      ...input.actions.slice(0, 6).map((action, index) => `${index + 1}. ${oneLine(action, limit)}`)
    )
  if (input.human.length > 0)
    lines.push("", "Leave this to the user, and name it in your answer:", ...bullets(input.human.slice(0, 4), limit))
  if (printed.length > 0) lines.push("", "Output of the commands:", ...printed)
  if (input.unattended === true) lines.push("", alone)
  lines.push("", closing(input))
  return lines.join("\n")
}

const closings = (): ReadonlyArray<string> =>
  [1, 2, 3].map((attempt) => closing({ attempt, maxAttempts: 3, facts: [], actions: [], human: [] }))

/**
 * True if the text is only our feedback, without other words before or after it.
 *
 * @category predicates
 */
export const isWhole = (text: string): boolean => {
  const said = text.trim()
  return marker.exec(said)?.index === 0 && closings().some((end) => said.endsWith(end))
}

const limits = [300, 200, 120, 60]

/**
 * Returns at most 2,000 characters. If necessary, all items are shortened, so that the last items are not lost.
 *
 * @category rendering
 */
export const render = (input: Input): string => {
  const limit = limits.find((one) => draft(input, one).length <= maxLength)
  if (limit === undefined) return clip(draft(input, 60), maxLength)
  const printed = (input.printed ?? []).map((line) => `    ${oneLine(line, 200)}`)
  const most = printed.findLastIndex((_, at) => draft(input, limit, printed.slice(0, at + 1)).length <= maxLength)
  return draft(input, limit, printed.slice(0, most + 1))
}
