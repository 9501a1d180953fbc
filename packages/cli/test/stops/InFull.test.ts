import { describe, it } from "@effect/vitest"
import { agent, edit, type Event, judged, row, run, type Stop, user, type Wanted } from "./judged.ts"

const all = run("npm test", 0, "12 passed")
const part = (file = "cart.test.js"): Event => run(`npm test -- ${file}`, 0, "5 passed")
const red = run("npm test", 1, " FAIL  test/cart.test.js > rounds\nTests  1 failed | 11 passed (12)")
const change = edit("cart.js")
const full = "Fix the rounding in the cart and run the full test suite."

const missing: Wanted = {
  status: "incomplete",
  nudge: true,
  gates: { tests: "missing" },
  feedback: ["The tests were asked for in full, only a part was run: `npm test -- cart.test.js`."]
}
const stale: Wanted = { status: "incomplete", nudge: true, gates: { tests: "stale" } }
const done: Wanted = { status: "complete", nudge: false, gates: { tests: "passed" } }
const unknown: Wanted = { status: "abstained", nudge: false, gates: { tests: "unknown" } }

const stop = (name: string, wanted: Wanted, order: string, events: ReadonlyArray<Event>): Stop =>
  row(name, wanted, [user(order), ...events, agent("Fixed.")])

const ran = (command: string): Event => run(command, 0, "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0")
const scripts = (own: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  "package.json": JSON.stringify({ scripts: own })
})

describe("an order to run the tests in full", () => {
  it.effect(
    "is not carried out by a run of a part",
    judged([
      ...[
        full,
        "Fix the rounding, and make sure all tests pass.",
        "Fix the rounding. All the tests must pass.",
        "Fix the rounding and run every test.",
        "Fix the rounding, then run the whole suite again."
      ].map((order, index) => stop(`part-${index}`, missing, order, [change, part()])),
      stop("whole-before-the-last-edit", stale, full, [change, all, change, part()]),
      stop("red-before-the-last-edit", stale, full, [change, red, change, part()])
    ])
  )

  it.effect(
    "is carried out by a whole run, and may be by several parts",
    judged([
      stop("whole", done, full, [change, all]),
      stop("part-behind-it", done, full, [change, all, part()]),
      stop("part-before-it", done, full, [change, part(), all]),
      stop("part-clears-what-failed", done, full, [change, red, part()]),
      stop("all-folders", done, full, [change, run("pytest tests", 0, "=== 5 passed in 0.1s ===")]),
      stop("parts", unknown, full, [change, part(), part("tax.test.js")])
    ])
  )

  it.effect(
    "may be carried out by a run that leaves something out",
    judged(
      [
        "pytest --ignore=tests/slow",
        "pytest --ignore tests/slow",
        "pytest --deselect tests/test_cart.py::test_slow",
        'pytest -m "not slow"',
        "pytest -k 'not slow and not network'",
        "npx vitest run --exclude 'dist/**'",
        "cargo test -- --skip slow",
        "cargo test --workspace --exclude bench",
        "go test -skip TestSlow ./...",
        "phpunit --exclude-group slow",
        "rspec --tag ~slow",
        "mvn test -pl '!bench'",
        'dotnet test --filter "Category!=Slow"',
        "ctest -E slow"
      ].map((command, index) => stop(`without-${index}`, unknown, full, [change, run(command, 0, "5 passed")]))
    )
  )

  it.effect(
    "is not carried out by a part that leaves something out",
    judged(
      [
        "pytest --ignore=tests/slow tests/test_cart.py",
        'pytest -k "cart and not slow"',
        "go test -skip TestSlow -run TestCart ./..."
      ].map((command, index) =>
        stop(`part-without-${index}`, { ...missing, feedback: [] }, full, [change, run(command, 0, "5 passed")])
      )
    )
  )

  it.effect(
    "is not denied to who says so of such a run",
    judged([
      row("claims-the-whole", { nudge: false, contradicted: false }, [
        user("Fix the rounding in the cart."),
        change,
        run("pytest --ignore=tests/slow", 0, "=== 5 passed in 0.1s ==="),
        agent("Fixed. The full test suite passes.")
      ])
    ])
  )

  it.effect(
    "needs such a word",
    judged(
      ["run the tests", "run all tests in cart.test.js", "run all unit tests", "make sure the tests pass"].map(
        (order, index) => stop(`of-a-part-${index}`, done, `Fix the rounding and ${order}.`, [change, part()])
      )
    )
  )

  it.effect(
    "is not carried out by a run of one class, and cannot be told to be by a script of one kind of tests",
    judged([
      stop("maven", { ...missing, feedback: [] }, full, [change, ran("mvn test -Dtest=CartTest")]),
      stop("maven-before", { ...missing, feedback: [] }, full, [change, ran("mvn -q -Dtest=CartTest test")]),
      stop("gradle", { ...missing, feedback: [] }, full, [change, ran("./gradlew test --tests CartTest")]),
      stop("maven-all", done, full, [change, ran("mvn clean test -q")]),
      stop("unit", unknown, full, [change, ran("npm run test:unit")]),
      stop("unit-and-e2e", done, full, [change, ran("npm run test:unit"), ran("npm run test:e2e")]),
      stop("unit-ordered", done, "Fix the rounding and run the unit tests.", [change, ran("npm run test:unit")]),
      {
        ...stop("unit-beside-test", unknown, full, [change, ran("npm run test:unit")]),
        project: scripts({ test: "jest", "test:unit": "jest -c unit.js" })
      },
      {
        ...stop("unit-is-all", done, full, [change, ran("npm run test:unit")]),
        project: scripts({ test: "npm run test:unit", "test:unit": "jest -c unit.js" })
      }
    ])
  )

  it.effect(
    "is said by name where a part was claimed as the whole",
    judged([
      row("claimed", { nudge: true, feedback: ["Run the tests in full and report what that shows"] }, [
        user("Fix the rounding in the cart."),
        change,
        run("pytest -k cart", 0, "=== 5 passed in 0.1s ==="),
        agent("Fixed. The full test suite passes.")
      ])
    ])
  )
})
