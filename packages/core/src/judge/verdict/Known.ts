/** All that is known of a turn, put together once for the rules, and the verdict that follows. */
import * as Feedback from "./Feedback.ts"
import * as Gates from "../../session/gates/Gates.ts"
import type { JudgmentState, Known, Outcome, Problem, VerdictOptions } from "./model.ts"
import * as PlainText from "../../ground/text/PlainText.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import type { Gate, Severity, Status, StopKind, TaskType, Verdict } from "./Verdict.ts"
import * as Redaction from "../../ground/redaction/Redaction.ts"
import { withoutUnnamed } from "../../ground/text/Addresses.ts"
import { contradictions } from "../../session/facts/disprovedClaims.ts"
import { outcome } from "./status.ts"
import { isPushed, problems } from "../rules/Rules.ts"
import { oneLine } from "../../ground/text/Text.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"

/** By what was done where anything was, else by what was asked. */
export const taskTypeOf = (task: TaskContext.TaskContext, evidence: Evidence.Evidence): TaskType => {
  if (Evidence.lastEdit(evidence, ["source", "test", "wording", "conflict"]) > 0) return "coding"
  if (Evidence.lastEdit(evidence, ["docs"]) > 0) return "docs"
  if (task.about === "ops" || (evidence.actions > 0 && task.about === "unknown")) return "ops"
  if (task.intent === "ask" || task.intent === "discuss") return "research"
  return task.about === "code" ? "coding" : task.about === "docs" ? "docs" : "other"
}

export type { Known } from "./model.ts"

export const gather = (state: JudgmentState, options: VerdictOptions): Known => {
  const { config, cwd, repo } = options.context
  const task = options.task === undefined ? state.task : retask(state.task, options.task)
  const stop = { ...state.stop, text: Redaction.redact(state.stop.text) }
  const reading = StopSignal.read(stop)
  const taskType = taskTypeOf(task, state.evidence)
  const context: Gates.GateContext = {
    profile: config.profile,
    declared: config.gates,
    repo,
    task,
    claims: reading.claims,
    coding: taskType === "coding",
    cwd: cwd ?? options.session.cwd
  }
  const gates = Gates.assess(state.evidence, context)
  return {
    task,
    taskType,
    evidence: state.evidence,
    stop,
    reading,
    gates,
    contradictions: contradictions(reading.claims, gates, state.evidence, task),
    directPushes: Gates.pushesToDefault(state.evidence, context),
    profile: config.profile,
    repo,
    subagent: options.session.parentSessionId !== null,
    cwd: context.cwd,
    reminded: state.pushes.count > 0 || (options.attempt ?? 1) > 1
  }
}

/** The task as `--task` gives it, at the turn that is judged. */
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
  return { ...fresh, turn: task.turn, since: task.since, standing: task.standing }
}

export const ranks: ReadonlyArray<Severity> = ["NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER"]

const worst = (found: ReadonlyArray<Problem>): Severity =>
  ranks[Math.max(0, ...found.map((problem) => ranks.indexOf(problem.severity)))] ?? "NONE"

const publicGate = (gate: Gates.Assessed): Gate => ({
  gate: gate.gate,
  required: gate.required,
  result: gate.result,
  detail: gate.detail,
  evidence: gate.evidence
})

/** Never under advisory, in plan mode, for a subagent, or when the user has already queued the next message. */
export const maySpeak = (known: Known): boolean =>
  known.profile !== "advisory" && known.task.mode !== "plan" && !known.subagent && !known.stop.queued

const isOpen = (status: Status): boolean => status === "incomplete" || status === "stuck"

const kindOf = (result: Outcome): StopKind => result.kind

/** Cleaned first: an unseen character in a token would keep it from being known as one. */
const clean = (text: string): string => Redaction.redact(PlainText.clean(text))

