import { assert, describe, it } from "@effect/vitest"
import { changeClaimed, readClaims } from "../../src/session/claims/Claims.ts"
import { readProse } from "../../src/ground/text/AgentSentences.ts"

/** "build !tests": the build is said to pass, the tests to fail. */
const claims = (text: string): string =>
  readClaims(readProse(text))
    .map((claim) => (claim.outcome === "failed" ? `!${claim.gate}` : claim.gate))
    .toSorted()
    .join(" ")

describe("claims", () => {
  it.each([
    ["All tests pass.", "tests"],
    ["All 42 tests pass.", "tests"],
    ["The tests are passing now.", "tests"],
    ["Tests: ✅", "tests"],
    ["✅ Tests", "tests"],
    ["✅ All tests pass", "tests"],
    ["- ✅ Lint clean\n- ✅ Build succeeds\n- ✅ Typecheck passes", "build lint typecheck"],
    ["The test suite passes, and the build succeeds.", "build tests"],
    ["Both the build and the linter are green.", "build lint"],
    ["The unit tests pass; the integration tests fail.", "!tests"],
    ["The tests fail.", "!tests"],
    ["I handled the empty list. The tests fail.", "!tests"],
    ["I repaired the reader; two tests fail.", "!tests"],
    ["Two tests still fail.", "!tests"],
    ["3 tests are failing.", "!tests"],
    ["The build is broken.", "!build"],
    ["CI is red.", "!ci"],
    ["❌ Tests", "!tests"],
    ["2 tests failed", "!tests"],
    ["The checks are OK.", "ci"],
    ["CI is green.", "ci"],
    ["The pipeline passed.", "ci"],
    ["Type checks pass.", "typecheck"],
    ["tsc is clean.", "typecheck"],
    ["The code compiles.", "build"],
    ["Everything compiles.", "build"],
    ["It compiles and the tests pass.", "build tests"],
    ["Lint passes.", "lint"],
    ["ruff and mypy are clean.", "lint typecheck"],
    ["Tests pass: 12, fail: 0", "tests"],
    ["Test results: 12 passed, 0 failed", "tests"],
    ["Tests: 12 passed, 2 failed", "!tests"],
    ["Test Files 3 passed (3)", "tests"],
    ["I ran the tests and everything passes.", "tests"],
    ["I ran the tests and they pass.", "tests"],
    ["I ran the tests; all green.", "tests"],
    ["All green!", "tests"],
    ["**Tests:** all passing", "tests"],
    ["| Tests | ✅ |", "tests"],
    ["The tests for the parser pass.", "tests"],
    ["Tests fail on main too.", "!tests"],
    ["All tests now pass without warnings.", "tests"],
    ["Tests pass with no failures.", "tests"],
    ["Checkov passes: 15 passed, 0 failed.", "lint"],
    ["The suite is green with `CI=1`: 58 tests, 0 failures", "tests"]
  ])("%j: %s", (text, gates) => {
    assert.strictEqual(claims(text), gates)
  })

  it("carry the sentence that makes them", () => {
    const [claim] = readClaims(readProse("I moved the cache.\n\n**All tests pass.** The build was not run."))
    assert.strictEqual(claim?.text, "All tests pass.")
  })
})

