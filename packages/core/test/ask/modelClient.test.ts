import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { default as Undici } from "@effect/platform-node/Undici"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Encoding, Redacted } from "effect"
import * as fc from "fast-check"
import { make } from "../../src/ask/models/providers/client.ts"
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

  const key = "zk9-PLAINKEY/value+77"

  const answerTo = (words: string) =>
    Effect.gen(function* () {
      const { url } = yield* chatServer(() => completion(words))
      const client = make({ key: Redacted.make(key), headers: (value) => ({ authorization: `Bearer ${value}` }) })
      const request = HttpClientRequest.post(`${url}/chat/completions`).pipe(
        HttpClientRequest.bodyUnsafeJson({ model: "m" })
      )
      return yield* Effect.flatMap(client.execute(request), ({ text }) => text)
    })

  it.scoped.each([
    ["as it is", key],
    ["in capitals", key.toUpperCase()],
    ["letter by letter", Array.from(key).join(" ")],
    ["a letter a line", Array.from(key).join("\n")],
    ["with unseen characters", Array.from(key).join("\u200b")],
    ["in base64", Encoding.encodeBase64(key)],
    ["in base64 for addresses", Encoding.encodeBase64Url(key)],
    ["in base64, behind its scheme", Encoding.encodeBase64(`Bearer ${key}`)],
    ["in base64, within a header", Encoding.encodeBase64(`x: ${key}, y`)],
    ["in hexadecimal", Encoding.encodeHex(key)],
    ["as in an address", encodeURIComponent(key)]
  ])("hands on no key that a provider repeats %s", ([, form]) =>
    Effect.gen(function* () {
      const answer = yield* answerTo(`bad key ${form} of yours`)
      assert.include(answer, "[redacted:api_key]")
      assert.include(answer, "of yours")
      for (const part of ["PLAINKEY", "P L A I N", "P\\nL", Encoding.encodeBase64(key).slice(4, 16)])
        assert.notInclude(answer, part)
    })
  )

  it.scoped("changes nothing in an answer that has no key", () =>
    Effect.gen(function* () {
      const words = fc.sample(fc.string(), { numRuns: 20, seed: 1 }).join("|")
      assert.include(yield* answerTo(words), JSON.stringify(words).slice(1, -1))
    })
  )
})
