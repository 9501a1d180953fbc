/** The same call again and again, at once or among others, and always with the same result. */
import { inLoop } from "./inLoop.ts"
import type { Rule } from "./model.ts"

export const loopsSameResult: Rule = {
  id: "loops/same-result",
  attended: "ask",
  unattended: "push",
  what: "The agent falls silent after it made the same call again and again, always with the same result.",
  why: "What is asked again with nothing changed gives the same answer, and some models ask until the context is full.",
  stuck: true,
  anew: true,
  check: inLoop("loops/same-result")
}
