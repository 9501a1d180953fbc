import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { createOpencodeClient } from "@opencode-ai/sdk/client"
import { Effect } from "effect"
import { type Answer, edit, eventually, say, shell } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { green, fix, fixed, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { script } from "../src/hosts/openCodeMoves.ts"
import type { ModelRequest } from "../src/servers/ModelScript.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"
import { broken } from "../src/sandbox/ShopProject.ts"

/** One session of several: what its user asks, which identifies it, and what the model answers in it. */
interface Part {
  readonly asked: string
  readonly workspace: string
  readonly answers: ReadonlyArray<Answer>
}

const belongs = (request: ModelRequest, { asked }: Pick<Part, "asked">): boolean =>
  request.tools.length > 0 && request.firstUser.includes(asked)

/**
 * No answer is given before every session has come as far, so that all of them stop at once and all are nudged before any
 * goes on. A session that waits in vain for another is answered in the end, when the test has long given up.
 */
const inStep = (parts: ReadonlyArray<Part>): ScriptedChat.Script => {
  const sessions = parts.map(({ answers, asked, workspace }) => ({
    asked,
    turns: script(workspace, answers).turns,
    reached: 0
  }))
  const turn = (request: ModelRequest): ScriptedChat.Reply => {
    const session = sessions.find((one) => belongs(request, one))
    const scripted = session?.turns[session.reached]
    if (session !== undefined) session.reached += 1
    const reply = typeof scripted === "function" ? scripted(request) : scripted
    return reply ?? { content: [{ text: "The script has no further answer." }] }
  }
  return {
    rules: script("", []).rules ?? [],
    turns: sessions.flatMap(({ turns }) => turns.map(() => turn)),
    before: (request) =>
      Effect.suspend(() => {
        const reached = sessions.find((one) => belongs(request, one))?.reached ?? 0
        const level = Effect.sync(() => (sessions.every((one) => one.reached >= reached) ? true : null))
        return Effect.ignore(eventually("the other session", level))
      })
  }
}

/** Waits until a session was nudged once and is done, and gives the directories in which it was. */
const pushedOnce = Effect.fnUntraced(function* (world: World.World, { id }: OpenCodeSession.Session) {
  const all = yield* eventually(
    `the end of ${id}`,
    Effect.map(World.decisions(world, id), (those) =>
      those.some(({ decision }) => decision === "notice") ? those : null
    )
  )
  assert.deepStrictEqual(
    all.map(({ decision }) => decision),
    ["nudge", "notice"]
  )
  assert.strictEqual(all[0]?.attempt, 1)
  return [...new Set(all.map(({ directory }) => directory))]
})

/** What reflexion said to the agent of a session, in the request after so many answers and in all the session. */
const saidTo = (requests: ReadonlyArray<ModelRequest>, part: Part, answered: number) => {
  const own = requests.filter((request) => belongs(request, part))
  assert.strictEqual(own.length, part.answers.length)
  assert.lengthOf((own.at(-1)?.conversation ?? "").match(/\[reflexion \d/g) ?? [], 1)
  return own[answered]?.lastUser ?? ""
}

const renamed = edit(
  "src/orders.js",
  "export const findOrder = (number) => orders.get(number)",
  "export const findOrder = (id) => orders.get(id)"
)

const build = shell("npm run build")

const gates = `{ "gates": [{ "name": "bundle", "command": "npm run build" }] }`

const once = `{ "maxAttempts": 1 }`

describe.concurrent("reflexion in one OpenCode server, at the same time", () => {
  it.scopedLive("nudges each of two sessions for what is missing in it, and for nothing of the other's", () =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const { workspace } = world.sandbox
      const cart: Part = { asked: task, workspace, answers: [...untested, [runTests], [green]] }
      const orders: Part = {
        asked: "Let `findOrder` in src/orders.js call its argument `id`, and make sure that the build passes.",
        workspace,
        answers: [[renamed], [say("`findOrder` takes an `id` now.")], [build], [say("The build passes.")]]
      }
      const model = yield* ScriptedChat.make(inStep([cart, orders]))
      const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url })
      const ofCart = yield* OpenCodeSession.open(server)
      const ofOrders = yield* OpenCodeSession.open(server)
      yield* ofCart.prompt(cart.asked)
      yield* ofOrders.prompt(orders.asked)
      yield* pushedOnce(world, ofCart)
      yield* pushedOnce(world, ofOrders)
      const requests = yield* model.requests
      const toCart = saidTo(requests, cart, 2)
      assert.match(toCart, /\[reflexion 1\/3\][^]*npm test/)
      assert.notMatch(toCart, /build|findOrder|orders\.js/)
      const toOrders = saidTo(requests, orders, 2)
      assert.match(toOrders, /\[reflexion 1\/3\][^]*npm run build/)
      assert.notMatch(toOrders, /discount|cart\.js/)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("nudges the sessions of two directories, each by the rules of its own project", () =>
    Effect.gen(function* () {
      const config = ".reflection/config.json"
      const world = yield* World.make(host, { ...broken, [config]: gates })
      const { home, workspace } = world.sandbox
      const elsewhere = `${home}/other`
      const files = Object.entries({ ...broken, [config]: once }).map(([name, text]) => [`${elsewhere}/${name}`, text])
      yield* Files.write(Object.fromEntries(files))
      yield* Sandbox.execute(world.sandbox, "git", "init", "--quiet", elsewhere)
      const shop: Part = {
        asked: `In the shop: ${task}`,
        workspace,
        answers: [[fix], [runTests], [green], [build], [say("The build passes.")]]
      }
      const other: Part = {
        asked: `In the other one: ${task}`,
        workspace: elsewhere,
        answers: [[fix], [shell("cat src/cart.js")], [fixed], [runTests], [green]]
      }
      const model = yield* ScriptedChat.make(inStep([shop, other]))
      const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url })
      const client = createOpencodeClient({ baseUrl: server.url, directory: elsewhere })
      const ofShop = yield* OpenCodeSession.open(server)
      const ofOther = yield* OpenCodeSession.open({ ...server, client })
      yield* ofShop.prompt(shop.asked)
      yield* ofOther.prompt(other.asked)
      const inShop = yield* pushedOnce(world, ofShop)
      const inOther = yield* pushedOnce(world, ofOther)
      assert.deepStrictEqual([inShop, inOther], [[workspace], [elsewhere]])
      const requests = yield* model.requests
      const toShop = saidTo(requests, shop, 3)
      assert.match(toShop, /\[reflexion 1\/3\][^]*`bundle`/)
      const toOther = saidTo(requests, other, 3)
      assert.match(toOther, /\[reflexion 1\/1\][^]*npm test/)
      assert.notInclude(toOther, "bundle")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
