/** The view `verdict`: whether the task is done, formatted for a person. */
import * as Judgment from "@reflexion/core/Judgment"
import type { Gate, GateResult, Status, Verdict } from "@reflexion/core/Verdict"
import * as Hosts from "../host/Hosts.ts"
import * as ExitCode from "../process/ExitCode.ts"
import { clip, counted, firstLines, oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { body, items, moment, section } from "../terminal/Sheet.ts"
import { type Paint, paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"
import * as Beyond from "./beyond.ts"
import { aside, asideLine, marked, taskLines } from "./marked.ts"
import type { FoldedSession, FullVerdict } from "./SessionFold.ts"
import type { Section, SessionView } from "./views.ts"

type Verdicts = FoldedSession<FullVerdict>

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

const shownProofs = 2

/** Of several runs with the same command and exit code, only the last is shown. */
const proofs = (style: TerminalStyle, { evidence }: Gate): ReadonlyArray<string> => {
  const last = new Map(evidence.map((run) => [`${run.exitCode} ${run.command}`, run]))
  const shown = evidence.filter((run) => last.get(`${run.exitCode} ${run.command}`) === run).slice(-shownProofs)
  const hidden = evidence.length - shown.length
  return [
    ...shown.map(({ command, exitCode }) => {
      const exit = `${pad(`exit ${exitCode ?? "?"}`, 8)} `
      const colour = exitCode === null ? "dim" : exitCode === 0 ? "green" : "red"
      return asideLine(style, exit, `$ ${command}`).replace(exit, () => paint(style, [colour], exit))
    }),
    ...(hidden > 0 ? aside(style, `and ${counted(hidden, "more run")}`) : [])
  ]
}

interface Columns {
  readonly name: number
  readonly result: number
}

const required = 10

const row = (style: TerminalStyle, gate: Gate, columns: Columns): ReadonlyArray<string> => {
  const look = results[gate.result]
  const { [look.symbol]: mark, ellipsis } = symbols
  const lead = columns.name + columns.result + required
  const cells = [
    `${paint(style, [look.paint, "bold"], mark)} ${pad(clip(oneLine(gate.gate), columns.name - 4, ellipsis), columns.name - 2)}`,
    paint(style, [look.paint], pad(look.label, columns.result)),
    paint(style, gate.required ? [] : ["dim"], pad(gate.required ? "required" : "optional", required))
  ].join("")
  const inline = body(style) - lead >= 28
  const indent = inline ? lead : 4
  const detail = oneLine(gate.detail)
  const lines =
    detail.toLowerCase() === look.label ? [] : wrap(detail, body(style) - indent).filter((line) => line !== "")
  const [first = "", ...rest] = inline ? lines : ["", ...lines]
  return [cells + first, ...rest.map((line) => " ".repeat(indent) + line), ...proofs(style, gate)]
}

const isTold = (gate: Gate): boolean => gate.required || gate.evidence.length > 0 || gate.result !== "not_required"

const gates = (style: TerminalStyle, { gates: all }: Verdict): ReadonlyArray<string> => {
  if (all.length === 0) return []
  const told = all.filter(isTold)
  const rest = all.filter((gate) => !isTold(gate)).map((gate) => oneLine(gate.gate))
  const result = Math.max(...told.map((gate) => results[gate.result].label.length)) + 2
  const longest = Math.max(...told.map((gate) => width(oneLine(gate.gate)))) + 4
  const columns = { name: Math.min(longest, body(style) - result - required), result }
  const ordered = [...told.filter((gate) => gate.required), ...told.filter((gate) => !gate.required)]
  const left = rest.length === 0 ? [] : wrap(`${symbols.none} not required: ${rest.join(", ")}`, body(style))
  return section(style, "Gates", [
    ...ordered.flatMap((gate) => row(style, gate, columns)),
    ...left.map((line) => paint(style, ["dim"], line))
  ])
}

const disproved = (style: TerminalStyle, { contradictions }: Verdict): ReadonlyArray<string> => {
  const { arrow, ellipsis } = symbols
  const lines = contradictions.flatMap(({ callId, claim, fact }) => {
    const from = callId === null ? "" : ` (${clip(oneLine(callId), 34, ellipsis)})`
    const known = wrap(`${oneLine(fact)}${from}`, body(style) - 3)
    return [
      ...marked(style, ["failed", "red"], `"${oneLine(claim)}"`, 2),
      ...known.map((line, index) => `${pad(index === 0 ? arrow : "", 3)}${line}`)
    ]
  })
  return section(style, "Disproved", lines)
}

/** True if the task is not done, but the agent is not nudged. */
const isLeft = ({ shouldContinue, status }: Verdict): boolean =>
  !shouldContinue && (status === "incomplete" || status === "stuck")

const gravity = (style: TerminalStyle, verdict: Verdict): string => {
  if (verdict.severity === "NONE") return ""
  const grave: ReadonlyArray<Paint> = ["HIGH", "BLOCKER"].includes(verdict.severity) ? ["red", "bold"] : ["yellow"]
  return isLeft(verdict)
    ? `  ${paint(style, ["yellow"], "yours to look at")}`
    : `  ${paint(style, grave, `${verdict.severity} severity`)}`
}

const fate = (verdict: Verdict): string => {
  if (verdict.shouldContinue) return "the agent would be nudged"
  if (!isLeft(verdict)) return "the agent would not be nudged"
  if (verdict.findings.length === 0) return "the agent would not be nudged: no rule covers this"
  return verdict.findings.some(({ level }) => level === "nudge")
    ? "the agent would not be nudged now"
    : "the agent would not be nudged: the findings are only for you"
}

const conclusion = (style: TerminalStyle, verdict: Verdict): ReadonlyArray<string> => {
  const to = body(style)
  const facts = [
    `confidence ${Sheet.percent(verdict.confidence)}`,
    `by ${verdict.source.replace("_", " ")}`,
    fate(verdict),
    ...(verdict.stop.pattern === null ? [] : [verdict.stop.pattern.replaceAll("_", " ")])
  ]
  return section(style, "Verdict", [
    Sheet.badge(style, statuses[verdict.status]) + gravity(style, verdict),
    ...firstLines(wrap(oneLine(verdict.reason), to), { count: 4, to, mark: symbols.ellipsis }),
    ...Sheet.facts(style, facts, to)
  ])
}

const headOf = (style: TerminalStyle, verdict: Verdict, last: number): ReadonlyArray<string> => {
  const { index, stoppedAt, userMessageAt } = verdict.turn
  const place = index === last ? " (the last)" : ` of 0-${last}`
  const at = stoppedAt ?? userMessageAt
  const parts = [...Sheet.identity(verdict), `turn ${index}${place}`, ...(at === null ? [] : [moment(at)])]
  return Sheet.facts(style, parts, style.width)
}

const afterLimit = ({ host, limitEnd, sessionId }: Verdict): ReadonlyArray<string> => {
  if (limitEnd === undefined) return []
  const resume = /^\w[\w-]{0,99}$/.test(sessionId ?? "") ? Hosts.named(host)?.resume(sessionId ?? "") : undefined
  return [`The usage limit ends at ${moment(limitEnd)}.${resume === undefined ? "" : ` To go on then: \`${resume}\``}`]
}

const parts = (style: TerminalStyle, verdict: FullVerdict, last: number): ReadonlyArray<ReadonlyArray<string>> => {
  const { requirements, summary, type } = verdict.task
  const asked = requirements.length === 0 ? "no gate is required" : `requires ${requirements.map(oneLine).join(", ")}`
  const rules = new Set(verdict.findings.map(({ level, rule }) => `${rule} (${level})`))
  const nudge = { bar: verdict.shouldContinue ? "yellow" : "dim", none: "nothing to say to the agent" } as const
  return [
    headOf(style, verdict, last),
    section(style, "Task", [...taskLines(style, summary), ...Sheet.facts(style, [`${type}; ${asked}`], body(style))]),
    gates(style, verdict),
    ...Beyond.sections(style, verdict),
    disproved(style, verdict),
    items(style, "Missing", verdict.missing),
    items(style, "By rules", [...rules]),
    verdict.feedback === null ? items(style, "Next", [...afterLimit(verdict), ...verdict.nextActions]) : [],
    conclusion(style, verdict),
    section(style, "Feedback", Sheet.quotation(style, verdict.feedback, nudge))
  ]
}

const labels = Math.max(...Object.values(statuses).map(({ label }) => label.length))

const line = (style: TerminalStyle, verdict: Verdict): string => {
  const look = statuses[verdict.status]
  const { arrow, ellipsis } = symbols
  // A narrow terminal has no room for the time.
  const wide = style.width < 60 ? 0 : 13
  const at = moment(verdict.turn.userMessageAt ?? "").slice(5, 16)
  const room = Math.max(10, style.width - (4 + 2 + 2 + labels + 2 + 3 + wide))
  return [
    `${String(verdict.turn.index).padStart(4)}  ${paint(style, [look.paint, "bold"], symbols[look.symbol])} `,
    `${paint(style, [look.paint], pad(look.label.toLowerCase(), labels))}  `,
    paint(style, ["yellow", "bold"], pad(verdict.shouldContinue ? arrow : "", 3)),
    `${paint(style, ["dim"], wide === 0 ? "" : pad(at, wide))}${clip(oneLine(verdict.task.summary) || "(no task found)", room, ellipsis)}`
  ]
    .join("")
    .trimEnd()
}

const turns = (style: TerminalStyle, { file, value: { last, shown } }: Section<Verdicts>): string => {
  const title = paint(style, ["bold"], Sheet.title(style, file, style.width - 12))
  const head = `${title}  ${paint(style, ["dim"], counted(shown.length, "turn"))}`
  const list = shown.map((one) => line(style, one)).join("\n")
  const full = shown.slice(-1).map((one) => Sheet.blocks(parts(style, one, last)))
  return [`${head}\n${list}`, ...full].join("\n\n")
}

export const view: SessionView<Judgment.JudgmentState, FullVerdict, Status> = {
  doing: "judging",
  done: "judged",
  turns: {
    initial: Judgment.initial,
    step: Judgment.step,
    judgment: (state) => state,
    show: ({ verdict }) => verdict
  },
  record: (verdict) => verdict,
  parts,
  list: turns,
  looks: statuses,
  lookOf: ({ status }) => status,
  code: ExitCode.ofVerdict
}
