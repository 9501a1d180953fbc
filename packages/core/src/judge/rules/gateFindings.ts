/** What is found of a check that the task must pass and has not: the same words for the rules that differ in how sure they are. */
import { describeFailure, namedFailures, quotedName } from "../../session/gates/Gates.ts"
import { type Facts, type GateFact, tellsOfFailure } from "../../session/facts/Facts.ts"
import { isDelivered, nameOf, orderOf } from "../../session/vocabulary/GateTable.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"
import { clip, matchesAny, oneLine } from "../../base/text/Text.ts"
import type { Severity } from "../verdict/Verdict.ts"
import type { Finding } from "./model.ts"
import { directPush } from "./conduct.ts"

/** A workspace that nobody vouches for gives a gate its name; its command could be an instruction to the agent. */
const byName = (gate: GateFact): string => `the project's gate \`${gate.gate}\``

/** How the agent is told to run it: by its command, else by its name. */
export const commandOf = (gate: GateFact): string => {
  if (gate.untrusted && gate.command === null) return `${byName(gate)} (see .reflection/config.json)`
  const ran = gate.run !== null && !gate.run.masked ? gate.run.command : null
  const command = gate.command ?? ran
  return command === null || command.length > 120 ? (nameOf(gate.gate) ?? gate.gate) : `\`${command}\``
}

/** Run by us, and nobody had asked for it: whose failure it is, nobody knows yet. */
const isUnasked = ({ run, why }: GateFact): boolean => run?.verified === true && why === "left_failing"

const actionFor = (gate: GateFact): string => {
  const order = orderOf(gate.gate, gate.result)
  if (order !== null) return order
  const command = commandOf(gate)
  if (gate.result !== "failed") return `Run ${command} now and fix what fails.`
  if (isUnasked(gate))
    return `See whether your change makes it fail. If it does, fix it and run ${command} again; if it failed before, leave it, say so and say what shows that.`
  const first = gate.run?.failing[0]
  return first === undefined
    ? `Fix what fails, then run ${command} again.`
    : `${gate.gate === "tests" ? `Make ${quotedName(first)} pass` : `Fix ${quotedName(first)}`}${first.file === null ? "" : ` (${oneLine(first.file, 160)})`}, then run ${command} again.`
}

const severityFor = (gate: GateFact): Severity => {
  if (gate.gate === "ci") return gate.result === "failed" ? "HIGH" : "MEDIUM"
  const failed = gate.result === "failed" || (gate.result === "stale" && gate.run?.result === "failed")
  return failed && gate.gate !== "pr" && gate.gate !== "push" ? "HIGH" : "LOW"
}

const quoteCommand = (gate: GateFact): string =>
  gate.run === null || gate.untrusted
    ? ""
    : ` (\`${clip(gate.run.command, 120)}\`${gate.run.verified === true ? ", run by reflexion after you stopped" : ""})`

const because: Readonly<Record<NonNullable<GateFact["why"]>, string>> = {
  asked: "asked for",
  instructed: "required by the project's instructions",
  declared: "required by the project's configuration",
  done_when: "a condition for this being done",
  strict: "required by the strict profile",
  left_failing: "left failing",
  reported: "reported as failing"
}

const capitalized = (text: string | null): string | null =>
  text === null ? null : text.slice(0, 1).toUpperCase() + text.slice(1)

const namesOf = (gate: GateFact): string =>
  gate.run?.result === "failed" && gate.run.failing.length > 0 ? `: ${describeFailure(gate)}` : ""

