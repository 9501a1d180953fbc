import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { asksOf } from "../../src/session/task/requestedGates.ts"
import { hasFailureReport, isContinuation, readIntent, wantsFailure } from "../../src/session/task/Intent.ts"
import { spoken } from "../../src/ground/text/UserSentences.ts"

/** "tests !pr": the tests are asked for, a pull request is forbidden. */
const read = (text: string): string => {
  const { asks, forbids } = asksOf(text)
  return [...asks.map((ask) => ask.gate), ...forbids.map((gate) => `!${gate}`)].toSorted().join(" ")
}

describe("what is asked for", () => {
  it.each([
    ["Fix the bug and run the tests.", "tests"],
    ["run tests", "tests"],
    ["Run the unit tests and the linter", "lint tests"],
    ["When the tests pass, open a PR", "pr"],
    ["run `pnpm -r test`", "tests"],
    ["Run `cargo test` and `cargo clippy`", "lint tests"],
    ["verify with `npm run build`", "build"],
    ["open a draft PR", "pr"],
    ["Open a pull request against develop", "pr"],
    ["Create a PR when done", "pr"],
    ["commit and push", "commit push"],
    ["Commit, push and open a PR", "commit pr push"],
    ["commit and push it to origin", "commit push"],
    ["push", "push"],
    ["git push", "push"],
    ["now push it", "push"],
    ["push your changes to the branch", "push"],
    ["make CI green", "ci"],
    ["get CI green", "ci"],
    ["wait for CI", "ci"],
    ["CI is failing, please fix", "ci"],
    ["fix the failing CI", "ci"],
    ["make the tests pass", "tests"],
    ["Can you run the tests?", "tests"],
    ["Could you please run the tests again?", "tests"],
    ["Make sure all tests pass", "tests"],
    ["ensure lint is clean", "lint"],
    ["Replace the raw pointers and rebuild", "build"],
    ["make sure it still compiles", "build"],
    ["All tests must pass.", "tests"],
    ["the build has to succeed", "build"],
    ["fix type errors", "typecheck"],
    ["Fix all the eslint warnings", "lint"],
    ["run tsc", "typecheck"],
    ["run mypy", "typecheck"],
    ["write tests and run them", "tests"],
    ["Always run the tests before you finish", "tests"],
    ["Remember to run the tests", "tests"],
    ["Do X, then run `make test`.", "tests"],
    ["Don't forget to run the tests", "tests"],
    ["don't forget to push", "push"],
    ["Don't stop until the tests pass", "tests"],
    ["Do not finish without running the tests", "tests"],
    ["never commit without running the tests", "tests"],
    ["Run the tests but don't open a PR", "!pr tests"],
    ["Run only the unit tests", "tests"],
    ["Just run the tests and tell me what fails", "tests"],
    ["Tests are green, so open a PR", "pr"],
    ["1. fix\n2. run npm test\n3. push", "push tests"],
    ["fix it, then run npm test and npm run lint", "lint tests"],
    ["run npm test, npm run build and npm run lint before you stop", "build lint tests"],
    ["run cargo test and then cargo clippy", "lint tests"],
    ["run npm test and make sure you understand it", "tests"],
    ["run npm test and go build me a table of the results", "tests"],
    ["run go vet and go test ./cart", "lint tests"],
    ["run npm test, not npm run lint", "tests"],
    ["run npm test and tell me whether npm run lint is set up", "tests"],
    ["note: run tests with `make check`", "tests"],
    ["please fix and make sure lint, typecheck and tests pass", "lint tests typecheck"],
    ["Submit a PR to fix the tests", "pr"],
    ["Ship it: commit, push and open a PR against main", "commit pr push"],
    ["When done: run the tests, push.", "push tests"],
    ["don't commit yet, just run the tests", "!commit tests"],
    ["commit/push", "commit push"],
    ["Get the build working.", "build"],
    ["Create an MR", "pr"],
    ["Send a PR", "pr"],
    ["Push to main", "push"],
    ["force push", "push"],
    ["Once you're done, open a PR.", "pr"],
    ["After making the change, run the tests.", "tests"],
    ["Don’t forget to run the tests.", "tests"],
    ["Never finish without running the tests.", "tests"],
    ["1. Add the field\n2. Run **all** tests\n3. Commit", "commit tests"]
  ])("%j: %s", (text, gates) => {
    assert.strictEqual(read(text), gates)
  })
})

