/**
 * Rules for required checks and deliveries: one for checks that fail, one for checks that did not run, and one for
 * missing deliveries.
 */
import { clip, oneLine } from "../../base/text/Text.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"
import { type Facts, type GateFact, tellsOfFailure } from "../../session/facts/Facts.ts"
import { describeFailure, namedFailures, quotedName } from "../../session/gates/Gates.ts"
import { isDelivered, nameOf, orderOf, said } from "../../session/vocabulary/GateTable.ts"
import type { Severity } from "../verdict/Verdict.ts"
import { directPush } from "./conduct.ts"
import { type Finding, rule, type Words } from "./model.ts"

/** True if reflexion ran a check that nobody had asked for. */
const isUnasked = ({ run, why }: GateFact): boolean => run?.verified === true && why === "left_failing"

/** True if nobody knows whether the check failed before the task. */
const isOfUnknownOrigin = (gate: GateFact): boolean => isUnasked(gate) && gate.run?.fresh !== true

const mustPass =
  /\b(?:make sure|ensure|until|must|ha(?:ve|s) to|needs? to)\b|\b(?:get|make)\b[^.?!]{0,60}\b(?:pass|green|clean|work|succeed|compile)\b/i

const noEdits = ({ evidence }: Facts): boolean =>
  Evidence.lastEdit(evidence, ["source", "test", "config", "script", "unknown", "conflict"]) === 0

/** True if the user only asked for the check's result, and the agent changed nothing and reports the failure. */
const isReported = (gate: GateFact, facts: Facts): boolean =>
  gate.result === "failed" &&
  gate.how === "run" &&
  !mustPass.test(facts.task.asks.find((ask) => ask.gate === gate.gate)?.quote ?? "") &&
  noEdits(facts) &&
  (facts.task.intent === "ask" || (!isDelivered(gate.gate) && (gate.admitted || tellsOfFailure(facts))))

/**
 * True if two runs have the same failure. Compares the names of the failed tests or, without names, the fingerprints of
 * the output.
 */
const isSame = (now: Evidence.Run, before: Evidence.Run): boolean =>
  now.failing.length > 0
    ? now.failing.every(({ file, name }) => before.failing.some((one) => one.name === name && one.file === file))
    : before.failing.length === 0 && now.print !== undefined && now.print === before.print

