/** The host says that the final message was cut off. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { cutOff } from "./shared.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  facts.reading.closing === "cut_off" && facts.stop.completed === false ? cutOff : []

export const stopCutOff: Rule = { id: "stop/cut-off", fact: true, check }

export const page: Page = {
  what: "The host says that the final message was cut off.",
  why: "A limit of the model's output, or a lost connection, has ended the turn and not the work.",
  fires: [
    example(
      "by the host's word",
      user("Fix the total and the tax."),
      edited("src/total.ts"),
      agent("The total is fixed, and the tax", false)
    ),
    example(
      "in a list",
      user("List what the loader needs, and write it."),
      edited("src/loader.ts"),
      agent("It needs the following:\n\n1. a path,\n2. a", false)
    ),
    example(
      "in a block of code",
      user("Write the loader."),
      edited("src/loader.ts"),
      agent("Here is the loader:\n```ts\nexport const load = (", false)
    )
  ],
  spares: [
    example("a whole sentence", user("Fix the total."), edited("src/total.ts"), agent("The total is fixed.")),
    example(
      "proved, and whole by the host's word",
      user("Fix the total."),
      edited("src/total.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      agent("Fixed; the call is now:")
    ),
    example(
      "a closed block of code",
      user("Show me the loader."),
      agent("It is this:\n```ts\nexport const load = () => 1\n```")
    )
  ]
}
