/** The text for an agent that is in a loop. */
import type { Loop } from "../../session/facts/Loop.ts"

interface Said {
  readonly head: string
  readonly did: (loop: Pick<Loop, "count" | "period">) => string
  readonly next: ReadonlyArray<string>
}

const changeSomething = [
  "Do not repeat the same calls unchanged. Instead:",
  "1. Say in one sentence what the result shows.",
  "2. Change something that can change the result: the code, the arguments, or your approach.",
  "3. If nothing is left to try, say what blocks you and what you need."
]

const said: Readonly<Record<Loop["pattern"], Said>> = {
  planning: {
    head: "STOP: Planning Loop Detected",
    did: ({ count }) => `only looked around in ${count} calls, and did almost nothing else`,
    next: [
      "Stop reading and begin:",
      "1. Name the first file that has to change, and make that change now.",
      "2. Run the code, and continue from the result.",
      "3. If something stops you from starting, say exactly what."
    ]
  },
  action: {
    head: "STOP: Action Loop Detected",
    did: ({ count }) => `made the same few calls up to ${count} times with nothing new in between`,
    next: changeSomething
  },
  same_result: {
    head: "STOP: Action Loop Detected (the same call with the same result)",
    did: ({ count }) => `made the same call ${count} times with the same result`,
    next: changeSomething
  },
  failing_call: {
    head: "STOP: Action Loop Detected (the same call fails again and again)",
    did: ({ count }) => `repeated a failing call ${count} times`,
    next: [
      "Do not repeat the same calls unchanged. Instead:",
      "1. Read the error and name its cause.",
      "2. Remove the cause, or reach the goal in another way.",
      "3. If you cannot do that, say what blocks you and what you need."
    ]
  },
  cycle: {
    head: "STOP: Action Loop Detected (the same calls in turns)",
    did: ({ count, period }) => `made the same ${period} calls in turn, ${count} rounds, with the same results`,
    next: changeSomething
  },
  monologue: {
    head: "STOP: Monologue Loop Detected",
    did: ({ count }) => `said the same thing ${count} times`,
    next: [
      "Do not repeat yourself. Take the next step with a tool. If the work is done, say so once and stop. If you need an answer, ask once."
    ]
  }
}

export const toldOf = (loop: Loop): string => said[loop.pattern].did(loop)

export const nextOf = ({ pattern }: Pick<Loop, "pattern">): ReadonlyArray<string> => said[pattern].next

export const feedback = (loop: Loop): string => {
  const calls = loop.calls.map(({ summary, tool }) => (summary === "" ? `- ${tool}` : `- ${tool}: ${summary}`))
  const did = `You ${toldOf(loop)}${calls.length === 0 ? "." : ":"}`
  return [said[loop.pattern].head, "", did, ...calls, "", ...nextOf(loop)].join("\n")
}
