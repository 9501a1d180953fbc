/**
 * What the agent is told where a rule asks and a model agrees. The rule's own text quotes the agent, tools and the project, and
 * may do so where evidence pushes by itself; where a model's word makes it a push, the words are ours alone.
 */
import * as GateTable from "../../session/vocabulary/GateTable.ts"
import type { RuleName } from "../../session/config/RuleNames.ts"
import { isRuleName } from "../../session/config/RuleNames.ts"
import type { Finding } from "../../judge/verdict/Verdict.ts"
import { gateOf } from "./citations.ts"
import { fileNamed } from "./fileNames.ts"
import type { Turn } from "./TurnRecord.ts"

/** How a sentence goes on behind "It seems that". */
const words: Readonly<Record<RuleName, string>> = {
  "stop/service-error": "an error of the model's service has ended the turn",
  "stop/empty-answer": "your last message is empty",
  "stop/cut-off": "your last message was cut off",
  "stop/asks-nobody": "you end with a question, and nobody is there to answer",
  "gates/failing-after-edit": "a check that was ordered fails",
  "gates/failing-unordered": "a check fails at the end",
  "gates/ordered-not-run": "a check that was ordered was not run",
  "gates/stale": "a check that was ordered was not run since your last edit",
  "gates/not-delivered": "something that was to be delivered was not",
  "gates/maybe-not-run": "a check that is required was not run since your last edit",
  "gates/ci-pending": "CI had not finished when you looked last",
  "claims/contradicted": "your last words claim what the record disproves",
  "claims/unfounded": "your report says something that no call of this session can have done",
  "work/nothing-run": "nothing was run since your last edit of code",
  "todos/open": "your own todo list has open items",
  "loops/same-failing-call": "the same call failed again and again, and nothing was changed in between",
  "loops/planning": "a change was ordered, and next to nothing came of it but looking around",
  "loops/same-result": "you make the same call again and again with the same result",
  "loops/rounds": "you go through the same calls in turns with the same results",
  "loops/same-words": "you say the same again and again",
  "policy/direct-push": "you pushed straight to the default branch although a pull request was required",
  "policy/own-settings": "you changed the settings by which your work is judged",
  "checks/weakened": "a failing check was changed, and what it complained of was not"
}

/** A check of ours or of the user's by its name; the project's own names are not passed on. */
const ofGate = (turn: Turn, gate: string | null): string => {
  const found = gate === null ? undefined : gateOf(turn, gate)
  if (gate === null || found === undefined || found.untrusted || found.why === "done_when") return ""
  const said = GateTable.said({ gate, result: found.result })
  return said === "" ? "" : ` (${said})`
}

const maxFiles = 2

/** The files that a finding is about, as far as their names may be told. */
const ofFiles = (turn: Turn, { message }: Finding): string => {
  const paths = turn.known.evidence.edits.map(({ path }) => path).filter((path) => path !== "*" && path !== "")
  const bases = [...new Set(paths.map((path) => path.slice(path.lastIndexOf("/") + 1)))]
  const named = bases.flatMap((base) => (message.includes(base) ? (fileNamed(turn, base)?.name ?? []) : []))
  return named.length === 0
    ? ""
    : ` (in ${named
        .slice(0, maxFiles)
        .map((name) => `\`${name}\``)
        .join(", ")})`
}

const factOf = (turn: Turn, found: Finding): string => {
  const said = isRuleName(found.rule) ? words[found.rule] : "something that was asked for is not there"
  return `It seems that ${said}${ofGate(turn, found.gate) || ofFiles(turn, found)}. If that is not so, say where it is seen.`
}

/** What is said of the findings that a model agrees with. */
export const facts = (turn: Turn, found: ReadonlyArray<Finding>): ReadonlyArray<string> => [
  ...new Set(found.filter(({ level }) => level === "push").map((one) => factOf(turn, one)))
]
