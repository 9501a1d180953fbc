import { assert, describe, it } from "@effect/vitest"
import * as StopSignal from "../../src/session/stop/StopSignal.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, todos, user, notice } from "../support/events.ts"
import { list, pairs } from "../support/rows.ts"
import { session, table } from "../support/sessions.ts"
import * as HumanAction from "../../src/session/stop/HumanAction.ts"
import { hostError } from "../../src/session/stop/hostErrors.ts"
import * as LimitEnd from "../../src/session/stop/LimitEnd.ts"

const signal = (events: ReadonlyArray<TranscriptEvent>): StopSignal.StopSignal =>
  events.reduce(StopSignal.step, StopSignal.initial)

const reading = (events: ReadonlyArray<TranscriptEvent>): StopSignal.Reading => StopSignal.read(signal(events))

const said = (text: string, completed: boolean | null = true): StopSignal.Reading =>
  reading([user("Fix it."), agent(text, completed)])

it.each(list`
    The exporter is ported. It reports “Continuing.” after each file. Continuing. ¦ If the site isn't enabled yet, the step won't fail the workflow.
    When the cache isn't warmed yet, the first call takes longer. ¦ The template is filled in.\n\n- TODO(OWNER): maintainers to give the name of the owner
    The page is written.\n\nStill open: the legal team has to approve the wording. ¦ Done.\n\nNot done: the ops team will rotate the key.
    Done. The bug is fixed. ¦ Why did it fail? Because the cache was stale. I fixed the key. ¦ Why did it fail? The cache was stale. It now expires.
    The form now asks "Are you sure?" before deleting. ¦ I added the prompt \`Continue? [y/N]\` to the script. ¦ The dialog says “Delete this file?”
    The dialog shows: 'Delete this file?' ¦ > Should I continue?\n\nThat was the old prompt; it is gone now. ¦ I'll be here if you need anything.
    Let me know if you have any questions. ¦ Let me know if anything is unclear! ¦ I'll keep that in mind. ¦ Let me summarize: it's fixed.
    I'll leave that for you to decide. ¦ Let's go with that approach. It is implemented now. ¦ The fix is in \`a.ts\`:\n\n\`\`\`ts\nconst a = 1\n\`\`\`
    Run this:\n\n\`\`\`sh\nnpm test\n\`\`\` ¦ The tests are running in the background; I'll report back when they finish. ¦ ✅ Done! 🎉
    The TODO comments are gone. ¦ Nothing is left to do. ¦ No remaining work. ¦ Remaining issues: none. ¦ I didn't change the API, as you asked.
    However, I did not update the docs. ¦ I haven't added any new dependency. ¦ I did not run the migration because you asked me not to.
    You can run \`npm start\` to try it. ¦ To verify, run \`npm test\`. ¦ ## What was wrong?\n\nThe key was stale. It is fixed. ¦ Got it! ¦ Working on it…
    Implementation complete. Let me know when you want to deploy. ¦ Summary\n\nI'll describe the change: it adds a cache.
    The function will be called next. I'll note that it's deprecated. ¦ If the build fails, I'll look at it. ¦ Once you confirm, I'll merge it.
    I will not touch the vendor files. ¦ I'll never do that again. ¦ Let me explain: the cache is stale. ¦ Is it fixed? Yes.
  `)("a text that finished, whatever it looks like: %j", (text) => {
  assert.strictEqual(said(text).closing, "finished")
})

it.each(list`
    Fertig. Der Fehler ist behoben, und die Tests laufen durch. ¦ J'ai corrigé le bug dans le fichier et les tests passent.
    He corregido el error en el archivo y las pruebas pasan. ¦ バグを修正しました。テストも通りました。 ¦ 已经修复了这个错误，测试全部通过。
    Ich habe nicht alles geschafft, die Datei ist noch nicht fertig und das muss noch getan werden.
  `)("a text that is not English: undecided rather than wrong: %j", (text) => {
  assert.strictEqual(said(text).closing, "undecided")
})

