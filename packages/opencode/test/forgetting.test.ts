import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { due, get, set } from "../src/host/Guidance.ts"
import { guidance } from "./support/guidance.ts"

const event = (type: string, id: string) => ({ type, properties: { sessionID: id, info: { id } } })

describe("a session's guidance", () => {
  it.effect("goes with the session, and no other's does", () =>
    Effect.gen(function* () {
      yield* set("ses_1", "- [ ] one")
      yield* set("ses_2", "- [ ] two")
      assert.isNull(due(event("session.updated", "ses_1")))
      assert.isNull(due({ type: "session.deleted" }))
      yield* due(event("session.deleted", "ses_1")) ?? Effect.dieMessage("nothing is due")
      assert.deepStrictEqual(yield* Effect.forEach(["ses_1", "ses_2"], get), [null, "- [ ] two"])
    }).pipe(Effect.provide(guidance))
  )
})
