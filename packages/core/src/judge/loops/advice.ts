/** The text for an agent that is in a loop. */
import type { Loop } from "../../session/facts/Loop.ts"

interface Said {
  readonly head: string
  readonly did: (loop: Pick<Loop, "count" | "period">) => string
  readonly next: ReadonlyArray<string>
}

const changeSomething = [
  "Do not make it again as it is. Instead:",
  "1. Say in one sentence what its result tells you.",
  "2. Change something that can change the result: the code, the arguments, or the way you go about it.",
  "3. If nothing is left to try, say what blocks you and what you need."
]

const said: Readonly<Record<Loop["pattern"], Said>> = {
  planning: {
    head: "STOP: Planning Loop Detected",
    did: ({ count }) => `only looked around in ${count} calls, and did next to nothing else`,
    next: [
      "Stop reading and begin:",
      "1. Name the first file that has to change, and make that change now.",
      "2. Run it, and go on from what it shows.",
      "3. If something keeps you from beginning, say exactly what it is."
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
      "Do not make it again as it is. Instead:",
      "1. Read the error and name its cause.",
      "2. Remove the cause, or reach the goal in another way.",
      "3. If neither is in your power, say what blocks you and what you need."
    ]
  },
  cycle: {
    head: "STOP: Action Loop Detected (the same calls in turns)",
    did: ({ count, period }) => `made ${period} calls in turns, ${count} rounds, with the same results`,
    next: changeSomething
  },
  monologue: {
    head: "STOP: Monologue Loop Detected",
    did: ({ count }) => `said the same ${count} times`,
    next: [
      "Do not say it again. Take the next step with a tool; if the work is done, say so once and stop; if you need an answer, ask for it once."
    ]
  }
}

/** Says what the agent did in the loop. */
export const toldOf = (loop: Loop): string => said[loop.pattern].did(loop)

/** Says what the agent should do instead. */
export const nextOf = ({ pattern }: Pick<Loop, "pattern">): ReadonlyArray<string> => said[pattern].next

/** Returns the text that tells the agent about a loop: what it repeats, how often, and what to do instead. */
export const feedback = (loop: Loop): string => {
  const calls = loop.calls.map(({ summary, tool }) => (summary === "" ? `- ${tool}` : `- ${tool}: ${summary}`))
  const did = `You ${toldOf(loop)}${calls.length === 0 ? "." : ":"}`
  return [said[loop.pattern].head, "", did, ...calls, "", ...nextOf(loop)].join("\n")
}
