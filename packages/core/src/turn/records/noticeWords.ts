/** Where a task stands, in the words of a person who looks up from other work. */
import { redact } from "../../base/redaction/Redaction.ts"
import * as Missing from "../../judge/verdict/Missing.ts"
import type { Finding, FoundComment, Gate, Verdict } from "../../judge/verdict/Verdict.ts"
import * as GateTable from "../../session/vocabulary/GateTable.ts"
import { oneLine } from "../../base/text/Text.ts"

export interface Said {
  readonly proved: ReadonlyArray<string>
  readonly unproved: ReadonlyArray<string>
  readonly open: ReadonlyArray<string>
  readonly human: ReadonlyArray<string>
  readonly asks: ReadonlyArray<string>
}

/** What the check's run names as failed, where that is short enough to be read in passing. */
const failure = ({ failing = [] }: Finding): string => {
  const named = failing.join("; ")
  return named === "" || named.length > 90 ? "" : `: ${named}`
}

/** A review comment without its place, short enough that an answer can be read as well. */
const reviewItem = ({ answer, file, said }: FoundComment): string => {
  const open = `a review comment is open (${file}): `
  return answer === null ? `${open}"${said}"` : `${open}"${oneLine(said, 50)}"; the agent answered "${answer}"`
}

const openItem = (found: Finding, gates: ReadonlyArray<Gate>): string => {
  if (found.comment !== undefined) return reviewItem(found.comment)
  const gate = found.rule.startsWith("gates/") ? gates.find((candidate) => candidate.gate === found.gate) : undefined
  if (gate === undefined || gate.result === "unknown") return found.message
  return gate.result === "failed" ? `${GateTable.said(gate)}${failure(found)}` : GateTable.said(gate)
}

const itemsOf = ({ findings, gates }: Verdict): ReadonlyArray<string> =>
  Missing.distinct(findings).map((found) => openItem(found, gates))

/** What a reason quotes: the question that was asked, or what only a person can do. */
const quoted = (reason: string): ReadonlyArray<string> => {
  const at = reason.indexOf(": ")
  return at < 0 ? [] : [`"${oneLine(redact(reason.slice(at + 2)), 120)}"`]
}

const required = ({ gates }: Verdict, result: Gate["result"]): ReadonlyArray<string> =>
  gates.filter((gate) => gate.required && gate.result === result).map(GateTable.said)

const openOf = (verdict: Verdict): ReadonlyArray<string> => {
  if (verdict.findings.length > 0) return itemsOf(verdict)
  // A rule that the user has turned off has found it.
  if (verdict.status === "incomplete") return []
  const reported = ["failed", "stale", "missing"] as const
  const gates = reported.flatMap((result) => required(verdict, result))
  return gates.length > 0 || verdict.complete ? gates : [verdict.reason]
}

const provedOf = (verdict: Verdict): ReadonlyArray<string> => {
  const passed = required(verdict, "passed")
  if (passed.length > 0) return passed
  return verdict.gates.filter((gate) => gate.result === "passed").map(GateTable.said)
}

const nothing: Said = { proved: [], unproved: [], open: [], human: [], asks: [] }

export const standing = (verdict: Verdict | null): Said => {
  if (verdict === null) return nothing
  const open = openOf(verdict)
  const first = quoted(verdict.reason)
  return {
    proved: provedOf(verdict),
    unproved: required(verdict, "unknown"),
    open,
    human: [...first, ...itemsOf(verdict)],
    asks: first
  }
}
