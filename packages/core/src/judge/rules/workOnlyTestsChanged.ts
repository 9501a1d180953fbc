/** Tests that were to be left as they are, and are all that was changed. */
import { isOrder } from "../../session/task/Intent.ts"
import type { Known, Problem } from "../verdict/model.ts"
import { leftOut } from "./shared.ts"

/** An order of its own: one about some tests, or with an exception, leaves others to be changed. */
const sparesTests =
  /\b(?:not|don'?t|never|without) (?:chang|touch|edit|modify)\w{0,3} (?:(?:any|the|existing|our) )?(?:tests|specs|test (?:files?|suite))(?=[.,;!)]|$| (?:and|or) )/im
const wantsTests = /\b(?:add|write|create|new|except|unless)\b/i
const spec = /[._-](?:test|spec)s?\.\w+$|\/test_[^/]+$|Tests?\.\w+$/

/** Told to leave the tests as they are, the agent changed them and nothing else. */
export const sparedTests = ({ evidence, reading, task: { message } }: Known): ReadonlyArray<Problem> => {
  const { delegated, edits, opaque } = evidence
  const isBroken =
    sparesTests.test(message) &&
    !wantsTests.test(message) &&
    isOrder(message) &&
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
