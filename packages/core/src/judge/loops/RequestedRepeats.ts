/** How often the user wants something done again, so that doing it again is no loop. */
import type { Loop, LoopPattern } from "./model.ts"
import type { TaskContext } from "../../session/task/TaskContext.ts"

const counted =
  /(?:^|[^\w.])(\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|a hundred|zwei|drei|vier|fünf|sechs|zehn) ?(?:x(?![\w])|×|times\b|runs?\b|iterations?\b|repetitions?\b|mal\b|fois\b|veces\b|vezes\b|volte\b|keer\b|раз|回|次|번)/i

const numbers: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  zwei: 2,
  drei: 3,
  vier: 4,
  sechs: 6,
  zehn: 10
}

const again =
  /\b(?:flak(?:y|e[sd]?|iness)|bench(?:mark(?:s|ed|ing)?)?|repeat(?:edly)?\b(?! yourself)|(?:several|many|multiple|a few|\w{1,9} hundred) (?:times|runs)|over and over|again and again|stress[- ]?test\w*|soak|in a row|intermittent(?:ly)?|until it fails)\b/i

const open = 1000

/** The number of rounds that were asked for; what is run "several times" may be run as often as it takes. */
export const roundsAsked = (task: Pick<TaskContext, "message" | "text">): number => {
  const text = `${task.text.slice(0, 4000)}\n${task.message.slice(0, 4000)}`
  if (again.test(text)) return open
  const said = counted.exec(text)?.[1]?.toLowerCase()
  if (said === undefined) return 0
  return /^\d/.test(said) ? Number(said) : (numbers[said] ?? open)
}

const asRounds: ReadonlySet<LoopPattern> = new Set(["same_result", "action", "failing_call", "cycle"])

/** The loops that nobody asked for. A run more than was ordered, to begin with, is none yet. */
export const unasked = (loops: ReadonlyArray<Loop>, task: TaskContext): ReadonlyArray<Loop> => {
  if (loops.length === 0) return loops
  const rounds = roundsAsked(task)
  return rounds === 0 ? loops : loops.filter(({ count, pattern }) => !asRounds.has(pattern) || count > rounds + 1)
}

/** The loops that still count once the agent has given its answer: how it got there is over. */
export const lasting = (loops: ReadonlyArray<Loop>): ReadonlyArray<Loop> =>
  loops.filter(({ pattern }) => !asRounds.has(pattern))
