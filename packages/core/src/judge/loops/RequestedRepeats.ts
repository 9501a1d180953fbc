/** Reads how often the user wants something repeated, so that those repeats do not count as a loop. */
import { matchesAny } from "../../base/text/Text.ts"
import type { TaskContext } from "../../session/task/TaskContext.ts"
import type { Loop, LoopPattern } from "../../session/facts/Loop.ts"

const numbers = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

const counted = new RegExp(
  `(?:^|[^\\w.])(\\d{1,4}|${numbers.join("|")}) ?(?:x(?!\\w)|×|times\\b|runs?\\b|iterations?\\b|repetitions?\\b)`,
  "i"
)

const again: ReadonlyArray<RegExp> = [
  /\b(?:flak(?:y|e[sd]?|iness)|bench(?:mark(?:s|ed|ing)?)?|stress[- ]?test\w*|soak|intermittent(?:ly)?)\b/i,
  /\b(?:repeat(?:edly)?\b(?! yourself)|(?:several|many|multiple|a few) (?:times|runs)|over and over|again and again|in a row|until it fails)\b/i
]

/** 0 if no number was named. Infinity for words like "several times". */
export const roundsAsked = (task: Pick<TaskContext, "message" | "text">): number => {
  const text = `${task.text.slice(0, 4000)}\n${task.message.slice(0, 4000)}`
  if (matchesAny(again, text)) return Infinity
  const said = counted.exec(text)?.[1]?.toLowerCase() ?? "0"
  return /^\d/.test(said) ? Number(said) : numbers.indexOf(said) + 2
}

const asRounds: ReadonlySet<LoopPattern> = new Set(["same_result", "action", "failing_call", "cycle"])

/** After the agent has answered, repeated calls do not count as loops. */
export const lasting = (loops: ReadonlyArray<Loop>): ReadonlyArray<Loop> =>
  loops.filter(({ pattern }) => !asRounds.has(pattern))

/** The agent may run one round more than the user ordered. */
export const unasked = (loops: ReadonlyArray<Loop>, task: TaskContext): ReadonlyArray<Loop> =>
  loops.filter(({ count, pattern }) => !asRounds.has(pattern) || count > roundsAsked(task) + 1)