/** True if the record has the same failure from before the task's edits. The agent's own statement does not count. */
const failedBefore = (run: Evidence.Run, { evidence }: Facts): boolean => {
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

const wasSo = ({ run, wanted }: GateFact, facts: Facts): boolean => !wanted && run !== null && failedBefore(run, facts)

/**
 * True if the task is surely not done while the check fails. For example, the check was ordered and failed by itself,
 * or the agent claims that it passed. If only reflexion ran it and a person is present, the failures must be known to
 * be newer than the task. Always true in the strict profile.
 */
const surelyFails = (gate: GateFact, facts: Facts): boolean =>
  facts.profile === "strict" ||
  gate.overclaimed ||
  (gate.ordered && gate.failedItself) ||
  (isUnasked(gate) && (!facts.attended || !isOfUnknownOrigin(gate)))

/**
 * True if a check was ordered and no command that ran could have been that check. Always true in the strict profile.
 */
const surelyOpen = (gate: GateFact, { profile }: Facts): boolean =>
  profile === "strict" || gate.overclaimed || (gate.ordered && !gate.ranClose)

const isOpen = ({ result }: GateFact): boolean => result === "failed" || result === "stale" || result === "missing"

/** True if CI had not finished when the agent last looked at it. */
const isPending = ({ gate, result, run }: GateFact): boolean =>
  gate === "ci" && result === "unknown" && run?.pending === true

/**
 * Returns the required checks and deliveries that failed, are outdated or are missing. Leaves out expected failures, and
 * the pull request after a direct push, which has its own rule.
 */
export const openGates = (facts: Facts): ReadonlyArray<GateFact> =>
  facts.gates.filter(
    (gate) =>
      gate.required && isOpen(gate) && !(gate.gate === "pr" && directPush(facts).length > 0) && !isReported(gate, facts)
  )

/** Returns the ids of the calls that ran the open checks. Other rules need not say what to do about these. */
export const openCalls = (facts: Facts): ReadonlySet<string> =>
  new Set(openGates(facts).flatMap(({ run }) => run?.callId ?? []))

interface Open extends Finding {
  readonly of: GateFact
}

const severityFor = (gate: GateFact): Severity => {
  if (gate.gate === "ci") return gate.result === "failed" ? "HIGH" : "MEDIUM"
  const isRed = gate.result === "failed" || (gate.result === "stale" && gate.run?.result === "failed")
  return isRed && gate.gate !== "pr" && gate.gate !== "push" ? "HIGH" : "LOW"
}

const tellingOf = (lines: ReadonlyArray<string>, log: string | undefined): ReadonlyArray<string> =>
  log === undefined ? lines : [`(more of the output is in ${log})`, ...lines]

const openAs = (gate: GateFact, stands: boolean): Open => ({
  of: gate,
  gate: gate.gate,
  severity: severityFor(gate),
  failing: gate.result === "failed" ? namedFailures(gate) : [],
  ...(gate.result === "failed" &&
    gate.run?.telling !== undefined && { telling: tellingOf(gate.run.telling, gate.run.log) }),
  stands: stands && !gate.denied,
  calls: gate.evidence.flatMap(({ callId }) => callId ?? [])
})

/** True if a tool or a subagent reported the run. Then no shell command is known. */
const isByTool = ({ command, foreign }: Evidence.Run): boolean => foreign === true && !/[\s/]/.test(command)

/**
 * Returns the check's command for the agent, or its name if there is no short command. It never shows a command from an
 * untrusted workspace.
 */
export const commandOf = (gate: GateFact): string => {
  if (gate.untrusted && gate.command === null)
    return `the project's gate \`${gate.gate}\` (see .reflection/config.json)`
  const isPart = gate.result === "missing" && gate.run !== null
  const ran = gate.run !== null && !gate.run.masked && !isPart && !isByTool(gate.run) ? gate.run.command : null
  const command = gate.command ?? ran
  if (command !== null && command.length <= 120) return `\`${command}\``
  return `${nameOf(gate.gate) ?? gate.gate}${isPart ? " in full" : ""}`
}

const nextFor = (gate: GateFact): string => {
  const order = orderOf(gate.gate, gate.result)
  if (order !== null) return order
  const command = commandOf(gate)
  if (gate.result !== "failed") return `Run ${command} now and fix what fails.`
  if (isOfUnknownOrigin(gate))
    return `Find out whether your change causes the failure. If so, fix it and run ${command} again. If it failed before, leave it, say so and show how you know.`
  const first = gate.run?.failing[0]
  if (first === undefined) return `Fix what fails, then run ${command} again.`
  const again = `then run ${command} again${gate.run?.partlyOld === true ? ": what failed before this task may still fail" : ""}.`
  const place = first.file === null || first.file === first.name ? "" : ` (${oneLine(first.file, 160)})`
  return `${gate.gate === "tests" ? `Make ${quotedName(first)} pass` : `Fix ${quotedName(first)}`}${place}, ${again}`
}

const because: Readonly<Record<NonNullable<GateFact["why"]>, string>> = {
  asked: "asked for",
  instructed: "required by the project's instructions",
  declared: "required by the project's configuration",
  done_when: "a condition for this task being done",
  strict: "required by the strict profile",
  left_failing: "left failing",
  reported: "reported as failing"
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const nameFor = (gate: GateFact): string => {
  if (gate.untrusted) return `the project's gate \`${gate.gate}\``
  if (gate.why === "done_when") return commandOf(gate)
  // The text says "a pull request" if it was not opened, and otherwise "the pull request".
  const name = nameOf(gate.gate) ?? `\`${gate.gate}\``
  return gate.gate === "pr" && gate.result !== "missing" ? name.replace(/^a /, "the ") : name
}

const ranBy = (gate: GateFact): string => {
  const { run, untrusted } = gate
  if (run === null || untrusted) return ""
  const isNew = run.fresh === true && run.partlyOld !== true
  const before = isNew ? "; it passed on the files from before this task" : ""
  const how = run.verified === true ? `, run by reflexion after you stopped${before}` : ""
  return ` (${isByTool(run) ? "reported by " : ""}\`${clip(run.command, 120)}\`${how})`
}

/** Returns the standard sentence, or a sentence with the project's own name for the check. */
const sayOf = (gate: GateFact, otherwise: string): string => {
  const name = nameFor(gate)
  return name === nameOf(gate.gate) || isDelivered(gate.gate) ? said(gate) : `${name} ${otherwise}`
}

/**
 * Describes what the record shows about the check. It names the tests of an earlier failure, so that the agent knows
 * where to look.
 */
const reads = (gate: GateFact): string => {
  const { detail, overclaimed, result, run } = gate
  const ofTests = gate.gate === "tests" && !gate.untrusted
  const failure = describeFailure(gate)
  if (result === "failed") return `${sayOf(gate, "fails")}${failure === "" ? "" : `: ${failure}`}${ranBy(gate)}`
  if (result === "stale" && run === null) return sayOf(gate, "was not run after the last edit")
  if (result === "stale") {
    const isNamed = run?.result === "failed" && run.failing.length > 0 && !overclaimed
    return `${nameFor(gate)} ${detail}${ranBy(gate)}${isNamed ? `: ${failure}` : ""}`
  }
  if (isPending(gate)) return `CI has not finished: ${detail}${ranBy(gate)}`
  return run === null
    ? `${sayOf(gate, "was not run")}, though ${ofTests ? "they were" : "that was"} ${because[gate.why ?? "asked"]}`
    : `${nameFor(gate)} ${ofTests ? "were" : "was"} ${detail}`
}

const say = ({ of: gate }: Open): Words => ({
  agent: `${capital(reads(gate))}.`,
  user: reads(gate).replace("after you stopped", "after the stop"),
  next: gate.denied ? null : nextFor(gate)
})

export const gatesFailing = rule({
  id: "gates/failing",
  attended: "nudge",
  unattended: "nudge",
  what: "A check that the user ordered or the configuration declares fails after the last edit, as its exit status shows. Or a check that reflexion ran at the stop fails, although it did not fail before the task. If no user is present, an unknown earlier result is enough.",
  why: "The user asked for a passing check, and the record shows that it fails.",
  check: (facts) =>
    openGates(facts)
      .filter((gate) => gate.result === "failed" && surelyFails(gate, facts))
      .map((gate) => openAs(gate, !wasSo(gate, facts))),
  say
})

export const gatesNotRun = rule({
  id: "gates/not-run",
  attended: "nudge",
  unattended: "nudge",
  what: "A check that the user ordered or the configuration declares never ran, or did not run after the last edit, and no other command can have been that check. If another command may have been that check, only the user is told.",
  why: "The order is not carried out, and nobody knows whether the change works.",
  check: (facts) =>
    openGates(facts)
      .filter(({ gate, result }) => result !== "failed" && !isDelivered(gate))
      .map((gate) => openAs(gate, surelyOpen(gate, facts))),
  say
})

/**
 * True if the task edited and committed nothing, and the agent only looked around. Then there may be nothing to
 * deliver, or an earlier task has delivered it.
 */
const mayBeThere = ({ gate }: GateFact, { evidence }: Facts): boolean =>
  gate !== "ci" && evidence.edits.length === 0 && evidence.commits === 0 && evidence.calls > 0

export const gatesNotDelivered = rule({
  id: "gates/not-delivered",
  attended: "nudge",
  unattended: "nudge",
  what: "An ordered commit, push, pull request or look at CI did not happen, or lacks later changes, or CI has not finished. If a user is present, a CI run that has not finished is only reported to the user.",
  why: "The work is done, but nobody else can get it.",
  check: (facts) => [
    ...openGates(facts)
      .filter(({ gate, result }) => result !== "failed" && isDelivered(gate))
      .map((gate) => openAs(gate, surelyOpen(gate, facts) && !mayBeThere(gate, facts))),
    ...facts.gates.filter((gate) => gate.required && isPending(gate)).map((gate) => openAs(gate, !facts.attended))
  ],
  say
})
