import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Doors from "../src/situations/Doors.ts"
import * as Played from "../src/situations/Played.ts"
import * as Situations from "../src/situations/Situations.ts"

const isNight = process.env["REFLEXION_TESTS"] === "night"

/** Every situation through every door at night; by day every fourth through one, in turns. */
const cases = Situations.all.flatMap((situation, at) =>
  Doors.doors
    .filter((_, door) => isNight || at % (4 * Doors.doors.length) === 4 * door)
    .map((door) => {
      const { fault, name, runner } = situation
      const where = runner.isThere ? runner.name : `${runner.name}, which is not on this machine`
      return { situation, door, title: `${name} (${door.name}, ${where})${fault === undefined ? "" : `: ${fault}`}` }
    })
)

const played = ({ door, situation }: (typeof cases)[number]) =>
  Effect.map(Effect.provide(Played.play(situation, door), NodeContext.layer), (problems) =>
    assert.isTrue(problems === "", problems)
  )

describe.concurrent("a stop with a check", () => {
  for (const one of cases.filter(({ situation }) => situation.fault === undefined))
    it.live.runIf(one.situation.runner.isThere)(one.title, () => played(one))

  for (const one of cases.filter(({ situation }) => situation.fault !== undefined))
    it.live.fails(one.title, () => played(one))
})
