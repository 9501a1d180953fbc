/** One look at a session: what is known of it, what the rules find, and the assessment that follows. */
import { momentOf } from "../../base/json/Json.ts"
import * as Judgment from "../verdict/Judgment.ts"
import * as Loops from "../loops/Loops.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import type { AssessOptions, Assessment, StuckState } from "./model.ts"
import type { Verdict } from "../verdict/Verdict.ts"
import { lasting, unasked } from "../loops/RequestedRepeats.ts"
import * as Nudge from "./nudge.ts"
import type * as Finding from "./StuckFinding.ts"
import { mapTexts, ofRule } from "../verdict/Missing.ts"
import { named } from "../rules/FoundLoops.ts"
import { isPlanning } from "../rules/loops.ts"
import * as Rules from "./StuckRules.ts"
import { isAttended, taskTypeOf } from "../../session/facts/Facts.ts"
import { oneLine } from "../../base/text/Text.ts"

/** `silentSince`: whoever watches knows better than the record when the last event came; in ms. */
export interface LookOptions extends AssessOptions {
  readonly silentSince?: number
}

export interface Look {
  readonly nudging: Nudge.Nudging
  readonly found: Finding.Finding
  /** Why nobody may be nudged now, whatever is found. */
  readonly refused: string | null
  readonly assessment: Assessment
}

interface Times {
  readonly now: number | null
  readonly silence: number | null
}

const timesOf = (state: StuckState, { heardAt, now, silentSince }: LookOptions): Times => {
  const signs = [momentOf(state.judgment.stop.lastAt), momentOf(heardAt)].filter((at) => at !== null)
  const last = silentSince ?? (signs.length === 0 ? null : Math.max(...signs))
  if (last === null) return { now: momentOf(now), silence: null }
  const at = momentOf(now) ?? last
  return { now: at, silence: Math.max(0, at - last) / 1000 }
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

const answered: ReadonlySet<Verdict["status"]> = new Set(["complete", "waiting_for_user", "needs_human"])

/** A question that need not be asked, or that nobody is there to answer, is still one. */
const hasSpoken = ({ status, stop }: Verdict): boolean => answered.has(status) || stop.pattern === "permission_seeking"

/** Who has answered, reviewed or asked did not only plan, and who was stopped may have been about to begin. */
const planned = (
  { evidence, interrupted, stop, task }: Judgment.JudgmentState,
  verdict: () => Verdict
): ReadonlyArray<Loops.Loop> =>
  !interrupted &&
  isPlanning({ evidence, task, taskType: taskTypeOf(task, evidence) }) &&
  !(stop.spokeLast && hasSpoken(verdict()))
    ? [Loops.planning(evidence.looking.looks)]
    : []

const isPlanMode = (task: Judgment.JudgmentState["task"], session: AssessOptions["session"]): boolean =>
  task.mode === "plan" || session.mode === "plan"

const know = (state: StuckState, options: LookOptions, attempt: number): Finding.Known => {
  const { judgment } = state
  const { context, session } = options
  const now = options.now ?? judgment.stop.lastAt
  const decided = once(() => Judgment.decide(judgment, { session, context, attempt, now }))
  const verdict = (): Verdict => decided().verdict
  const levels = { ...context.config, attended: isAttended(options) }
  const planMode = isPlanMode(judgment.task, session)
  const times = timesOf(state, options)
  const floor = options.silence ?? context.config.stuck.silence
  return {
    ...times,
    young: options.now !== null && times.silence !== null && times.silence < floor,
    judgment,
    pulse: state.pulse,
    loops: named(
      [...unasked(Loops.read(state.loops), judgment.task), ...(planMode ? [] : planned(judgment, verdict))],
      levels
    ),
    levels,
    stall: Math.max(context.config.stuck.stall, floor),
    planMode,
    reading: once(() => StopSignal.read({ ...judgment.stop, text: redact(judgment.stop.text) })),
    verdict,
    isOnlyTold: () => decided().isOnlyTold
  }
}

/** Whoever has answered goes round no more. */
const loopsOf = ({ judgment, loops }: Finding.Known, { reason }: Finding.Finding): Assessment["loops"] =>
  judgment.stop.spokeLast && (reason === "complete" || reason === "waiting_for_user") ? lasting(loops) : loops

const maxFacts = 8

const factsOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(texts.map((text) => oneLine(redact(text), 300)))].filter((text) => text !== "").slice(0, maxFacts)

/** What is to be said of a finding, whoever made it. */
export const conclude = (
  nudging: Nudge.Nudging,
  found: Finding.Finding,
  { refused, source }: { readonly refused: string | null; readonly source: Assessment["source"] }
): Assessment => {
  const { known, options } = nudging
  const stuck = found.reason === "genuinely_stuck"
  const nudge = stuck && refused === null ? Nudge.textOf(nudging, found) : null
  return {
    version: 1,
    host: options.session.host,
    sessionId: options.session.sessionId,
    stuck,
    reason: found.reason,
    shouldNudge: nudge !== null,
    confidence: found.confidence,
    evidence: factsOf(
      stuck && nudge === null ? [...found.facts, `not nudged: ${refused ?? Nudge.silence(found)}`] : found.facts
    ),
    loops: loopsOf(known, found),
    ...(stuck && found.loop !== undefined && { finding: mapTexts(ofRule(found.loop.found), redact) }),
    nudge,
    silence: known.silence,
    source
  }
}

export const look = (state: StuckState, options: LookOptions): Look => {
  const attempt = Math.max(options.attempt ?? 1, state.judgment.pushes.count + 1)
  const nudging: Nudge.Nudging = { known: know(state, options, attempt), options, attempt }
  const found = Rules.find(nudging.known)
  const refused = Nudge.refusal(nudging)
  return { nudging, found, refused, assessment: conclude(nudging, found, { refused, source: "evidence" }) }
}
