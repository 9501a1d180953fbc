import { assert, describe, it } from "@effect/vitest"
import { estimate } from "../../src/model/calls/ModelBudget.ts"
import * as Prompts from "../../src/model/assessment/Prompt.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, notice, run, todos, user } from "../support/events.ts"
import { turn } from "../support/opinions.ts"

const telling = { nonce: "record-1", attempt: 1, maxAttempts: 3, guidance: null, instructions: null }

const shown = (events: ReadonlyArray<TranscriptEvent>, more: Partial<Prompts.Telling> = {}): string =>
  Prompts.selfAssessment(turn(events), { ...telling, ...more }).prompt

const tokens = ({ prompt, system }: Prompts.Prompt): number => estimate(system) + estimate(prompt)

const change = (path: string, before: string, after: string) =>
  call("Edit", { file_path: path, old_string: before, new_string: after })

const long = (text: string, count: number): string => text.repeat(count)

describe("what a model is shown of a turn", () => {
  it("has the turns before it, their orders and what was done, but nothing of the task twice", () => {
    const prompt = shown([
      user("Add a cart and a changelog entry for it."),
      edit("/repo/src/cart.ts"),
      agent("The cart is there. 1. changelog 2. docs: which one next?"),
      user("2"),
      edit("/repo/docs/cart.md"),
      agent("The docs are written.")
    ])
    const earlier = prompt.slice(0, prompt.indexOf("What the user ordered:"))
    assert.include(earlier, "user: Add a cart and a changelog entry for it.")
    assert.include(earlier, "(1 calls, 1 edits, 0 commits)")
    assert.include(earlier, "agent's last words then: The cart is there.")
    assert.notInclude(prompt.slice(earlier.length), "changelog")
  })

  it("says first whose words they are that a slash command's file brought, and leaves the user's own apart", () => {
    const typed = user("/ship the cart")
    const file = { ...user("Fix what is there.\n\nRun the tests, then commit the change."), expansion: true as const }
    const prompt = shown([typed, file, edit("/repo/src/cart.ts"), agent("The cart is there.")])
    const at = prompt.indexOf("In the words of a slash command's file, not in the user's, who typed the command:\n- \"")
    assert.isAbove(at, 0, prompt)
    const both = shown([
      user("Never push to main. Fix the parser."),
      agent("Fixed."),
      typed,
      file,
      edit("/repo/src/cart.ts"),
      agent("The cart is there.")
    ])
    assert.match(both, /user: Never push to main\.[^]*\n\nIn the words of a slash command's file/)
    assert.notMatch(shown([user("Run the tests."), agent("Done.")]), /slash command/)
  })

  it("shows what was done to a check that failed besides the order, and nothing of it where none failed", () => {
    const order = user("Fix the discount and make sure the tests pass.")
    const red = run("npm test", 1, "Tests: 1 failed, 7 passed, 8 total")
    const other = change("/repo/test/cart.test.js", "expect(total(50)).toBe(45)", "expect(total(50)).toBe(49.9)")
    const prompt = shown([order, red, other, run("npm test", 0, "Tests: 8 passed, 8 total"), agent("Fixed.")])
    assert.match(prompt, /While a check failed, .{0,60}"Fix the discount and make sure the tests pass\."/)
    assert.include(
      prompt,
      "- another value in test/cart.test.js: `expect(total(50)).toBe(45)` became `expect(total(50)).toBe(49.9)`"
    )
    assert.notInclude(shown([order, other, agent("Fixed.")]), "While a check failed")
  })

  it("says that a part was not read, and not that nothing ran in it", () => {
    const unread = notice("unread")
    const prompt = shown([user("Fix it."), edit("/repo/src/a.ts"), unread, agent("Fixed.")])
    assert.include(prompt, "A part of the session was not read")
    assert.include(prompt, "No run of a known check is on record in what was read.")
    assert.notInclude(prompt, "nothing ran that could show a defect")
    const later = shown([user("Fix it."), unread, edit("/repo/src/a.ts"), agent("Fixed.")])
    assert.include(later, "nothing ran that could show a defect")
    assert.notInclude(shown([unread, user("Fix it."), edit("/repo/src/a.ts"), agent("Fixed.")]), "not read")
  })

  it("shows the end of a check's output, and where the run stands to the last edit of code", () => {
    const noise = Array.from({ length: 400 }, (_, at) => `compiling module ${at}`).join("\n")
    const prompt = shown([
      user("Fix it and run the tests."),
      run("npm test", 1, `${noise}\nTests  1 failed | 3 passed (4)`),
      edit("/repo/src/a.ts"),
      agent("Fixed.")
    ])
    assert.include(prompt, "Tests  1 failed | 3 passed (4)")
    assert.match(prompt, /- tests: `npm test` → exit 1 \(.*\), before the last edit of code/)
    assert.include(prompt, "After the last edit of code nothing ran that could show a defect.")
  })

  it("gives every step a line with how it ended, looks in a row one, and counts what is left out", () => {
    const reads = Array.from({ length: 5 }, (_, at) => call("Read", { file_path: `/repo/src/m${at}.ts` }))
    const short = shown([user("Look around and run it."), ...reads, run("node a.js", 3, "boom"), agent("It fails.")])
    assert.match(short, /\[e1–e5\] 5 reads and searches: src\/m0\.ts, src\/m1\.ts/)
    assert.include(short, "→ exit 3\n  $ node a.js\n  boom")
    const many = Array.from({ length: 900 }, (_, at) =>
      run(`echo step-${at} ${"x".repeat(200)}`, at % 300 === 0 ? 1 : 0)
    )
    const whole = shown([user("Do it all."), ...many, agent("All is done.")])
    assert.match(whole, /… \d{3} steps are left out here \(\d{3} shell; \d failed\)/)
    assert.include(whole, "step-0 ")
    assert.include(whole, "step-899 ")
  })

  it("tells git's state, the plan, what the host said and how it ended", () => {
    const prompt = shown([
      user("Fix it and commit."),
      edit("/repo/src/a.ts"),
      run("git commit -am fix", 0, "1 file changed"),
      edit("/repo/src/b.ts"),
      edit("/tmp/scratch.ts"),
      notice("compacted"),
      todos(["write it", "completed"], ["test it", "pending"]),
      agent("Fixed.")
    ])
    assert.include(prompt, "1 commits in this turn; files edited since and not committed: 1; no push in this turn")
    assert.include(prompt, "outside of the project: 1")
    assert.include(prompt, "The agent's plan: [completed] write it; [pending] test it")
    assert.include(prompt, "(the context was compacted)")
    assert.match(prompt, /How it ended: the agent ended with its last words/)
  })

  it("counts what subagents did", () => {
    const by = { agentId: "s1" }
    const prompt = shown([
      user("Delegate it."),
      call("Edit", { file_path: "/repo/a.ts" }, by),
      call("Bash", { command: "npm test" }, { ...by, exitCode: 1 }),
      agent("Delegated and done.")
    ])
    assert.include(prompt, "(a subagent made 2 calls, 1 of them edits, 1 commands; 1 failed)")
  })

  it("has at most some 6,000 tokens, whatever all its parts are", () => {
    const events = [
      ...Array.from({ length: 12 }, (_, at) => [
        user(long(`Order ${at} is to be done. `, 200)),
        agent(long("Done that. ", 400))
      ]).flat(),
      user(long("Do all of this now. ", 600)),
      ...Array.from({ length: 300 }, (_, at) =>
        change(`/repo/src/${at}.ts`, long("old line\n", 200), long("new line\n", 200))
      ),
      ...Array.from({ length: 50 }, (_, at) =>
        run(`npm test -- ${at} ${long("arg ", 300)}`, 1, long("failing line\n", 900))
      ),
      todos(...Array.from({ length: 40 }, (_, at) => [long(`todo ${at} `, 30), "pending"] as const)),
      agent(long("It is all done now. ", 500))
    ]
    const asked = turn(events)
    const full = { ...telling, instructions: long("Run the tests. ", 500), attempt: 2 }
    assert.isBelow(tokens(Prompts.selfAssessment(asked, full)), 6000)
  })
})
