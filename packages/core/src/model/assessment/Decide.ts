/** Applies a model's answer to a verdict. Facts come first, and the model's own words are never shown. */
import { oneLine } from "../../base/text/Text.ts"
import * as Feedback from "../../judge/verdict/Feedback.ts"
import { advice, maySpeak, redacted } from "../../judge/verdict/Conclusion.ts"
import type { JudgedTurn } from "../../judge/verdict/Judgment.ts"
import { ofOther } from "../../judge/verdict/Missing.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"
import { untried } from "../../session/facts/Facts.ts"
import { type HumanAct, needsHuman } from "../../session/stop/HumanAction.ts"
import * as GateTable from "../../session/vocabulary/GateTable.ts"
import type { Answer, RemainingWork } from "./Answer.ts"
import * as Quotations from "./Quotations.ts"
import { bare, type Turn } from "./TurnRecord.ts"

export interface Attempt {
  readonly attempt: number
  readonly maxAttempts: number
  readonly from: number
  /** True if the model failed too many test cases. Then the user is told, but the agent gets no nudge. */
  readonly tells?: boolean
}

/** A missing item, in words for the user (`missing`) and for the agent (`fact`). */
interface Named {
  readonly missing: string
  readonly fact: string
}

const named = (missing: string, fact: string): Named => ({ missing, fact: `It seems that ${fact}` })

const something = named(
  "something that was asked for",
  "something that was asked for is missing. If it is done, say where."
)

const announced = named(
  "a step that the last words announce or ask permission for",
  "your last words announce or offer a step that was asked for and was not taken."
)

const doIt = "Do what is missing. If it is done, say where. If you are blocked, say by what."

/** Null if the check has passed, or if only the project knows its name. Such a name is not shown. */
const ofCheck = ({ known: { gates } }: Turn, name: string | null): Named | null => {
  const gate = (name ?? "").trim().toLowerCase()
  const result = gates.find((one) => one.gate === gate)?.result ?? "missing"
  if (!GateTable.isGate(gate) || result === "passed") return null
  const words = GateTable.said({ gate, result: result === "not_required" ? "missing" : result })
  return named(words, `${words}. If that is wrong, say where the proof is.`)
}

/** Describes the item without the model's own words. */
const ofItem = (turn: Turn, { kind, name, quote }: RemainingWork): Named | null => {
  if (kind === "check") return ofCheck(turn, name)
  const words = Quotations.order(turn, quote)
  if (words !== null)
    return named(
      `what was asked for: "${words}"`,
      `this was asked for and is missing: "${words}". If it is done, say where.`
    )
  return Quotations.lastWords(turn, quote) === null ? null : announced
}

/** Leaves out conditions of an untrusted project, because they cause no nudge. */
const trustedIn = ({ known: { doneWhen } }: Turn, { remaining_work: work }: Answer): ReadonlyArray<RemainingWork> =>
  work.filter(({ event }) => !doneWhen.some(({ id, untrusted }) => untrusted === true && id === bare(event)))

const most = 4

const namedIn = (turn: Turn, answer: Answer): ReadonlyArray<Named> => {
  const found = trustedIn(turn, answer).flatMap((item) => ofItem(turn, item) ?? [])
  const distinct = [...new Map(found.map((one) => [one.missing, one])).values()].slice(0, most)
  return distinct.length > 0 ? distinct : [something]
}

const acts: Readonly<Record<HumanAct, string>> = {
  login: "to log in",
  device: "to do something by hand on a device",
  credentials: "to provide a key, a token or a password",
  payment: "to arrange a payment or a plan",
  access: "to grant an access or to change a setting outside of the project",
  approval: "to approve something"
}

const humanIn = ({ needs_user_action: needs }: Answer): ReadonlyArray<string> => {
  const kinds = needs.flatMap((item) => needsHuman(item) ?? [])
  return [...new Set(kinds)].map((kind) => acts[kind]).slice(0, 4)
}

const bounded = (confidence: number | null): number => Math.min(0.8, confidence ?? 0.4)

const settled = ({ judged }: Turn, over: Partial<Verdict>): JudgedTurn => ({
  ...judged,
  wouldContinue: false,
  verdict: redacted({
    ...judged.verdict,
    complete: over.status === "complete",
    shouldContinue: false,
    requiresHumanAction: false,
    feedback: null,
    source: "model",
    severity: "NONE",
    ...over
  })
})

export const kept = ({ judged }: Turn, why: string): JudgedTurn => ({
  ...judged,
  verdict: redacted({ ...judged.verdict, reason: oneLine(`${judged.verdict.reason} ${why}`, 300) })
})

const feedbackOf = (turn: Turn, missing: ReadonlyArray<Named>, answer: Answer, attempt: Attempt): string => {
  const isStuck = answer.status === "stuck"
  const rethink = isStuck || answer.alternate_approach !== null ? ["Take a different approach."] : []
  return Feedback.render({
    ...attempt,
    facts: [...(isStuck ? ["You repeat the same attempt without progress."] : []), ...missing.map(({ fact }) => fact)],
    actions: [...rethink, doIt],
    human: humanIn(answer),
    unattended: !turn.known.attended,
    unsure: true
  })
}

