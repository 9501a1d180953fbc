import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, edit, hang, say } from "../src/contract/HostContract.ts"
import { otherTask } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeScreens from "../src/hosts/OpenCodeScreens.ts"
import { defect } from "../src/sandbox/ShopProject.ts"

describe("reflexion on OpenCode's screen", () => {
  it.scopedLive(
    "shows a reminder, the end of a task and an open question, revives nothing that Esc ended, and answers its command",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make(host)
        const down = edit("src/cart.js", defect.after, defect.after.replace("round", "floor"))
        const interrupted: ReadonlyArray<Answer> = [[down], [say("Reworked.")], [hang], [say("It rounds down.")]]
        const { model, pictures, screen } = yield* OpenCodeScreens.play(world, interrupted)
        const told = "- The tests were not run, though they were asked for."
        for (const text of ["[reflexion 1/3] The task is not done yet.", told]) assert.include(pictures.nudge, text)
        assert.notInclude(pictures.question, "[reflexion 2/3]")

        yield* screen.say(otherTask)
        yield* screen.tells(/asked the agent to go on \(1 of 3\)/)
        yield* screen.shows(/\[reflexion 1\/3\][^]*esc interrupt/)
        // OpenCode wants it twice.
        yield* screen.press("Escape")
        yield* screen.shows(/esc again to interrupt/)
        yield* screen.press("Escape")
        yield* World.decided(world, "the interruption", ({ reason }) => reason === "the user interrupted the agent")
        yield* screen.say("What does it do now?")
        yield* screen.shows(/It rounds down\./)
        const decisions = yield* World.decisions(world)
        assert.deepStrictEqual(
          decisions.map(({ decision }) => decision),
          ["nudge", "notice", "rearm", "notice", "rearm", "nudge", "abstain", "rearm"]
        )
        const turns = (yield* model.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn "))
        assert.strictEqual(turns.length, 9)
        assert.lengthOf(turns.at(-1)?.conversation.match(/\[reflexion \d/g) ?? [], 2)

        yield* screen.say("/reflection set - [ ] the tests pass")
        yield* screen.tells(/The guidance is set\./)
        yield* screen.say("/reflection wrong")
        yield* screen.tells(/nudge 1\/3 of this session is marked as wrong\. gates\/not-run: 1 mark in this/)
        yield* screen.say("/reflection stop")
        yield* screen.tells(/reflexion is off/)
        const asked = (yield* model.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn "))
        assert.strictEqual(asked.length, turns.length)
      }).pipe(Effect.provide(NodeContext.layer))
  )
})
