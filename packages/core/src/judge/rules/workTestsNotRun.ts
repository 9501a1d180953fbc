/** Tests were written in this turn, and never run. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { matchesAny } from "../../ground/text/Text.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding, lastTried, userTries } from "./shared.ts"

/** "The tests were not run", "I have not run the tests" */
const notRun: ReadonlyArray<RegExp> = [
  /\b(?:tests?|specs?|suite)\b[^.?!,;]{0,40}(?:\bnot|n't|\bnever)(?: yet)?(?: been)? (?:re-?)?(?:run|executed)\b/i,
  /(?:\bnot|n't|\bnever|\bwithout)(?: yet)? (?:re-?)?(?:run|ran|running|execut(?:e|ed|ing)) (?:(?:any|the|these|those|my|new) ){0,3}(?:tests?|specs?|suite)\b/i
]

/** "Add the endpoint and tests for it"; who renames something in tests has written none. */
const ordered = /\b(?:add|write|create|implement|cover|extend|include)\b[^?!\n]{0,80}\b(?:tests?|specs?)\b/i

/** "Don't run them, they take an hour" */
const leaves = /\b(?:don't|do not|never|need not|needn't) (?:run|execute) (?:them|it|those|these|that)\b/i

const check = (facts: Facts): ReadonlyArray<Finding> => {
  const { evidence, gates, reading, task } = facts
  const written = evidence.edits.filter(({ kind }) => kind === "test")
  const last = Evidence.lastEdit(evidence, ["test"])
  const isNamed = gates.some(({ gate, required, result }) => gate === "tests" && (required || result === "passed"))
  const says = reading.english && reading.prose.closing.some((sentence) => matchesAny(notRun, sentence.slice(0, 400)))
  if (written.length === 0 || isNamed || !(says || (lastTried(facts) <= last && ordered.test(task.message)))) return []
  if (task.intent !== "act" || task.wantsFailure || task.forbids.includes("tests") || userTries(task.message)) return []
  if (leaves.test(task.message.slice(0, 4000))) return []
  const path = written[written.length - 1]?.path ?? ""
  return finding({
    fact: `You wrote tests (${path}), and did not run them.`,
    missing: `a run of the tests that were written: ${path}`,
    action: "Run the tests that you wrote, and report what they print.",
    denies: ["tests"],
    calls: written.flatMap(({ callId }) => callId ?? []).slice(-1)
  })
}

export const workTestsNotRun: Rule = {
  id: "work/tests-not-run",
  unattended: "push",
  pattern: "unverified",
  waits: true,
  check
}

export const page: Page = {
  what: "The agent wrote or changed tests in this turn, and nothing ran after that, or the text says itself that they were not run.",
  why: "A test that nobody has seen pass or fail says nothing.",
  fires: [
    example(
      "nothing ran",
      user("Add the endpoint and tests for it."),
      edited("app/endpoint.py"),
      edited("tests/test_endpoint.py"),
      agent("The endpoint and its tests are there.")
    ),
    example(
      "the text says so",
      user("Add the endpoint and tests for it."),
      edited("app/endpoint.py"),
      edited("tests/test_endpoint.py"),
      ran("./check.sh"),
      agent("The endpoint is there. The tests were not run.")
    ),
    example(
      "run before they were written",
      user("Add a test for the empty list."),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      edited("test/total.test.ts"),
      agent("There is a test for the empty list now.")
    )
  ],
  spares: [
    example(
      "they were run",
      user("Add the endpoint and tests for it."),
      edited("app/endpoint.py"),
      edited("tests/test_endpoint.py"),
      ran("pytest", 0, "3 passed in 0.12s"),
      agent("The endpoint is there, and its tests pass.")
    ),
    example(
      "the user runs them",
      user("Add tests for the endpoint. I'll run them myself."),
      edited("tests/test_endpoint.py"),
      agent("The tests are there.")
    ),
    example(
      "something ran that nobody knows",
      user("Add the endpoint and tests for it."),
      edited("tests/test_endpoint.py"),
      ran("./check.sh"),
      agent("The endpoint and its tests are there.")
    )
  ]
}
