/** A planning loop: next to nothing but looking around, where a change was ordered. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import type { ToolCall, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, notice, run, transcript, user } from "../support/events.ts"

const read = (index: number) => call("Read", { file_path: `src/part-${index}.ts` }, { output: `text ${index}` })

const looks = (count: number): ReadonlyArray<ToolCall> => Array.from({ length: count }, (_, index) => read(index))

const order = user("Fix the crash in src/part-3.ts.")

const plans = (events: ReadonlyArray<TranscriptEvent>, asked = order): boolean =>
  StuckAssessment.assessTranscript(transcript([asked, ...events]), { now: null }).assessment.loops.some(
    ({ pattern }) => pattern === "planning"
  )

const tests = run("npm test", 0, "12 passed")

describe("planning", () => {
  it("is eight looks and nothing else, where a change was ordered", () => {
    assert.isFalse(plans(looks(7)))
    assert.isTrue(plans(looks(8)))
  })

  it.each([
    "Why does src/part-3.ts crash?",
    "Review the change in src/part-3.ts.",
    "What does src/part-3.ts do?",
    "Run the tests and report what fails."
  ])("is none where no change was ordered: %s", (text) => assert.isFalse(plans(looks(20), user(text))))

  it.each([
    ["git status", run("git status", 0)],
    ["git log", run("git log --oneline -5", 0, "a1b2c3 x")],
    ["git diff", run("git diff main...HEAD", 0, "+1")],
    ["git show", run("git show HEAD", 0, "+1")],
    ["git branch", run("git branch -a", 0, "* main")],
    ["gh pr view", run("gh pr view 7 --comments", 0, "x")],
    ["a search that finds nothing", run("rg -n token src", 1)],
    ["a search on a page", call("WebFetch", { url: "https://x.example" }, { output: "a" })],
    ["a list of what is to be done", call("TodoWrite", { todos: [] }, { output: "a" })],
    ["a look at the checks", run("gh pr checks 7", 8, "e2e pending")]
  ])("is not ended by %s", (_, look) => assert.isTrue(plans([...looks(8), look])))

  it.each([true, false])("is none where it ends with a question, somebody there to answer or not: %s", (attended) => {
    const asked = agent("Both readers let an empty part through.\n\n- Confirm whether to drop it or to keep it.")
    const session = { ...transcript([order, ...looks(8), asked]), attended }
    const { assessment } = StuckAssessment.assessTranscript(session, { now: null })
    assert.deepStrictEqual(assessment.loops, [])
  })

  it.each([
    ["an edit", edit("src/part-3.ts")],
    ["a write by the shell", run("cat > src/a.ts <<'EOF'\nx\nEOF", 0)],
    ["a commit", run("git commit -am x", 0)],
    ["a script of its own", run("python reproduce.py", 0, "7")],
    ["a tool that nobody knows", call("mcp__repo__apply", { id: 1 })],
    ["a subagent", call("Task", { prompt: "Fix it." }, { output: "done" })]
  ])("is ended by %s, unless there were twelve looks to it", (_, work) => {
    assert.isFalse(plans([...looks(11), work]))
    assert.isTrue(plans([...looks(12), work]))
    assert.isTrue(plans([work, ...looks(12)]))
  })

  it("is none where two calls in a dozen do something, whatever their order", () => {
    const works = fc.constantFrom(edit("src/part-3.ts"), run("python reproduce.py", 0, "7"), run("git commit -am x", 0))
    fc.assert(
      fc.property(fc.array(works, { minLength: 2, maxLength: 4 }), fc.nat({ max: 12 }), (done, at) => {
        const all = looks(22)
        assert.isFalse(plans([...all.slice(0, at), ...done, ...all.slice(at)]))
      }),
      { numRuns: 12 }
    )
  })

  it("is none of an agent that the user has stopped, and a list of steps is no look", () => {
    assert.isFalse(plans([...looks(12), notice("aborted")]))
    assert.isFalse(plans([...looks(6), ...Array.from({ length: 6 }, () => call("TaskCreate", { subject: "Read" }))]))
  })

  it("goes on through a check now and then, which shows what is there", () => {
    const checked = looks(18).flatMap((look, index) => (index % 6 === 5 ? [look, tests] : [look]))
    assert.isTrue(plans(checked))
    assert.isFalse(plans([...checked, tests]))
  })
})