const cleanAll = (texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.map(clean)

/** The verdict with secrets and unseen characters out of every text that it quotes. */
export const redacted = (verdict: Verdict): Verdict => ({
  ...verdict,
  reason: clean(verdict.reason),
  feedback: verdict.feedback === null ? null : clean(verdict.feedback).slice(0, Feedback.maxLength),
  missing: cleanAll(verdict.missing),
  nextActions: cleanAll(verdict.nextActions),
  task: { ...verdict.task, summary: clean(verdict.task.summary) },
  gates: verdict.gates.map((gate) => ({
    ...gate,
    detail: clean(gate.detail),
    evidence: gate.evidence.map((run) => ({ ...run, command: clean(run.command) }))
  })),
  contradictions: verdict.contradictions.map((found) => ({
    ...found,
    claim: clean(found.claim),
    fact: clean(found.fact)
  }))
})

/** The verdict of tier 1, with secrets and unseen characters out of every text that it quotes. */
export const decide = (state: JudgmentState, options: VerdictOptions): Verdict => {
  const known = gather(state, options)
  const found = problems(known)
  return redacted(compose(known, found, forUser(known, outcome(known, found)), options))
}

/** Whether something stands against the turn, and nothing of it would be said to the agent. */
export const onlyTells = (state: JudgmentState, options: VerdictOptions): boolean => {
  const standing = problems(gather(state, options)).filter(({ stands }) => stands)
  return standing.length > 0 && !standing.some(isPushed)
}

/** What would be worth doing although nobody asked for it; it never pushes. */
export const advice = (known: Known): ReadonlyArray<string> =>
  known.gates
    .filter((gate) => gate.advised)
    .map(
      (gate) =>
        `Run ${gate.command === null ? "the tests" : `\`${gate.command}\``}: code was changed and nothing was run since.`
    )

/** The text for the agent: how to get on if it is stuck, then everything that pushes. */
const feedbackOf = (known: Known, listed: ReadonlyArray<Problem>, result: Outcome, options: VerdictOptions): string => {
  const pushing = listed.filter(isPushed)
  const facts = pushing.map((problem) => problem.fact).filter((fact) => fact !== "")
  const actions = new Set(pushing.flatMap((problem) => problem.action ?? []))
  return Feedback.render({
    facts: result.say === undefined ? facts : [result.say.fact, ...facts],
    actions: result.say === undefined ? [...actions] : [result.say.action, ...actions],
    contradictions: known.contradictions,
    human: result.human,
    attempt: options.attempt ?? 1,
    maxAttempts: options.context.config.maxAttempts
  })
}

const severityOf = (found: ReadonlyArray<Problem>, result: Outcome): Severity => {
  if (result.status === "complete") return "NONE"
  const severity = worst(found)
  return severity === "NONE" && isOpen(result.status) ? "LOW" : severity
}

/** What waits for the user, without places to go to that only the agent names. */
const forUser = (known: Known, result: Outcome): Outcome => {
  const shown = (text: string): string => withoutUnnamed(text, [known.task.text, known.task.message])
  const waits = result.status === "needs_human" || result.status === "waiting_for_user"
  return { ...result, reason: waits ? shown(result.reason) : result.reason, human: result.human.map(shown) }
}

const compose = (known: Known, found: ReadonlyArray<Problem>, result: Outcome, options: VerdictOptions): Verdict => {
  const shouldContinue = result.push && isOpen(result.status) && maySpeak(known)
  const listed = result.status === "complete" ? [] : found
  const complete = result.status === "complete"
  return {
    version: 1,
    host: options.session.host,
    sessionId: options.session.sessionId,
    turn: {
      index: known.task.turn,
      userMessageId: known.task.userMessageId,
      userMessageAt: known.task.userMessageAt,
      stoppedAt: known.stop.lastAt
    },
    status: result.status,
    complete,
    shouldContinue,
    requiresHumanAction: result.status === "needs_human" || (result.status === "incomplete" && result.human.length > 0),
    severity: severityOf(found, result),
    reason: oneLine(result.reason, 300),
    feedback: shouldContinue ? feedbackOf(known, listed, result, options) : null,
    missing: listed.map((problem) => oneLine(problem.missing, 300)).slice(0, 20),
    nextActions: [
      ...new Set([
        ...(result.say === undefined ? [] : [result.say.action]),
        ...listed.flatMap((problem) => problem.action ?? []),
        ...advice(known)
      ])
    ].slice(0, 20),
    confidence: result.confidence,
    source: known.evidence.runs.some((run) => run.verified === true) ? "verification" : "evidence",
    task: {
      type: known.taskType,
      summary: TaskContext.summary(known.task),
      requirements: known.gates.filter((gate) => gate.required).map((gate) => gate.gate)
    },
    stop: { kind: kindOf(result), pattern: result.pattern },
    gates: known.gates.map(publicGate),
    contradictions: known.contradictions,
    cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, durationMs: 0 }
  }
}