describe("a question", () => {
  it.each(pairs`
    Done. Want me to also add a test for the edge case? :: extra ¦ Fixed. Would you like me to commit this? :: extra ¦ I fixed it. Should I open a PR? :: extra
    I found the cause. Should I implement the fix? :: offer ¦ Which database should I use, Postgres or MySQL? :: choice
    Two options:\n\n1. Redis\n2. Memcached\n\nWhich do you prefer? :: choice ¦ Two options:\n\n1. Redis\n2. Memcached\n\nWhich one? :: choice
    **Which option do you want?**\n\n1. Redis\n2. Memcached :: choice ¦ Does this plan look good? :: choice ¦ Could you share the error message? :: choice
    What is the name of the staging database? :: choice ¦ I need the path. Where is the config file? :: choice
    Are you sure you want me to delete these 40 files? :: risk ¦ Should I force-push to main? :: risk ¦ Done 🎉 Want me to push it? 🚀 :: extra
    Everything works. Anything else? :: extra ¦ Is there anything else you'd like me to do? :: extra ¦ Ready for the next one? :: extra
    Does that make sense? :: choice ¦ A few questions:\n\n1. Which file should it be?\n2. What format do you want? :: choice
    I have two questions before I start:\n- Should the cache be shared?\n- How long should entries live? :: choice
    I can also add a changelog entry if you'd like. :: extra ¦ Say the word and I'll push. :: extra
    I could not reproduce the crash. Do you have a stack trace? :: choice ¦ Do you want option A or option B? :: choice ¦ Should I use tabs or spaces? :: choice
  `)("%j: %s", (text, kind) => {
    const { closing, question } = said(text)
    assert.strictEqual(closing, "question")
    assert.strictEqual(question?.kind, kind)
  })

  it.each(list`
    Soll ich die Tests auch ausführen? ¦ Voulez-vous que je continue ? ¦ ¿Quieres que continúe? ¦ 続けますか？ ¦ Hope this helps?
  `)("%j, in any language", (text) => assert.strictEqual(said(text).closing, "question"))

  it("is quoted in its own words", () => {
    assert.strictEqual(said("I found **two** ways.\n\nWhich one do you want?").question?.text, "Which one do you want?")
  })
})

const stops = String.raw`
  I fixed / notice aborted :: aborted ¦ notice api_error: 529 overloaded :: error ¦ API Error: 529 overloaded :: error ¦ notice rate_limited :: limited
  notice rate_limited / notice compacted :: limited ¦ You've hit your usage limit. Resets at 5pm. :: limited
  Deleting now. / notice permission_asked :: question ¦ call? AskUserQuestion :: question
  #q call? AskUserQuestion / #q call AskUserQuestion / All is fixed. :: finished ¦ #a $pending npm test :: open_call ¦ $denied rm -rf build :: aborted
  $denied rm -rf build / All is fixed. :: finished ¦ notice api_error / All is fixed. :: finished ¦ $ npm test :: silent
  Started. / notice background_running :: awaits ¦ … I fixed the parser :: cut_off ¦ … I am at it. Shall I drop the table? :: question
  … Shall I drop it? If so I would begin with the :: cut_off ¦ nothing :: silent
  // Work in the background is awaited only if the text says so, and until it has ended; a subagent's in any case.
  #b $background npm run dev / It runs in the background; I'll report back when it finishes. :: awaits
  #b $background npm run dev / The dev server is up. :: finished ¦ #b $background npm run dev / #b $ npm run dev / Done. :: finished
  #b $background npm run dev / > And? / Still waiting for the build to finish. :: awaits ¦ Done. / @a $pending npm test :: finished
  // Messages with no call between them are one, and those before a call are forgotten.
  Which one do you want? / $ ls / It is fixed. :: finished ¦ Done. / >> reminder :: finished
`

describe("a stop", () => {
  it.each(table(stops))("%s: %s", (line = "", closing) => {
    const events = line === "nothing" ? [] : session(line)
    assert.strictEqual(reading([user("Fix it."), ...events]).closing, closing)
  })

  it.each(["AskUserQuestion", "ExitPlanMode"])("after a refused dialogue counts as aborted: %s", (tool) => {
    assert.strictEqual(reading([user("Fix it."), call(tool, {}, { status: "denied" })]).closing, "aborted")
  })

  it("with a subagent in the background waits for it", () => {
    const task = call("Task", {}, { id: "t", background: true, status: "running" })
    assert.strictEqual(reading([user("Go."), task, agent("Delegated.")]).closing, "awaits")
  })

  it("after a long text about errors is not a host error", () => {
    const about = `API Error: 529 is what the service answers when it is overloaded. ${"The client retries it. ".repeat(30)}`
    assert.strictEqual(said(about).closing, "finished")
  })
})

