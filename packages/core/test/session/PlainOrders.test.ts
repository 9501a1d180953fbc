import { assert, describe, it } from "@effect/vitest"
import * as TaskContext from "../../src/session/task/TaskContext.ts"

const asked = (text: string): ReadonlyArray<string> => {
  const state = TaskContext.step(TaskContext.initial, {
    type: "user_message",
    id: null,
    at: null,
    text,
    synthetic: false
  })
  return state.asks.map((ask) => ask.gate)
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
    ["Once you are done, open a pull request.", "pr"],
    ["<file>src/a.ts</file>\nrename the sum in it and run the tests", "tests"],
    ["Fix the crash from this report and run the tests:\n\n> TypeError: no id", "tests"],
    ["Open a PR with this change: the port should be 8080.", "pr"],
    ["Port the Makefile to clang and build it.", "build"],
    ["Run the tests locally, please.", "tests"],
    ["Round the total down and run the tests.", "tests"],
    ["Now round down instead, and run the tests.", "tests"],
    ["Do this:\n- rename the sum\n- run the tests", "tests"]
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
    ["a question", "Open a PR or push directly?"],
    ["a question of a choice", "Run the tests on every push or only on PRs?"],
    ["the choice of a tool", "Use vitest, not jest."],
    ["the choice of another", "use pytest for the new tests"],
    ["what is to be built", "Build the app with Next.js"],
    ["what is to be built anew", "Rebuild the navigation"],
    [
      "a plan in a line",
      "Implement the following plan. Move the sum into a helper, then run the tests, then push the branch."
    ],
    [
      "a service's log",
      "Fix the docker step:\nRun actions/checkout@v4\nRun npm ci\nRun npm test\nError: no space left on device"
    ],
    [
      "how something is reproduced",
      "Steps to reproduce:\n1. Open the app\n2. Run the tests\n3. See the crash\n\nfix the crash"
    ],
    ["an underlined heading", "Run the tests\n=====\nTranslate this section of the guide"],
    ["what stands behind a tag in a document", "# Plan\nIntro\n<details>\nx\n</details>\nRun the tests.\nPush."],
    ["one step of several", "Do only step 1 of this:\n1. Rename foo\n2. Run the tests\n3. Open a PR"],
    ["what was done so far", "Here's what I did so far: rename foo, run the tests, push. Now do the same for bar."],
    [
      "a mail to be translated",
      "Translate this into German in de.md:\n\nHi all,\nplease run the tests before you push."
    ],
    ["somebody else's words", "anna: Please run the tests before merging."],
    ["what a workflow is to do", "Add a GitHub workflow: install deps, run the tests, build the project."],
    ["what a document is to say", "Create an AGENTS.md: always run the tests, never push"],
    ["what a program is to do", "Make the CLI accept --watch, then run the tests on every change."],
    ["what a bot does", "Dependabot will open a PR for the rest."],
    ["what another agent said", "Codex said it will run the tests and open a PR. Just fix the typo."],
    ["the name of a button", "Create pull request button is misaligned"],
    ["a thing with the name of a check", "Keep the build output clean"],
    ["a condition", "Run the tests only when I say so."],
    ["leave that is still to come", "run the tests once I approve"],
    ["what is left to the agent", "Run the tests if needed."],
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
