/** Says which of the user's conditions are met. With a command, the gate decides. Without one, the findings decide. */
import type { AcceptanceItem, AcceptanceResult } from "../../session/donewhen/model.ts"
import * as DoneWhen from "../../session/donewhen/Conditions.ts"
import type { Gate } from "../../session/gates/model.ts"
import { clip } from "../../base/text/Text.ts"
import type { Finding } from "./Verdict.ts"

const howToRun =
  "not run: the agent did not run it, and reflexion runs it only at a stop or with `reflexion judge --checks`"

const runOf = ({ callId, command, exitCode }: Gate["evidence"][number]): string =>
  `\`${clip(command, 120)}\` exited ${exitCode ?? "with an unknown status"}${callId === null ? ", run by reflexion" : ` (${callId})`}`

const results: Readonly<Record<Gate["result"], AcceptanceResult["result"]>> = {
  passed: "passed",
  failed: "failed",
  stale: "not_run",
  missing: "not_run",
  not_required: "not_run",
  unknown: "unknown"
}

const byGate = ({ id, text }: AcceptanceItem, gate: Gate | undefined): AcceptanceResult => {
  if (gate === undefined) return { id, text, result: "not_run", evidence: [howToRun] }
  const last = gate.evidence.slice(-1).map(runOf)
  const result = results[gate.result]
  const more = result === "not_run" ? [gate.result === "stale" ? gate.detail : howToRun] : [gate.detail]
  return { id, text, result, evidence: [...last, ...more] }
}

const start = (text: string): string => text.slice(0, 80).toLowerCase()

/** If a finding quotes a condition without a command, the condition is open. Otherwise, it is unknown. */
const byFindings = ({ id, text }: AcceptanceItem, findings: ReadonlyArray<Finding>): AcceptanceResult => {
  const found = findings.find(({ message }) => message.toLowerCase().includes(start(text)))
  return found === undefined
    ? {
        id,
        text,
        result: "unknown",
        evidence: ["no command shows whether the condition is met, and no model was asked"]
      }
    : { id, text, result: "open", evidence: [`${found.rule}: ${found.message}`] }
}

export const of = (
  items: ReadonlyArray<AcceptanceItem>,
  gates: ReadonlyArray<Gate>,
  findings: ReadonlyArray<Finding>
): ReadonlyArray<AcceptanceResult> =>
  items.map((item) =>
    item.command === null
      ? byFindings(item, findings)
      : byGate(
          item,
          gates.find(({ gate }) => gate === DoneWhen.gateOf(item))
        )
  )

export const mapTexts = (
  all: ReadonlyArray<AcceptanceResult>,
  change: (text: string) => string
): ReadonlyArray<AcceptanceResult> =>
  all.map(({ evidence, id, result, text }) => ({ id, text: change(text), result, evidence: evidence.map(change) }))