it.each(pairs`
    Here is the code:\n\n\`\`\`ts\nconst a = :: cut_off ¦ I have updated the parser and the :: cut_off ¦ I changed three files ( :: cut_off
    I changed three files, :: cut_off ¦ I changed three files :: finished ¦ \`\`\`ts\nconst a = 1\n\`\`\` :: finished ¦ That is what the flag is for :: cut_off
    The call is now: :: cut_off
  `)("a text from a host that does not say if it was cut off: %j: %s", (text, closing) => {
  assert.strictEqual(said(text, null).closing, closing)
})

describe("the state", () => {
  it("joins messages, keeps the last 6,000 characters and forgets them with the user's next message", () => {
    assert.match(signal(session("> Go. / First. / Second.")).text, /First\.[^]*Second\./)
    assert.strictEqual(signal(session("> Go. / Done. / > Next.")).text, "")
    const state = signal([user("Go."), agent(`Which one?\n\n${"It is fixed.\n".repeat(1000)}The end.`)])
    assert.isTrue(state.text.length <= 6000 && state.text.endsWith("The end."))
    assert.strictEqual(StopSignal.read(state).closing, "finished")
  })

  it("a quoted question has at most 300 characters", () => {
    assert.isAtMost(said(`Should I ${"drop the table and ".repeat(100)}go on?`).question?.text.length ?? 0, 300)
  })
})

it("openTodos are those that the agent touched in this turn and left open", () => {
  const list = todos(["a", "completed"], ["b", "in_progress"], ["c", "pending"], ["d", "cancelled"])
  assert.deepStrictEqual(StopSignal.openTodos(signal([user("Go."), list])), ["b", "c"])
  assert.deepStrictEqual(StopSignal.openTodos(signal([user("Go."), list, user("Something else.")])), [])
})

describe("needsHuman", () => {
  it.each(list`
    Complete the OAuth consent screen. ¦ Log in to the npm registry with \`npm login\`. ¦ Run \`gh auth login\` once.
    Enter the 2FA code from your authenticator app. ¦ Solve the captcha on the sign-up page. ¦ Set STRIPE_API_KEY in the environment.
    Please provide an API key. ¦ A maintainer has to approve the deployment. ¦ Upgrade your plan: the quota is used up.
    Upload the screenshots to the App Store portal. ¦ Plug in the device and accept the prompt. ¦ Add the DNS record at your domain registrar.
    Turn on branch protection in the repository settings.
  `)("%j", (item) => assert.isNotNull(HumanAction.needsHuman(item)))

  it.each(list`
    Run the tests. ¦ Update the README. ¦ Fix the parser in src/parser.ts. ¦ Open a pull request. ¦ Add the missing import. ¦ Rename the module.
    Install the dependencies with npm ci.
  `)("%j is the agent's own", (item) => assert.isNull(HumanAction.needsHuman(item)))

  it("reads only the beginning of a long text", () =>
    assert.isNull(HumanAction.needsHuman(`${"a ".repeat(500_000)} api key`)))
})

describe("openItems", () => {
  it("are the sentences about what the agent needs to go on", () => {
    const needs = [
      "I need your API key to run the integration tests.",
      "You'll need to log in to the registry before publishing."
    ]
    const items = HumanAction.openItems(["I moved the key handling into one module.", ...needs, "The tests pass."])
    assert.deepStrictEqual(items, needs)
  })

  it.each(list`
    The login form now has a password field. ¦ I added two-factor support to the API. ¦ The token is read from the environment. ¦ You need to run the tests.
    It is worth a run with an API key once you're online. ¦ You may want to log in once you have access to the console.
    I recommend that you rotate the token once you've read this. ¦ Optionally, once you have an API key, try it against production.
    Consider adding a service account once you're on the new plan. ¦ Worth checking the billing page once you've signed in.
  `)("%j is no open item", (sentence) => assert.deepStrictEqual(HumanAction.openItems([sentence]), []))

  it("are at most eight, with at most 200 characters each", () => {
    const many = Array.from({ length: 50 }, (_, at) => `You need to set the API_KEY number ${at}. ${"x".repeat(1000)}`)
    const items = HumanAction.openItems(many)
    assert.isAtMost(items.length, 8)
    assert.isTrue(items.every((item) => item.length <= 200))
  })
})

