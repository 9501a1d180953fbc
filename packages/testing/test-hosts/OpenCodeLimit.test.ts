/** A usage limit that the service reports, in the real OpenCode. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { fix, green, runTests, task } from "../src/contract/HostContractTask.ts"
import type { Reply, Script } from "../src/servers/ScriptedChat.ts"
import { begin, decided, shown } from "./support/openCode.ts"
import { live } from "./support/live.ts"

const reflexion = { continueAfterLimit: true, attended: false }

/** OpenCode repeats such a request five times, and then gives up. Without the header it waits for a minute in all. */
const limits = (seconds: number): ReadonlyArray<Reply> =>
  Array.from({ length: 6 }, () => ({
    status: 429,
    error: `Weekly usage limit reached. It will reset in ${seconds} seconds.`,
    retryAfterMillis: 1
  }))

const limited = (seconds: number) =>
  begin([[fix], [runTests], [green]], {
    reflexion,
    change: (scripted: Script) => ({ ...scripted, turns: scripted.turns.toSpliced(1, 0, ...limits(seconds)) })
  })

describe.concurrent("a usage limit with a stated end in OpenCode", () => {
  live("the agent goes on when the limit ends, and its work is reviewed", function* () {
    const { session, turns, world } = yield* limited(3)
    yield* session.prompt(task)
    const [waits, nudge] = yield* decided(world, session.id, "notice", "nudge", "notice")
    assert.match(waits?.reason ?? "", /^the stop is reviewed when the usage limit ends, at /)
    assert.match(nudge?.reason ?? "", /usage limit reached/)
    assert.isAtLeast(Date.parse(nudge?.at ?? "") - Date.parse(waits?.at ?? ""), 3000)
    const asked = yield* turns
    assert.lengthOf(asked, 6 + 3)
    assert.include(asked.at(-2)?.lastUser, "The limit is over now.")
  })

  live("a message of the user before the end → only that message is answered", function* () {
    const { server, session, turns, world } = yield* limited(15)
    yield* session.prompt(task)
    yield* decided(world, session.id, "notice")
    yield* shown(server, /^reflexion: a usage limit stopped the agent\. The agent goes on when the limit ends, at /)
    yield* session.prompt("Go on.")
    yield* session.settled
    // The limit ends meanwhile.
    yield* Effect.sleep("16 seconds")
    const asked = yield* turns
    assert.lengthOf(asked, 6 + 3)
    assert.notInclude(asked.map(({ conversation }) => conversation).join(), "The limit is over now.")
  })
})
