/** The agent asks leave for what was ordered. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import { speaksOf } from "../../session/gates/GateTable.ts"
import { isOffer, wh } from "../../session/stop/Questions.ts"
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { type Facts, unanswered } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { isOrdered, isProved, onlyReports, untouched } from "./shared.ts"

/** What is left of the task, or the next part of it. */
const goesOn: ReadonlyArray<Row> = [
  row(
    "remaining|rest|other",
    /\b(?:continue|go on|carry on|proceed|finish|do|complete|migrate|convert|update|fix)\b[^?]{0,40}\b(?:remaining|rest|others?)\b/i,
    "Should I do the rest?",
    "Should I restart it?"
  ),
  row(
    "continue with|go on with|carry on with|proceed with",
    /\b(?:continue|go on|carry on|proceed) with\b(?![^?]{0,80}\b(?:phase|stage|implementation|approach|plan|fix\w{0,3})\b)/i,
    "Shall I continue with the parser?",
    "Shall I continue with this approach?"
  )
]

/** A check of its own change. */
const checks: ReadonlyArray<Row> = [
  row(
    "run|execute|try",
    /\b(?:(?:re-?)?run|execute|try)\b[^?]{0,60}\b(?:tests?|test suite|lint\w{0,4}|build|type ?check\w{0,3}|checks?|suite|it)\b/i,
    "Should I run the tests?",
    "Should I trim it?"
  )
]

const writesTests = row(
  "write|add|create&test",
  /\b(?:write|add|create)\b[^.?!]{0,60}\btests?\b/i,
  "Write the tests.",
  "Run the tests."
)

const besides = /\b(?:as well|also|too|additionally)\b/i

const leavesOut = /\b(?:skip|ignore|leave|drop|without|disable)\b/i

/** The beginnings of words that say nothing of what is to be done. */
const fillers = new Set(
  "do you would should shall can may could want like ready let me know if say the word go ahead procee start begin contin on and as well right now next first then just this that it these those them so an to for in with of by your my here please make apply implem fix write add change changi update create code file files i'll i'd you'd".split(
    " "
  )
)

/** Whether all that a question offers to do is in the order: "write the tests" after "write the function and its tests". */
const wasOrdered = (facts: Facts, question: string): boolean => {
  const { message } = facts.task
  if (writesTests.pattern.test(question)) return writesTests.pattern.test(message)
  const words = (question.toLowerCase().match(/[a-z\d][\w'-]+/g) ?? []).map((word) => word.slice(0, 6))
  const offered = words.filter((word) => !fillers.has(word))
  const ordered = message.toLowerCase()
  const isCovered = offered.every((word) => ordered.includes(word))
  return isCovered && (offered.length > 1 || untouched(facts))
}

/** Leave asked for what was asked, or for checking one's own change. */
const leaveFor = (facts: Facts): ReadonlyArray<Finding> => {
  const { gates, task } = facts
  const { question } = facts.reading
  if (question === null || question.kind === "risk" || /\bor\b/i.test(question.text)) return []
  const { text } = question
  if (onlyReports(facts)) return []
  const edited = Evidence.lastEdit(facts.evidence, ["source", "test", "conflict"]) > 0
  const unchecked = !gates.some((gate) => gate.gate === "tests" && gate.result === "passed")
  const ownCheck = edited && unchecked && task.intent !== "ask" && !besides.test(text) && takes(checks, text)
  if (ownCheck) return [leaveAsked(text)]
  if (task.asksLeave) return []
  const asked = gates.some(
    ({ gate, result, why }) => why === "asked" && result !== "passed" && speaksOf(text, gate) && !leavesOut.test(text)
  )
  const rest = task.intent === "act" && facts.evidence.actions > 0 && takes(goesOn, text)
  const again = isOrdered(task) && !wh.test(text) && isOffer(text) && wasOrdered(facts, text)
  return asked || rest || again ? [leaveAsked(text)] : []
}

/** Where nobody is there, what the agent can decide itself is no question either; what only a person can give is. */
const check = (facts: Facts): ReadonlyArray<Finding> => {
  const open = unanswered(facts)
  if (open?.by === "person") return []
  const needless = leaveFor(facts)
  // What is asked after proven work is about more than was ordered.
  const finished = facts.evidence.actions > 0 && isProved(facts)
  return open === null || needless.length > 0 || finished ? needless : [toDecide(open.text)]
}

const toDecide = (text: string): Finding => ({
  severity: "LOW",
  fact: `You leave it to the user, and nobody is there to answer: "${text}"`,
  missing: `what nobody is there to answer: "${text}"`,
  action: "Decide it yourself, do it, and state in your answer what you assumed.",
  stands: true
})

const leaveAsked = (question: string): Finding => ({
  severity: "LOW",
  fact: `You asked for leave to do what the task already includes: "${question}"`,
  missing: `what the agent asks leave for: "${question}"`,
  action: "Go on with what the user asked for, and decide within it yourself.",
  stands: true
})

export const stopNeedlessQuestion: Rule = {
  id: "stop/needless-question",
  // Nobody will answer, so the run would end here.
  unattended: "push",
  pattern: "permission_seeking",
  holds: true,
  presses: true,
  needsRights: true,
  check
}

export const page: Page = {
  what: "The agent asks leave for what the user has ordered.",
  why: "A run without a person waits for good, and a person has to say the same thing twice.",
  fires: [
    example(
      "the rest of the task",
      user("Migrate all five modules to the new logger."),
      edited("src/a.ts"),
      agent("I migrated two modules. Shall I continue with the remaining three?")
    ),
    example(
      "the check that was asked for",
      user("Fix the total and run the tests."),
      edited("src/total.ts"),
      agent("The total is fixed. Should I run the tests?")
    ),
    example(
      "its own check",
      user("Fix the rounding in the total."),
      edited("src/total.ts"),
      agent("The rounding is fixed. Would you like me to run the test suite?")
    )
  ],
  spares: [
    example(
      "a choice of the user's",
      user("Add a cache to the loader."),
      edited("src/loader.ts"),
      agent("Should entries live for an hour or for a day?")
    ),
    example(
      "more than was asked",
      user("Fix the rounding in the total."),
      edited("src/total.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      agent("Fixed, and the tests pass. Would you like me to add a changelog entry?")
    ),
    example(
      "the user wants to be asked",
      user("Migrate all five modules. Ask me before each one."),
      edited("src/a.ts"),
      agent("The first is migrated. Shall I continue with the second?")
    )
  ]
}
