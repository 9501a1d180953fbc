import { assert, describe } from "@effect/vitest"
import { hang, say, shell } from "../src/contract/HostContract.ts"
import { green, fix, runTests, task } from "../src/contract/HostContractTask.ts"
import { begin, decided } from "./support/openCode.ts"
import { live } from "./support/live.ts"

/** The agent counts as silent after ten seconds. */
const reflexion = { stuck: { silence: 2, stall: 10 } }

describe.concurrent("reflexion in OpenCode, when an agent gives no sign of life", () => {
  live("aborts a turn if the model hangs, asks once to continue, reviews the result", function* () {
    const { session, turns, world } = yield* begin([[hang], [fix], [runTests], [green]], { reflexion })
    yield* session.prompt(task)
    const [nudge] = yield* decided(world, session.id, "nudge", "notice")
    assert.match(nudge?.reason ?? "", /no word from the agent for/)
    const asked = yield* turns
    assert.strictEqual(asked.length, 4)
    assert.include(asked[1]?.lastUser, "[reflexion 1/3]")
  })

  live("tells the user if the model hangs again, and sends nothing more", function* () {
    const { session, turns, world } = yield* begin([[hang], [hang]], { reflexion })
    yield* session.prompt(task)
    yield* decided(world, session.id, "nudge", "notice")
    assert.strictEqual((yield* turns).length, 2)
  })

  live("leaves a long-running command alone", function* () {
    const answers = [[shell("sleep 14")], [fix], [runTests], [green], [say("unasked")]]
    const { session, world } = yield* begin(answers, { reflexion })
    yield* session.prompt(task)
    const [looked] = yield* decided(world, session.id, "abstain", "notice")
    assert.match(looked?.reason ?? "", /^still running/)
  })
})
