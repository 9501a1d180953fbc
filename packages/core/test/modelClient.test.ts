import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { default as Undici } from "@effect/platform-node/Undici"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { make } from "../src/internal/modelClient.ts"
import { chatServer, completion } from "./support/chatServer.ts"

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

describe("modelClient", () => {
  it.scoped("sends its body, whichever undici fetch connects by", () =>
    Effect.gen(function* () {
      yield* ownUndici
      const { url } = yield* chatServer(({ model }) => completion(`I am ${model}`))
      const request = HttpClientRequest.post(`${url}/chat/completions`).pipe(
        HttpClientRequest.bodyUnsafeJson({ model: "é" })
      )
      const answer = yield* make({ key: null, headers: () => ({}) }).execute(request)
      assert.include(yield* answer.text, "I am é")
    })
  )
})