/** What the evidence says of a gate, as a sentence to the agent; a contradicted claim names the failing tests itself. */
const factFor = (gate: GateFact, toldBelow: boolean): string => {
  const subject = gate.untrusted
    ? `The${byName(gate).slice(3)}`
    : gate.why === "done_when"
      ? commandOf(gate)
      : (capitalized(nameOf(gate.gate)) ?? `\`${gate.gate}\``)
  const verb =
    gate.gate === "tests" && !gate.untrusted
      ? { is: "were", ran: "have not been run", fails: "fail" }
      : { is: "was", ran: "has not been run", fails: "fails" }
  switch (gate.result) {
    case "failed":
      return `${subject} ${verb.fails}: ${describeFailure(gate)}${quoteCommand(gate)}.`
    case "stale":
      return `${subject} ${gate.detail.replace(", not run since", ` and ${verb.ran} since`)}${quoteCommand(gate)}${toldBelow ? "" : namesOf(gate)}.`
    default:
      if (gate.gate === "pr" || gate.gate === "push" || gate.gate === "commit")
        return `${subject} ${verb.is} ${because[gate.why ?? "asked"]} and ${gate.gate === "pr" ? "none was opened" : "did not happen"}.`
      return `${subject} ${verb.is} ${because[gate.why ?? "asked"]} and ${verb.ran}.`
  }
}

const already = /\b(?:already|nothing to (?:commit|push)|up[- ]to[- ]date|tree is clean|no changes to)\b/i

/** What the agent reports as done before is not missing; only the repository could tell otherwise. */
const doneBefore = (gate: GateFact, facts: Facts): boolean =>
  gate.result === "missing" &&
  (gate.gate === "commit" || gate.gate === "push" || gate.gate === "pr") &&
  facts.evidence.edits.length === 0 &&
  already.test(facts.stop.text.slice(-2000))

const mustPass =
  /\b(?:make sure|ensure|until|must|ha(?:ve|s) to|needs? to)\b|\b(?:get|make)\b[^.?!]{0,60}\b(?:pass|green|clean|work|succeed|compile)\b/i

const noEdits = (facts: Facts): boolean =>
  Evidence.lastEdit(facts.evidence, ["source", "test", "config", "script", "unknown", "conflict"]) === 0

/** Told only to run things, the agent ran them and changed nothing: whatever they print is the answer. */
const onlyReports = (facts: Facts): boolean =>
  noEdits(facts) &&
  facts.task.asks.length > 0 &&
  facts.task.asks.every((ask) => ask.how === "run" && !mustPass.test(ask.quote)) &&
  facts.task.intent === "ask" &&
  facts.gates.every((gate) => gate.why !== "asked" || (gate.result !== "missing" && gate.result !== "stale"))

/** Asked to run and report, the agent changed nothing and reports the failure: red is the answer. */
const reported = (gate: GateFact, facts: Facts): boolean =>
  gate.result === "failed" &&
  (onlyReports(facts) ||
    (gate.how === "run" &&
      !isDelivered(gate.gate) &&
      !mustPass.test(facts.task.asks.find((ask) => ask.gate === gate.gate)?.quote ?? "") &&
      noEdits(facts) &&
      (gate.admitted || tellsOfFailure(facts))))

