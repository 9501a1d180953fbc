import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"
import { utmostContext } from "../support/utmost.ts"

const judged = (...events: ReadonlyArray<TranscriptEvent>) => {
  const timed = events.map((event, index) => ({ ...event, at: new Date(index * 30_000).toISOString() }))
  const session = transcript(timed)
  const now = new Date(events.length * 30_000 + 60_000).toISOString()
  const { shouldNudge } = StuckAssessment.assessTranscript(session, { context: utmostContext, now }).assessment
  const { feedback, missing, reason, shouldContinue, status } = Judgment.judge(session, { context: utmostContext })
  return { feedback, missing, reason, shouldContinue, shouldNudge, status }
}

const calls = (count: number, command: string, exitCode: number, output: (at: number) => string) =>
  Arr.makeBy(count, (at) => run(command, exitCode, output(at)))

const watching = user("Keep an eye on the pipeline of the merge request and let me know the outcome.")

describe("the same failing call, of a poller", () => {
  it.each<readonly [string, string, number, (at: number) => string, string]>([
    ["exits 8 while pending", "gh pr checks 7 --watch=false", 8, (at) => `e2e\tpending\t${at}m`, "e2e is pending yet."],
    ["waits first", "sleep 45 && cat out/report.json", 1, () => "cat: out/report.json", "There is no report so far."],
    ["asks for a run", "cd app && gh run view 88 --exit-status", 1, () => "unit queued", "The run has not begun."],
    ["asks GitLab", "glab ci status --live=false", 1, (at) => `job ${at}`, "The pipeline is not through yet."],
    ["asks a server", "curl -sf localhost:8080/ready", 7, () => "", "The service has not come up."],
    ["looks for a file", "[ -e build/ok ]", 1, () => "", "`build/ok` is not there yet."],
    ["is told so", "./ci-state 7", 3, (at) => `deploy: in progress (${at} s)`, "The deployment goes on."]
  ])("is none where it %s", (_, command, exitCode, output, text) => {
    const polls = calls(6, command, exitCode, output)
    const { shouldContinue, shouldNudge, status } = judged(watching, ...polls, agent(text))
    assert.deepStrictEqual({ shouldContinue, shouldNudge }, { shouldContinue: false, shouldNudge: false })
    assert.notStrictEqual(status, "stuck")
    assert.isFalse(judged(watching, ...polls).shouldContinue)
  })

  it("is none where the last look was at the end, and nobody ordered a red pipeline to be mended", () => {
    const polls = calls(4, "gh pr checks 7", 8, (at) => `e2e\tpending\t${at}m`)
    const end = run("gh pr checks 7", 1, "e2e\tfail\t6m")
    const ordered = user("MR 7 is open. Wait for CI and tell me what came of it.")
    const verdict = judged(ordered, ...polls, end, agent("CI went red: e2e fails after 6 minutes."))
    assert.deepInclude(verdict, { shouldContinue: false, shouldNudge: false, status: "complete" })
  })

  it("is a repetition where a pager reads the end of a run", () => {
    const runs = calls(4, "make image 2>&1 | tail -20", 2, () => "make: *** [image] Error 2")
    assert.include(judged(user("Fix the image."), ...runs), { shouldContinue: true, status: "stuck" })
  })
})

const crashes = (count: number) => calls(count, "python boom.py", 139, () => "Segmentation fault")

describe("the same failing call, as often as the user ordered", () => {
  it.each<readonly [string, number]>([
    ["Start `python boom.py` six times and write down what it prints.", 6],
    ["Launch `python boom.py` a couple of times, several times if need be, and give me the exit codes.", 7],
    ["Does `python boom.py` only crash intermittently?", 5],
    ["Execute `python boom.py` 10x and count the crashes.", 4]
  ])("is none: %s", (order, count) => {
    assert.isFalse(judged(user(order), ...crashes(count), agent("Exit code 139 on each of them.")).shouldContinue)
    assert.isFalse(judged(user(order), ...crashes(count)).shouldContinue)
  })

  it("is one where it was ordered less often, or not at all", () => {
    assert.isTrue(judged(user("Start `python boom.py` two times."), ...crashes(6)).shouldContinue)
    assert.isTrue(judged(user("Make `python boom.py` work."), ...crashes(4)).shouldContinue)
  })
})

describe("the same failing call, and an answer", () => {
  const builds = calls(4, "./mkdocs.sh", 3, () => "missing theme")
  it("is left to the answer where that reports the failure", () => {
    const { shouldContinue, shouldNudge, status } = judged(
      user("Adjust the theme of the handbook."),
      ...builds,
      agent("`mkdocs.sh` fails with `missing theme` each time; I found no such theme in the repository.")
    )
    assert.deepStrictEqual({ shouldContinue, shouldNudge }, { shouldContinue: false, shouldNudge: false })
    assert.notStrictEqual(status, "complete")
  })

  it("is held against one that says nothing of it", () => {
    const verdict = judged(
      user("Adjust the theme of the handbook."),
      ...builds,
      agent("The theme is as you wanted it.")
    )
    assert.include(verdict, { shouldContinue: true, status: "stuck" })
  })

  const red = calls(3, "npm test", 1, () => "Tests: 1 failed, 3 passed, 4 total")
  const ordered = user("Fix the total and make the tests pass.")

  it.each(["I'm stuck: the test fails each time.", "The test still fails, and I am out of ideas."])(
    "that gives up gets another approach, by the failure's name and number, and never to run it again: %s",
    (text) => {
      const { feedback, shouldContinue, status } = judged(ordered, edit("src/total.ts"), ...red, agent(text))
      assert.deepStrictEqual({ shouldContinue, status }, { shouldContinue: true, status: "stuck" })
      assert.include(feedback, "`npm test` failed 3 times in a row")
      assert.include(feedback, "a different approach")
      assert.notMatch(feedback ?? "", /(?:then|and) run it again|Run `npm test`/)
    }
  )

  it("that is five times the same is pushed, though it is told, and one that asks is not", () => {
    const five = calls(5, "npm test", 1, () => "Tests: 1 failed, 3 passed, 4 total")
    const told = judged(user("Fix the total."), edit("src/total.ts"), ...five, agent("`npm test` fails each time."))
    assert.include(told, { shouldContinue: true, status: "stuck" })
    const asks = agent("`npm test` fails each time. Which of the two totals is right?")
    assert.isFalse(judged(user("Fix the total."), edit("src/total.ts"), ...five, asks).shouldContinue)
  })
})
