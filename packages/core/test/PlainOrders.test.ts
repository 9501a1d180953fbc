import { assert, describe, it } from "@effect/vitest"
import * as TaskContext from "../src/TaskContext.ts"

const asked = (text: string): ReadonlyArray<string> => {
  const state = TaskContext.step(TaskContext.initial, {
    type: "user_message",
    id: null,
    at: null,
    text,
    synthetic: false
  })
  return state.asks.filter((ask) => ask.plain).map((ask) => ask.gate)
}

describe("a check that is ordered in plain words", () => {
  const plain: ReadonlyArray<readonly [text: string, ...gates: ReadonlyArray<string>]> = [
    ["Run the tests.", "tests"],
    ["Please fix the rounding and make sure the tests pass.", "tests"],
    ["A cart of 50.00 should cost 45.00, but we charge 49.90. Please fix it and make sure all tests pass.", "tests"],
    ["rename the flag, then run the linter", "lint"],
    ["Can you add the endpoint and run the tests?", "tests"],
    ["Add the flag. When you are done, run `npm test`.", "tests"],
    ["Implement the parser. The tests must pass.", "tests"],
    ["fix the type errors", "typecheck"],
    ["The tests are failing, fix them", "tests"],
    ["Fix the login, commit it and open a pull request.", "commit", "pr"],
    ["commit the changes and push", "commit", "push"],
    ["commit", "commit"],
    ["Fix the sum.\n\n- add a test for it\n- run the tests", "tests"],
    ["You must run the build before you finish.", "build"],
    ["Don't forget to run the tests", "tests"],
    ["Ensure CI is green", "ci"],
    ["Speed up the index and run npm test when you're finished.", "tests"],
    ["Tidy the form and run the linter.", "lint"],
    ["Write unit tests for the money module and run them.", "tests"],
    ["looks good, commit and push now", "commit", "push"],
    ["I expect you to run all unit tests before you report.", "tests"],
    ["Once you are done, open a pull request.", "pr"]
  ]

  for (const [text, ...gates] of plain) {
    it(`hears ${JSON.stringify(text)}`, () => assert.sameMembers([...asked(text)], [...gates]))
  }

  const other: ReadonlyArray<readonly [why: string, text: string]> = [
    ["a narrative", "We build, run the tests and deploy on every commit. Why is the last step slow?"],
    ["a narrative of one's own", "I renamed the module, then I wanted to run the tests and it crashed."],
    ["what somebody else does", "The nightly job opens a shell, then run the tests is its second step. Rename it."],
    ["what happens elsewhere", "On every commit a hook will build, run the tests and push."],
    ["a problem with the tests", "Please fix my unit test issue"],
    ["a report", "argghh build failing: lint"],
    ["a report of failures", "mise run test:ci is failing"],
    [
      "a plan",
      "Implement the following plan:\n\n# Plan: one linter\n\n## Steps\n\n1. Change the workflow.\n2. Push the branch.\n3. Run the tests.\n\nMake sure CI is green."
    ],
    ["a heading", "## Run the tests\n\nrename this section of the guide"],
    ["a title", "Title: run the tests on Windows\nwrite me a shorter one"],
    ["a skill's name", "can you use the run the tests skill with the manual strategy"],
    ["a slash command", "/ship run the tests and push"],
    ["a quotation", "> please run the tests\n\nanswer this comment"],
    ["a block of a tag", "<task-notification>\nRun the tests.\n</task-notification>\nwhat does this mean?"],
    ["a log", "2026-01-02T10:00:00 step 3: run the tests\n2026-01-02T10:00:09 step 4: push\nwhat went wrong here?"]
  ]

  for (const [why, text] of other) {
    it(`does not hear ${why}`, () => assert.deepStrictEqual(asked(text), []))
  }

  it("does not hear the items of a long list", () => {
    const items = Array.from({ length: 20 }, (_, index) => `- item ${index} of the plan`)
    assert.deepStrictEqual(asked(["Here is the plan.", "", ...items, "- run the tests"].join("\n")), [])
  })
})
