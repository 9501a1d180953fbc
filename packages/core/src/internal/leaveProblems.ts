import * as Evidence from "../Evidence.ts"
import type { Known } from "./decide.ts"
import { gateWords } from "./gateWords.ts"
import type { Problem } from "./problems.ts"
import { isOrder } from "./intent.ts"
import { contentWords } from "./text.ts"
import { untouched } from "./undoneProblems.ts"

const alternatives = /\bor\b/i

const offersCheck =
  /\b(?:run|rerun|re-run|execute|try)\b[^?]{0,60}\b(?:tests?|test suite|lint\w{0,4}|build|type ?check\w{0,3}|checks?|suite|it)\b|\bverify\b|\badd (?:the|these|those|some|proper)?\s?(?:missing |unit |regression )?tests?\b/i

/** Leave asked for what was asked, or for checking one's own change. */
export const permissionProblems = (known: Known): ReadonlyArray<Problem> => {
  const { question } = known.reading
  if (
    question === null ||
    question.kind === "information" ||
    question.kind === "risk" ||
    alternatives.test(question.text)
  )
    return []
  const edited = Evidence.lastEdit(known.evidence, ["source", "test", "conflict"]) > 0
  const unchecked = !known.gates.some((gate) => gate.gate === "tests" && gate.result === "passed")
  const ownCheck = edited && unchecked && offersCheck.test(question.text) && known.task.intent !== "ask"
  if (restOfTask.test(question.text) && known.task.intent === "act" && known.evidence.actions > 0)
    return [leaveAsked(question.text)]
  if (asksLeave.test(question.text) && !/^(?:what|which|where|how|who)\b/i.test(question.text) && untouched(known))
    return [leaveAsked(question.text)]
  if (sharesPhrase(question.text, known.task.message) && isOrder(known.task.message) && offersAct.test(question.text))
    return [leaveAsked(question.text)]
  const asked = known.gates.find(
    (gate) => gate.why === "asked" && gate.result !== "passed" && (gateWords[gate.gate]?.test(question.text) ?? false)
  )
  return ownCheck || asked !== undefined ? [leaveAsked(question.text)] : []
}

const offersAct =
  /\b(?:want|like) me to (?:also )?(?:fix|add|implement|update|remove|rename|write|create|convert|migrate|change|replace|handle|do)\b/i

const phrases = (text: string): ReadonlySet<string> => {
  const words =
    text
      .toLowerCase()
      .slice(0, 2000)
      .match(/[a-z][a-z-]{2,30}/g) ?? []
  const joined = words.slice(1).map((word, index) => `${words[index] ?? ""} ${word}`)
  return new Set(joined.filter((pair) => contentWords(pair).size === 2))
}

/** Whether two texts have two words of meaning side by side in common, as in "the missing footer". */
const sharesPhrase = (left: string, right: string): boolean => {
  const known = phrases(right)
  return [...phrases(left)].some((pair) => known.has(pair))
}

const restOfTask =
  /\b(?:continue|go on|carry on|proceed|finish|do|complete|migrate|convert|update|fix)\b[^?]{0,40}\b(?:remaining|rest of|rest|others|other (?:\w+))\b/i

const asksLeave =
  /\b(?:should|shall|can|may) i\b|\bwant me to\b|\bwould you like me to\b|\bready (?:for me )?to\b|\blike me to\b/i

const leaveAsked = (question: string): Problem => ({
  kind: "permission",
  severity: "LOW",
  fact: `You asked for leave to do what the task already includes: "${question}"`,
  missing: `what the agent asks leave for: "${question}"`,
  action: "Do it without asking.",
  push: true
})
