import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { asksOf } from "../../src/session/task/Orders.ts"
import { ownSentences } from "../../src/session/task/OwnSentences.ts"
import { groups } from "../support/rows.ts"

/** "tests !pr": the tests are ordered, a pull request is forbidden. */
const read = (text: string): string => {
  const { asks, forbids } = asksOf(text)
  return [...asks.map((ask) => ask.gate), ...forbids.map((gate) => `!${gate}`)].toSorted().join(" ") || "nothing"
}

const filler = (length: number): string => "The page shows a list of names. ".repeat(Math.ceil(length / 32))

/** Orders and their texts: reports, questions, what is postponed or for others orders nothing. */
const rows = groups`
    tests :: Fix the bug and run the tests. ¦ run tests pls ¦ run \`pnpm -r test\` ¦ Can you add the endpoint and run the tests?
    tests :: Now let \`discounted\` round down instead of to the nearest cent, and run the tests. ¦ Make sure all tests pass
    tests :: Check that the tests still pass. ¦ make the tests pass ¦ All tests must pass. ¦ Round down. \`make test\` must stay green.
    tests :: Round down, and keep the tests passing: \`pytest\` has to remain green. ¦ The tests fail. Please make them pass.
    tests :: The tests are failing, fix them ¦ Do X, then run \`make test\`. ¦ Don't forget to run the tests ¦ Don't stop until the tests pass
    tests :: Never finish without running the tests. ¦ Just run the tests and tell me what fails ¦ run npm test and go build me a table of the results
    tests :: run npm test, not npm run lint ¦ When you are done, run \`npm test\`. ¦ I expect you to run all unit tests before you report.
    tests :: Round the total down and run the tests locally, please. ¦ Fix it and ensure \`npm test\` succeeds.
    tests :: Fix the crash from this report and run the tests:\n\n> TypeError: no id ¦ Do this:\n- rename the sum\n- run the tests
    tests :: Bitte führe \`npm test\` aus. ¦ Corrige le total et lance pytest à la fin. ¦ 修复总数,然后运行 \`npm test\`。
    tests :: Clamp clip() to zero, and run pytest. ¦ Strip blanks in src/name.ts; then run vitest ¦ Show the total in the footer and run the tests.
    tests :: When done run the whole suite. ¦ # Bug\n\nThe total is off.\n\n## Notes\n\nIt rounds up. When you are done, run the tests.
    tests :: ## Context\nThe total is off.\n\n## Task\nRound down and run the tests.\n\n## Log\nCommit it.
    tests :: Round down.\n\n## Requirements\n- Keep the name.\n- When done, run \`npm test\`. ¦ Run jest, and only if it is green, commit.
    tests :: Run vitest, and if it fails, tell me. ¦ No new tests are needed. Run the tests.
    commit :: Guard parse() against nulls and commit it ¦ Trim the name and commit with message 'feat: trim' ¦ commit ¦ commit the merge
    commit :: can you commit? ¦ Based on the above changes, create a single git commit. ¦ Fix it and commit it, but don't commit the lockfile.
    commit :: Commit it, but don't commit to main.
    build lint :: Drop the old import, then lint and build.
    commit tests :: Your job is to trim the name, run vitest and commit. ¦ Your task: trim the name, run vitest and commit.
    commit tests :: Steps:\n1. Trim the name\n2. Run vitest\n3. Commit ¦ Please do this:\n- trim the name\n- run vitest\n- commit
    commit tests :: ## Task\nTrim the name\n\n## When done\n- run vitest\n- commit
    lint :: ensure lint is clean ¦ Fix all the eslint warnings ¦ Tidy the form and run the linter.
    typecheck :: fix type errors ¦ run tsc ¦ run mypy
    build :: make sure it still compiles ¦ the build has to succeed ¦ verify with \`npm run build\`
    ci :: make CI green ¦ wait for CI ¦ fix the failing CI ¦ CI is failing, please fix
    pr :: open a draft PR ¦ Create an MR ¦ Submit this as a pull request ¦ Tests are green, so open a PR ¦ Once you're done, open a PR.
    pr :: Open a PR with this change: the port should be 8080.
    push :: push ¦ git push ¦ force push ¦ push your changes to the branch ¦ don't forget to push
    commit push :: commit/push ¦ looks good, commit and push now ¦ commit and push it to origin
    commit pr push :: Ship it: commit, push and open a PR against main
    commit pr push :: Based on the above changes:\n1. Create a branch\n2. Create a single commit\n3. Push the branch to origin\n4. Create a pull request using \`gh pr create\`
    lint tests :: Run the unit tests and the linter ¦ run cargo test and then cargo clippy
    build lint tests :: run npm test, npm run build and npm run lint before you stop
    lint tests typecheck :: please fix and make sure lint, typecheck and tests pass
    !commit tests :: don't commit yet, just run the tests
    !pr tests :: Run the tests but don't open a PR
    !build !lint !tests !typecheck :: don't run anything ¦ Round it down, but never run any commands here.
    !tests :: don't run the tests ¦ Fix it without running the tests ¦ You don't need to run the tests ¦ No need to run the tests. ¦ Skip the tests
    !tests :: leave the tests, I run them ¦ no more tests ¦ don't bother with the tests ¦ I'll run the tests myself
    !tests :: Fix the total, but do not run the tests yet. ¦ Don't run the tests in this session. ¦ don't run the tests until I say so
    !tests :: Don't run the test suite right now, it takes an hour ¦ Hold off on running the tests.
    !tests :: Please do not run npm test, the database is in use. ¦ Never run \`npm test\` here. ¦ No tests please. ¦ Round it down, no tests please.
    !tests :: Führe \`npm test\` nicht aus. ¦ N'exécute pas \`npm test\`. ¦ 不要运行 \`npm test\`。 ¦ Fix the total, no tests needed.
    !tests :: The tests are not necessary.
    !build :: no build required
    !pr :: don't open a PR ¦ Skip the PR ¦ Fix it without opening a PR.
    !push commit :: commit but don't push it
    !commit :: Fix it without committing ¦ Do not commit the changes yet. ¦ Don't commit! ¦ Never commit anything.
    !commit !push :: Fix it, but don't commit or push anything. ¦ Please do not commit, nor push.
    nothing :: Remove the old tests that are not needed. ¦ A push notification is not needed. ¦ No changes of the tests are needed.
    nothing :: Don't run the tests until the fix is in. ¦ if tests fail, tell me ¦ If the tests fail, fix them ¦ Once CI is green, merge it
    nothing :: Run the tests only when I say so. ¦ Run the tests if needed. ¦ Why are the tests failing? ¦ run the tests?
    nothing :: The form should validate and commit it. ¦ The button should commit the form. ¦ Make the button validate and commit the form
    nothing :: Wrap the save in a transaction and commit it ¦ Editor shows commit and push. ¦ CI builds it, then lint and build.
    nothing :: Husky hooks format files and commit it ¦ People build the app, run the tests and push. ¦ Alice will round it and commit it
    nothing :: Teach the bot to round, run the tests and push ¦ Document how to build and run the tests ¦ Crash when I click save and commit it
    nothing :: When done is pressed, run the tests again in the UI ¦ ## Bug\nWhen done is pressed, run the tests again in the UI.\n\n## Notes\nRun the tests.
    nothing :: Steps:\n1. Open the app\n2. Run the tests\n\nExpected: no crash ¦ The bug:\nSteps:\n1. Open the app\n2. Run pytest ¦ did you run the tests?
    nothing :: Open a PR or push directly? ¦ Would it help to run the tests? ¦ Explain what happens when you run the tests. ¦ the tests are failing
    nothing :: mise run test:ci is failing ¦ I ran the tests and they pass ¦ We build, run the tests and deploy on every commit.
    nothing :: We never run the tests on Windows ¦ Fix all of them and I'll review and commit when you are done.
    nothing :: Codex said it will run the tests and open a PR. Just fix the typo. ¦ The user should be able to run tests from the UI
    nothing :: our bot must run the linter on push ¦ Add a script to build, run the tests and push
    nothing :: Write a GitHub workflow that runs lint and tests on each PR ¦ Create an AGENTS.md: always run the tests ¦ Use vitest, not jest.
    nothing :: Fix the test data ¦ Please fix my unit test issue ¦ Fix the CI badge in the README ¦ Add tests for the parser
    nothing :: Make sure you don't break any tests ¦ make the build faster ¦ create a PR template ¦ Create a commit graph. ¦ Review the PR
    nothing :: push back on this idea ¦ push the state up into the parent component ¦ push notifications don't work ¦ push the docker image
    nothing :: Do not push to main ¦ leave the tests as they are ¦ Use stack.push() and then push the item onto the queue
    nothing :: Change the label "Run tests" to "Execute" ¦ can you use the run the tests skill ¦ /ship run the tests and push
    nothing :: anna: Please run the tests before merging. ¦ > run the tests\nWhat does this comment mean? ¦ \`\`\`\nrun the tests\n\`\`\`\nwhat does this do?
    nothing :: src/a.ts:12:3: error: fix the failing tests ¦ ## Run the tests\n\nrename this section
    nothing :: Implement the following plan:\n\n# Plan\n\n1. Push the branch.\n\nMake sure CI is green.
    nothing :: Implement the following plan. Move the sum, then run the tests, then push the branch.
    nothing :: Translate this into German:\n\nplease run the tests before you push. ¦ Steps to reproduce:\n1. Open the app\n2. Run the tests\n\nfix the crash
    nothing :: I got this feedback: please run the tests before merging ¦ My boss wrote me this.\n\nRun the tests and push. ¦ \`npm test\` fails on Windows.
    nothing :: ❯ mise run test ¦ [test] $ go test ./... ¦ Mit jedem Lauf geht npm test schief, ich weiß nicht warum.
    nothing :: \`npm test\` läuft nicht, und das ständig. ¦ Don't run tests against production. ¦ Don't run anything that writes to the database.
    nothing :: It has no docs, no tests. ¦ Lance \`npm test\` quand tu veux. ¦ ¿Qué hace \`npm test\`?
  `.flatMap(([orders, ...texts]) => texts.map((text) => [orders, text] as const))