describe("what is forbidden", () => {
  it.each([
    ["don't run the tests", "!tests"],
    ["Do not run the test suite.", "!tests"],
    ["Please don't run any tests, they are slow", "!tests"],
    ["No need to run the tests.", "!tests"],
    ["Fix it without running the tests", "!tests"],
    ["don't open a PR", "!pr"],
    ["Do not create a PR yet", "!pr"],
    ["don't push", "!push"],
    ["commit but do not push", "!push"],
    ["commit but don't push it", "!push"],
    ["You don't need to run the tests", "!tests"],
    ["You need not run the build", "!build"],
    ["Skip the tests", "!tests"],
    ["Skip the PR", "!pr"],
    ["I'll run the tests myself", "!tests"],
    ["I will run the tests later, just make the change", "!tests"],
    ["Skip CI checks", "!ci"]
  ])("%j: %s", (text, gates) => {
    assert.strictEqual(read(text), gates)
  })
})

describe("what is only spoken of", () => {
  it.each([
    "if tests fail, tell me",
    "If the tests fail, fix them",
    "Once CI is green, merge it",
    "I got this feedback:\n\nPlease run the tests before merging.\n\nAlso the lint is failing.",
    "I got this feedback: please run the tests before merging",
    "> run the tests\nWhat does this comment mean?",
    'Reviewer said "run the tests"',
    "The docs tell users who run the tests to set FOO",
    "Add a button for users who run the tests",
    "write the PR description",
    "create a PR description",
    "create a PR template",
    "Review the PR",
    "Look at the open PR",
    "update the pull request description",
    "push back on this idea",
    "Please push back on this idea if you disagree",
    "push the button handler into a hook",
    "push the state up into the parent component",
    "Push the validation down into the model",
    "Why are the tests failing?",
    "why does the build fail?",
    "did you run the tests?",
    "Have you run the tests?",
    "How do I run the tests?",
    "what happens when I run the tests",
    "I ran the tests and they pass",
    "The user should be able to run tests from the UI",
    "Add a script to run the tests",
    "add a Makefile target that runs the tests",
    "Write a GitHub workflow that runs lint and tests on each PR",
    "Before you run the tests, set FOO=1",
    "run the test file generator",
    "fix the test data",
    "Fix the CI badge in the README",
    "fix the build script",
    "Fix the lint config",
    "Fix the tests folder name",
    "Add tests for the parser",
    "Make sure you don't break any tests",
    "Fix all of them and I'll review and commit when you are done.",
    "Add a script to build, run the tests and push",
    "the tests are failing",
    "run the tests?",
    "# Task\n\n- Fix the bug\n- Run the tests\n- Open a PR",
    "Rename run tests button to 'Run all tests'",
    'Change the label "Run tests" to "Execute"',
    "We never run the tests on Windows",
    "Run the migration, not the tests",
    "```\nrun the tests\n```\nwhat does this do?",
    "How would you make the tests pass?",
    "Should we run the tests in parallel?",
    "Would it help to run the tests?",
    "the command should run tests in watch mode",
    "It should run the tests on save",
    "our bot must run the linter on push",
    "Maybe run the tests",
    "Feel free to run the tests",
    "You can run the tests with `make test`",
    "Tests can be run with npm test",
    "To run the tests, use `npm test`",
    "make the build faster",
    "make the tests faster",
    "make test names consistent",
    "see the failing tests in CI",
    "Add a PR check that fails when the title is empty",
    "make a PR-ready commit",
    "push notifications don't work",
    "Fix the push notification handler",
    "We push to main on every release",
    "the deploy script should push the image to the registry",
    "push the docker image",
    "Do not push to main",
    "never push directly to main",
    "Implement array.push",
    "use stack.push() and then push the result to the list",
    "then push the item onto the queue",
    "Throw the module out and rebuild it properly from scratch",
    "The reviewer said: run the tests before you merge.",
    "$ run the tests\nWhy does this print nothing?",
    "src/a.ts:12:3: error: fix the failing tests",
    "Explain what happens when you run the tests."
  ])("%j", (text) => {
    assert.strictEqual(read(text), "")
  })
})

