import { assert, describe, it } from "@effect/vitest"
import { isOf } from "../../src/session/evidence/Parts.ts"
import { folded } from "../support/events.ts"
import { list } from "../support/rows.ts"
import { session } from "../support/sessions.ts"
import { utmostContext } from "../support/utmost.ts"

const { edits } = folded(
  session("> Fix it. / edit /repo/packages/cart/src/total.ts / edit /repo/lib/main.ts / edit /repo/docs/cart.md", {}),
  { ...utmostContext, cwd: "/repo" }
).evidence

describe("a task of a build tool, for edits in packages/cart and lib", () => {
  it.each(list`
    cart:test ¦ //packages/cart:total_test ¦ packages/cart
  `)("%s covers them", (task) => assert.isTrue(isOf(task, edits, "/repo")))

  // A folder such as `lib` may be in any package, so its name alone does not say which part a task covers.
  it.each(list`
    pay:test ¦ lib:test ¦ :test ¦ //packages/pay:cart_test
  `)("%s does not cover them", (task) => assert.isFalse(isOf(task, edits, "/repo")))
})
