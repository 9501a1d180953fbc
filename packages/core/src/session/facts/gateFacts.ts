/** Compares the claims with the record, and says how certain the result of a gate is. */
import { redact } from "../../base/redaction/Redaction.ts"
import type { Claim } from "../claims/Claims.ts"
import { type Held, hold } from "./Held.ts"
import * as Evidence from "../evidence/Evidence.ts"
import { cutters, isIdle, isLook } from "../evidence/Calls.ts"
import { isKilled } from "../evidence/Killed.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { closeTo, isDelivered } from "../vocabulary/GateTable.ts"
import { type Assessed, ranAtEdit } from "../gates/Gates.ts"
import type { Contradiction, Facts, GateFact } from "./model.ts"

export const heldClaims = (
  claims: ReadonlyArray<Claim>,
  gates: ReadonlyArray<Assessed>,
  { evidence, task }: Pick<Facts, "evidence" | "task">
): ReadonlyArray<Held> =>
  claims
    .map((claim) => hold(claim, { evidence, task, gates }))
    .map((one) => ({ ...one, claim: { ...one.claim, text: redact(one.claim.text) } }))

export const contradictionsOf = (held: ReadonlyArray<Held>): ReadonlyArray<Contradiction> =>
  held.flatMap(({ calls, claim, fact, standing }) =>
    standing === "contradicted" ? [{ claim: claim.text, fact, callId: calls[0] ?? null }] : []
  )

export const tellsOfFailure = ({ stop }: Pick<Facts, "stop">): boolean =>
  /\b(?:fail(?:s|ed|ing|ures?)?|crash(?:es|ed)?|red|errors?|broken|not pass|reject(?:s|ed)|refuse[sd]?|denied|protected)\b|[❌✗✘]/i.test(
    stop.text.slice(-3000)
  )

type Seen = Pick<Facts, "cwd" | "evidence" | "stop" | "task">

/** The `order` of the last edit after which a check must run again. */
const sinceEdit = (evidence: Facts["evidence"]): number =>
  Evidence.lastEdit(evidence, ["source", "test", "conflict", "unknown", "config", "script"])

const counted = /(?:^|[ ,])[1-9]\d{0,8} failed\b/

/** True if a pipe hides the exit status, but a script runner reports the failure. Nothing else in the call can fail. */
const isToldAlone = ({ command, detail, masked }: Evidence.Run): boolean =>
  masked &&
  /^failed: (?!.*(?:Terminated|Killed|Error 1[34]\d))/.test(detail) &&
  ShellCommand.analyze(command).commands.filter(
    (one) => !isIdle(one) && !isLook(one) && !cutters.has(one.words[0] ?? "")
  ).length === 1

/** True if the run proves its failure by its own exit status, or by the names or number of failures. */
const failedItself = (run: Evidence.Run, { cwd, evidence, stop, task }: Seen): boolean => {
  const { detail, exitCode, failing, gate, masked, order, result, verified } = run
  const isLast = order > sinceEdit(evidence) && Evidence.lastPossible(evidence, gate) <= order
  if (result !== "failed" || task.wantsFailure || !isLast) return false
  if (isDelivered(gate)) return gate === "ci" || !tellsOfFailure({ stop })
  const isOwn = !masked && exitCode !== null && exitCode !== 0 && !isKilled(exitCode)
  const isNamed = failing.length > 0 || isToldAlone(run) || (gate === "tests" && counted.test(detail))
  return (isOwn || isNamed || verified === true) && ranAtEdit(run, evidence, cwd)
}

const check = "(?:tests?|specs?|suite|builds?|lint\\w*|types?|type-?checks?|ci|checks?|pipeline)"

/** Orders whose only goal is a passing check, such as "fix the tests". They are given because the check failed. */
const isTheTask = new RegExp(
  `^\\W*(?:please |(?:can|could) you )*(?:get|make|turn|fix|repair|bring)\\b(?:(?! and\\b| so that\\b)[^.,;?!]){0,40}\\b${check}\\b`,
  "i"
)

const gateFact = (gate: Assessed, held: ReadonlyArray<Held>, seen: Seen): GateFact => {
  const { evidence, task } = seen
  const others = closeTo(gate.gate)
  // The agent says more than the passed check shows. The record does not show whether the rest is true.
  const isBeyond = gate.result === "passed" && held.some(({ beyond, claim }) => beyond && claim.gate === gate.gate)
  return {
    ...gate,
    ...(isBeyond ? { result: "unknown", detail: `${gate.detail}; the agent says more than that` } : {}),
    wanted:
      gate.why === "done_when" ||
      gate.how === "fix" ||
      task.reportsFailure ||
      isTheTask.test(task.message.slice(0, 400)),
    ordered:
      gate.why === "declared" ||
      gate.why === "done_when" ||
      task.asks.some((ask) => ask.gate === gate.gate && ask.doubted === undefined),
    ranClose: evidence.runs.some(
      (run) => others.includes(run.gate) && run.turn >= task.since && run.order > sinceEdit(evidence)
    ),
    failedItself: gate.run !== null && failedItself(gate.run, seen),
    overclaimed:
      gate.run?.result === "failed" &&
      contradictionsOf(held).some(({ callId }) => callId !== null && callId === gate.run?.callId)
  }
}

export const gateFacts = (
  gates: ReadonlyArray<Assessed>,
  held: ReadonlyArray<Held>,
  seen: Seen
): ReadonlyArray<GateFact> => gates.map((gate) => gateFact(gate, held, seen))