describe("the command of an ask", () => {
  it.each([
    ["Fix it and run `pnpm -r test`.", "pnpm -r test"],
    ["Run pytest -q tests/unit and commit.", "pytest -q tests/unit"],
    ["Verify it with `cargo test`, please.", "cargo test"],
    ["Run the tests.", null]
  ])("%j: %s", (text, command) => {
    assert.strictEqual(asksOf(text).asks.find((ask) => ask.gate === "tests")?.command ?? null, command)
  })

  it("is a fix where the gate was failing", () => {
    assert.strictEqual(asksOf("The tests are failing, fix them.").asks[0]?.how, "fix")
    assert.strictEqual(asksOf("Run the tests.").asks[0]?.how, "run")
  })
})

describe("intent", () => {
  it.each([
    ["Fix the bug in the parser.", "act"],
    ["Can you fix the bug?", "act"],
    ["Could you please add a flag for that?", "act"],
    ["I want you to rename the module", "act"],
    ["We need to support Windows paths", "act"],
    ["The app crashes on start", "unknown"],
    ["The app crashes on start. Fix it.", "act"],
    ["Please implement the following:\n\n- a\n- b", "act"],
    ["Implement #42", "act"],
    ["let's add caching", "act"],
    ["go ahead and merge", "act"],
    ["What does this function do?", "ask"],
    ["why is the build slow", "ask"],
    ["Explain the retry logic.", "ask"],
    ["Can you explain how this works?", "ask"],
    ["how does the cache work", "ask"],
    ["Is there a way to speed this up?", "ask"],
    ["Review this PR", "ask"],
    ["Summarize the changes", "ask"],
    ["Look into why the tests are slow", "ask"],
    ["What do you think about splitting the module?", "discuss"],
    ["Let's discuss the design first", "discuss"],
    ["Make a plan for the migration", "discuss"],
    ["Don't write code yet, just outline the approach", "discuss"],
    ["just research, no code", "discuss"],
    ["Give me options for the cache", "discuss"],
    ["Should we use Redis or Memcached?", "ask"],
    ["I think we should use Redis. Implement it.", "act"],
    ["I guess that's fine, please go and add it", "act"],
    ["Fix the typo. I think it is in line 3.", "act"],
    ["Add a field `maybe_we` to the model", "act"],
    ["Fix the bug without changing the public API", "act"],
    ["Don't change anything else, just fix the import", "act"],
    ["Refactor this; don't edit the files under vendor/", "act"],
    ["Add a read-only flag to the API", "act"],
    ["Implement read-only mode", "act"],
    ["hello", "unknown"],
    ["thanks", "unknown"],
    ["no, revert that", "act"],
    ["No. Use a map instead", "act"],
    ["Nope, it's still broken. Try the other approach.", "act"],
    ["Actually, use tabs", "act"],
    ["Mach die Tests grün", "unknown"],
    ["You forgot to update the changelog", "unknown"],
    ["It should return null instead", "unknown"],
    ["The button should be blue", "unknown"],
    ["Please don't commit yet", "unknown"],
    ["I'm wondering if we could add a cache", "discuss"],
    ["I'm thinking of moving to pnpm. Go for it if you agree.", "discuss"],
    ["```ts\nfix the bug\n```\nWhat is this?", "ask"],
    ["> please fix the bug\nWhat does he mean?", "ask"]
  ] as const)("%j: %s", (text, intent) => {
    assert.strictEqual(readIntent(text).intent, intent)
  })

  it.each([
    ["Fix the bug in the parser", "code"],
    ["Add a comment to the function", "code"],
    ["Fix the documentation of the API endpoint", "code"],
    ["Update the README", "docs"],
    ["Fix typos in the docs", "docs"],
    ["commit and push", "ops"],
    ["rebase on main", "ops"],
    ["release 1.2.3", "ops"],
    ["Release notes are wrong", "unknown"],
    ["hello", "unknown"]
  ] as const)("%j is about %s", (text, about) => {
    assert.strictEqual(readIntent(text).about, about)
  })
})

