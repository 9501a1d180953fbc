/** The same message again and again, with nothing done between. */
import { agent, edited, example, ran, user } from "./example.ts"
import { inLoop } from "./inLoop.ts"
import type { Page, Rule } from "./model.ts"

export const loopsSameWords: Rule = {
  id: "loops/same-words",
  unattended: "push",
  stuck: true,
  anew: true,
  check: inLoop("loops/same-words")
}

const order = user("Fix the total in `src/total.ts`.")

const said = agent("I am looking into the total.")

export const page: Page = {
  what: "The agent falls silent after it said the same again and again, and did nothing in between.",
  why: "Some models fall into a chant and end there; a word is enough to have them go on with a tool.",
  fires: [example("the same message", order, said, said, said)],
  spares: [
    example("twice", order, said, said),
    example("something was done in between", order, said, edited("src/total.ts"), said, ran("npm test"), said),
    example("it says something else", order, said, agent("The total is off by one."), agent("I am mending it."))
  ]
}