const spares: ReadonlyArray<RegExp> = [
  /\b(?:ignore|skip|leave|never mind|(?:don't|do not) (?:fix|worry about))\b[^.?!]{0,40}\b(?:fail\w{0,5}|errors?|red|broken|them)\b/i,
  /\b(?:known|expected) (?:failures?|to fail)\b|\bfailures?\b[^.?!]{0,40}\b(?:is|are) (?:known|expected|fine|ok)\b/i
]

/** Failures that the user has said are to be left. */
const tolerated = (gate: GateFact, facts: Facts): boolean =>
  gate.how !== "fix" && gate.result === "failed" && matchesAny(spares, facts.task.message.slice(0, 2000))

const failed = (detail: string): number => Number(/(\d{1,6}) (?:failed|failures?|errors?)\b/.exec(detail)?.[1] ?? 0)

/** A failure is known again by the names in it, if it has no more than those; one without names by all that it printed. */
const isSame = (now: Evidence.Run, before: Evidence.Run): boolean =>
  failed(now.detail) <= failed(before.detail) &&
  (now.failing.length > 0
    ? now.failing.every(({ file, name }) => before.failing.some((one) => one.name === name && one.file === file))
    : before.failing.length === 0 && now.print !== undefined && now.print === before.print)

/** The last run that saw the task's edits. */
const ownRun = (run: Evidence.Run, { evidence }: Facts): Evidence.Run | undefined =>
  run.besides === undefined
    ? run
    : evidence.runs.findLast(({ besides, gate }) => gate === run.gate && besides === undefined)

/** The same failure is on record from before the task's edits: no word of the agent's says as much. */
const failedBefore = (last: Evidence.Run, facts: Facts): boolean => {
  const { evidence } = facts
  const run = ownRun(last, facts)
  if (run === undefined) return false
  const first = evidence.firstEdit ?? (run.verified === true ? run.order : 0)
  return evidence.runs.some(
    (before) =>
      before.gate === run.gate &&
      before.result === "failed" &&
      before.verified !== true &&
      (before.order < first || before.besides !== undefined) &&
      isSame(run, before)
  )
}

const check = "(?:tests?|specs?|suite|builds?|lint\\w*|types?|type-?checks?|ci|checks?|pipeline)"

/** That a check passes is what was ordered, and nothing else: that it failed before is why. */
const isTheTask = new RegExp(
  `^\\W*(?:please |(?:can|could) you )*(?:get|make|turn|fix|repair|bring)\\b(?:(?! and\\b| so that\\b)[^.,;?!]){0,40}\\b${check}\\b`,
  "i"
)

const wasSo = ({ how, run }: GateFact, facts: Facts): boolean =>
  how !== "fix" &&
  run !== null &&
  !facts.task.reportsFailure &&
  !isTheTask.test(facts.task.message.slice(0, 400)) &&
  failedBefore(run, facts)

/** The checks that the task must pass and that it leaves open, with no excuse that counts. */
export const openGates = (facts: Facts): ReadonlyArray<GateFact> =>
  facts.gates.filter(
    (gate) =>
      gate.required &&
      !(gate.gate === "pr" && directPush(facts).length > 0) &&
      !doneBefore(gate, facts) &&
      !reported(gate, facts) &&
      !tolerated(gate, facts) &&
      (gate.result === "failed" || gate.result === "stale" || gate.result === "missing")
  )

/** What is to be said of an open check. */
export const findingOf = (gate: GateFact, facts: Facts): Finding => ({
  gate: gate.gate,
  severity: severityFor(gate),
  fact: factFor(gate, gate.overclaimed),
  missing: `${gate.gate}: ${gate.result === "failed" ? describeFailure(gate) : gate.detail}${gate.result === "missing" ? "" : quoteCommand(gate)}`,
  failing: gate.result === "failed" ? namedFailures(gate) : [],
  action: gate.denied ? null : actionFor(gate),
  stands: !gate.denied && !(gate.result === "failed" && wasSo(gate, facts)),
  calls: gate.evidence.flatMap(({ callId }) => callId ?? [])
})

/** Run by us because nobody is there, and not as red as it was before the agent came. */
const foundFailing = (gate: GateFact, facts: Facts): boolean =>
  !facts.attended && gate.run !== null && isUnasked(gate) && !failedBefore(gate.run, facts)

/** Whether a failing check was ordered and failed by itself, the agent says that it passed, or it was run as nobody is there. */
export const surelyFails = (gate: GateFact, facts: Facts): boolean =>
  gate.result === "failed" &&
  (facts.profile === "strict" || gate.overclaimed || (gate.ordered && gate.failedItself) || foundFailing(gate, facts))

/** Whether a check was ordered and nothing that ran could have been it. */
export const surelyOpen = (gate: GateFact, { profile }: Facts): boolean =>
  gate.result !== "failed" && (profile === "strict" || gate.overclaimed || (gate.ordered && !gate.ranClose))

/** The calls of the runs by which a gate is open: its own rule says what to do about them. */
export const openCalls = (facts: Facts): ReadonlySet<string> =>
  new Set(openGates(facts).flatMap(({ run }) => run?.callId ?? []))
