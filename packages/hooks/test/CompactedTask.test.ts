import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { HookEvent } from "../src/input/HookEvent.ts"
import * as SessionFile from "../src/session/SessionFile.ts"
import { decisions, handle, scratch, session } from "./support/session.ts"

const compacted: Partial<HookEvent> = { kind: "session_start", name: "SessionStart", compacted: true }

/** A session in the middle of its task. */
const begin = Effect.gen(function* () {
  const place = yield* scratch
  const one = session(place, "s1")
  one.user(
    "Round the discount to the nearest cent and run the tests. The token is ghp_16C7e42F292c6912E7710c838347Ae178B4a"
  )
  one.runs("gh pr create --title 'Round the discount'", "https://github.com/acme/shop/pull/12")
  one.edits("src/cart.ts")
  const starts = (over: Partial<HookEvent> = {}) => handle(place.hook, one.event({ ...compacted, ...over }))
  return { place, one, starts }
})

describe("a session that goes on from a compaction", () => {
  it.scoped("is told its task, what is open and what is under way, without secrets", () =>
    Effect.gen(function* () {
      const { place, starts } = yield* begin
      const answer = starts()
      assert.strictEqual(answer._tag, "context")
      const text = answer._tag === "context" ? answer.text : ""
      assert.include(text, "Round the discount to the nearest cent and run the tests.")
      assert.include(text, "https://github.com/acme/shop/pull/12")
      assert.match(text, /tests/)
      assert.notInclude(text, "ghp_")
      assert.deepStrictEqual(decisions(place), [])
    })
  )

  it.scoped("is told nothing where it begins otherwise, by no word of the user's, without a task, or too late", () =>
    Effect.gen(function* () {
      const { one, place, starts } = yield* begin
      const nothing = { _tag: "nothing" }
      const empty = join(place.home, "empty.jsonl")
      writeFileSync(empty, "")
      for (const over of [
        { compacted: false },
        { subagent: true },
        ...[null, "/none", empty].map((transcript) => ({ transcript }))
      ])
        assert.deepStrictEqual(starts(over), nothing, JSON.stringify(over))
      assert.deepStrictEqual(handle({ ...place.hook, deadline: 0 }, one.event(compacted)), nothing)
      const key = { directories: place.hook.directories, host: place.hook.host, sessionId: "s1", build: "test" }
      SessionFile.say(key, "stopped", "")
      assert.deepStrictEqual(starts(), nothing)
      SessionFile.say(key, "stopped", null)
      for (const config of [`{ "profile": "advisory" }`, `{ "nobody": 1 }`]) {
        place.put(".reflection/config.json", config)
        assert.deepStrictEqual(starts(), nothing)
      }
      place.put(".reflection/config.json", "{}")
      one.user("What does `round` do?").says("It rounds a number to the nearest cent.")
      assert.deepStrictEqual(starts(), nothing)
    })
  )
})