describe("going on", () => {
  it.each([
    "continue",
    "yes please",
    "Yes, go ahead.",
    "ok",
    "y",
    "\u{1f44d}",
    "yes to all",
    "do it",
    "Sounds good, proceed",
    "go on",
    "Great!",
    "please continue",
    "next",
    "try again",
    "Okay, continue please",
    "yes, do that please",
    "yes, let\u2019s do it"
  ])("%j goes on with the task", (text) => {
    assert.isTrue(isContinuation(text))
  })

  it.each([
    "",
    "no",
    "thanks",
    "perfect, thanks!",
    "ok thanks!",
    "continue with the tests",
    "yes, but use tabs",
    "what next?",
    "fix it",
    "yes, run the tests",
    "proceed with option 2",
    "weiter"
  ])("%j does not", (text) => {
    assert.isFalse(isContinuation(text))
  })
})

describe("a failing run in the message", () => {
  it.each([
    ["--- FAIL: TestA (0.0s)", true],
    ["It says:\n\nFAIL src/a.test.ts", true],
    ["Tests:       1 failed, 2 passed", true],
    ["FAILED tests/a.py::b - x", true],
    [" \u2715 renders", true],
    ["==== 3 failed in 2s ====", true],
    ["test result: FAILED. 1 passed; 1 failed", true],
    ["the FAIL case", false],
    ["Failures happen", false],
    ["- \u00d7 3", false],
    ["2 \u00d7 3 = 6", false],
    ["Tests: 3 passed", false]
  ] as const)("%j: %s", (text, reported) => {
    assert.strictEqual(hasFailureReport(text), reported)
  })

  it.each([
    ["Write a failing test for this.", true],
    ["Reproduce the bug with a test.", true],
    ["Add a test that fails without the fix.", true],
    ["Don't fix it, only add a test.", true],
    ["Fix the failing test.", false],
    ["The failing test is in a.ts, fix it.", false],
    ["Steps to reproduce: open the page. Fix it.", false],
    ["Fix the bug.", false]
  ] as const)("%j wants one: %s", (text, wanted) => {
    assert.strictEqual(wantsFailure(text), wanted)
  })
})

describe("spoken", () => {
  it("leaves out code, quotes and logs", () => {
    const text = "> run it\n```\nrun it\n```\n~~~\nrun it\n~~~\n$ run it\n2026-03-02T09:00 run it\nWhy?"
    assert.deepStrictEqual(spoken(text), ["Why?"])
  })

  it("leaves out the middle of a long paste and keeps what the person says at its end", () => {
    const paste = Array.from({ length: 400 }, (_, line) => `Line ${line} of some report.`).join("\n")
    const said = spoken(`Have a look at this.\n${paste}\nRun the tests.`)
    assert.strictEqual(said[0], "Have a look at this.")
    assert.strictEqual(said.at(-1), "Run the tests.")
    assert.isAtMost(said.length, 60)
  })

  it("takes a gate as asked or as forbidden, never as both", () => {
    const phrase = fc.constantFrom(
      "run",
      "don't run",
      "the tests",
      "lint",
      ",",
      "and",
      "push",
      "open a PR",
      ".",
      "never",
      "\n",
      "if",
      "make sure",
      "pass"
    )
    fc.assert(
      fc.property(fc.array(phrase, { maxLength: 16 }), (words) => {
        const { asks, forbids } = asksOf(words.join(" "))
        assert.isFalse(asks.some((ask) => forbids.includes(ask.gate)))
        assert.strictEqual(new Set(asks.map((ask) => ask.gate)).size, asks.length)
      })
    )
  })
})
