/** Builds the verdict from the facts about a turn and the findings of the rules. */
import * as Acceptance from "./Acceptance.ts"
import * as Feedback from "./Feedback.ts"
import * as Missing from "./Missing.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import type { Gate, Severity, Status, Verdict } from "./Verdict.ts"
import * as Redaction from "../../base/redaction/Redaction.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import {
  type Facts,
  gather,
  type GateFact,
  type JudgmentState,
  type VerdictOptions
} from "../../session/facts/Facts.ts"
import { isOfStuck, type Outcome, outcome } from "./status.ts"
import { findings, type Found, isNudged } from "../rules/Rules.ts"
import { oneLine } from "../../base/text/Text.ts"

export const ranks: ReadonlyArray<Severity> = ["NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER"]

const worst = (found: ReadonlyArray<Found>): Severity =>
  ranks[Math.max(0, ...found.map(({ severity }) => ranks.indexOf(severity)))] ?? "NONE"

const publicGate = (gate: GateFact): Gate => ({
  gate: gate.gate,
  required: gate.required,
  result: gate.result,
  detail: gate.detail,
  evidence: gate.evidence
})

/** False in plan mode, for a subagent, and if the user has queued the next message. */
const mayBeTold = (facts: Facts): boolean => facts.task.mode !== "plan" && !facts.subagent && !facts.stop.queued

export const maySpeak = (facts: Facts): boolean => facts.profile !== "advisory" && mayBeTold(facts)

const isOpen = (status: Status): boolean => status === "incomplete" || status === "stuck"

const isContinued = ({ nudge, status }: Outcome): boolean => nudge && isOpen(status)

/** Removes invisible characters first: inside a token, such a character would hide the token from the redaction. */
const clean = (text: string): string => Redaction.redact(PlainText.clean(text))

