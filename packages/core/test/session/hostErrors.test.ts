import { assert, describe, it } from "@effect/vitest"
import { hostError } from "../../src/session/stop/hostErrors.ts"
import { list } from "../support/rows.ts"

describe("hostError", () => {
  it.each(list`
    API Error: 529 overloaded ¦ API Error: 500 Internal server error ¦ API Error (400 {"type":"error"}) · Please run /login ¦ API error
    Error: 503 Service Unavailable ¦ Error: overloaded_error ¦ Request timed out. ¦ Request timed out after 60 s, retrying ¦ Request failed with status code 502
    Internal server error ¦ Server error: the upstream did not answer
  `)("knows an error: %s", (text) => {
    assert.strictEqual(hostError(text, null), "api_error")
    assert.strictEqual(hostError(text, 0), "api_error")
  })

  it.each(list`
    You've hit your usage limit. Try again at 7:14 PM. ¦ You’ve hit your session limit · resets 3pm
    You have exceeded your current quota, please check your plan. ¦ Claude usage limit reached|1736942400 ¦ Weekly limit reached · resets Monday
    5-hour limit reached ∙ resets 3pm ¦ Rate limit exceeded ¦ Rate limit reached for gpt-5 on tokens per min ¦ Rate limited. Retrying in 20 s
    429 Too Many Requests ¦ API Error: 429 rate limit exceeded ¦ Quota exceeded for the project ¦ Prompt is too long
    Prompt is too long: 215000 tokens > 200000 maximum ¦ Context window exceeded.
  `)("knows a limit: %s", (text) => {
    assert.strictEqual(hostError(text, null), "rate_limited")
  })

  it.each(list`
    Rate limiting is in place on the public routes; npm test passes. ¦ Rate limiting needs a store. Next, I'll write the Redis one.
    Rate limited routes answer 429 now. ¦ Rate limit exceeded responses carry Retry-After. ¦ Too many requests are let through. Let me fix the window.
    Too many requests: I found the window is off by one. ¦ API error handling is in place in the client. ¦ API errors are mapped to toasts.
    Server error pages are styled as in the mock-up. ¦ Request failed screens show the trace id. ¦ Request timed out toasts go away after 5 s.
    You've reached your goal of 80 % coverage: all tests pass. ¦ You have exceeded your own budget page by two rows, so the table scrolls.
    Quota exceeded banners are shown to admins only. ¦ Prompt is too long for the dialog, so it scrolls. ¦ Context window exceeded errors are caught.
  `)("takes no word of the agent's for one: %s", (text) => {
    assert.isNull(hostError(text, null))
  })

  it("believes the host that counted tokens, and knows that no error is long", () => {
    assert.isNull(hostError("API Error: 529 overloaded", 12))
    assert.isNull(hostError(`API Error: 529 ${"and so on ".repeat(60)}`, null))
  })
})
