import { default as Undici } from "@effect/platform-node/Undici"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Http from "../../src/model/calls/Http.ts"
import { chatServer, completion } from "../support/chatServer.ts"

/** What a process does that has loaded its own undici, as Effect's NodeHttpClient does: `fetch` connects by that one. */
const ownUndici = Effect.acquireRelease(
  Effect.sync(() => {
    const before = Undici.getGlobalDispatcher()
    const agent = new Undici.Agent()
    Undici.setGlobalDispatcher(agent)
    return { before, agent }
  }),
  ({ agent, before }) =>
    Effect.promise(async () => {
      Undici.setGlobalDispatcher(before)
      await agent.destroy()
    })
)

describe("a request to a provider", () => {
  it.scoped("sends its body, whichever undici fetch connects by", () =>
    Effect.gen(function* () {
      yield* ownUndici
      const { url } = yield* chatServer(({ model }) => completion(`I am ${model}`))
      const request = { url: `${url}/chat/completions`, key: null, headers: {}, body: { model: "é" } }
      assert.include((yield* Http.send(request)).text, "I am é")
    })
  )

  const key = "zk9-PLAINKEY/value+77"

  const answerTo = (words: string) =>
    Effect.gen(function* () {
      const { url } = yield* chatServer(() => completion(words))
      const headers = { authorization: `Bearer ${key}` }
      const request = { url: `${url}/chat/completions`, key, headers, body: { model: "m" } }
      return (yield* Http.send(request)).text
    })

  it.scoped("hands on no key that a provider repeats", () =>
    Effect.gen(function* () {
      const answer = yield* answerTo(`bad key ${key} of yours`)
      assert.include(answer, "bad key [redacted:api_key] of yours")
      assert.notInclude(answer, "PLAINKEY")
    })
  )

  it.scoped("changes nothing in an answer that has no key", () =>
    Effect.gen(function* () {
      const words = fc.sample(fc.string(), { numRuns: 20, seed: 1 }).join("|")
      assert.include(yield* answerTo(words), JSON.stringify(words).slice(1, -1))
    })
  )
})
