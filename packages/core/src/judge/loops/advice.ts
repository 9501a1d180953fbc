/** What is said to an agent that goes round in a loop. */
import type { Loop } from "./model.ts"
import { clip } from "../../base/text/Text.ts"

const rest: Readonly<Record<Loop["pattern"], string>> = {
  planning: "STOP: Planning Loop Detected",
  action: "STOP: Action Loop Detected",
  same_result: "STOP: Action Loop Detected (the same call with the same result)",
  failing_call: "STOP: Action Loop Detected (the same call fails again and again)",
  cycle: "STOP: Action Loop Detected (the same calls in turns)",
  monologue: "STOP: Monologue Loop Detected",
  context_error: "STOP: Context Window Loop Detected"
}

export const headOf = ({ pattern }: Loop): string => rest[pattern]

const listed = ({ calls }: Loop): ReadonlyArray<string> =>
  calls.map(({ summary, tool }) => (summary === "" ? `- ${tool}` : `- ${tool}: ${summary}`))

const told: Readonly<Record<Loop["pattern"], (loop: Pick<Loop, "count" | "period">) => string>> = {
  planning: ({ count }) => `only looked around in ${count} calls, and did next to nothing else`,
  action: ({ count }) => `made the same few calls up to ${count} times with nothing new in between`,
  same_result: ({ count }) => `made the same call ${count} times with the same result`,
  failing_call: ({ count }) => `repeated a failing call ${count} times`,
  cycle: ({ count, period }) => `made ${period} calls in turns, ${count} rounds, with the same results`,
  monologue: ({ count }) => `said the same ${count} times`,
  context_error: ({ count }) => `ran into a full context window ${count} times`
}

/** What an agent did that goes round in a loop. */
export const toldOf = (loop: Pick<Loop, "count" | "pattern" | "period">): string => told[loop.pattern](loop)

const changeSomething = [
  "Do not make it again as it is. Instead:",
  "1. Say in one sentence what its result tells you.",
  "2. Change something that can change the result: the code, the arguments, or the way you go about it.",
  "3. If nothing is left to try, say what blocks you and what you need."
]

const next: Readonly<Record<Loop["pattern"], ReadonlyArray<string>>> = {
  planning: [
    "Stop reading and begin:",
    "1. Name the first file that has to change, and make that change now.",
    "2. Run it, and go on from what it shows.",
    "3. If something keeps you from beginning, say exactly what it is."
  ],
  action: changeSomething,
  same_result: changeSomething,
  failing_call: [
    "Do not make it again as it is. Instead:",
    "1. Read the error and name its cause.",
    "2. Remove the cause, or reach the goal in another way.",
    "3. If neither is in your power, say what blocks you and what you need."
  ],
  cycle: changeSomething,
  monologue: [
    "Do not say it again. Take the next step with a tool; if the work is done, say so once and stop; if you need an answer, ask for it once."
  ],
  context_error: [
    "Do not send the same again. Go on with less: leave out long outputs, read only the parts you need, and sum up what is done before the next step."
  ]
}

/** What such an agent is to do instead. */
export const nextOf = ({ pattern }: Pick<Loop, "pattern">): ReadonlyArray<string> => next[pattern]

const maxLength = 2000

/** What was seen, and what to do instead. */
export const adviceOf = (loop: Loop): ReadonlyArray<string> => [
  `You ${toldOf(loop)}${loop.calls.length === 0 ? "." : ":"}`,
  ...listed(loop),
  "",
  clip(nextOf(loop).join("\n"), maxLength)
]
