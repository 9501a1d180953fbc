/** When a service answers again, as OpenCode keeps it with an error. */
import { assert, describe, it } from "@effect/vitest"
import * as Failure from "../src/decoder/Failure.ts"

const at = "2026-03-02T09:00:00.000Z"

const error = (responseHeaders: object, message = "Too many requests", statusCode = 429) => ({
  name: "APIError",
  data: { message, statusCode, isRetryable: true, responseHeaders }
})

const cases: ReadonlyArray<readonly [string, unknown, string | null]> = [
  ["seconds in the header", error({ "retry-after": "90" }), "2026-03-02T09:01:30.000Z"],
  ["a date in the header", error({ "retry-after": "Mon, 02 Mar 2026 10:00:00 GMT" }), "2026-03-02T10:00:00.000Z"],
  ["milliseconds in the header", error({ "retry-after-ms": "1500" }), "2026-03-02T09:00:01.500Z"],
  ["the later of header and message", error({ "retry-after": "1" }, "resets in 2 hours"), "2026-03-02T12:00:00.000Z"],
  [
    "only the message",
    error({}, "5-hour usage limit reached. It will reset in 4 hours.", 403),
    "2026-03-02T14:00:00.000Z"
  ],
  ["a long message before the header", error({ "retry-after": "90" }, "x".repeat(9000)), "2026-03-02T09:01:30.000Z"],
  ["no time", error({}), null],
  ["an unreadable header", error({ "retry-after": "soon" }), null],
  ["a year", error({ "retry-after": "31536000" }), null],
  ["no limit", error({ "retry-after": "90" }, "Internal error", 500), null],
  ["an abort", { name: "MessageAbortedError", data: { message: "retry in 5 s, 429" } }, null]
]

describe("Failure.limitEnd", () => {
  it.each(cases)("%s", (_, given, expected) => {
    assert.strictEqual(Failure.limitEnd(given, at), expected === null ? null : Date.parse(expected))
  })
})
