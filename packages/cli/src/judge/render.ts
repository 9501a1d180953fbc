/** A verdict as a person would want to read it. Pure: the terminal is a parameter. */
import type { Contradiction, Gate, GateEvidence, GateResult, Severity, Status, Verdict } from "@reflexion/core/Verdict"
import { clip, firstLines, oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import * as RenderBeyond from "./renderBeyond.ts"
import type { Told } from "./SessionFold.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { body, items, moment, section, title } from "../terminal/Sheet.ts"
import { type Paint, paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

/**
 * A verdict and where it comes from. `lastTurn` is the number of the session's last turn.
 *
 * @category models
 */
export interface Entry {
  readonly file: string
  readonly verdict: Told
  readonly lastTurn: number
}

const statuses: Readonly<Record<Status, Sheet.Look>> = {
  complete: { label: "COMPLETE", symbol: "passed", paint: "green" },
  incomplete: { label: "NOT COMPLETE", symbol: "failed", paint: "red" },
  waiting_for_user: { label: "WAITING FOR YOU", symbol: "unknown", paint: "cyan" },
  needs_human: { label: "NEEDS A HUMAN", symbol: "warning", paint: "yellow" },
  stuck: { label: "STUCK", symbol: "failed", paint: "red" },
  working: { label: "STILL WORKING", symbol: "waiting", paint: "blue" },
  aborted: { label: "ABORTED", symbol: "none", paint: "magenta" },
  abstained: { label: "ABSTAINED", symbol: "unknown", paint: "yellow" }
}

const results: Readonly<Record<GateResult, Sheet.Look>> = {
  passed: { label: "passed", symbol: "passed", paint: "green" },
  failed: { label: "failed", symbol: "failed", paint: "red" },
  stale: { label: "stale", symbol: "warning", paint: "yellow" },
  missing: { label: "missing", symbol: "failed", paint: "yellow" },
  unknown: { label: "unknown", symbol: "unknown", paint: "yellow" },
  not_required: { label: "not required", symbol: "none", paint: "dim" }
}

const severities: Readonly<Record<Severity, ReadonlyArray<Paint>>> = {
  NONE: [],
  LOW: ["yellow"],
  MEDIUM: ["yellow", "bold"],
  HIGH: ["red", "bold"],
  BLOCKER: ["red", "bold", "inverse"]
}

const facts = (style: TerminalStyle, { lastTurn, verdict }: Entry): ReadonlyArray<string> => {
  const { index, stoppedAt, userMessageAt } = verdict.turn
  const place = index === lastTurn ? " (the last)" : ` of 0-${lastTurn}`
  const at = stoppedAt ?? userMessageAt
  const parts = [...Sheet.identity(style, verdict), `turn ${index}${place}`, ...(at === null ? [] : [moment(at)])]
  return Sheet.facts(style, parts, style.width)
}

const task = (style: TerminalStyle, { verdict }: Entry): ReadonlyArray<string> => {
  const { ellipsis } = symbols(style)
  const { requirements, summary, type } = verdict.task
  const asked = requirements.length === 0 ? "requires no gate" : `requires ${requirements.map(oneLine).join(", ")}`
  const text = summary.trim() === "" ? "(no task found)" : oneLine(summary)
  return section(style, "Task", [
    ...firstLines(wrap(text, body(style)), { count: 3, to: body(style), mark: ellipsis }),
    ...wrap(`${type}; ${asked}`, body(style)).map((line) => paint(style, ["dim"], line))
  ])
}

const proof =
  (style: TerminalStyle) =>
  ({ command, exitCode }: GateEvidence): string => {
    const exit = pad(`exit ${exitCode ?? "?"}`, 8)
    const lead = `    ${paint(style, [exitCode === null ? "dim" : exitCode === 0 ? "green" : "red"], exit)} `
    const room = body(style) - 13
    return lead + paint(style, ["dim"], clip(`$ ${oneLine(command)}`, room, symbols(style).ellipsis))
  }

const shownProofs = 2

/** The last runs, one for every command and outcome. */
const proofs = (style: TerminalStyle, gate: Gate): ReadonlyArray<string> => {
  const last = new Map(gate.evidence.map((run) => [`${run.exitCode} ${run.command}`, run]))
  const distinct = gate.evidence.filter((run) => last.get(`${run.exitCode} ${run.command}`) === run).slice(-shownProofs)
  const hidden = gate.evidence.length - distinct.length
  const more = `    and ${hidden} more run${hidden === 1 ? "" : "s"}`
  return [...distinct.map(proof(style)), ...(hidden > 0 ? [paint(style, ["dim"], more)] : [])]
}

interface Columns {
  readonly name: number
  readonly result: number
  readonly required: number
}

/** A detail that only repeats the result is left out. */
const detailOf = ({ detail, result }: Gate): string => {
  const text = oneLine(detail)
  return text.toLowerCase() === results[result].label ? "" : text
}

const row = (style: TerminalStyle, gate: Gate, columns: Columns): ReadonlyArray<string> => {
  const look = results[gate.result]
  const { [look.symbol]: mark, ellipsis } = symbols(style)
  const lead = columns.name + columns.result + columns.required
  const name = clip(oneLine(gate.gate), columns.name - 4, ellipsis)
  const cells = [
    `${paint(style, [look.paint, "bold"], mark)} ${pad(name, columns.name - 2)}`,
    paint(style, [look.paint], pad(look.label, columns.result)),
    paint(style, gate.required ? [] : ["dim"], pad(gate.required ? "required" : "optional", columns.required))
  ].join("")
  const aside = body(style) - lead >= 28
  const indent = aside ? lead : 4
  const text = detailOf(gate)
  const lines = text === "" ? [] : wrap(text, body(style) - indent)
  const [first = "", ...rest] = aside ? lines : ["", ...lines]
  return [cells + first, ...rest.map((line) => " ".repeat(indent) + line), ...proofs(style, gate)]
}

const tells = (gate: Gate): boolean => gate.required || gate.evidence.length > 0 || gate.result !== "not_required"

const gates = (style: TerminalStyle, { verdict }: Entry): ReadonlyArray<string> => {
  const { none } = symbols(style)
  const told = verdict.gates.filter(tells)
  const rest = verdict.gates.filter((gate) => !tells(gate)).map((gate) => oneLine(gate.gate))
  const result = Math.max(...told.map((gate) => results[gate.result].label.length)) + 2
  const required = 10
  const longest = Math.max(...told.map((gate) => width(oneLine(gate.gate)))) + 4
  const columns = { name: Math.min(longest, body(style) - result - required), result, required }
  const ordered = [...told.filter((gate) => gate.required), ...told.filter((gate) => !gate.required)]
  const lines = [
    ...ordered.flatMap((gate) => row(style, gate, columns)),
    ...(rest.length === 0
      ? []
      : wrap(`${none} not required: ${rest.join(", ")}`, body(style)).map((line) => paint(style, ["dim"], line)))
  ]
  return section(style, "Gates", lines)
}

const contradiction =
  (style: TerminalStyle) =>
  ({ callId, claim, fact }: Contradiction): ReadonlyArray<string> => {
    const { arrow, ellipsis, failed } = symbols(style)
    const from = callId === null ? "" : ` (${clip(oneLine(callId), 34, ellipsis)})`
    const claimed = firstLines(wrap(`"${oneLine(claim)}"`, body(style) - 2), {
      count: 2,
      to: body(style) - 2,
      mark: ellipsis
    })
    const known = wrap(`${oneLine(fact)}${from}`, body(style) - 3)
    return [
      ...claimed.map((line, index) => (index === 0 ? `${paint(style, ["red", "bold"], failed)} ${line}` : `  ${line}`)),
      ...known.map((line, index) => (index === 0 ? `${pad(arrow, 3)}${line}` : `   ${line}`))
    ]
  }

/** What stands against the task, and nobody tells the agent. */
const isLeft = ({ shouldContinue, status }: Verdict): boolean =>
  !shouldContinue && (status === "incomplete" || status === "stuck")

/** How grave it is for whoever acts on it: the agent, or else the user. */
const gravity = (style: TerminalStyle, verdict: Verdict): string => {
  if (verdict.severity === "NONE") return ""
  return isLeft(verdict)
    ? `  ${paint(style, ["yellow"], "yours to look at")}`
    : `  ${paint(style, severities[verdict.severity], `${verdict.severity} severity`)}`
}

/** What becomes of the agent, and why it is not sent on. */
const fate = (verdict: Verdict): string => {
  if (verdict.shouldContinue) return "the agent would be pushed on"
  if (!isLeft(verdict)) return "the agent would be left alone"
  if (verdict.findings.length === 0) return "the agent would not be pushed on: no rule names this"
  return verdict.findings.some(({ level }) => level === "push")
    ? "the agent would not be pushed on as things stand"
    : "the agent would not be pushed on: what was found is only told here"
}

const conclusion = (style: TerminalStyle, { verdict }: Entry): ReadonlyArray<string> => {
  const { ellipsis } = symbols(style)
  const facts = [
    `confidence ${Sheet.percent(verdict.confidence)}`,
    `by ${verdict.source.replace("_", " ")}`,
    fate(verdict),
    ...(verdict.stop.pattern === null ? [] : [verdict.stop.pattern.replaceAll("_", " ")])
  ]
  return section(style, "Verdict", [
    Sheet.badge(style, statuses[verdict.status]) + gravity(style, verdict),
    ...firstLines(wrap(oneLine(verdict.reason), body(style)), { count: 4, to: body(style), mark: ellipsis }),
    ...Sheet.facts(style, facts, body(style))
  ])
}

const message = (style: TerminalStyle, { verdict }: Entry): ReadonlyArray<string> =>
  section(
    style,
    "Feedback",
    Sheet.quotation(style, verdict.feedback, {
      bar: verdict.shouldContinue ? "yellow" : "dim",
      none: "nothing to say to the agent"
    })
  )

/** Which rules have it, each once, and how far they go; `reflexion rules` says more of one. */
const byRules = (verdict: Verdict): ReadonlyArray<string> => [
  ...new Set(verdict.findings.map(({ level, rule }) => `${rule} (${level})`))
]

const judgement = (style: TerminalStyle, entry: Entry): string =>
  Sheet.blocks([
    facts(style, entry),
    task(style, entry),
    entry.verdict.gates.length === 0 ? [] : gates(style, entry),
    ...RenderBeyond.sections(style, entry.verdict),
    section(style, "Disproved", entry.verdict.contradictions.flatMap(contradiction(style))),
    items(style, "Missing", entry.verdict.missing),
    items(style, "By rules", byRules(entry.verdict)),
    entry.verdict.feedback === null ? items(style, "Next", entry.verdict.nextActions) : [],
    conclusion(style, entry),
    message(style, entry)
  ])

/**
 * Everything about one verdict, as lines that fit the terminal.
 *
 * @category rendering
 */
export const detail = (style: TerminalStyle, entry: Entry): string =>
  `${paint(style, ["bold"], title(style, entry.file, style.width))}\n${judgement(style, entry)}`

const labels = Math.max(...Object.values(statuses).map(({ label }) => label.length))

/**
 * One turn on one line.
 *
 * @category rendering
 */
export const line = (style: TerminalStyle, verdict: Verdict): string => {
  const look = statuses[verdict.status]
  const { arrow, ellipsis } = symbols(style)
  const push = verdict.shouldContinue ? arrow : ""
  const at = verdict.turn.userMessageAt === null ? "" : moment(verdict.turn.userMessageAt).slice(5, 16)
  const index = String(verdict.turn.index).padStart(4)
  const used = 4 + 2 + 2 + labels + 2 + 3 + 13
  const task = clip(oneLine(verdict.task.summary) || "(no task found)", Math.max(10, style.width - used), ellipsis)
  return [
    `${index}  ${paint(style, [look.paint, "bold"], symbols(style)[look.symbol])} `,
    `${paint(style, [look.paint], pad(look.label.toLowerCase(), labels))}  `,
    `${paint(style, ["yellow", "bold"], pad(push, 3))}${paint(style, ["dim"], pad(at, 13))}${task}`
  ]
    .join("")
    .trimEnd()
}

/**
 * Every turn of a session on its line, then the last in full.
 *
 * @category rendering
 */
export const turns = (style: TerminalStyle, entries: ReadonlyArray<Entry>): string => {
  const last = entries.at(-1)
  if (last === undefined) return ""
  const count = `${entries.length} turn${entries.length === 1 ? "" : "s"}`
  const head = `${paint(style, ["bold"], title(style, last.file, style.width - 12))}  ${paint(style, ["dim"], count)}`
  const list = entries.map(({ verdict }) => line(style, verdict)).join("\n")
  return `${head}\n${list}\n\n${judgement(style, last)}`
}

/**
 * How several sessions' last turns ended, counted.
 *
 * @category rendering
 */
export const summary = (
  style: TerminalStyle,
  counts: { readonly verdicts: ReadonlyArray<Verdict>; readonly failed: number }
): string =>
  Sheet.tally(style, statuses, {
    values: counts.verdicts.map(({ status }) => status),
    failed: counts.failed,
    done: "judged"
  })
