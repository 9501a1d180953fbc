/** The same call again and again, at once or among others, and always with the same result. */
import { agent, edited, example, ran, user } from "./example.ts"
import { inLoop } from "./inLoop.ts"
import type { Page, Rule } from "./model.ts"

export const loopsSameResult: Rule = {
  id: "loops/same-result",
  unattended: "push",
  stuck: true,
  anew: true,
  check: inLoop("loops/same-result")
}

const order = user("Fix the total in `src/total.ts`.")

const search = ran("grep -rn total src", 0, "src/total.ts:1:const total = 1")

const page1 = ran("cat src/total.ts", 0, "const total = 1")

export const page: Page = {
  what: "The agent falls silent after it made the same call again and again, always with the same result.",
  why: "What is asked again with nothing changed gives the same answer, and some models ask until the context is full.",
  fires: [
    example("a search", order, search, search, search),
    example("a file", order, edited("src/total.ts"), page1, page1, page1)
  ],
  spares: [
    example("something was changed", order, page1, page1, edited("src/total.ts"), page1),
    example("something else came of it", order, page1, page1, ran("cat src/total.ts", 0, "const total = 2")),
    example(
      "it has answered",
      order,
      search,
      search,
      search,
      agent("There is one `total`, and it is as it has to be.")
    ),
    example(
      "the user wanted it so",
      user("Run `node total.js` five times, it is flaky."),
      ...Array.from({ length: 5 }, () => ran("node total.js", 0, "1"))
    )
  ]
}
