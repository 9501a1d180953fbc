/** Where a task stands, in the words of a person who looks up from other work. */
import { redact } from "../../ground/redaction/Redaction.ts"
import type { Gate, Verdict } from "../../judge/verdict/Verdict.ts"
import * as GateTable from "../../session/gates/GateTable.ts"
import { oneLine } from "../../ground/text/Text.ts"

export interface Said {
  readonly proved: ReadonlyArray<string>
  readonly unproved: ReadonlyArray<string>
  readonly open: ReadonlyArray<string>
  readonly human: ReadonlyArray<string>
  readonly asks: ReadonlyArray<string>
}

/** What failed, as the entry in `missing` names it: not how many, nor the command. */
const failure = (gate: Gate, missing: string): string => {
  const what = missing.slice(gate.gate.length + 2).split(" (`")[0] ?? ""
  const named = what.replace(/^\d{1,6} failing tests?: /, "")
  return named === "" || named.length > 90 || /^(?:\d{1,6} failed|exit|failed)/i.test(named) ? "" : `: ${named}`
}

const comment =
  /^Code Review Comment \(([^`]{1,200}) at `[^`]{0,80}`\): a reviewer says ("[^"]*"?)(; the agent answered .*)?/u

/** A review comment without its place, short enough that an answer can be read as well. */
const reviewItem = (missing: string): string | null => {
  const [, file, said = "", answer] = comment.exec(missing) ?? []
  if (file === undefined) return null
  const open = `a review comment is open (${file}): `
  return answer === undefined ? `${open}${said}` : `${open}${oneLine(said, 50)}${answer}`
}

const openItem = (missing: string, gates: ReadonlyArray<Gate>): string => {
  const reviewed = reviewItem(missing)
  if (reviewed !== null) return reviewed
  const gate = gates.find((candidate) => missing.startsWith(`${candidate.gate}: `))
  if (gate === undefined) return missing
  return gate.result === "failed" ? `${GateTable.said(gate)}${failure(gate, missing)}` : GateTable.said(gate)
}

/** What a reason quotes: the question that was asked, or what only a person can do. */
const quoted = (reason: string): ReadonlyArray<string> => {
  const at = reason.indexOf(": ")
  return at < 0 ? [] : [`"${oneLine(redact(reason.slice(at + 2)), 120)}"`]
}

const required = ({ gates }: Verdict, result: Gate["result"]): ReadonlyArray<string> =>
  gates.filter((gate) => gate.required && gate.result === result).map(GateTable.said)

const openOf = (verdict: Verdict): ReadonlyArray<string> => {
  if (verdict.missing.length > 0) return verdict.missing.map((item) => openItem(item, verdict.gates))
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
    human: [...first, ...verdict.missing.map((item) => openItem(item, verdict.gates))],
    asks: first
  }
}
