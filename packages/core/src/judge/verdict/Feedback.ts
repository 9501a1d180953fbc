/** The text that tells the agent what is missing: specific, short, and firmer with every attempt. */
import { clip, oneLine } from "../../base/text/Text.ts"
import { marker, unsurely } from "../../session/task/OwnFeedback.ts"

export { attemptOf } from "../../session/task/OwnFeedback.ts"

/**
 * Most characters a feedback text has.
 *
 * @category limits
 */
export const maxLength = 2000

/**
 * What feedback is made of. `facts` are what the evidence says, `actions` what to do about it, most important first;
 * `printed`: lines of what failed, as many as fit; `unattended`: nobody is there to answer the agent; `unsure`: it only seems so, to a model.
 *
 * @category models
 */
export interface Input {
  readonly facts: ReadonlyArray<string>
  readonly actions: ReadonlyArray<string>
  readonly human: ReadonlyArray<string>
  readonly printed?: ReadonlyArray<string>
  readonly attempt: number
  readonly maxAttempts: number
  readonly unattended?: boolean
  readonly unsure?: boolean
}

const bullets = (items: ReadonlyArray<string>, limit: number): ReadonlyArray<string> =>
  items.map((item) => `- ${oneLine(item.replace(/\.\.$/, "."), limit)}`)

/** A judge that is asked after the last reminder writes that one again: no count goes past its end. */
const opening = ({ attempt, maxAttempts, unsure }: Input): string => {
  const marker = `[reflexion ${Math.min(attempt, maxAttempts)}/${maxAttempts}]`
  if (unsure === true) return `${marker} ${unsurely}`
  if (attempt <= 1) return `${marker} The task is not done yet.`
  if (attempt < maxAttempts) return `${marker} The task is still not done.`
  return `${marker} Last reminder: the task is still not done.`
}

const closing = ({ attempt, maxAttempts }: Input): string => {
  if (attempt >= maxAttempts) {
    return "If something keeps you from it, say exactly what it is and what you need."
  }
  if (attempt > 1) return "Do this now, or say what blocks you. Report what the commands really print."
  return "Then report what the commands really printed. If something blocks you, say what."
}

const alone = "Nobody is there to answer in this session: decide within the task, and state what you assumed."

const draft = (input: Input, limit: number, printed: ReadonlyArray<string> = []): string => {
  const lines = [opening(input), "", ...bullets(input.facts.slice(0, 8), limit)]
  if (input.actions.length > 0)
    lines.push(
      "",
      "Next:",
      ...input.actions.slice(0, 6).map((action, index) => `${index + 1}. ${oneLine(action, limit)}`)
    )
  if (input.human.length > 0)
    lines.push("", "Leave to the user, and name it in your answer:", ...bullets(input.human.slice(0, 4), limit))
  if (printed.length > 0) lines.push("", "It printed:", ...printed)
  if (input.unattended === true) lines.push("", alone)
  lines.push("", closing(input))
  return lines.join("\n")
}

/** How the last reminder ended in versions before this one. */
const formerly = "nobody will remind you again."

const closings = (): ReadonlyArray<string> =>
  [1, 2, 3].map((attempt) => closing({ attempt, maxAttempts: 3, facts: [], actions: [], human: [] }))

/**
 * Whether a text is feedback from its first word to its last: nobody has put a word of their own before it or after it.
 *
 * @category predicates
 */
export const isWhole = (text: string): boolean => {
  const said = text.trim()
  return marker.exec(said)?.index === 0 && [...closings(), formerly].some((end) => said.endsWith(end))
}

const limits = [300, 200, 120, 60]

/**
 * Renders the feedback of an attempt, counted from 1; at most 2,000 characters. Where it would be longer, every item is
 * shortened rather than the last ones lost.
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
