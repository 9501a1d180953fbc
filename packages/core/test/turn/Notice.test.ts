import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as Missing from "../../src/judge/verdict/Missing.ts"
import * as Notice from "../../src/turn/records/Notice.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"
import { utmostContext } from "../support/utmost.ts"

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`

const judged = (...events: ReadonlyArray<TranscriptEvent>): Verdict =>
  Judgment.judge(transcript(events), { context: utmostContext })

const asked = user("Fix the bug and run the tests.")
const change = edit("/repo/src/a.ts")
const green = run("npm test", 0, "Tests: 5 passed, 5 total")
const red = run("npm test", 1, "FAIL test/a.test.ts\n  ● adds numbers\n\nTests: 1 failed, 5 total")

const done = judged(asked, change, green, agent("Done."))
const stale = judged(asked, green, change, agent("Done."))

const render = (notice: Parameters<typeof Notice.render>[0]["notice"], verdict: Verdict | null, attempts = 0): string =>
  Notice.render({ notice, verdict, attempts, maxAttempts: 3 })

describe("Notice.render", () => {
  it("names the proof when the task is done", () => {
    assert.strictEqual(render("complete", done), "reflexion: done: the tests pass.")
    assert.strictEqual(render("complete", done, 2), "reflexion: done, after reminding the agent twice: the tests pass.")
  })

  it("does not call proved what only the agent says", () => {
    const unseen = judged(asked, change, run("npm test", null), agent("All tests pass."))
    assert.strictEqual(
      render("complete", unseen, 1),
      "reflexion: done, after reminding the agent once, says the agent; whether the tests pass cannot be seen."
    )
  })

  it("says what stays red when reporting it was the task", () => {
    const failing = judged(asked, change, red, agent("Done."))
    const reported: Verdict = { ...failing, status: "complete", complete: true, findings: [] }
    assert.strictEqual(render("complete", reported), "reflexion: done, and reported: the tests fail.")
  })

  it("names what only a person can do", () => {
    const human = judged(
      user("Publish the package."),
      run("npm publish", 1, "need auth"),
      agent("I can't publish: you need to run `npm login` with your account first.")
    )
    assert.include(render("needs_human", human), "this needs you: \"I can't publish: you need to run `npm login`")
  })

  it("repeats the question that is open", () => {
    const question = judged(user("Fix the login."), agent("Which login form do you mean, the old or the new one?"))
    assert.strictEqual(
      render("waiting_for_user", question),
      'reflexion: the agent waits for your answer: "Which login form do you mean, the old or the new one?"'
    )
  })

  it("says what is open in plain words", () => {
    assert.strictEqual(
      render("incomplete", stale),
      "reflexion let the agent stop; still open by the record: the tests were not run after the last edit."
    )
    const failing = judged(asked, change, red, agent("Done."))
    assert.strictEqual(
      render("exhausted", failing, 3),
      "reflexion: Max attempts (3) reached, it is yours now. Still open: the tests fail: adds numbers (test/a.test.ts)."
    )
    const progress = { followed: "none", summary: "Since reminder 3 no check was run" } as const
    assert.strictEqual(
      Notice.render({ notice: "exhausted", verdict: failing, attempts: 3, maxAttempts: 3, progress }),
      "reflexion: Max attempts (3) reached, it is yours now. Since reminder 3 no check was run. Still open: the tests fail: adds numbers (test/a.test.ts)."
    )
    assert.include(render("unmoved", stale, 1), "Still open: the tests were not run after the last edit.")
  })

  it("answers the user's own command", () => {
    assert.match(render("on", null), /^reflexion is on in this session: at most 3 reminders per task/)
    assert.match(render("on", null, 2), /2 of 3 reminders used for this task/)
    assert.match(render("on", null, 4), /3 of 3 reminders used for this task/)
    assert.match(render("off", null), /^reflexion is off in this session.*`\/reflection start` turns it on/)
    const options = { verdict: null, attempts: 0, maxAttempts: 3, command: "reflection" }
    assert.include(Notice.render({ ...options, notice: "on" }), "`reflection stop` turns it off")
    assert.include(Notice.render({ ...options, notice: "off" }), "`reflection start` turns it on")
  })

  it("is one short line without secrets, whatever the verdict holds", () => {
    const text = fc.oneof(
      fc.fullUnicodeString({ maxLength: 300 }),
      fc.constantFrom(`TOKEN=${token}`, "a\nb\r\nc", "x".repeat(500), `${"y".repeat(170)} ${token}`, "tests: failed")
    )
    const kind = fc.constantFrom(
      ...(["complete", "needs_human", "waiting_for_user", "incomplete", "unmoved", "exhausted", "on", "off"] as const)
    )
    const verdict = fc
      .record({
        reason: text,
        findings: fc.array(
          fc.record({
            rule: fc.constantFrom("model/unfinished", "gates/not-run", "review/comment"),
            level: fc.constantFrom("tell" as const, "push" as const),
            severity: fc.constant("LOW" as const),
            gate: fc.constantFrom(null, "tests"),
            message: text,
            evidence: fc.constant([])
          }),
          { maxLength: 3 }
        ),
        complete: fc.boolean()
      })
      .map((over): Verdict => ({ ...stale, ...over }))
    fc.assert(
      fc.property(kind, verdict, fc.integer({ min: 0, max: 3 }), (notice, given, attempts) => {
        for (const line of [
          render(notice, given, attempts),
          Notice.push({ verdict: given, attempt: 1, maxAttempts: 3 })
        ]) {
          assert.isAtMost(line.length, Notice.maxLength)
          assert.notMatch(line, /[\r\n]/)
          assert.notInclude(line, token.slice(0, 12))
          assert.match(line, /^reflexion/)
        }
      }),
      { numRuns: 200 }
    )
  })
})

describe("Notice.problem", () => {
  it("says how many there are beside the first, however long that is", () => {
    const first = `/repo/.reflection/config.json:1:2: k0: unknown key; ${"long ".repeat(60)}`
    assert.match(Notice.problem("a:1:1: b"), /fixed: a:1:1: b$/)
    assert.match(Notice.problem("a:1:1: b\na:2:1: c"), / \(and 1 more\)$/)
    const told = Notice.problem([first, "b", "c", "d", "e", "(and 295 more)"].join("\n"))
    assert.match(told, /… \(and 299 more\)$/)
    assert.isAtMost(told.length, Notice.maxLength)
  })
})

describe("Notice.push", () => {
  it("names who has found what no rule has, and nothing that would turn it off", () => {
    const verdict = { ...stale, findings: [Missing.ofOther("model/unfinished", "the docs", { level: "push" })] }
    const told = Notice.push({ verdict, attempt: 1, maxAttempts: 3 })
    assert.strictEqual(told, "reflexion asked the agent to go on (1 of 3): the docs. [model/unfinished]")
  })

  it("ends no text in the middle of a word", () => {
    const missing = [
      "a part of the task that is left out and takes a good many words to be described at any length",
      "b"
    ]
    const verdict = { ...stale, findings: missing.map((text) => Missing.ofOther("model/unfinished", text)) }
    const told = Notice.push({ verdict, attempt: 1, maxAttempts: 3 })
    const [, said = ""] = /: (.*?)…/.exec(told) ?? []
    assert.isTrue(missing[0]?.startsWith(`${said} `), said)
  })

  it("says which push it was and why", () => {
    assert.strictEqual(
      Notice.push({ verdict: stale, attempt: 1, maxAttempts: 3 }),
      'reflexion asked the agent to go on (1 of 3): the tests were not run after the last edit. [gates/not-run; "rules": {"gates/not-run": "off"} turns it off]'
    )
  })
})
