/** The task that most cases of the host contract set, and what a model can do about it. */
import { type Answer, edit, say, shell } from "./HostContract.ts"
import { defect } from "../sandbox/ShopProject.ts"

const signature = "export const discounted = (items, percent) => "

/** Asks for a repair and for green tests. */
export const task =
  "A 10 % discount on a cart of 50.00 should give 45.00, but we charge 49.90. Please fix it and make sure the tests pass."

/** A second task of the same kind, in the same file. */
export const otherTask = "Now let `discounted` round down instead of to the nearest cent, and run the tests."

/** Each differs from the one before in what it computes with, for a comment would be no work on the task. */
const version = (number: number) =>
  `${signature}${number === 0 ? defect.before : `${defect.after} * ${number} / ${number}`}`

/** Rewrites the defective line, each time from one version to the next. */
export const rework = (number: number) => edit("src/cart.js", version(number - 1), version(number))

/** Puts the defect back into a version that was fixed. */
export const spoil = (number: number) => edit("src/cart.js", version(number), version(0))

/** Fixes the defect in one of several ways. */
export const fixAs = (number: number) => edit("src/cart.js", version(0), version(number))

/** Fixes the defect. */
export const fix = rework(1)

export const runTests = shell("npm test")

/** The last words of an agent that ran no tests, and says nothing of it. */
export const fixed = say("`discounted` in `src/cart.js` takes a percentage of the total now.")

/** The last words of an agent whose tests ran green. */
export const green = say("All 3 tests pass; `discounted` takes a percentage of the total now.")

/** A turn that ends without tests. */
export const untested: ReadonlyArray<Answer> = [[fix], [fixed]]
