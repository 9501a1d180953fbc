/** A check that the task must pass is failing, stale, missing or unknown. */
import { describeFailure, type Assessed } from "../../session/gates/Gates.ts"
import type { Severity } from "../verdict/Verdict.ts"
import { tellsOfFailure } from "../../session/facts/failureTold.ts"
import { delivered, ofGate } from "../verdict/levels.ts"
import { clip } from "../../ground/text/Text.ts"
import type { Known, Problem } from "../verdict/model.ts"
import { mustPass, noEdits, onlyReports } from "./shared.ts"
import { policyProblems } from "./policyDirectPush.ts"

const commands: Readonly<Record<string, string>> = {
  tests: "the tests",
  build: "the build",
  typecheck: "the type check",
  lint: "the linter"
}

/** A workspace that nobody vouches for gives a gate its name; its command could be an instruction to the agent. */
const byName = (gate: Assessed): string => `the project's gate \`${gate.gate}\``

const commandFor = (gate: Assessed): string => {
  if (gate.untrusted && gate.command === null) return `${byName(gate)} (see .reflection/config.json)`
  const ran = gate.run !== null && !gate.run.masked ? gate.run.command : null
  const command = gate.command ?? ran
  return command === null || command.length > 120 ? (commands[gate.gate] ?? gate.gate) : `\`${command}\``
}

const actionFor = (gate: Assessed): string => {
  switch (gate.gate) {
    case "pr":
      return "Open the pull request that was asked for and give its URL."
    case "push":
      return "Push the branch, as asked."
    case "commit":
      return "Commit the change, as asked."
    case "ci":
      return gate.result === "failed"
        ? "Read the failed checks, fix their cause and push again."
        : "Check CI until it has finished, and fix what fails."
    default: {
      const command = commandFor(gate)
      if (gate.result !== "failed") return `Run ${command} now and fix what fails.`
      const first = gate.run?.failing[0]
      return first === undefined
        ? `Fix what fails, then run ${command} again.`
        : `${gate.gate === "tests" ? `Make "${first.name}" pass` : `Fix "${first.name}"`}${first.file === null ? "" : ` (${first.file})`}, then run ${command} again.`
    }
  }
}

const severityFor = (gate: Assessed): Severity => {
  if (gate.gate === "ci") return gate.result === "failed" ? "HIGH" : "MEDIUM"
  const failed = gate.result === "failed" || (gate.result === "stale" && gate.run?.result === "failed")
  return failed && gate.gate !== "pr" && gate.gate !== "push" ? "HIGH" : "LOW"
}

const quoteCommand = (gate: Assessed): string =>
  gate.run === null || gate.untrusted
    ? ""
    : ` (\`${clip(gate.run.command, 120)}\`${gate.run.verified === true ? ", run by reflexion after you stopped" : ""})`

const subjects: Readonly<Record<string, string>> = {
  pr: "A pull request",
  ci: "CI",
  push: "The push",
  commit: "The commit"
}

const because: Readonly<Record<NonNullable<Assessed["why"]>, string>> = {
  asked: "asked for",
  instructed: "required by the project's instructions",
  declared: "required by the project's configuration",
  strict: "required by the strict profile",
  left_failing: "left failing",
  reported: "reported as failing"
}

const namesOf = (gate: Assessed): string =>
  gate.run?.result === "failed" && gate.run.failing.length > 0 ? `: ${describeFailure(gate)}` : ""

/** What the evidence says of a gate, as a sentence to the agent; a contradicted claim names the failing tests itself. */
const factFor = (gate: Assessed, toldBelow: boolean): string => {
  const subject = gate.untrusted
    ? `The${byName(gate).slice(3)}`
    : (subjects[gate.gate] ?? commands[gate.gate]?.replace("t", "T") ?? `\`${gate.gate}\``)
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

const unrelated =
  /\b(?:pre-?existing|unrelated|predates?|already (?:failing|broken|failed|red)|(?:fails?|failing|broken|red) on (?:`?origin\/)?`?(?:main|master)|(?:not|\w+n't) (?:caused|related|introduced|due to|from (?:this|my))|flak(?:y|es?)|environment(?:al)?|sandbox|network|fails? as expected|expected to fail|without my changes?|with (?:and|or) without|fails? the same way)\b|\b(?:was|were|fail(?:s|ed|ing)?|broken|red|there|same|exist(?:s|ed)?)\b[^.?!;]{0,60}\b(?:before (?:i\b|(?:my|this|these|the|any) (?:\w+ )?(?:changes?|edits?|work|branch|bump|rename|upgrade|update|commits?|refactor\w*|pr|patch|session)\b)|(?:clean|fresh|untouched|unmodified|unchanged|original) (?:checkout|tree|clone|branch|copy|base|main|state)\b)/i

/** A failure the agent says is not of its making is reported, not pushed: only a rerun on the base could settle it. */
const disowned = (known: Known): boolean => unrelated.test(known.stop.text.slice(-4000))

const already = /\b(?:already|nothing to (?:commit|push)|up[- ]to[- ]date|tree is clean|no changes to)\b/i

/** What the agent reports as done before is not missing; only the repository could tell otherwise. */
const doneBefore = (gate: Assessed, known: Known): boolean =>
  gate.result === "missing" &&
  (gate.gate === "commit" || gate.gate === "push" || gate.gate === "pr") &&
  known.evidence.edits.length === 0 &&
  already.test(known.stop.text.slice(-2000))

/** Asked to run and report, the agent changed nothing and reports the failure: red is the answer. */
const reported = (gate: Assessed, known: Known): boolean =>
  gate.result === "failed" &&
  (onlyReports(known) ||
    (gate.how === "run" &&
      !delivered.has(gate.gate) &&
      !mustPass.test(known.task.asks.find((ask) => ask.gate === gate.gate)?.quote ?? "") &&
      noEdits(known) &&
      (gate.admitted || tellsOfFailure(known))))

/** Failures that the user has said are to be left. */
const tolerated = (gate: Assessed, known: Known): boolean =>
  gate.how !== "fix" &&
  gate.result === "failed" &&
  /\b(?:ignore|skip|leave|never mind|don't (?:fix|worry about)|do not fix)\b[^.?!]{0,40}\b(?:fail\w{0,5}|errors?|red|broken|them)\b|\b(?:known|expected) (?:failures?|to fail)\b|\bfailures?\b[^.?!]{0,40}\b(?:are|is) (?:known|expected|fine|ok)\b/i.test(
    known.task.message.slice(0, 2000)
  )

export const gateProblems = (known: Known): ReadonlyArray<Problem> =>
  known.gates
    .filter(
      (gate) =>
        gate.required &&
        !(gate.gate === "pr" && policyProblems(known).length > 0) &&
        !doneBefore(gate, known) &&
        !reported(gate, known) &&
        !tolerated(gate, known) &&
        (gate.result === "failed" || gate.result === "stale" || gate.result === "missing")
    )
    .map((gate) => ({
      kind: "gate" as const,
      gate: gate.gate,
      severity: severityFor(gate),
      fact: factFor(
        gate,
        known.contradictions.some((found) => found.callId !== null && found.callId === gate.run?.callId)
      ),
      missing: `${gate.gate}: ${gate.result === "failed" ? describeFailure(gate) : gate.detail}${gate.result === "missing" ? "" : quoteCommand(gate)}`,
      action: gate.denied ? null : actionFor(gate),
      stands: !gate.denied && !(gate.how !== "fix" && gate.result === "failed" && disowned(known)),
      level: ofGate(gate, known)
    }))
