/**
 * What the record bears out of the things that a model calls missing, in our words: an order in the user's own, the name of a
 * check or of a file. Nothing that a model, a tool or a file has written is in them.
 */
import * as GateTable from "../../session/vocabulary/GateTable.ts"
import type { GateFact } from "../../session/facts/Facts.ts"
import type { Severity } from "../../judge/verdict/Verdict.ts"
import { speaksOfFailure } from "../../judge/stuck/StuckText.ts"
import type { ToolCall } from "../../session/transcript/Transcript.ts"
import { fileEdits, shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import { fileNamed } from "./fileNames.ts"
import type { RemainingWork } from "./model.ts"
import * as Quotations from "./quotations.ts"
import { type Entry, find, hasFailed, lastResponse, type Turn } from "./TurnRecord.ts"

/** Something missing as it is said to the agent (`fact`, `action`) and to the user. `key`: by it a repetition is known. */
export interface Shown {
  readonly key: string
  readonly missing: string
  readonly fact: string
  readonly action: string
  readonly severity: Severity
}

/** What is to be done about whatever is missing. */
export const doIt = "Do what is missing, or say where it is done, or what keeps you from it."

const named: ReadonlyArray<readonly [gate: GateTable.GateName, words: RegExp]> = [
  ["tests", /^(?:unit )?tests?(?: suite)?$/],
  ["build", /^(?:build|compile|compilation)$/],
  ["typecheck", /^type ?-?check(?:er|ing)?$/],
  ["lint", /^lint(?:er|ing)?$/],
  ["commit", /^commit$/],
  ["push", /^(?:git )?push$/],
  ["pr", /^(?:pr|pull request)$/],
  ["ci", /^ci$/]
]

/** The gate that a model names; null for one that nobody here knows, be it a part of one. */
export const gateNamed = ({ known }: Turn, name: string | null): string | null => {
  const word = (name ?? "").trim().toLowerCase().replace(/^the /, "").slice(0, 60)
  const own = known.gates.find(({ gate, untrusted }) => gate.toLowerCase() === word && !untrusted)
  return own?.gate ?? named.find(([, words]) => words.test(word))?.[0] ?? null
}

export const gateOf = ({ known }: Turn, gate: string): GateFact | undefined =>
  known.gates.find((one) => one.gate === gate)

const standing = (turn: Turn, gate: string): string => {
  const found = gateOf(turn, gate)
  const result = found?.result ?? "missing"
  const since = (found?.evidence.length ?? 0) > 0 ? "stale" : "missing"
  return GateTable.said({ gate, result: result === "not_required" ? since : result })
}

const check = (turn: Turn, { name }: RemainingWork): Shown | null => {
  const gate = gateNamed(turn, name)
  if (gate === null || gateOf(turn, gate)?.result === "passed") return null
  if (gateOf(turn, gate)?.untrusted === true) return null
  const words = standing(turn, gate)
  return {
    key: words,
    missing: words,
    fact: `It seems that ${words}. If that is not so, say where it is seen.`,
    action: doIt,
    severity: gateOf(turn, gate)?.result === "failed" ? "MEDIUM" : "LOW"
  }
}

const file = (turn: Turn, { name }: RemainingWork): Shown | null => {
  const found = fileNamed(turn, name)
  if (found === null) return null
  const where = found.name === null ? "a file that you changed" : `\`${found.name}\``
  return {
    key: where,
    missing: `something in ${found.name === null ? "a file that the agent changed" : where}`,
    fact: `It seems that something which was asked for is missing in ${where}. If it is done, say where.`,
    action: doIt,
    severity: "LOW"
  }
}

const order = (turn: Turn, { quote }: RemainingWork): Shown | null => {
  const words = Quotations.order(turn, quote)
  if (words === null) return null
  return {
    key: `is not there: "${words}"`,
    missing: `what was asked for: "${words}"`,
    fact: `It seems that this was asked for and is not there: "${words}". If it is done, say where.`,
    action: doIt,
    severity: "LOW"
  }
}

const step = (turn: Turn, { quote }: RemainingWork): Shown | null => {
  const last = lastResponse(turn)
  if (last?.event.type !== "assistant_message" || Quotations.found(last.event.text, quote) === null) return null
  return {
    key: "a step which your last words announce",
    missing: "a step that the last words announce, or leave that they ask for it",
    fact: "It seems that a step which your last words announce or offer belongs to what was asked for, and was not taken.",
    action: "Take that step, or say what keeps you from it.",
    severity: "LOW"
  }
}

/** Whether anything on record made up for the edit: another of the same file, or one that cannot be told. */
const isMended = ({ entries, known }: Turn, failed: ToolCall): boolean => {
  const paths = new Set(fileEdits(failed).map(({ path }) => path))
  const at = entries.findIndex(({ event }) => event === failed)
  return (
    paths.size === 0 ||
    known.evidence.opaque ||
    known.evidence.delegated > 0 ||
    known.evidence.edits.some(({ path }) => path === "*" || paths.has(path)) ||
    entries.slice(at + 1).some(({ event }) => event.type === "tool_call" && shellCommand(event) !== null)
  )
}

/** An edit that failed and was left so without a word. */
const failedEdit = (turn: Turn, { current, event }: Entry): Shown | null => {
  if (event.type !== "tool_call" || !current || !hasFailed(event) || toolKind(event.tool) !== "edit") return null
  if (isMended(turn, event) || speaksOfFailure(turn.known.reading.prose)) return null
  return {
    key: "An edit of yours failed",
    missing: "an edit that failed",
    fact: "An edit of yours failed, and you neither made up for it nor said so.",
    action: "Make the edit that failed, or say why it is not needed.",
    severity: "MEDIUM"
  }
}

/** How often in a row commands have to fail before going on alike is going round in circles. */
const rounds = 3

const maxOutput = 20_000

/** Commands that failed again and again with the same words, to the end of the turn, and are left so without a word. */
const failedAlike = (turn: Turn, { current, event }: Entry, { quote }: RemainingWork): Shown | null => {
  if (event.type !== "tool_call" || !current || !hasFailed(event) || toolKind(event.tool) !== "shell") return null
  const { evidence, reading, task } = turn.known
  if (task.wantsFailure || evidence.delegated > 0 || speaksOfFailure(reading.prose)) return null
  const calls = turn.entries.flatMap((entry) =>
    entry.current && entry.event.type === "tool_call" && toolKind(entry.event.tool) === "shell" ? [entry.event] : []
  )
  const last = calls.slice(-rounds)
  const has = (call: ToolCall): boolean =>
    hasFailed(call) && Quotations.found((call.output ?? "").slice(-maxOutput), quote) !== null
  if (last.length < rounds || !last.includes(event) || !last.every(has)) return null
  return {
    key: "commands failed alike",
    missing: `the last ${rounds} commands, which failed alike`,
    fact: `Your last ${rounds} commands failed alike.`,
    action: "Find out what causes this before you run it again.",
    severity: "MEDIUM"
  }
}

/** An item that says no kind is what the line that it cites makes it. */
export const kindOf = (turn: Turn, item: RemainingWork): RemainingWork["kind"] => {
  if (item.kind !== "other") return item.kind
  const entry = find(turn, item.event)
  if (entry?.event.type === "user_message" && !entry.event.synthetic) return "order"
  return entry?.event.type === "assistant_message" ? "step" : "other"
}

const byCall = (turn: Turn, item: RemainingWork, stuck: boolean): Shown | null => {
  const entry = find(turn, item.event)
  return entry === null ? null : (failedEdit(turn, entry) ?? (stuck ? failedAlike(turn, entry, item) : null))
}

/** What the record bears out of an item; null for one that cites nothing, or what is not there. */
export const shown = (turn: Turn, item: RemainingWork, stuck = false): Shown | null => {
  switch (kindOf(turn, item)) {
    case "order":
      return order(turn, item)
    case "check":
      return check(turn, item) ?? byCall(turn, item, stuck)
    case "file":
      return file(turn, item) ?? byCall(turn, item, stuck)
    case "step":
      return step(turn, item)
    case "other":
      return byCall(turn, item, stuck)
  }
}

/** What is said where nothing that was cited is borne out: what was ordered last, or nothing but that. */
export const unshown = (turn: Turn): Shown => {
  const words = Quotations.lastOrder(turn)
  const something = {
    key: "It seems that",
    missing: "something that was asked for",
    fact: "It seems that something which was asked for is not there. If it is done, say where.",
    action: doIt,
    severity: "LOW"
  } as const
  if (words === null) return something
  return {
    ...something,
    missing: `a part of what was asked for: "${words}"`,
    fact: `It seems that not all of this is there: "${words}". If it is done, say where.`
  }
}
