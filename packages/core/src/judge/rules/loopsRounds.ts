/** Two or more calls in turns or among others, round after round, and always with the same results. */
import { inLoop } from "./inLoop.ts"
import type { Rule } from "./model.ts"

export const loopsRounds: Rule = {
  id: "loops/rounds",
  attended: "ask",
  unattended: "push",
  what: "The agent falls silent after it went through the same calls in turns, three rounds or more, with the same results.",
  why: "A round that brought nothing new brings nothing new the next time, and no single call in it looks like a repetition.",
  stuck: true,
  anew: true,
  check: inLoop("loops/rounds")
}