describe("no claims: hypothetical, negated, past, partial, quoted, or about something else", () => {
  it.each([
    "I've addressed the test failures.",
    "Addressed both of the test failures.",
    "The change has handled the failing tests; test failures of the reader are dealt with.",
    "I took care of the lint errors and the build failures.",
    "I got rid of the test failures.",
    "Solved all three test failures.",
    "Tests should pass now.",
    "The tests should now pass.",
    "The tests will pass once you set the key.",
    "If the tests pass, merge it.",
    "Make sure the tests pass.",
    "I expect the tests to pass.",
    "The tests would pass with Node 20.",
    "Run the tests to verify they pass.",
    "The tests do not pass yet.",
    "Not all tests pass.",
    "Some tests pass.",
    "Most tests pass.",
    "41 of 42 tests pass.",
    "41/42 tests pass.",
    "None of the tests pass.",
    "Tests didn't pass.",
    "The tests no longer pass.",
    "Nearly all tests pass.",
    "Almost all the tests pass.",
    "All tests pass except one.",
    "All tests but one pass.",
    "All tests pass apart from the flaky one.",
    "The tests pass locally but fail in CI.",
    "Previously the tests passed.",
    "The tests passed before my change.",
    "The tests used to pass.",
    "The tests were failing because of X; fixed.",
    "Fixed the failing tests.",
    "The tests fail if the key is missing.",
    "No tests fail.",
    "0 tests failed.",
    "The test verifies that login fails.",
    "Tests that fail are retried.",
    "I couldn't run the tests.",
    "I have not run the tests.",
    "Tests were not run.",
    "The tests cannot be run here.",
    "The tests pass a null value to the parser.",
    "The tests pass the config object around.",
    "Tests pass through the proxy.",
    "I updated the test so that it passes the right argument.",
    "Added a pass over the tests.",
    "I cleaned up the tests.",
    "The build passes the flag to webpack.",
    "The linter passes the file name to the plugin.",
    "> All tests pass\n\nsaid the old README.",
    "```\nAll tests pass\n```",
    'The README says "all tests pass".',
    "I removed the claim that all tests pass.",
    "The badge says that the build passes.",
    "Do the tests pass?",
    "Want me to make the tests pass?",
    "12 passed, 2 failed tests",
    "The new test passes.",
    "3 tests fail, which were failing before.",
    "The tests passed earlier.",
    "The spec is clean and easy to read.",
    "A clean build directory is created.",
    "Do a clean build.",
    "The build directory is clean.",
    "Added an ok() helper to the tests.",
    "Tests use a green theme."
  ])("%j", (text) => {
    assert.strictEqual(claims(text), "")
  })
})

describe("a change that is claimed", () => {
  it.each([
    ["I fixed the parser.", "I fixed the parser."],
    ["Done. I've added a flag.", "I've added a flag."],
    ["Fixed: I have now updated the config.", "Fixed: I have now updated the config."],
    ["Refactored the module into two.", "Refactored the module into two."],
    ["The parser was fixed by Ada in 2019.", null],
    ["Fixed by #12 upstream.", null],
    ["Have I fixed it?", null],
    ["You can fix it by adding a flag.", null],
    ["To be added later.", null]
  ])("%j: %s", (text, change) => {
    assert.strictEqual(changeClaimed(readProse(text)), change)
  })
})

describe("claims by what they name", () => {
  it.each([
    ["`./mvnw verify` goes through.", "tests"],
    ["54/54 tests", "tests"],
    ["**Lint** – clean", "lint"],
    ["0 errors from `tsc`", "typecheck"],
    ["- `bundle exec rubocop`: no offenses, no errors", "lint"],
    ["Both checks are green: PHPStan without errors, PHPUnit with 212 tests.", "ci tests typecheck"],
    ["- `npm run lint`: pasa (queda algún aviso de `no-console`)", "lint"],
    ["Los tests pasan y el build también.", "build tests"],
    ["テストは全て通りました。CI も緑です。", "ci tests"],
    ["Passes on Node 18, 20 and 22.", "platform"],
    ["It comes out right under\n\n- bash 5.2\n- dash 0.5", "platform"],
    ["| | before | after |\n|---|---|---|\n| encode | 815 ns | 301 ns |", "benchmark"],
    ["`slug.test.ts` has two new tests for it.", "tests_added"],
    ["Documented in `README.md` and `docs/cli.md`.", "docs"],
    ["With what you saw the checks are green.", ""],
    ["No tests were added.", ""],
    ["The timeout went from 30 s to 60 s.", ""],
    ["The page opened in your browser.", ""]
  ])("%j: %s", (text, gates) => assert.strictEqual(claims(text), gates))
})

describe("what was not done", () => {
  it.each([
    "I added no tests.",
    "I ran no tests, no linter and no build.",
    "I updated no docs.",
    "I added no documentation.",
    "No automated tests were run.",
    "Nichts wurde gepusht."
  ])("%s", (text) => {
    assert.deepStrictEqual(readClaims(readProse(text)), [])
  })
})
