/** Tests that were to be left as they are, and are all that was changed. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { isOrdered, leftOut } from "./shared.ts"

/** An order of its own: one about some tests, or with an exception, leaves others to be changed. */
const sparesTests =
  /\b(?:not|don'?t|never|without) (?:chang|touch|edit|modify)\w{0,3} (?:(?:any|the|existing|our) )?(?:tests|specs|test (?:files?|suite))(?=[.,;!)]|$| (?:and|or) )/im
const wantsTests = /\b(?:add|write|create|new|except|unless)\b/i
const spec = /[._-](?:test|spec)s?\.\w+$|\/test_[^/]+$|Tests?\.\w+$/

/** Told to leave the tests as they are, the agent changed them and nothing else. */
const check = ({ evidence, reading, task }: Facts): ReadonlyArray<Finding> => {
  const { delegated, edits, opaque } = evidence
  const { message } = task
  const isBroken =
    sparesTests.test(message) &&
    !wantsTests.test(message) &&
    isOrdered(task) &&
    reading.closing === "finished" &&
    !opaque &&
    delegated === 0 &&
    edits.every(({ path }) => spec.test(path) && !message.includes(path.slice(path.lastIndexOf("/") + 1)))
  const [first] = edits
  return isBroken && first !== undefined
    ? leftOut(first.path, [
        "You changed tests alone, which you were told not to",
        "what was asked for; only a test was changed",
        "Take that back and make the change that was asked for."
      ])
    : []
}

export const workOnlyTestsChanged: Rule = {
  id: "work/only-tests-changed",
  pattern: "stopped_with_todos",
  waits: true,
  check
}

export const page: Page = {
  what: "Told to leave the tests alone, the agent changed nothing but tests.",
  why: "The change that was asked for is not made, and the tests no longer ask for it.",
  fires: [
    example(
      "a test in place of the code",
      user("Fix the failing total. Do not change the tests."),
      edited("test/total.test.ts"),
      agent("The total is right now.")
    ),
    example(
      "a spec",
      user("Make `cart` handle empty lists, without touching existing tests."),
      edited("src/cart.spec.ts"),
      agent("Empty lists are handled.")
    ),
    example(
      "a test in Python",
      user("Fix the rounding. Never edit the tests."),
      edited("tests/test_rounding.py"),
      agent("The rounding is fixed.")
    )
  ],
  spares: [
    example(
      "the code was changed",
      user("Fix the failing total. Do not change the tests."),
      edited("src/total.ts"),
      agent("The total is right now.")
    ),
    example(
      "a new test was wanted",
      user("Do not change the tests, but add one for empty lists."),
      edited("test/empty.test.ts"),
      agent("The test is there.")
    ),
    example(
      "the user named the file",
      user("Do not change the tests, except total.test.ts."),
      edited("test/total.test.ts"),
      agent("Done.")
    )
  ]
}