describe("hostError", () => {
  it.each(list`
    API Error: 529 overloaded ¦ API Error: 500 Internal server error ¦ API Error (400 {"type":"error"}) · Please run /login ¦ API error
    Error: 503 Service Unavailable ¦ Error: overloaded_error ¦ Request timed out. ¦ Request timed out after 60 s, retrying ¦ Request failed with status code 502
    Internal server error ¦ Server error: the upstream did not answer
  `)("recognises an error: %s", (text) => {
    assert.strictEqual(hostError(text, null), "api_error")
    assert.strictEqual(hostError(text, 0), "api_error")
  })

  it.each(list`
    You've hit your usage limit. Try again at 7:14 PM. ¦ You’ve hit your session limit · resets 3pm
    You have exceeded your current quota, please check your plan. ¦ Claude usage limit reached|1736942400 ¦ Weekly limit reached · resets Monday
    5-hour limit reached ∙ resets 3pm ¦ Rate limit exceeded ¦ Rate limit reached for gpt-5 on tokens per min ¦ Rate limited. Retrying in 20 s
    429 Too Many Requests ¦ API Error: 429 rate limit exceeded ¦ Quota exceeded for the project ¦ Prompt is too long
    Prompt is too long: 215000 tokens > 200000 maximum ¦ Context window exceeded.
  `)("recognises a limit: %s", (text) => assert.strictEqual(hostError(text, null), "rate_limited"))

  it.each(list`
    Rate limiting is in place on the public routes; npm test passes. ¦ Rate limiting needs a store. Next, I'll write the Redis one.
    Rate limited routes answer 429 now. ¦ Rate limit exceeded responses carry Retry-After. ¦ Too many requests are let through. Let me fix the window.
    Too many requests: I found the window is off by one. ¦ API error handling is in place in the client. ¦ API errors are mapped to toasts.
    Server error pages are styled as in the mock-up. ¦ Request failed screens show the trace id. ¦ Request timed out toasts go away after 5 s.
    You've reached your goal of 80 % coverage: all tests pass. ¦ You have exceeded your own budget page by two rows, so the table scrolls.
    Quota exceeded banners are shown to admins only. ¦ Prompt is too long for the dialog, so it scrolls. ¦ Context window exceeded errors are caught.
  `)("a sentence of the agent's own is no host error: %s", (text) => assert.isNull(hostError(text, null)))

  it("a message with counted tokens and a long message are no host errors", () => {
    assert.isNull(hostError("API Error: 529 overloaded", 12))
    assert.isNull(hostError(`API Error: 529 ${"and so on ".repeat(60)}`, null))
  })
})

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
  `)("reads the end: %s → %s", (text, expected) => assert.strictEqual(LimitEnd.of(text, at), expected))

  it("a clock without a zone → the machine's, as Codex prints it", () => {
    const text = "You've hit your usage limit. Visit https://chatgpt.com/codex to purchase more credits or try again at"
    assert.strictEqual(LimitEnd.of(`${text} 3:04 PM.`, here("2026-03-02T12:00:00")), here("2026-03-02T15:05:00"))
    const found = LimitEnd.of(`${text} Mar 5th, 2026 3:04 PM.`, here("2026-03-02T12:00:00"))
    assert.strictEqual(found, here("2026-03-05T15:05:00"))
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
  `)("no end, or one in the past or too far ahead: %s", (text) => assert.isNull(LimitEnd.of(text, at)))

  it("an unknown time of the message → none", () => assert.isNull(LimitEnd.of("resets in 5 minutes", null)))

  it("the stop keeps the limit's end until the user's next message", () => {
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
