/**
 * The text that tells the agent what is missing: specific, short, and firmer with every attempt.
 *
 * @since 0.1.0
 */
import { clip } from "./internal/text.ts"

/**
 * Most characters a feedback text has.
 *
 * @since 0.1.0
 * @category limits
 */
export const maxLength = 2000

/**
 * What feedback is made of. `facts` are what the evidence says, `actions` what to do about it, most important first.
 *
 * @since 0.1.0
 * @category models
 */
export interface Input {
  readonly facts: ReadonlyArray<string>
  readonly actions: ReadonlyArray<string>
  readonly contradictions: ReadonlyArray<{ readonly claim: string; readonly fact: string }>
  readonly human: ReadonlyArray<string>
  readonly attempt: number
  readonly maxAttempts: number
}

const bullets = (items: ReadonlyArray<string>): ReadonlyArray<string> => items.map((item) => `- ${clip(item, 300)}`)

const opening = (input: Input): string => {
  if (input.attempt >= input.maxAttempts && input.maxAttempts > 1) {
    return `Last reminder (${input.attempt} of ${input.maxAttempts}): the task is still not done.`
  }
  if (input.attempt > 1) return `The task is still not done (reminder ${input.attempt} of ${input.maxAttempts}).`
  return "The task is not done yet."
}

const closing = (input: Input): string => {
  if (input.attempt >= input.maxAttempts && input.maxAttempts > 1) {
    return "If something keeps you from it, say exactly what it is and what you need; nobody will remind you again."
  }
  if (input.attempt > 1) return "Do this now, or say what blocks you. Report what the commands really print."
  return "Then report what the commands really printed. If something blocks you, say what."
}

/**
 * Renders the feedback of an attempt, counted from 1; at most 2,000 characters.
 *
 * @since 0.1.0
 * @category rendering
 */
export const render = (input: Input): string => {
  const lines = [opening(input), "", ...bullets(input.facts.slice(0, 8))]
  for (const { claim, fact } of input.contradictions.slice(0, 3)) {
    lines.push(`- You wrote "${clip(claim, 160)}", but ${clip(fact, 200)}.`)
  }
  if (input.actions.length > 0)
    lines.push("", "Next:", ...input.actions.slice(0, 6).map((action, index) => `${index + 1}. ${clip(action, 300)}`))
  if (input.human.length > 0)
    lines.push("", "Leave to the user, and name it in your answer:", ...bullets(input.human.slice(0, 4)))
  lines.push("", closing(input))
  return clip(lines.join("\n"), maxLength)
}
