/** Collects the facts about a turn. Rules and models read only these facts. */
import { contradictionsOf, gateFacts, heldClaims } from "./gateFacts.ts"
import type { Facts, JudgmentState, TaskType, VerdictOptions } from "./model.ts"
import * as Evidence from "../evidence/Evidence.ts"
import * as CheckEdits from "../checkedits/CheckEdits.ts"
import * as Gates from "../gates/Gates.ts"
import * as StopSignal from "../stop/StopSignal.ts"
import * as TaskContext from "../task/TaskContext.ts"
import { isSubagent } from "../transcript/NeutralTranscript.ts"
import { redact } from "../../base/redaction/Redaction.ts"

export { JudgmentState } from "./model.ts"

export type { Facts, GateFact, JudgmentContext, OldTests, VerdictOptions } from "./model.ts"

export { unanswered } from "./unanswered.ts"

export { isUntried as untried } from "./Untried.ts"

export { heldClaims, tellsOfFailure } from "./gateFacts.ts"

/**
 * Returns the type of a task. The recorded edits and actions decide first, then the user's message.
 *
 * @category accessors
 */
export const taskTypeOf = (task: TaskContext.TaskContext, evidence: Evidence.Evidence): TaskType => {
  if (Evidence.lastEdit(evidence, ["source", "test", "wording", "conflict"]) > 0) return "coding"
  if (Evidence.lastEdit(evidence, ["docs"]) > 0) return "docs"
  if (task.about === "ops" || (evidence.actions > 0 && task.intent === "unknown")) return "ops"
  if (task.intent === "ask") return "research"
  return task.about === "docs" ? "docs" : task.intent === "act" ? "coding" : "other"
}

/** If nothing is known, a user counts as present, because a needless nudge is worse than a missing nudge. */
export const isAttended = ({
  context: { config },
  session
}: {
  readonly context: { readonly config: Pick<VerdictOptions["context"]["config"], "attended"> }
  readonly session: Pick<VerdictOptions["session"], "attended">
}): boolean => (config.attended === "auto" ? session.attended !== false : config.attended)

const isLimitOver = ({ notice }: StopSignal.StopSignal, { now }: Pick<VerdictOptions, "now">): boolean =>
  Date.parse(now ?? "") >= Date.parse(notice?.limitEnd ?? "")

/** For the turn that is judged, replaces the task by the text of `--task`. */
const retask = (task: TaskContext.TaskContext, text: string): TaskContext.TaskContext => {
  const fresh = TaskContext.step(
    { ...TaskContext.initial, mode: task.mode },
    {
      type: "user_message",
      id: task.userMessageId,
      at: task.userMessageAt,
      text,
      synthetic: false
    }
  )
  return { ...fresh, turn: task.turn, since: task.since, asksLeave: task.asksLeave }
}

/**
 * Returns the facts about the current turn.
 *
 * @category constructors
 */
export const gather = (state: JudgmentState, options: VerdictOptions): Facts => {
  const { config, cwd, repo } = options.context
  const { evidence } = state
  const task = options.task === undefined ? state.task : retask(state.task, options.task)
  const stop = { ...state.stop, text: redact(state.stop.text) }
  const reading = StopSignal.read(stop)
  const taskType = taskTypeOf(task, evidence)
  const context: Gates.GateContext = {
    profile: config.profile,
    declared: config.gates,
    repo,
    task,
    claims: reading.claims,
    coding: taskType === "coding",
    cwd: cwd ?? options.session.cwd
  }
  const assessed = Gates.assess(evidence, context)
  const held = heldClaims(reading.claims, assessed, { evidence, task })
  return {
    task,
    taskType,
    evidence,
    stop,
    reading,
    gates: gateFacts(assessed, held, { evidence, task, stop, cwd: context.cwd }),
    contradictions: contradictionsOf(held),
    held,
    directPushes: Gates.pushesToDefault(evidence, context),
    profile: config.profile,
    repo,
    subagent: isSubagent(options.session),
    cwd: context.cwd,
    reminded: state.nudges.count > 0 || (options.attempt ?? 1) > 1,
    attended: isAttended(options),
    resumes: isLimitOver(stop, options) && config.continueAfterLimit && !isAttended(options),
    askedBefore: state.nudges.asked ?? null,
    loops: options.loops ?? [],
    checks: config.checks,
    doneWhen: config.doneWhen,
    checkEdits: state.checks?.entries ?? [],
    oldTests: state.oldTests ?? null,
    weakened:
      state.checks === undefined ? [] : CheckEdits.weakened({ edits: state.checks, evidence, since: task.since })
  }
}