describe("what a message orders", () => {
  it.each<readonly [string, string]>([
    ...rows,
    ["tests", `Run the tests. ${filler(3000)}`],
    ["tests", `${filler(3000)} Run the tests.`],
    ["nothing", `${filler(1000)} Run the tests. ${filler(1000)}`],
    ["nothing", `# Task\n${filler(2000)}\nRun the tests.`]
  ])("%s: %j", (orders, text) => assert.strictEqual(read(text), orders))

  it.each([
    ["Fix it and run `pnpm -r test`.", "run", "pnpm -r test"],
    ["Run pytest -q tests/unit and commit.", "run", "pytest -q tests/unit"],
    ["Bitte führe `npm test` aus.", "run", "npm test"],
    ["Run the tests.", "run", null],
    ["The tests are failing, fix them.", "fix", null]
  ])("%j: %s %j", (text, how, command) => {
    const ask = asksOf(text).asks.find(({ gate }) => gate === "tests")
    assert.deepStrictEqual([ask?.how, ask?.command], [how, command])
  })

  it("a gate is ordered or forbidden, never both", () => {
    const phrases = ["run", "don't run", "the tests", "lint", ",", "and", "push", "open a PR", ".", "never", "\n", "if"]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...phrases, "make sure", "pass"), { maxLength: 16 }), (words) => {
        const { asks, forbids } = asksOf(words.join(" "))
        assert.isFalse(asks.some((ask) => forbids.includes(ask.gate)))
        assert.strictEqual(new Set(asks.map((ask) => ask.gate)).size, asks.length)
      })
    )
  })

  it("a long message is read in linear time", () => {
    const text = "make sure that the tests and the build and ".repeat(20_000)
    assert.isAtMost(asksOf(text).asks.length, 2)
    assert.isAtMost(ownSentences(text).length, 60)
  })
})

it.each([
  ["Fix it. Then run it.", ["Fix it.", "Then run it."]],
  ["```\nrun it\n```\n$ run it\n2026-03-02T09:00 run it\nWhy?", ["Why?"]],
  ["Add this to the README:\n\nIt is fast.\n\nThen run it.", ["Add this to the README:", "Then run it."]],
  ["Fix it.\n\n# Plan\n\nRun it.", ["Fix it."]]
])("an author's own sentences: %j", (text, said) => assert.deepStrictEqual(ownSentences(text), said))
