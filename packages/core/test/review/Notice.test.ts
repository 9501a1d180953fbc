import { assert, describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { fileURLToPath } from "node:url"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as Missing from "../../src/judge/verdict/Missing.ts"
import * as Notice from "../../src/review/records/Notice.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import { transcript } from "../support/events.ts"
import { session } from "../support/sessions.ts"
import { utmostContext } from "../support/utmost.ts"

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`

const judged = (line: string): Verdict => Judgment.judge(transcript(session(line, words)), { context: utmostContext })

const words = {
  asked: "> Fix the bug and run the tests.",
  change: "edit /repo/src/a.ts",
  green: "$ npm test => Tests: 5 passed, 5 total",
  red: "$1 npm test => FAIL test/a.test.ts\\n  ● adds numbers\\n\\nTests: 1 failed, 5 total"
}

const stale = judged("asked / green / change / Done.")

const render = (notice: Parameters<typeof Notice.render>[0]["notice"], verdict: Verdict | null, attempts = 0): string =>
  Notice.render({ notice, verdict, attempts, maxAttempts: 3 })

const lines = (): ReadonlyArray<readonly [when: string, line: string]> => {
  const done = judged("asked / change / green / Done.")
  const failing = judged("asked / change / red / Done.")
  const unseen = judged("asked / change / $? npm test => ok / All tests pass.")
  const reported: Verdict = { ...failing, status: "complete", complete: true, findings: [] }
  const human = judged(
    "> Publish the package. / $1 npm publish => need auth / I can't publish: you need to run \\`npm login\\` with your account first."
  )
  const question = judged("> Fix the login. / Which login form do you mean, the old or the new one?")
  const named = { ...stale, findings: [Missing.ofOther("model/unfinished", "the docs", { level: "nudge" })] }
  const rest = { maxAttempts: 3, attempts: 3, verdict: failing }
  const still = { followed: "none", summary: "Since nudge 3 no check was run" } as const
  const went = { followed: "some", summary: "Since nudge 1 the build passes" } as const
  const unmoved = Notice.render({ ...rest, notice: "unmoved", progress: went })
  const exhausted = Notice.render({ ...rest, notice: "exhausted", progress: still })
  return [
    ["done, with proof", render("complete", done)],
    ["done, after reminders", render("complete", done, 2)],
    ["done, says the agent alone", render("complete", unseen, 1)],
    ["done, and what stays red was to be reported", render("complete", reported)],
    ["needs a person", render("needs_human", human)],
    ["waits for an answer", render("waiting_for_user", question)],
    ["still open, and the agent may stop", render("incomplete", stale)],
    ["nothing moved", render("unmoved", stale, 1)],
    ["the agent went on, and did not get there", unmoved],
    ["gave up", render("exhausted", failing, 3)],
    ["gave up, and nothing came of the last reminder", exhausted],
    ["sent on, by a rule", Notice.nudge({ verdict: stale, attempt: 1, maxAttempts: 3 })],
    ["sent on, by a model", Notice.nudge({ verdict: named, attempt: 2, maxAttempts: 3 })],
    ["on", render("on", null)],
    ["on, with nudges used", render("on", null, 2)],
    ["off", render("off", null)]
  ]
}

describe("Notice.render", () => {
  it("each notice is one line, as in the golden file", async () => {
    const text = lines().map(([when, line]) => `${when}\n  ${line}\n`)
    await expect(text.join("\n")).toMatchFileSnapshot(fileURLToPath(new URL("golden/notices.txt", import.meta.url)))
  })

  it("a notice is one short line without secrets, for any verdict", () => {
    const parts = [`TOKEN=${token}`, "a\nb\r\nc", "x".repeat(500), `${"y".repeat(170)} ${token}`, "tests: failed"]
    const text = fc.oneof(fc.fullUnicodeString({ maxLength: 300 }), fc.constantFrom(...parts))
    const kind = fc.constantFrom(
      ...(["complete", "needs_human", "waiting_for_user", "incomplete", "unmoved", "exhausted", "on", "off"] as const)
    )
    const finding = fc
      .tuple(fc.constantFrom("model/unfinished" as const, "gates/not-run" as const, "review/comment" as const), text)
      .map(([rule, message]) => ({ ...Missing.ofOther(rule, "", { level: "nudge" }), message }))
    const verdict = fc
      .record({ reason: text, findings: fc.array(finding, { maxLength: 3 }), complete: fc.boolean() })
      .map((over): Verdict => ({ ...stale, ...over }))
    fc.assert(
      fc.property(kind, verdict, fc.integer({ min: 0, max: 3 }), (notice, given, attempts) => {
        const nudge = Notice.nudge({ verdict: given, attempt: 1, maxAttempts: 3 })
        for (const line of [render(notice, given, attempts), nudge]) {
          assert.isAtMost(line.length, Notice.maxLength)
          assert.match(line, /^reflexion[^\r\n]*$/)
          assert.notInclude(line, token.slice(0, 12))
        }
      })
    )
  })
})

it("Notice.problem counts the problems after the first, however long the first is", () => {
  const first = `/repo/.reflection/config.json:1:2: k0: unknown key; ${"long ".repeat(60)}`
  assert.match(Notice.problem("a:1:1: b"), /fixed: a:1:1: b$/)
  assert.match(Notice.problem("a:1:1: b\na:2:1: c"), / \(and 1 more\)$/)
  const told = Notice.problem([first, "b", "c", "d", "e", "(and 295 more)"].join("\n"))
  assert.match(told, /… \(and 299 more\)$/)
  assert.isAtMost(told.length, Notice.maxLength)
})

it("Notice.nudge ends no text in the middle of a word", () => {
  const missing = "a part of the task that is left out and takes a good many words to be described at any length"
  const verdict = { ...stale, findings: [missing, "b"].map((text) => Missing.ofOther("model/unfinished", text)) }
  const [, said = ""] = /: (.*?)…/.exec(Notice.nudge({ verdict, attempt: 1, maxAttempts: 3 })) ?? []
  assert.isTrue(missing.startsWith(`${said} `), said)
})
