import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Process from "node:process"
import { type Answer, edit, eventually, say } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { green, fix, otherTask, runTests, task } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { script } from "../src/hosts/openCodeMoves.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"

/** Where the first check says which process it is: outside of the workspace, which it must not change. */
const judging = "../judging"

/**
 * The first time it goes on for longer than anything here waits, so that its end is somebody's doing; the next time it
 * runs the tests.
 */
const check = `[ -e ${judging} ] && exec npm test; echo $$ > ../begun; mv ../begun ${judging}; exec sleep 60`

/**
 * A session whose first stop is being judged, by a check that does not end by itself. No answer is given to another task
 * before `answer`: the next review would end the check of the one before.
 */
const held = Effect.fnUntraced(function* (answers: ReadonlyArray<Answer>) {
  const world = yield* World.make(host)
  const config = { checks: [{ name: "tests", command: check }] }
  yield* Files.write({ [`${world.config}/config.json`]: JSON.stringify(config) })
  const latch = yield* Effect.makeLatch()
  const model = yield* ScriptedChat.make({
    ...script(world.sandbox.workspace, answers),
    before: ({ lastUser }) => (lastUser.includes(otherTask) ? latch.await : Effect.void)
  })
  const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url })
  const session = yield* OpenCodeSession.open(server)
  const turns = Effect.map(model.requests, (all) => all.filter(({ answeredBy }) => answeredBy.startsWith("turn ")))
  yield* session.prompt(task)
  const file = `${world.sandbox.workspace}/${judging}`
  yield* Files.appears(file)
  const pid = Number(yield* Files.textOf(file))
  assert.isTrue(isAlive(pid))
  assert.deepStrictEqual(yield* World.decisions(world), [])
  return { answer: latch.open, pid, session, turns, world }
})

const isAlive = (pid: number): boolean => {
  try {
    return Process.kill(pid, 0)
  } catch {
    return false
  }
}

const checkEnded = (pid: number) =>
  eventually(
    "the end of the check",
    Effect.sync(() => (isAlive(pid) ? null : true))
  )

const saidOf = Effect.fnUntraced(function* (world: World.World, { id }: OpenCodeSession.Session) {
  const all = yield* World.decisions(world, id)
  return all.map(({ decision, reason }) => `${decision}: ${reason}`)
})

const beside = (before: string, after: string) =>
  edit(
    "src/orders.js",
    `export const findOrder = (${before}) => orders.get(${before})`,
    `export const findOrder = (${after}) => orders.get(${after})`
  )

/** The defect stays, so that a check which came to an end would have something to say. */
const claimed: ReadonlyArray<Answer> = [[beside("number", "id")], [green]]

describe.concurrent("reflexion in OpenCode while a stop is judged", () => {
  it.scopedLive("ends its check and nudges nobody where the session is aborted, and says so in the log", () =>
    Effect.gen(function* () {
      const { pid, session, turns, world } = yield* held([...claimed, [say("The name of an argument.")]])
      yield* session.abort
      yield* checkEnded(pid)
      yield* World.decided(world, "an interruption", ({ decision }) => decision === "abstain")
      // What stands in the conversation by then is all that was ever said in it.
      yield* session.prompt("What did you change?")
      yield* session.settled
      const asked = yield* turns
      assert.strictEqual(asked.length, 3)
      assert.notInclude(asked[2]?.conversation, "[reflexion")
      assert.deepStrictEqual(yield* saidOf(world, session), [
        "none: review dropped: the user interrupted the agent",
        "abstain: the user interrupted the agent",
        "rearm: a new message of the user"
      ])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("ends its check and nudges nobody where the user writes on, and judges what was asked then", () =>
    Effect.gen(function* () {
      const next: ReadonlyArray<Answer> = [[beside("id", "key")], [green], [fix], [runTests], [green]]
      const { answer, pid, session, turns, world } = yield* held([...claimed, ...next])
      yield* session.prompt(otherTask)
      yield* checkEnded(pid)
      yield* answer
      yield* World.decided(world, "the end", ({ decision }) => decision === "notice")
      const asked = yield* turns
      assert.strictEqual(asked.length, 7)
      for (const { conversation } of asked.slice(0, 4)) assert.notInclude(conversation, "[reflexion")
      assert.include(asked[3]?.lastUser, otherTask)
      assert.match(asked[4]?.lastUser ?? "", /\[reflexion 1\/3\][^]*takes ten percent off/)
      const [dropped, rearmed, ...rest] = yield* saidOf(world, session)
      assert.deepStrictEqual(
        [dropped, rearmed],
        ["none: review dropped: a new message of the user", "rearm: a new message of the user"]
      )
      assert.deepStrictEqual(
        rest.map((said) => said.split(":")[0]),
        ["nudge", "notice"]
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