const cleanAll = (texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.map(clean)

type Unworded = Omit<Verdict, "missing">

/** Adds the texts of the findings, and removes secrets and invisible characters from every text. */
export const redacted = (verdict: Unworded): Verdict => ({
  ...verdict,
  reason: clean(verdict.reason),
  feedback: verdict.feedback === null ? null : clean(verdict.feedback).slice(0, Feedback.maxLength),
  ...Missing.worded(verdict.findings.map((found) => Missing.mapTexts(found, clean))),
  nextActions: cleanAll(verdict.nextActions),
  task: { ...verdict.task, summary: clean(verdict.task.summary) },
  gates: verdict.gates.map((gate) => ({
    ...gate,
    detail: clean(gate.detail),
    evidence: gate.evidence.map((run) => ({ ...run, command: clean(run.command) }))
  })),
  ...(verdict.acceptance !== undefined && { acceptance: Acceptance.mapTexts(verdict.acceptance, clean) }),
  contradictions: verdict.contradictions.map((found) => ({
    ...found,
    claim: clean(found.claim),
    fact: clean(found.fact)
  }))
})

/** @category models */
export interface ConcludedVerdict {
  readonly verdict: Verdict
  /** True if the agent would be told to go on under a profile other than `advisory`. */
  readonly wouldContinue: boolean
  /** True if the turn is incomplete and only the user is told. */
  readonly isOnlyTold: boolean
}

/** The verdict of tier 1. Its texts contain no secrets and no invisible characters. */
export const decide = (state: JudgmentState, options: VerdictOptions): ConcludedVerdict => {
  const facts = gather(state, options)
  const found = findings(facts, options.context.config)
  const result = forUser(facts, outcome(facts, found))
  const named = found.filter(({ level }) => level !== "off")
  const verdict = redacted(compose(facts, listedIn(named, result), result, options))
  const isOnlyTold = result.status === "incomplete" && !named.some(isNudged)
  return { verdict, wouldContinue: isContinued(result) && mayBeTold(facts), isOnlyTold }
}

/** If the agent is stuck, the cause comes first. Other loops and host failures are left out. */
const listedIn = (found: ReadonlyArray<Found>, { status }: Outcome): ReadonlyArray<Found> => {
  if (status === "complete") return []
  const first = status === "stuck" ? found.filter((one) => isOfStuck(one) && one.stands).slice(0, 1) : []
  return [...first, ...found.filter((one) => !isOfStuck(one))]
}

/** Useful steps that nobody asked for. They never cause a nudge. */
export const advice = (facts: Facts): ReadonlyArray<string> =>
  facts.gates
    .filter((gate) => gate.advised)
    .map(
      (gate) =>
        `Run ${gate.command === null ? "the tests" : `\`${gate.command}\``}: code was changed and nothing was run since.`
    )

/** If the agent must stop repeating a call, gives only this advice. Other advice could tell it to repeat the call. */
const actionsOf = (found: ReadonlyArray<Found>): ReadonlyArray<string> => {
  const otherWay = found.filter(({ rule }) => rule.id === "loops/repeat")
  return [...new Set((otherWay.length > 0 ? otherWay : found).flatMap(({ next }) => next ?? []))]
}

const feedbackOf = (
  facts: Facts,
  listed: ReadonlyArray<Found>,
  { human }: Outcome,
  options: VerdictOptions
): string => {
  const nudging = listed.filter(isNudged)
  return Feedback.render({
    facts: nudging.map(({ agent }) => agent),
    actions: actionsOf(nudging),
    human,
    printed: nudging.flatMap(({ telling = [] }) => telling),
    attempt: options.attempt ?? 1,
    maxAttempts: options.context.config.maxAttempts,
    unattended: !facts.attended
  })
}

const severityOf = (found: ReadonlyArray<Found>, result: Outcome): Severity => {
  if (result.status === "complete") return "NONE"
  const severity = worst(found)
  return severity === "NONE" && isOpen(result.status) ? "LOW" : severity
}

/** If only the agent named a link, removes the link from the texts for the user. */
const forUser = (facts: Facts, result: Outcome): Outcome => {
  const shown = (text: string): string => withoutUnnamed(text, [facts.task.text, facts.task.message])
  const waits = result.status === "needs_human" || result.status === "waiting_for_user"
  return { ...result, reason: waits ? shown(result.reason) : result.reason, human: result.human.map(shown) }
}

const compose = (facts: Facts, listed: ReadonlyArray<Found>, result: Outcome, options: VerdictOptions): Unworded => {
  const shouldContinue = isContinued(result) && maySpeak(facts)
  return {
    version: 1,
    host: options.session.host,
    sessionId: options.session.sessionId,
    turn: {
      index: facts.task.turn,
      userMessageId: facts.task.userMessageId,
      userMessageAt: facts.task.userMessageAt,
      stoppedAt: facts.stop.lastAt
    },
    status: result.status,
    complete: result.status === "complete",
    shouldContinue,
    requiresHumanAction: result.status === "needs_human" || (result.status === "incomplete" && result.human.length > 0),
    severity: severityOf(listed, result),
    reason: oneLine(result.reason, 300),
    feedback: shouldContinue ? feedbackOf(facts, listed, result, options) : null,
    findings: listed.map(Missing.ofRule),
    nextActions: [...new Set([...actionsOf(listed), ...advice(facts)])].slice(0, 20),
    confidence: result.confidence,
    source: facts.evidence.runs.some((run) => run.verified === true) ? "verification" : "evidence",
    task: {
      type: facts.taskType,
      summary: TaskContext.summary(facts.task),
      requirements: facts.gates.filter((gate) => gate.required).map((gate) => gate.gate)
    },
    stop: { kind: result.kind, pattern: result.pattern },
    gates: facts.gates.map(publicGate),
    contradictions: facts.contradictions,
    ...(facts.reading.closing === "limited" &&
      facts.stop.notice?.limitEnd !== undefined && { limitEnd: facts.stop.notice.limitEnd }),
    ...(facts.doneWhen.length > 0 && {
      acceptance: Acceptance.of(facts.doneWhen, facts.gates, listed.map(Missing.ofRule))
    }),
    cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, durationMs: 0 }
  }
}
