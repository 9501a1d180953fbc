/** What the score keeps of a task beside the folds of the judge. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import { append } from "../../ground/json/Json.ts"
import type { JudgmentContext, JudgmentState } from "../verdict/Judgment.ts"
import * as Loops from "../loops/Loops.ts"
import type { ToolCall, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import { keyOf, kindOf } from "../loops/Calls.ts"
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { destroyed, madeBy, shownChanges, thrownAway } from "./harm.ts"
import type { Detour, Harm, Work as WorkSchema } from "./model.ts"
import { oneLine } from "../../ground/text/Text.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"

export type Work = typeof WorkSchema.Type

export const initial: Work = {
  calls: 0,
  failed: 0,
  refused: { key: 0, count: 0 },
  insisted: 0,
  edits: [],
  unproved: false,
  acted: false,
  detours: [],
  harms: [],
  pristine: true,
  theirs: [],
  untracked: [],
  made: []
}

/** A new task begins with nothing done; whose the changes are lives on. */
const newTask = ({ made, pristine, theirs, untracked }: Work): Work => ({
  ...initial,
  made,
  pristine,
  theirs,
  untracked
})

const maxEdits = 64

const code = ["source", "test", "conflict", "unknown"] as const

/** Whether code was edited and nothing that could have shown a defect was run since. */
export const isUnproved = ({ exercised, ...evidence }: Evidence.Evidence, before: boolean): boolean => {
  const last = Evidence.lastEdit({ exercised, ...evidence }, code)
  return last > 0 ? exercised <= last : before && exercised === 0
}

export const hasActed = ({ actions, commits, delegated, edits }: Evidence.Evidence): boolean =>
  actions > 0 || commits > 0 || delegated > 0 || edits.some(({ kind }) => kind !== "outside")

/** The task goes on in another turn: what this one did stays known. */
const carry = (work: Work, evidence: Evidence.Evidence): Work => ({
  ...work,
  edits: [...work.edits, ...evidence.edits].slice(-maxEdits),
  unproved: isUnproved(evidence, work.unproved),
  acted: work.acted || hasActed(evidence)
})

const detourOf = ({ callIds, calls, count, pattern, period }: Loops.Loop): typeof Detour.Type => ({
  pattern,
  period,
  count,
  summary: calls.map(({ summary, tool }) => (summary === "" ? tool : summary)).join(" · "),
  callIds: [callIds[0], callIds.at(-1)].filter((id) => id !== undefined)
})

const addDetours = (detours: Work["detours"], loops: Loops.Loops): Work["detours"] =>
  Loops.read(loops).reduce((all, loop) => {
    const before = all.find(({ pattern }) => pattern === loop.pattern)
    if (before !== undefined && before.count >= loop.count) return all
    return [...all.filter((other) => other !== before), detourOf(loop)]
  }, detours)

const maxHarms = 8

const harmsOf = (work: Work, lost: ReadonlyArray<string>, call: ToolCall, context: JudgmentContext): Work["harms"] => {
  const command = oneLine(redactedHead(shellCommand(call) ?? "", 1000), 120)
  const thrown =
    lost.length === 0
      ? []
      : [`\`${command}\` threw away the user's uncommitted changes of ${lost.slice(0, 4).join(", ")}`]
  const gone = destroyed(call, work.made, evidenceContext(context)).map((what) => `${what} destroyed data`)
  return [...thrown, ...gone].reduce<Work["harms"]>(
    (all, what) => append(all, { what, callId: call.id } satisfies typeof Harm.Type, maxHarms),
    work.harms
  )
}

const evidenceContext = ({ config, cwd, repo }: JudgmentContext): Evidence.EvidenceContext => ({
  repo,
  gates: config.gates,
  cwd: cwd ?? null
})

/** A question or a plan that the user turns down is talk. */
const onRefusal = (work: Work, call: ToolCall): Work => {
  const kind = toolKind(call.tool)
  if (kind === "question" || kind === "plan") return work
  const key = keyOf(call)
  const count = work.refused.key === key ? work.refused.count + 1 : 1
  return { ...work, refused: { key, count }, insisted: Math.max(work.insisted, count) }
}

const maxMade = 32

const onCall = (work: Work, call: ToolCall, context: JudgmentContext): Work => {
  if (call.status === "pending" || call.status === "running") return work
  const counted = { ...work, calls: work.calls + 1 }
  if (call.status === "denied") return onRefusal(counted, call)
  if (call.status === "interrupted") return counted
  const kind = kindOf(call)
  const seen = work.pristine ? shownChanges(call) : null
  const { left, lost } = thrownAway(call, work, evidenceContext(context))
  const made = madeBy(call)
  return {
    ...counted,
    failed: work.failed + (call.status === "error" ? 1 : 0),
    harms: harmsOf(work, lost, call, context),
    pristine: work.pristine && (kind === "look" || kind === "wait"),
    ...(seen ?? left),
    made: made.length === 0 ? work.made : [...work.made, ...made].slice(-maxMade)
  }
}

/** The states around an event. */
export interface Around {
  readonly before: JudgmentState
  readonly after: JudgmentState
  readonly loops: Loops.Loops
  readonly context: JudgmentContext
}

const onTurn = (work: Work, { after, before }: Around): Work => {
  if (after.task.turn === before.task.turn) return work
  return after.task.since === before.task.since && before.task.turn >= 0 ? carry(work, before.evidence) : newTask(work)
}

export const step = (work: Work, event: TranscriptEvent, around: Around): Work => {
  if (event.type === "user_message") return onTurn(work, around)
  if (event.type !== "tool_call" && event.type !== "assistant_message") return work
  const next = event.type === "tool_call" ? onCall(work, event, around.context) : work
  const detours = addDetours(next.detours, around.loops)
  return detours === next.detours ? next : { ...next, detours }
}
