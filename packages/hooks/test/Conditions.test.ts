import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { HookAnswer } from "../src/input/HookEvent.ts"
import * as UserCommand from "../src/events/UserCommand.ts"
import { handle, type Scratch, scratch, session, type Session } from "./support/session.ts"

const type = ({ hook }: Scratch, agent: Session, prompt: string): HookAnswer =>
  handle(hook, agent.event({ kind: "prompt", name: "UserPromptSubmit", prompt }))

const replyOf = (answer: HookAnswer): string => (answer._tag === "reply" ? answer.text : `(${answer._tag})`)

const kept = ({ hook }: Scratch): boolean =>
  existsSync(join(hook.directories.state, "sessions", "claude-code", "s1.donewhen"))

const claim = "Done, the rounding is fixed."

describe("when the task is done, as the user types it", () => {
  it("is heard with what follows it, with a slash or where the host has none", () => {
    const text = "/reflection done-when `npm test` passes"
    assert.strictEqual(UserCommand.parse(text, { command: "/reflection" }), "done-when")
    assert.strictEqual(UserCommand.conditions(text), "`npm test` passes")
    const long = `reflection done-when\n- ${"the page loads ".repeat(20)}\n- $ make`
    assert.strictEqual(UserCommand.parse(long, { command: "reflection" }), "done-when")
    assert.match(UserCommand.conditions(long), /^\n?- the page/)
    assert.isNull(UserCommand.parse(long, { command: "/reflection" }))
    assert.strictEqual(UserCommand.parse("/reflection done", { command: "/reflection" }), "unknown")
    assert.isNull(UserCommand.parse("reflection done-whenever", { command: "reflection" }))
  })

  it.scoped("is shown as it was understood, holds for the session, and is taken back by an empty one", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = session(scratched, "s1")
      const answer = replyOf(
        type(scratched, agent, "/reflection done-when `npm run e2e` passes; the docs name the flag")
      )
      assert.include(answer, "d1: `npm run e2e` passes (proved by `npm run e2e`)")
      assert.include(answer, "d2: the docs name the flag; a model tells")
      assert.isTrue(kept(scratched))
      agent.user("Fix the rounding in src/total.ts.").edits("src/total.ts").says(claim)
      const pushed = yield* Effect.promise(() => agent.consulted(claim))
      assert.strictEqual(pushed._tag, "push")
      assert.include(pushed._tag === "push" ? pushed.feedback : "", "Run `npm run e2e` now")
      assert.include(JSON.stringify(pushed), "`npm run e2e`: gave no result")

      assert.include(replyOf(type(scratched, agent, "/reflection done-when")), "no longer has conditions")
      assert.isFalse(kept(scratched))
      agent.user("Fix the rounding in src/tax.ts.").edits("src/tax.ts").says(claim)
      assert.notStrictEqual((yield* Effect.promise(() => agent.consulted(claim)))._tag, "push")
    })
  )

  it.scoped("that cannot be understood takes nothing back", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = session(scratched, "s1")
      type(scratched, agent, "/reflection done-when $ make e2e")
      assert.include(replyOf(type(scratched, agent, "/reflection done-when ---")), "understood no condition")
      assert.isTrue(kept(scratched))
    })
  )

  it.scoped("shows no secret", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      const answer = replyOf(
        type(scratched, session(scratched, "s1"), `/reflection done-when $ curl -H ${token} localhost`)
      )
      assert.include(answer, "curl -H")
      assert.notInclude(answer, token)
    })
  )
})
