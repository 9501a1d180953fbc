/** The final text breaks off, by its looks. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { cutOff, isProved } from "./shared.ts"

/** A host that calls the message whole, over work that is proved, is believed. */
const check = (facts: Facts): ReadonlyArray<Finding> =>
  facts.reading.closing !== "cut_off" ||
  facts.stop.completed === false ||
  (facts.stop.completed === true && isProved(facts))
    ? []
    : cutOff

export const stopBreaksOff: Rule = { id: "stop/breaks-off", unattended: "push", check }

export const page: Page = {
  what: "The final text breaks off in the middle, though the host does not say so.",
  why: "A limit of the model's output, or a lost connection, has ended the turn and not the work.",
  fires: [
    example(
      "in a list",
      user("List what the loader needs, and write it."),
      edited("src/loader.ts"),
      agent("It needs the following:\n\n1. a path,\n2. a")
    ),
    example(
      "at a word that ends no sentence",
      user("Fix the total and the tax."),
      edited("src/total.ts"),
      agent("The total is fixed, and the tax follows the same")
    ),
    example(
      "in a block of code",
      user("Write the loader."),
      edited("src/loader.ts"),
      agent("Here is the loader:\n```ts\nexport const load = (", null)
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
