/** The agent asks leave for what was ordered. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import { speaksOf } from "../../session/gates/GateTable.ts"
import * as StandingOrders from "../../session/task/StandingOrders.ts"
import { asksFirst, isOrder } from "../../session/task/Intent.ts"
import { contentWords } from "../../ground/text/Text.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { onlyReports, untouched } from "./shared.ts"

const alternatives = /\bor\b/i

const offersCheck =
  /\b(?:run|rerun|re-run|execute|try)\b[^?]{0,60}\b(?:tests?|test suite|lint\w{0,4}|build|type ?check\w{0,3}|checks?|suite|it)\b/i

/** Tests offered for a change that nothing was run on at all. */
const offersTests =
  /\b(?:add|write) (?:the|these|those)\s?(?:missing |unit |regression )?tests?\b|\bverify (?:it|this|the (?:change|fix))\b/i

const besides = /\b(?:as well|also|too|additionally)\b/i

/** Leave asked for what was asked, or for checking one's own change. */
const check = (facts: Facts): ReadonlyArray<Finding> => {
  const { question } = facts.reading
  if (
    question === null ||
    question.kind === "information" ||
    question.kind === "risk" ||
    alternatives.test(question.text)
  )
    return []
  if (onlyReports(facts) || StandingOrders.forbid(facts.task.standing, question.text)) return []
  const edited = Evidence.lastEdit(facts.evidence, ["source", "test", "conflict"]) > 0
  const unchecked = !facts.gates.some((gate) => gate.gate === "tests" && gate.result === "passed")
  const advised = facts.gates.some((gate) => gate.advised)
  const ownCheck =
    edited &&
    unchecked &&
    !besides.test(question.text) &&
    ((offersCheck.test(question.text) && facts.task.intent !== "ask") || (advised && offersTests.test(question.text)))
  if (!ownCheck && (asksFirst(facts.task.message) || StandingOrders.wantAsking(facts.task.standing))) return []
  if (restOfTask.test(question.text) && facts.task.intent === "act" && facts.evidence.actions > 0)
    return [leaveAsked(question.text)]
  if (
    goesOn.test(question.text) &&
    !newStage.test(question.text) &&
    isOrder(facts.task.message) &&
    facts.evidence.actions > 0
  )
    return [leaveAsked(question.text)]
  if (
    asksLeave.test(question.text) &&
    !/^(?:what|which|where|how|who)\b/i.test(question.text) &&
    untouched(facts) &&
    isOwnEdit(question.text, facts.task.message)
  )
    return [leaveAsked(question.text)]
  if (isOrder(facts.task.message) && asksLeave.test(question.text) && wasOrdered(question.text, facts.task.message))
    return [leaveAsked(question.text)]
  const asked = facts.gates.find(
    (gate) =>
      gate.why === "asked" &&
      gate.result !== "passed" &&
      speaksOf(question.text, gate.gate) &&
      !leavesOut.test(question.text)
  )
  return ownCheck || asked !== undefined ? [leaveAsked(question.text)] : []
}

const leavesOut = /\b(?:skip|ignore|leave|drop|without|disable)\b/i

/** "Should I go ahead and make the change?": an edit, and nothing in it that the order does not name. */
const isOwnEdit = (question: string, message: string): boolean => {
  const ordered = message.toLowerCase()
  const named =
    question
      .toLowerCase()
      .replaceAll(plainEdit, " ")
      .match(/[a-z\d][\w-]+/g) ?? []
  return (
    (edits.test(question) && named.every((word) => ordered.includes(word.slice(0, 6)))) ||
    (rewrites.test(question) && /\bformat|\blint/.test(ordered))
  )
}

const rewrites = /\brun `[^`]{1,80}\s(?:--write|--fix|fmt|format)\b/i

const edits =
  /\b(?:go ahead|proceed|start|begin|continue|do|make|apply|implement|fix|write|add|change|update|edit|create|refactor|remove|rename|replace|convert|migrate|build)\b/i

const plainEdit =
  /\b(?:do|you|would|you'?d|should|shall|can|may|could|want|like|ready|let|me|know|if|say|the|word|go|ahead|proceed|start|begin|continue|on|and|as|well|right|now|next|first|then|just|this|that|it|these|those|them|so|an|to|for|in|with|of|by|your|my|here|please|make|apply|implement\w*|fix\w*|write|writing|add\w*|chang\w+|updat\w+|edit\w*|creat\w+|patch|solution|code|file|files|work\w*)\b/g

/** What a question offers to do is all of it in the order: "write the tests" after "write the function and its tests". */
const wasOrdered = (question: string, message: string): boolean => {
  const offered = contentWords(question.replaceAll(leaveWords, " "))
  const ordered = contentWords(message)
  if (writesTests.test(question)) return writesTests.test(message)
  return offered.size > 1 && [...offered].every((word) => ordered.has(word))
}

const writesTests = /\b(?:write|add|create)\b[^.?!]{0,60}\btests?\b/i

const leaveWords =
  /\b(?:do you|would you|you|should|shall|like|want|ready|let|know|go ahead|proceed|and|as well|also|too|right|now|next|first)\b/gi

const restOfTask =
  /\b(?:continue|go on|carry on|proceed|finish|do|complete|migrate|convert|update|fix)\b[^?]{0,40}\b(?:remaining|rest of|rest|others|other (?:\w+))\b/i

/** "Let me know if you'd like me to continue with C, D and E" */
const goesOn =
  /\b(?:like|want) me to (?:continue|go on|carry on|proceed) with\b|\b(?:shall|should) i (?:continue|go on|carry on|proceed) with\b/i

/** A stage that the user may well want to decide on first. */
const newStage = /\b(?:phase|stage|implementation|approach|plan|fix\w{0,3})\b/i

const asksLeave =
  /\b(?:should|shall|can|may) i\b|\bwant me to\b|\bwould you like me to\b|\bready (?:for me )?to\b|\blike me to\b|\bif you(?:'d| would)? (?:like|want)\b|\bsay the word\b/i

const leaveAsked = (question: string): Finding => ({
  severity: "LOW",
  fact: `You asked for leave to do what the task already includes: "${question}"`,
  missing: `what the agent asks leave for: "${question}"`,
  action: "Go on with what the user asked for, and decide within it yourself.",
  stands: true
})

export const stopNeedlessQuestion: Rule = {
  id: "stop/needless-question",
  level: "tell",
  pattern: "permission_seeking",
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
