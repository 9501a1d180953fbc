import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { HookEvent } from "../src/input/HookEvent.ts"
import * as Handlers from "../src/process/handlers.ts"
import type { Hook, Rest } from "../src/session/Hook.ts"
import { reasons, scratch, type Scratch, session } from "./support/session.ts"

const task = "Fix the rounding in src/total.js and make sure that the tests pass."
const claim = "Done, the rounding is fixed and all tests pass."

const failing = `import { test } from "node:test"
import assert from "node:assert"
test("rounds half up", () => assert.equal(1, 2))
`

/** A project whose one test fails, and a check that the user named. */
const project = ({ hook, put, root }: Scratch): void => {
  put("package.json", '{"type":"module","scripts":{"test":"node --test"}}')
  put("test/total.test.js", failing)
  execFileSync("git", ["-C", root, "init", "--quiet"])
  mkdirSync(hook.directories.config, { recursive: true })
  const config = { checks: [{ name: "tests", command: "npm test" }] }
  writeFileSync(join(hook.directories.config, "config.json"), JSON.stringify(config))
}

const resting: Rest = { over: () => null, hasBegun: () => true }

const opening = Effect.map(scratch, (scratched) => {
  project(scratched)
  const agent = session(scratched, "s1").user(task).edits("src/total.js").says(claim)
  const told = (part: Hook<unknown>["part"], rest: Rest | null, event: HookEvent) =>
    Effect.promise(async () => Handlers.handle({ ...scratched.hook, part, rest: () => rest }, event))
  const answer = (part: Hook<unknown>["part"], rest: Rest | null) =>
    told(part, rest, agent.event({ message: claim, turnId: "t1" }))
  const prompted = (prompt: string) =>
    told("all", resting, agent.event({ prompt, kind: "prompt", name: "UserPromptSubmit" }))
  return { scratched, agent, answer, prompted }
})

describe("a stop that takes longer to look at", () => {
  it.scopedLive("is left by the hook at the stop, and the one after the turn wakes the agent", () =>
    Effect.gen(function* () {
      const { answer, prompted, scratched } = yield* opening
      assert.deepStrictEqual(yield* answer("now", resting), { _tag: "nothing" })
      assert.include(reasons(scratched), "none: what takes longer is looked at after the turn")
      const later = yield* answer("later", resting)
      assert.strictEqual(later._tag, "nudge")
      if (later._tag === "nudge") assert.include(later.feedback, "rounds half up")
      assert.deepStrictEqual(yield* answer("later", resting), { _tag: "nothing" })
      const said = yield* prompted("<task-notification>\n…")
      assert.strictEqual(said._tag, "notice")
      if (said._tag === "notice") assert.match(said.text, /^reflexion asked the agent to go on \(1 of 3\)/)
      assert.deepStrictEqual(yield* prompted("Thanks."), { _tag: "nothing" })
    })
  )

  it.scopedLive("is looked at whole by the hook at the stop where nobody can be reached later", () =>
    Effect.gen(function* () {
      const { answer } = yield* opening
      assert.strictEqual((yield* answer("now", null))._tag, "nudge")
      assert.deepStrictEqual(yield* answer("later", null), { _tag: "nothing" })
    })
  )

  it.scopedLive("is told of by the record alone at the next prompt, where nothing came after the turn", () =>
    Effect.gen(function* () {
      const { answer, prompted } = yield* opening
      yield* answer("now", resting)
      const said = yield* prompted("And now?")
      assert.strictEqual(said._tag, "notice")
      if (said._tag === "notice")
        assert.match(said.text, /^reflexion did not look at the last stop after its turn\. By the record alone: /)
    })
  )

  it.scopedLive("is waited for while hooks of the user's own still run", () =>
    Effect.gen(function* () {
      const { answer } = yield* opening
      yield* answer("now", resting)
      let looks = 0
      const slow: Rest = { over: () => null, hasBegun: () => ++looks > 20 }
      assert.strictEqual((yield* answer("later", slow))._tag, "nudge")
    })
  )

  it.scopedLive("is nobody's where the turn goes straight into another", () =>
    Effect.gen(function* () {
      const { answer, scratched } = yield* opening
      yield* answer("now", resting)
      const busy: Rest = { over: () => "the user went on to another session", hasBegun: () => false }
      assert.deepStrictEqual(yield* answer("later", busy), { _tag: "nothing" })
      assert.include(reasons(scratched), "abstain: the user went on before the turn had ended")
    })
  )

  it.scopedLive("says and counts nothing once the person has gone on", () =>
    Effect.gen(function* () {
      const { answer, prompted, scratched } = yield* opening
      yield* answer("now", resting)
      let looks = 0
      const rest: Rest = { over: () => (looks++ < 2 ? null : "the user went on meanwhile"), hasBegun: () => true }
      assert.deepStrictEqual(yield* answer("later", rest), { _tag: "nothing" })
      assert.include(reasons(scratched), "abstain: the user went on meanwhile")
      assert.notInclude(reasons(scratched), "nudge:")
      assert.deepStrictEqual(yield* prompted("Thanks."), { _tag: "nothing" })
    })
  )
})
