/** Work was ordered, and the agent tells the user how to do it. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, read, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { endsUntouched, finding } from "./shared.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  endsUntouched(facts) && facts.reading.changeClaimed === null && facts.reading.instructs
    ? finding({
        fact: "You told the user how to do what you were asked to do yourself.",
        missing: "the change that was asked for: nothing was changed",
        action: "Make the change yourself with your tools, then check it."
      })
    : []

export const workOrderedNotBegun: Rule = { id: "work/ordered-not-begun", unattended: "push", waits: true, check }

export const page: Page = {
  what: "A change was ordered, nothing was changed, and the agent explains how the user can make it.",
  why: "The user asked for the change, not for a manual.",
  fires: [
    example(
      "replace the line",
      user("Fix the off-by-one in `page()`."),
      read("src/page.ts"),
      agent("You can change `i <= n` to `i < n` in `src/page.ts`.")
    ),
    example(
      "add the following",
      user("Add a retry to the loader."),
      read("src/loader.ts"),
      agent("You can use a retry in `src/loader.ts`, like this:\n```ts\nretry(load, 3)\n```")
    ),
    example(
      "you need to",
      user("Rename `Cart` to `Basket`."),
      agent("1. Rename the class in `src/cart.ts`\n2. Update the imports\n3. Change the tests")
    )
  ],
  spares: [
    example(
      "it was changed",
      user("Fix the off-by-one in `page()`."),
      edited("src/page.ts"),
      agent("I replaced `i <= n` with `i < n`.")
    ),
    example(
      "how was asked",
      user("How do I fix the off-by-one in `page()`?"),
      read("src/page.ts"),
      agent("You can change `i <= n` to `i < n` in `src/page.ts`.")
    ),
    example(
      "nothing has to be changed",
      user("Fix the off-by-one in `page()`."),
      read("src/page.ts"),
      agent("The loop is right as it is: `n` is the last index.")
    )
  ]
}
