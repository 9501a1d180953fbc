import { assert, describe, it } from "@effect/vitest"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"

const user = (text: string, synthetic = false): TranscriptEvent => ({
  type: "user_message",
  id: null,
  at: null,
  text,
  synthetic
})

const call = (tool: string, input: object, exitCode: number | null, output: string): TranscriptEvent => ({
  type: "tool_call",
  id: null,
  at: null,
  endedAt: null,
  tool,
  input,
  cwd: null,
  background: false,
  agentId: null,
  status: exitCode === 0 || exitCode === null ? "completed" : "error",
  exitCode,
  output
})

const edit = call("Edit", { file_path: "/repo/src/a.ts", old_string: "1", new_string: "2" }, null, "ok")
const test = (exitCode: number) =>
  call("Bash", { command: "npm test" }, exitCode, exitCode === 0 ? "1 passed" : "1 failed")
const look = call("Bash", { command: "git status" }, 0, "clean")

const feedback = (attempt: number): TranscriptEvent =>
  user(Feedback.render({ facts: ["no tests"], actions: [], human: [], attempt, maxAttempts: 3 }), true)

const after = (...events: ReadonlyArray<TranscriptEvent>): Judgment.JudgmentState =>
  events.reduce((state, event) => Judgment.step(state, event, Judgment.defaultContext), Judgment.initial)

const mark = (...events: ReadonlyArray<TranscriptEvent>): string =>
  Judgment.mark(after(task, edit, ...events), Judgment.defaultContext)

const task = user("Fix it and make sure that `npm test` passes.")

const shell = (command: string): TranscriptEvent => call("Bash", { command }, 0, "ok")

const readme = call("Write", { file_path: "/repo/README.md", content: "x" }, null, "ok")

describe("the evidence's mark", () => {
  it.each([
    ["a check that nobody required", shell("npx eslint .")],
    ["a push to a remote", shell("git push")],
    ["a document", readme]
  ])("stays where it is after %s", (_, event) => {
    assert.strictEqual(mark(test(1)), mark(test(1), event))
  })

  it("moves with an edit, a run of a required gate and another result of it", () => {
    const marks = [mark(), mark(edit), mark(test(1)), mark(test(1), test(0)), mark(test(1), test(1))]
    assert.strictEqual(new Set(marks).size, marks.length)
  })

  it("stays where the agent only looked around or talked", () => {
    const said: TranscriptEvent = {
      type: "assistant_message",
      id: null,
      at: null,
      text: "All done.",
      completed: true,
      outputTokens: null,
      model: null
    }
    assert.strictEqual(mark(test(1)), mark(test(1), look, said, feedback(1), said))
  })
})

describe("our own feedback in the transcript", () => {
  it("is counted, with the mark of the evidence as it stood then", () => {
    const state = after(task, edit, feedback(1), edit, test(1), feedback(2), edit)
    assert.deepStrictEqual(state.pushes, { count: 2, mark: mark(edit, test(1)) })
    assert.notStrictEqual(state.pushes.mark, Judgment.mark(state, Judgment.defaultContext))
  })

  it("does not count when the user or the agent quotes it", () => {
    const quoted = Feedback.render({
      facts: [],
      actions: [],
      human: [],
      attempt: 2,
      maxAttempts: 3
    })
    assert.strictEqual(after(user("Fix it."), user(quoted)).pushes.count, 0)
  })

  it("is forgotten with the next message of the user", () => {
    assert.deepStrictEqual(
      after(user("Fix it."), edit, feedback(2), user("Now the docs.")).pushes,
      Judgment.initial.pushes
    )
  })
})
