/** The same message again and again, with nothing done between. */
import { inLoop } from "./inLoop.ts"
import type { Rule } from "./model.ts"

export const loopsSameWords: Rule = {
  id: "loops/same-words",
  attended: "ask",
  unattended: "push",
  what: "The agent falls silent after it said the same again and again, and did nothing in between.",
  why: "Some models fall into a chant and end there; a word is enough to have them go on with a tool.",
  stuck: true,
  anew: true,
  check: inLoop("loops/same-words")
}
