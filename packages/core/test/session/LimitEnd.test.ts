/** What hosts and services really write, each with the end of the limit. */
import { assert, describe, it } from "@effect/vitest"
import * as LimitEnd from "../../src/session/stop/LimitEnd.ts"
import * as StopSignal from "../../src/session/stop/StopSignal.ts"
import { notice, user } from "../support/events.ts"
import { list, pairs } from "../support/rows.ts"

const at = "2026-03-02T09:00:00.000Z"

/** A clock without a zone is the machine's. */
const here = (time: string): string => new Date(time).toISOString()

const again = (when: string) => ({ ...notice("rate_limited", "usage limit reached"), at: when })

describe("LimitEnd", () => {
  it.each(pairs`
    Claude AI usage limit reached|1772445600 :: 2026-03-02T10:00:00.000Z
    You've hit your session limit · resets 3pm (Europe/Berlin) :: 2026-03-02T14:01:00.000Z
    You've hit your 5-hour limit · resets 9:30am (UTC) :: 2026-03-02T09:31:00.000Z
    Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5). :: 2026-03-02T18:01:00.000Z
    You've hit your weekly limit · resets Mar 7 at 12pm (Asia/Singapore) :: 2026-03-07T04:01:00.000Z
    Weekly limit reached · resets 8am (UTC) · /upgrade to Max :: 2026-03-03T08:01:00.000Z
    Rate limit reached for gpt-5 in organization org-1. Please try again in 11.054s. Visit https://platform.openai.com. :: 2026-03-02T09:00:12.054Z
    You have exhausted your capacity on this model. Your quota will reset after 21h53m56s. :: 2026-03-03T06:53:57.000Z
    Usage limit reached for gemini-2.5-pro. Access resets at 11:32 PM GMT+1. :: 2026-03-02T22:33:00.000Z
    Please retry in 34.07s. :: 2026-03-02T09:00:35.070Z
    Sorry, you've hit a rate limit. Please try again in 51 hours. Please review our Terms of Service. :: 2026-03-04T13:00:00.000Z
    Sorry, you have been rate-limited. Please wait 2 minutes before trying again or consider switching to Auto. :: 2026-03-02T09:03:00.000Z
    5-hour usage limit reached. It will reset in 4 hours 12 minutes. To continue now, enable usage from your balance. :: 2026-03-02T13:13:00.000Z
    weekly usage limit reached. It will reset in 5 days 10 hours. :: 2026-03-07T20:00:00.000Z
    Subscription quota exceeded. Retry in 1h 5min. :: 2026-03-02T10:06:00.000Z
    Too many requests (retry after 2026-03-02T09:00:05.250Z) :: 2026-03-02T09:00:05.250Z
    Access resets at 15:04:30 (UTC). :: 2026-03-02T15:05:00.000Z
    Limit reached, resets at 2026-03-02 12:00 UTC; the weekly limit resets at 2026-03-04T00:00:00+01:00 :: 2026-03-03T23:00:00.000Z
  `)("states it: %s → %s", (text, expected) => {
    assert.strictEqual(LimitEnd.of(text, at), expected)
  })

  it("a clock without a zone → the machine's, as Codex prints it", () => {
    const message =
      "You've hit your usage limit. Visit https://chatgpt.com/codex to purchase more credits or try again at"
    assert.strictEqual(LimitEnd.of(`${message} 3:04 PM.`, here("2026-03-02T12:00:00")), here("2026-03-02T15:05:00"))
    assert.strictEqual(
      LimitEnd.of(`${message} Mar 5th, 2026 3:04 PM.`, here("2026-03-02T12:00:00")),
      here("2026-03-05T15:05:00")
    )
  })

  it("the clock is put forward before the limit ends → the zone's own time", () => {
    const night = "2026-03-28T22:00:00.000Z"
    assert.strictEqual(LimitEnd.of("limit reached · resets 3:30am (Europe/Berlin)", night), "2026-03-29T01:31:00.000Z")
  })

  it("a date of the next year → that year", () => {
    assert.strictEqual(LimitEnd.of("resets Jan 2, 5pm (UTC)", "2026-12-30T09:00:00Z"), "2027-01-02T17:01:00.000Z")
  })

  it.each(list`
    You've hit your usage limit. Try again later. ¦ Weekly limit reached · resets Monday ¦ Prompt is too long: 215000 tokens > 200000 maximum
    Claude AI usage limit reached|1740000000 ¦ Claude AI usage limit reached|1799999999 ¦ Please wait 587 hours 33 minutes before trying again.
    Usage limit reached for 5 hour. Your limit will reset at 2026-03-02 12:30:39 ¦ resets 3pm (Nowhere/Land) ¦ Access resets at 11:32 PM PSTX
    the 5-hour limit allows 900 requests ¦ retry in 500ms ¦ resets at 31:00 ¦ resets Feb 20, 5pm (UTC) ¦ quota resets
    resets at 12:00 AM Pacific Time ¦ resets 3pm America/New_York ¦ resets 15:00-05:00 ¦ resets 3pm tomorrow ¦ resets 9am on Dec 7
    limit resets in 2:30:00 ¦ please wait 1:30 ¦ resets at 15:00 GMT-0500 ¦ resets 3pm, GMT+1 ¦ resets at 2026-03-02 12:00 UTC-5
  `)("states none, or one that is past or too far ahead: %s", (text) => {
    assert.isNull(LimitEnd.of(text, at))
  })

  it("an unknown time of the message → none", () => {
    assert.isNull(LimitEnd.of("resets in 5 minutes", null))
  })

  it("the stop keeps it until the user's next message", () => {
    const limit = { ...notice("rate_limited", "usage limit reached, resets in 5 minutes"), at }
    const stopped = [user("Fix it."), limit].reduce(StopSignal.step, StopSignal.initial)
    assert.strictEqual(stopped.notice?.limitEnd, "2026-03-02T09:06:00.000Z")
    assert.isNull(StopSignal.step(stopped, user("Go on.")).notice)
    const repeated = StopSignal.step(stopped, again("2026-03-02T09:05:00Z"))
    assert.strictEqual(repeated.notice?.limitEnd, "2026-03-02T09:06:00.000Z")
    // That is another limit.
    assert.notProperty(StopSignal.step(stopped, again("2026-03-02T09:07:00Z")).notice, "limitEnd")
    const failed = { ...notice("api_error", "overloaded, retry in 5 minutes"), at }
    assert.notProperty(StopSignal.step(stopped, failed).notice, "limitEnd")
  })
})
