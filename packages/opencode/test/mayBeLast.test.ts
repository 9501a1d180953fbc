import { assert, describe, it } from "@effect/vitest"
import { Transcript } from "@reflexion/core/Transcript"
import { Schema } from "effect"
import { mayBeLast } from "../src/plugin/singleRun.ts"

const decode = Schema.decodeUnknownSync(Transcript)

/** Whether the last of these may be the agent's last word: `read` and `edit` are calls, all else is said. */
const says = (...moves: ReadonlyArray<string>): boolean =>
  mayBeLast(
    decode({
      version: 1,
      host: "opencode",
      events: [
        { type: "user_message", text: "Fix the cart and make sure the tests pass." },
        ...moves.map((move) =>
          move === "read" || move === "edit"
            ? { type: "tool_call", tool: move, input: {}, output: "ok" }
            : { type: "assistant_message", text: move, completed: true }
        )
      ]
    })
  )

describe("a complete text on the command line", () => {
  it("may be the last once something was done, or is claimed", () => {
    assert.isTrue(says("read", "edit", "The cart takes a percentage now."))
    assert.isTrue(says("All tests pass."))
  })

  it("is not where nothing was done", () => {
    assert.isFalse(says("read", "The percentage is subtracted as an amount."))
  })
})
