/** Collects the facts about a quiet session, and defines the type of its findings. */
import { momentOf } from "../../base/json/Json.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import { isAttended, taskTypeOf } from "../../session/facts/Facts.ts"
import * as Loops from "../loops/Loops.ts"
import { unasked } from "../loops/RequestedRepeats.ts"
import type { RuleFinding } from "../rules/model.ts"
import { foundLoop, isPlanning, namedLoops } from "../rules/Rules.ts"
import * as Judgment from "../verdict/Judgment.ts"
import type { Verdict } from "../verdict/Verdict.ts"
import type { Pulse } from "./LastSigns.ts"
import type { AssessOptions, Reason, Say, StuckState } from "./model.ts"

/** Expensive facts are functions, so that they are computed only when needed. */
export interface StuckFacts {
  readonly judgment: Judgment.JudgmentState
  readonly pulse: Pulse
  /** The loops whose rule is not turned off, most serious first. */
  readonly loops: ReadonlyArray<Loops.Loop>
  readonly foundLoop: (loop: Loops.Loop) => RuleFinding
  /** Milliseconds since the epoch. Null if unknown. */
  readonly now: number | null
  /** Seconds since the last sign of life. Null if the record has no times. */
  readonly silence: number | null
  /** Seconds of silence after which an agent that must speak next counts as stuck. */
  readonly stall: number
  /** True if the last sign of life is more recent than the minimum silence. */
  readonly young: boolean
  readonly reading: () => StopSignal.Reading
  readonly verdict: () => Verdict
  /** True if the missing work is only reported to the user, because the finding may be wrong. */
  readonly isOnlyTold: () => boolean
}

export interface Finding {
  readonly reason: Reason
  readonly confidence: number
  readonly facts: ReadonlyArray<string>
  /** False if the evidence is not enough, so that a model may decide. */
  readonly decided: boolean
  readonly say: Say | "verdict" | "loop" | null
  readonly loop?: { readonly seen: Loops.Loop; readonly found: RuleFinding }
}

export const finding = (
  reason: Reason,
  confidence: number,
  facts: ReadonlyArray<string>,
  more: Partial<Finding> = {}
): Finding => ({ reason, confidence, facts, decided: true, say: null, ...more })

export const duration = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`
}

export const named = (call: { readonly tool: string; readonly summary: string }): string =>
  call.summary === "" ? call.tool : `${call.tool}: ${call.summary}`

const timesOf = (state: StuckState, { heardAt, now }: AssessOptions): Pick<StuckFacts, "now" | "silence"> => {
  const signs = [momentOf(state.judgment.stop.lastAt), momentOf(heardAt)].filter((at) => at !== null)
  const last = signs.length === 0 ? null : Math.max(...signs)
  if (last === null) return { now: momentOf(now), silence: null }
  const at = momentOf(now) ?? last
  return { now: at, silence: Math.max(0, at - last) / 1000 }
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

export const isPlanMode = ({ task }: Judgment.JudgmentState, { session }: AssessOptions): boolean =>
  task.mode === "plan" || session.mode === "plan"

const answered: ReadonlySet<string> = new Set(["complete", "waiting_for_user", "needs_human"])

/** No loop if the agent has answered, has asked, or was interrupted (perhaps before it began). */
const planned = (judgment: Judgment.JudgmentState, verdict: () => Verdict): ReadonlyArray<Loops.Loop> => {
  const { evidence, interrupted, stop, task } = judgment
  if (interrupted || !isPlanning({ evidence, task, taskType: taskTypeOf(task, evidence) })) return []
  const hasSpoken =
    stop.spokeLast && (answered.has(verdict().status) || verdict().stop.pattern === "permission_seeking")
  return hasSpoken ? [] : [Loops.planning(evidence.looking.looks)]
}

export const know = (state: StuckState, options: AssessOptions, attempt: number): StuckFacts => {
  const { judgment, pulse } = state
  const { context, session } = options
  const now = options.now ?? judgment.stop.lastAt
  const decided = once(() => Judgment.decide(judgment, { session, context, attempt, now }))
  const verdict = (): Verdict => decided().verdict
  const levels = { ...context.config, attended: isAttended(options) }
  const times = timesOf(state, options)
  const { silence: floor, stall } = context.config.stuck
  const plans = isPlanMode(judgment, options) ? [] : planned(judgment, verdict)
  return {
    ...times,
    judgment,
    pulse,
    loops: namedLoops([...unasked(Loops.read(state.loops), judgment.task), ...plans], levels),
    foundLoop: (loop) => foundLoop(loop, levels),
    stall: Math.max(stall, floor),
    young: options.now !== null && times.silence !== null && times.silence < floor,
    reading: once(() => StopSignal.read({ ...judgment.stop, text: redact(judgment.stop.text) })),
    verdict,
    isOnlyTold: () => decided().isOnlyTold
  }
}
