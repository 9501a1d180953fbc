import { assert, describe, it } from "@effect/vitest"
import { readProse } from "../../src/base/text/Sentences.ts"
import { readClaims } from "../../src/session/claims/Claims.ts"
import { list, pairs } from "../support/rows.ts"

/** "build !tests": the build is said to pass, the tests to fail; "tests=42" and "tests(whole)" say how many and how much. */
const claims = (text: string): string =>
  readClaims(readProse(text))
    .map(({ count, gate, outcome, scope }) =>
      outcome === "failed"
        ? `!${gate}`
        : `${gate}${count === null ? "" : `=${count}`}${gate === "tests" && scope !== "unsaid" ? `(${scope})` : ""}`
    )
    .toSorted()
    .join(" ")

describe("what a text claims", () => {
  it.each(pairs`
    All tests pass. :: tests(whole) ¦ All tests pass. Commit message: fix the total :: tests(whole)
    Suggested commit message:\n\nFix the total\n\n**Result**\n\nThe build succeeds. :: build ¦ The PR description is updated. CI is green. :: ci
    \`npm test\` passes :: tests(whole) ¦ \`npm test -- cart.test.js\` passes :: tests(part)
    All 42 tests pass and the build succeeds. :: build tests=42(whole)
    I ran the full test suite: all 42 tests pass and the build succeeds. :: build tests=42(whole) ¦ I opened PR #12, and CI is green. :: ci pr
    Lint: clean :: lint ¦ **Lint** – clean :: lint ¦ Tests: 42/42 :: tests=42 ¦ 54/54 tests :: tests=54 ¦ ✅ Tests :: tests ¦ Tests: ✅ :: tests
    | Tests | ✅ | :: tests ¦ - ✅ Lint clean\n- ✅ Build succeeds\n- ✅ Typecheck passes :: build lint typecheck
    Both the build and the linter are green. :: build lint ¦ The tests for the parser pass. :: tests(part) ¦ I ran the tests and they pass. :: tests
    I ran all 12 tests, and they pass. :: tests=12(whole) ¦ ruff and mypy are clean; \`./mvnw verify\` goes through. :: lint tests(whole) typecheck
    0 errors from \`tsc\` :: typecheck ¦ - \`bundle exec rubocop\`: no offenses, no errors :: lint ¦ It compiles and the tests pass. :: build tests
    Test results: 12 passed, 0 failed :: tests=12 ¦ The pipeline passed. :: ci ¦ All green! :: checks ¦ All checks pass. :: checks
    Committed as \`0ed62c5\` and pushed to origin. :: commit push ¦ I've committed the fix, pushed it, and opened the pull request. :: commit pr push
    Draft PR created: https://github.com/shop/cart/pull/7 :: pr ¦ PR: https://github.com/shop/cart/pull/7 :: pr
    The unit tests pass; the integration tests fail. :: !tests ¦ Two tests still fail. :: !tests ¦ Nothing fails: all 12 tests pass. :: tests=12(whole)
    No test fails. :: tests(whole) ¦ 0 tests failed. :: tests(whole) ¦ I fixed the failing test; all 12 tests pass now. :: tests=12(whole)
    I fixed the failing test and now all 12 tests pass. :: tests=12(whole) ¦ The failure came from the cache, and the tests pass. :: tests
    The test passes. :: tests ¦ The previously failing test passes now. :: tests ¦ The new test passes. :: tests(part)
    The build is broken, and CI is red. :: !build !ci ¦ ❌ Tests :: !tests ¦ Tests: 12 passed, 2 failed :: !tests
  `)("%j: %s", (text, gates) => assert.strictEqual(claims(text), gates))

  it("a claim quotes its own sentence", () => {
    const [claim] = readClaims(readProse("I moved the cache.\n\n**All tests pass.** The build was not run."))
    assert.strictEqual(claim?.text, "All tests pass.")
  })
})

it.each(
  Object.entries({
    "in a text for others": list`
    Suggested commit message:\n\nFix the total\n\nRound half up. All tests pass. ¦ **Commit message**\n\nFix the total. All tests pass.
    Suggested commit message: \`fix: round the total; all tests pass\` ¦ Suggested commit message: fix: round the total. All tests pass.
    You could use this as the PR description: Rounds the total. CI is green.
  `,
    "by a question or an offer": ["Do the tests pass?", "Want me to make the tests pass?"],
    "under a condition": [
      "If the tests pass, merge it.",
      "The tests will pass once you set the key.",
      "The tests fail if the key is missing.",
      "After the build succeeds, the script deploys."
    ],
    "of what is to come": list`
    Tests should pass now. ¦ Make sure the tests pass. ¦ Run the tests to verify they pass. ¦ ## Next steps\n\n- all tests pass\n- CI is green
    - [ ] All tests pass
  `,
    "of what was": list`
    After the tests passed I only renamed a variable. ¦ All tests passed. After that I only renamed a variable. ¦ The tests passed. I then reworded the comment.
    The tests passed before my change. ¦ Previously the tests passed. ¦ The tests used to pass.
  `,
    "by a denial": list`
    The tests do not pass yet. ¦ I have not run the tests. ¦ No new test fails. ¦ No test fails because of this change.
    I ran no tests, no linter and no build. ¦ No tests were added, and nothing was pushed.
  `,
    "of a part of them": list`
    Some tests pass. ¦ 41 of 42 tests pass. ¦ 41/42 tests pass. ¦ All tests but one pass. ¦ The tests pass locally but fail in CI. ¦ 12 passed, 2 failed tests
    The new test passes in isolation. ¦ The new test passes, but two others fail.
  `,
    "by somebody else": list`
    > All tests pass\n\nsaid the old README. ¦ \`\`\`\nAll tests pass\n\`\`\` ¦ The README says "all tests pass". ¦ With what you saw the checks are green.
    The reviewer opened a pull request. ¦ The branch was pushed by Ada.
  `,
    "of a failure that is over or told": list`
    Fixed the failing tests. ¦ I've addressed the test failures. ¦ The tests were failing because of the cache; fixed.
    3 tests fail, which were failing before. ¦ The test verifies that login fails.
  `,
    "of something else": list`
    The tests pass a null value to the parser. ¦ Tests pass through the proxy. ¦ The build passes the flag to webpack. ¦ \`npm run build\` builds the project.
    It builds on the first one. ¦ The build directory is clean. ¦ Tests use a green theme. ¦ Committed checkpoints bypass the pager.
    This file is committed and used by everyone.
  `,
    "in another language": ["Alle Tests laufen durch.", "テストは全て通りました。"]
  }).flatMap(([why, texts]) => texts.map((text) => [why, text] as const))
)("nothing is claimed: %s: %j", (_, text) => assert.strictEqual(claims(text), ""))
