/** Lists what the agent did, in order and within a character limit. The most informative steps are shown at length. */
import { oneLine } from "../../base/text/Text.ts"
import { toolKind } from "../../session/transcript/ToolKinds.ts"
import { hasFailed } from "../../session/evidence/Calls.ts"
import { clean, type Entry, lastResponse, targetOf, type Turn } from "./TurnRecord.ts"
import * as StepText from "./stepText.ts"

interface Step {
  readonly at: number
  readonly line: string
  /** 0 if one line is enough. */
  readonly weight: number
  readonly isCheck: boolean
  readonly entry: Entry | null
}

const told = (at: number, line: string, entry: Entry | null = null): Step => ({
  at,
  line,
  entry,
  weight: 0,
  isCheck: false
})

const looks = (entry: Entry | null): boolean =>
  entry?.event.type === "tool_call" &&
  (toolKind(entry.event.tool) === "read" || toolKind(entry.event.tool) === "search") &&
  !hasFailed(entry.event)

/** The calls that ran a check, by id. True for the check's last run. */
const checksOf = ({ known: { evidence, task } }: Turn): ReadonlyMap<string, boolean> => {
  const found = new Map<string, boolean>()
  const last = new Map(evidence.runs.map(({ callId, gate }) => [gate, callId]))
  for (const { callId, gate, turn } of evidence.runs)
    if (callId !== null && turn >= task.since)
      found.set(callId, (found.get(callId) ?? false) || last.get(gate) === callId)
  return found
}

const weightOf = (entry: Entry, checks: ReadonlyMap<string, boolean>): number => {
  const { current, event } = entry
  const past = current ? 0 : 50
  if (event.type === "assistant_message") return 40 - past
  if (event.type === "user_message") return 0
  const isLast = event.id === null ? undefined : checks.get(event.id)
  if (isLast !== undefined) return (isLast ? 100 : 85) - past
  const kind = toolKind(event.tool)
  if (kind === "edit") return 80 - past
  if (kind === "agent") return 75 - past
  if (kind === "shell") return (hasFailed(event) ? 70 : 60) - past
  return (hasFailed(event) ? 45 : kind === "read" || kind === "search" || kind === "todo" ? 0 : 20) - past
}

const stepsOf = (turn: Turn): ReadonlyArray<Step> => {
  const checks = checksOf(turn)
  const last = lastResponse(turn)
  const steps = turn.entries.map((entry): Step => {
    const { at, event } = entry
    const isCheck = event.type === "tool_call" && event.id !== null && checks.has(event.id)
    const weight = entry === last ? 0 : weightOf(entry, checks)
    return { at, entry, line: StepText.inLine(entry, entry === last), weight, isCheck }
  })
  const notes = turn.notes.map(({ at, text }) => told(at, `(${text})`))
  return [...steps, ...notes].toSorted((one, other) => one.at - other.at)
}

const joined = (run: ReadonlyArray<Step>): ReadonlyArray<Step> => {
  const [first] = run
  if (first === undefined || run.length === 1) return run
  const what = run.flatMap(({ entry }) => (entry?.event.type === "tool_call" ? [targetOf(entry.event, 60)] : []))
  const labels = `${first.entry?.label ?? ""}–${run.at(-1)?.entry?.label ?? ""}`
  const all = oneLine([...new Set(what)].join(", "), 220)
  return [told(first.at, `[${labels}] ${run.length} reads and searches: ${all}`, first.entry)]
}

const folded = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> => {
  const found: Array<Step> = []
  let run: Array<Step> = []
  for (const step of steps) {
    if (looks(step.entry)) run.push(step)
    else {
      found.push(...joined(run), step)
      run = []
    }
  }
  return [...found, ...joined(run)]
}

const sizeOf = (steps: ReadonlyArray<Step>): number => steps.reduce((sum, { line }) => sum + line.length + 1, 0)

const counted = (left: ReadonlyArray<Step>): string => {
  const kinds = new Map<string, number>()
  let failed = 0
  const files = new Set<string>()
  for (const { entry } of left) {
    if (entry?.event.type !== "tool_call") continue
    const kind = toolKind(entry.event.tool)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    failed += hasFailed(entry.event) ? 1 : 0
    if (kind === "edit") files.add(targetOf(entry.event, 60))
  }
  const what = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ")
  const edited = files.size === 0 ? "" : `; edited: ${oneLine(clean([...files].join(", ")), 300)}`
  return `… ${left.length} steps are left out here (${what === "" ? "texts" : what}; ${failed} failed${edited})`
}

/** Keeps the first and last steps, the user's messages between them, and a count of the rest. */
const cut = (steps: ReadonlyArray<Step>, budget: number): ReadonlyArray<Step> => {
  if (sizeOf(steps) <= budget) return steps
  const takes = (all: ReadonlyArray<Step>, limit: number): number => {
    let size = 0
    let count = 0
    for (const { line } of all) {
      size += line.length + 1
      if (size > limit) break
      count += 1
    }
    return count
  }
  const first = takes(steps, budget * 0.25)
  const last = Math.max(1, takes(steps.toReversed(), budget * 0.65))
  const left = steps.slice(first, steps.length - last)
  if (left.length === 0) return steps
  const kept = left.filter(({ entry }) => entry?.event.type === "user_message").slice(-4)
  const gap = counted(left.filter((step) => !kept.includes(step)))
  return [...steps.slice(0, first), told(-1, gap), ...kept, ...steps.slice(steps.length - last)]
}

/** The steps to show at length: first the most informative, then the latest. If room is left, they get more text. */
const longOnes = (steps: ReadonlyArray<Step>, budget: number): ReadonlyMap<Step, string> => {
  const long = new Map<Step, string>()
  let left = budget - sizeOf(steps)
  const wanted = steps
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight || other.at - one.at)
  for (const room of [StepText.some, StepText.much])
    for (const step of wanted) {
      if (left <= 0 || step.entry === null) return long
      const text = StepText.whole(step.entry, { isCheck: step.isCheck, room })
      const more = text.length - (long.get(step) ?? step.line).length
      if (more > left || (long.has(step) && more <= 0)) continue
      long.set(step, text)
      left -= more
    }
  return long
}

export const lines = (turn: Turn, budget: number): ReadonlyArray<string> => {
  const steps = cut(folded(stepsOf(turn)), budget)
  const long = longOnes(steps, budget)
  return steps.map((step) => long.get(step) ?? step.line)
}