const onOpen = (turn: Turn, answer: Answer, attempt: Attempt): JudgedTurn => {
  const { judged, known, told } = turn
  const all = namedIn(turn, answer)
  const nudges = answer.push >= attempt.from && !told && attempt.tells !== true
  const shouldContinue = nudges && maySpeak(known)
  const isStuck = answer.status === "stuck"
  const found = all.map(({ missing }) =>
    ofOther("model/unfinished", missing, { level: nudges ? "nudge" : "tell", severity: "LOW" })
  )
  const verdict = settled(turn, {
    status: isStuck ? "stuck" : "incomplete",
    shouldContinue,
    requiresHumanAction: !isStuck && humanIn(answer).length > 0,
    severity: "LOW",
    confidence: bounded(answer.push),
    reason: oneLine(`A model says that the task is not done: ${all.map(({ missing }) => missing).join("; ")}.`, 300),
    feedback: shouldContinue ? feedbackOf(turn, all, answer, attempt) : null,
    findings: [...found, ...judged.verdict.findings],
    nextActions: [doIt],
    stop: {
      kind: isStuck ? "stuck" : "premature",
      pattern: isStuck || all.includes(something) ? null : "stopped_with_todos"
    }
  })
  return { ...verdict, wouldContinue: nudges && maySpeak({ ...known, profile: "balanced" }) }
}

/** A fact that no model can override. An unconfirmed claim is not enough. */
const proven = ({ judged: { verdict }, known }: Turn): string | null => {
  const gate = verdict.gates.find(({ required, result }) => required && result !== "passed")
  // A project may use a whole sentence as a check's name, so such a name is not shown.
  if (gate !== undefined) return `${GateTable.nameOf(gate.gate) ?? "a required check"}: ${gate.result}`
  if (verdict.findings.some(({ rule }) => rule.startsWith("policy/")))
    return "an action that the user or the project forbade"
  return known.contradictions.length > 0 ? "a claim that the record disproves" : null
}

const onDone = (turn: Turn, answer: Answer): JudgedTurn => {
  const proof = untried(turn.known)
    ? "; nothing was run after the last edit of code, so nothing proves it"
    : ", and no evidence contradicts that"
  return settled(turn, {
    status: "complete",
    confidence: bounded(answer.confidence),
    reason: `A model finds that everything asked for is done or answered${proof}.`,
    findings: [],
    nextActions: advice(turn.known),
    stop: { kind: "complete", pattern: null }
  })
}

const onLeft = (turn: Turn, answer: Answer): JudgedTurn => {
  const human = humanIn(answer)
  const [first] = human
  return settled(turn, {
    confidence: bounded(answer.confidence),
    stop: { kind: "waiting_for_user", pattern: null },
    ...(first === undefined
      ? { status: "waiting_for_user", reason: "A model says that the agent waits for its user." }
      : {
          status: "needs_human",
          requiresHumanAction: true,
          severity: "LOW",
          reason: `A model says that only a human can continue: ${first}`,
          findings: human.map((item) => ofOther("model/needs-user", item))
        })
  })
}

export const decide = (turn: Turn, answer: Answer, attempt: Attempt): JudgedTurn => {
  const { verdict } = turn.judged
  const { push, remaining_work: work, status } = answer
  const isOpen = status === "in_progress" || status === "stuck"
  const isNamed = work.length === 0 || trustedIn(turn, answer).length > 0
  if (isOpen && push >= attempt.from && isNamed) {
    if (verdict.shouldContinue) return kept(turn, "A model agrees.")
    // A model cannot permit a step that cannot be undone, or a step that only a person can do.
    const isPersons = verdict.status === "needs_human" || turn.known.reading.question?.kind === "risk"
    if (isPersons) return kept(turn, "(A model would continue, but only the user can answer the question.)")
    return onOpen(turn, answer, attempt)
  }
  if (verdict.shouldContinue && attempt.tells === true)
    return kept(turn, "(A model with the level tell cannot remove a finding.)")
  const proof = proven(turn)
  if (proof !== null) return kept(turn, `(No model outranks ${proof}.)`)
  const isFree = verdict.status === "complete" || verdict.status === "abstained" || verdict.status === "incomplete"
  const isLeft = status === "waiting_for_user" || status === "blocked"
  if (isLeft || (status === "complete" && humanIn(answer).length > 0))
    return isFree ? onLeft(turn, answer) : turn.judged
  if (status === "complete" && push < attempt.from / 2 && work.length === 0)
    return isFree && verdict.status !== "complete" ? onDone(turn, answer) : turn.judged
  return kept(turn, "(A model doubts that the task is done, but is not sure enough.)")
}
