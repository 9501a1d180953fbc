/** Sessions in linked work trees of one clone: what one of them learns the others are told, and it outlasts its work tree. */
import { assert, describe, it } from "@effect/vitest"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect } from "effect"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { HookAnswer } from "../src/input/HookEvent.ts"
import * as Clones from "./support/clones.ts"
import { failures, handle, scratch, type Scratch, session } from "./support/session.ts"

const { output: failing, task } = SampleFailure
const words = "I changed how the total is rounded."

/** A clone instead of the project, with two work trees. */
const trees = Effect.gen(function* () {
  const scratched = yield* scratch
  rmSync(scratched.root, { recursive: true })
  const main = Clones.clone(scratched.home)
  const at = (name: string): Scratch => {
    const root = Clones.worktree(main, join(scratched.home, name), name)
    writeFileSync(join(root, "package.json"), '{"scripts":{"test":"vitest run"}}')
    return { ...scratched, root }
  }
  return { main: scratched, one: at("one"), other: at("other") }
})

const fails = (scratched: Scratch, id: string, order = task): HookAnswer =>
  session(scratched, id)
    .user(order)
    .edits("src/total.ts")
    .runs("npm test", failing("rounds half up", "45", "44.9"), true)
    .says(words)
    .stop(words)

const completes = (scratched: Scratch, id: string, order = task): HookAnswer => {
  const said = "All 3 tests pass."
  return session(scratched, id)
    .user(order)
    .edits("src/total.ts")
    .runs("npm test", "Tests  3 passed (3)")
    .says(said)
    .stop(said)
}

const starts = (scratched: Scratch, id: string): HookAnswer =>
  handle(scratched.hook, session(scratched, id).event({ kind: "session_start", name: "SessionStart" }))

describe("work trees of one clone", () => {
  it.scoped("tell each other what failed, until one of them completes it, also once one is removed", () =>
    Effect.gen(function* () {
      const { main, one, other } = yield* trees
      assert.strictEqual(fails(one, "s1")._tag, "nudge")
      assert.isFalse(existsSync(join(one.root, ".reflection", "reflections.jsonl")))
      Clones.git(main.root, "worktree", "remove", "--force", one.root)
      for (const [index, tree] of [main, other].entries()) {
        const told = starts(tree, `start${index}`)
        assert.include(told._tag === "context" ? told.text : "", "rounds half up")
      }
      completes(other, "s2")
      assert.strictEqual(starts(main, "last")._tag, "nothing")
      assert.deepStrictEqual(failures(main), [])
    })
  )
})

describe("an order that may be of any task", () => {
  it.scoped("is its own session's: another that says the same is told nothing of it, and settles nothing", () =>
    Effect.gen(function* () {
      const { main } = yield* trees
      writeFileSync(join(main.root, "package.json"), '{"scripts":{"test":"vitest run"}}')
      for (const id of ["s1", "s2"]) {
        const told = fails(main, id, "Fix the tests")
        assert.match(told._tag === "nudge" ? told.feedback : "", /^(?![^]*## Learning)[^]*rounds half up/)
      }
      completes(main, "s3", "Fix the tests")
      assert.strictEqual(starts(main, "s4")._tag, "context")
    })
  )
})
