/**
 * What a model's answer makes of a verdict. *Not done* pushes from the threshold on; *done* settles what evidence leaves open.
 * Facts keep the last word: no model outranks a required check that is not passed, nor a claim that the record disproves. No
 * word of the model's is said to anybody: only the user's own, and ours.
 */
import * as Json from "../../base/json/Json.ts"
import { oneLine } from "../../base/text/Text.ts"
import * as Feedback from "../../judge/verdict/Feedback.ts"
import { advice, maySpeak, redacted } from "../../judge/verdict/Conclusion.ts"
import type { Judged } from "../../judge/verdict/Judgment.ts"
import { ofOther } from "../../judge/verdict/Missing.ts"
import type { Finding, Severity, Verdict } from "../../judge/verdict/Verdict.ts"
import { heldClaims, untried } from "../../session/facts/Facts.ts"
import { type HumanAct, needsHuman } from "../../session/stop/HumanAction.ts"
import * as GateTable from "../../session/vocabulary/GateTable.ts"
import type { Claim, Held } from "../../session/claims/model.ts"
import type { Answer, RemainingWork } from "./answer.ts"
import * as Quotations from "./quotations.ts"
import { bare, type Turn } from "./TurnRecord.ts"

/**
 * What feedback is counted by, and the least probability of a right push at which the agent is pushed. `tells`: only the user is
 * told, for the model got too few of the written cases right.
 */
export interface Attempt {
  readonly attempt: number
  readonly maxAttempts: number
  readonly from: number
  readonly tells?: boolean
}

/** Something missing as it is said to the agent (`fact`, `action`) and to the user. */
interface Named {
  readonly missing: string
  readonly fact: string
  readonly action: string
}

const doIt = "Do what is missing, or say where it is done, or what keeps you from it."

const something: Named = {
  missing: "something that was asked for",
  fact: "It seems that something which was asked for is not there. If it is done, say where.",
  action: doIt
}

const ofOrder = (words: string): Named => ({
  missing: `what was asked for: "${words}"`,
  fact: `It seems that this was asked for and is not there: "${words}". If it is done, say where.`,
  action: doIt
})

const announced: Named = {
  missing: "a step that the last words announce, or leave that they ask for it",
  fact: "It seems that a step which your last words announce or offer belongs to what was asked for, and was not taken.",
  action: "Take that step, or say what keeps you from it."
}

/** A check that everybody knows, by its name; the project's own names are not passed on. */
const ofCheck = ({ known: { gates } }: Turn, name: string | null): Named | null => {
  const gate = (name ?? "").trim().toLowerCase()
  const result = gates.find((one) => one.gate === gate)?.result ?? "missing"
  if (!GateTable.isGate(gate) || result === "passed") return null
  const words = GateTable.said({ gate, result: result === "not_required" ? "missing" : result })
  return { missing: words, fact: `It seems that ${words}. If that is not so, say where it is seen.`, action: doIt }
}

const ofItem = (turn: Turn, { kind, name, quote }: RemainingWork): Named | null => {
  if (kind === "check") return ofCheck(turn, name)
  const words = Quotations.order(turn, quote)
  if (words !== null) return ofOrder(words)
  return Quotations.lastWords(turn, quote) === null ? null : announced
}

interface Statement extends Pick<Claim, "outcome" | "text"> {
  readonly gate: GateTable.GateName
}

const isGreen = (word: string): boolean => /^(?:pass|success|green)/.test(word)

/** What a model states of checks: claims that it reads in the last words, in whatever language, and what it says itself. */
const statementsIn = (turn: Turn, { claims, evidence }: Answer): ReadonlyArray<Statement> => {
  const read = claims.flatMap(({ check: gate, outcome, quote }): ReadonlyArray<Statement> => {
    const text = Quotations.lastWords(turn, quote)
    return text === null || !GateTable.isGate(gate) ? [] : [{ gate, outcome, text }]
  })
  const says = (of: string, key: string): string => String(Json.object(evidence?.[of])[key]).toLowerCase()
  const ran = (["tests", "build"] as const).flatMap((gate): ReadonlyArray<Statement> => {
    const outcome = isGreen(says(gate, "results")) ? "passed" : "ran"
    return says(gate, "ran") === "true" ? [{ gate, outcome, text: "" }] : []
  })
  const handed = [
    ...(says("pr", "created") === "true" ? (["pr"] as const) : []),
    ...(isGreen(says("pr", "ci_status")) ? (["ci"] as const) : [])
  ]
  return [...read, ...ran, ...handed.map((gate) => ({ gate, outcome: "passed", text: "" }) as const)]
}

/** Those that the record does not bear out, by the measure of the agent's own claims. */
const unborne = (turn: Turn, answer: Answer): ReadonlyArray<Held> =>
  heldClaims(
    statementsIn(turn, answer).map((one) => ({ ...one, scope: "unsaid", count: null })),
    turn.known.gates,
    turn.known
  ).filter(({ standing }) => standing === "contradicted" || standing === "unfounded")

const ofClaims = (turn: Turn, answer: Answer): ReadonlyArray<Named> =>
  unborne(turn, answer).flatMap(({ claim: { gate, outcome, text }, standing }): ReadonlyArray<Named> => {
    const what = `${GateTable.nameOf(gate) ?? "a check"} ${outcome === "ran" ? "ran" : "passed"}`
    const named = {
      missing: `a claim that the record disproves (${what})`,
      fact: `Your last words say of ${what} what the record disproves.`,
      action: "Make it so, or correct what you said."
    }
    return text !== "" && standing === "contradicted" ? [named] : []
  })

const most = 4

const namedIn = (turn: Turn, work: ReadonlyArray<RemainingWork>, answer: Answer): ReadonlyArray<Named> => {
  const found = [...work.flatMap((item) => ofItem(turn, item) ?? []), ...ofClaims(turn, answer)]
  const distinct = [...new Map(found.map((one) => [one.missing, one])).values()].slice(0, most)
  return distinct.length > 0 ? distinct : [something]
}

/** What an untrusted project calls its condition sends nobody on. */
const trustedIn = ({ known: { doneWhen } }: Turn, { remaining_work: work }: Answer): ReadonlyArray<RemainingWork> => {
  const untrusted = new Set(doneWhen.filter((one) => one.untrusted === true).map(({ id }) => id))
  return work.filter(({ event }) => !untrusted.has(bare(event)))
}

const acts: Readonly<Record<HumanAct, string>> = {
  login: "to log in",
  device: "to do something at a device",
  credentials: "to provide a key, a token or a password",
  payment: "to see to a payment or a plan",
  access: "to grant an access or to change a setting outside of the project",
  approval: "to approve something"
}

/** What a model leaves to the user, by its kind and in our words; null where it is nothing that only a person can do. */
export const forUser = (item: string): string | null => {
  const kind = needsHuman(item)
  return kind === null ? null : acts[kind]
}

const humanIn = ({ needs_user_action: needs }: Answer): ReadonlyArray<string> =>
  [...new Set(needs.flatMap((item) => forUser(item.slice(0, 2000)) ?? []))].slice(0, 4)

/** No model is believed beyond this; a sureness that is not given counts for little. */
const bounded = (confidence: number | null): number => Math.min(0.8, confidence ?? 0.4)

const settled = ({ judged }: Turn, over: Partial<Verdict>): Judged => ({
  ...judged,
  wouldContinue: false,
  verdict: redacted({
    ...judged.verdict,
    complete: false,
    shouldContinue: false,
    requiresHumanAction: false,
    feedback: null,
    source: "model",
    severity: "NONE",
    ...over
  })
})

/** The verdict as it was, with what came of asking. */
export const kept = ({ judged }: Turn, why: string): Judged => ({
  ...judged,
  verdict: redacted({ ...judged.verdict, reason: oneLine(`${judged.verdict.reason} ${why}`, 300) })
})

const circling = "You try the same again and again without getting on."

const feedbackOf = (turn: Turn, named: ReadonlyArray<Named>, answer: Answer, attempt: Attempt): string => {
  const isStuck = answer.status === "stuck" || answer.alternate_approach !== null
  return Feedback.render({
    ...attempt,
    facts: [...(answer.status === "stuck" ? [circling] : []), ...named.map(({ fact }) => fact)],
    actions: [...(isStuck ? ["Take a different approach."] : []), ...new Set(named.map(({ action }) => action))],
    human: humanIn(answer),
    unattended: !turn.known.attended,
    unsure: true
  })
}

/** Not done. The agent is told of it once for each message of the user's, and where it is sure enough. */
const open = (turn: Turn, answer: Answer, attempt: Attempt): Judged => {
  const { judged, known, told } = turn
  const named = namedIn(turn, trustedIn(turn, answer), answer)
  const push = answer.push >= attempt.from && !told && attempt.tells !== true
  const shouldContinue = push && maySpeak(known)
  const isStuck = answer.status === "stuck"
  const severity: Severity = answer.severity === null || answer.severity === "NONE" ? "LOW" : answer.severity
  const found = named.map(({ missing }): Finding =>
    ofOther("model/unfinished", missing, { level: push ? "push" : "tell", severity })
  )
  const verdict = settled(turn, {
    status: isStuck ? "stuck" : "incomplete",
    shouldContinue,
    requiresHumanAction: !isStuck && humanIn(answer).length > 0,
    severity,
    confidence: bounded(answer.push),
    reason: oneLine(`Not done, a model says: ${named.map(({ missing }) => missing).join("; ")}.`, 300),
    feedback: shouldContinue ? feedbackOf(turn, named, answer, attempt) : null,
    findings: [...found, ...judged.verdict.findings],
    nextActions: [...new Set(named.map(({ action }) => action))],
    stop: {
      kind: isStuck ? "stuck" : "premature",
      pattern: isStuck || named.includes(something) ? null : "stopped_with_todos"
    }
  })
  return { ...verdict, wouldContinue: push && maySpeak({ ...known, profile: "balanced" }) }
}

/** What stands on record and no model outranks, null where there is nothing. */
const proven = ({ judged: { verdict }, known }: Turn): string | null => {
  const gate = verdict.gates.find(({ required, result }) => required && result !== "passed")
  // The name of a project's own check may be a sentence.
  if (gate !== undefined) return `${GateTable.nameOf(gate.gate) ?? "a required check"}: ${gate.result}`
  const isDisproved = known.held.some(({ failing, standing }) => failing && standing === "contradicted")
  return isDisproved ? "a claim that the record disproves" : null
}

const allDone = "A model finds everything done or answered that was asked for"

const onDone = (turn: Turn, answer: Answer): Judged =>
  turn.judged.verdict.status === "complete"
    ? turn.judged
    : settled(turn, {
        status: "complete",
        complete: true,
        confidence: bounded(answer.confidence),
        reason: untried(turn.known)
          ? `${allDone}; nothing was run after the last edit of code, so that nothing proves it.`
          : `${allDone}, and no evidence speaks against it.`,
        findings: [],
        nextActions: advice(turn.known),
        stop: { kind: "complete", pattern: null }
      })

const onLeft = (turn: Turn, answer: Answer): Judged => {
  const human = humanIn(answer)
  const over = { confidence: bounded(answer.confidence), stop: { kind: "waiting_for_user", pattern: null } } as const
  if (human.length === 0)
    return settled(turn, { ...over, status: "waiting_for_user", reason: "The agent waits for its user, a model says." })
  return settled(turn, {
    ...over,
    status: "needs_human",
    requiresHumanAction: true,
    severity: "LOW",
    reason: `Only a human can go on, a model says: ${human[0] ?? ""}`,
    findings: human.map((item) => ofOther("model/needs-user", item))
  })
}

/** The verdict with the answer in it. */
export const decide = (turn: Turn, answer: Answer, attempt: Attempt): Judged => {
  const { verdict } = turn.judged
  const { push, remaining_work: work, status } = answer
  const isOpen = status === "in_progress" || status === "stuck"
  const isNamed = work.length === 0 || trustedIn(turn, answer).length > 0
  const isSure = isOpen && push >= attempt.from && isNamed
  if (verdict.shouldContinue && (isSure || answer.severity === "BLOCKER")) return kept(turn, "A model agrees.")
  // What cannot be undone, and what only a person can do, is nobody else's to allow.
  const isPersons = verdict.status === "needs_human" || turn.known.reading.question?.kind === "risk"
  if (isSure || answer.severity === "BLOCKER")
    return isPersons
      ? kept(turn, "(A model would go on, and the question is the user's.)")
      : open(turn, answer, attempt)
  if (verdict.shouldContinue && attempt.tells === true)
    return kept(turn, "(A model that only tells takes no finding back.)")
  const proof = proven(turn)
  if (proof !== null) return kept(turn, `(No model outranks ${proof}.)`)
  const isFree = verdict.status === "complete" || verdict.status === "abstained" || verdict.status === "incomplete"
  const isLeft = status === "waiting_for_user" || status === "blocked"
  if (isLeft || (status === "complete" && humanIn(answer).length > 0))
    return isFree ? onLeft(turn, answer) : turn.judged
  if (status === "complete" && unborne(turn, answer).length > 0)
    return kept(turn, "(A model calls it done on a claim that the record does not bear out.)")
  if (status === "complete" && push < attempt.from / 2 && work.length === 0)
    return isFree ? onDone(turn, answer) : turn.judged
  return kept(turn, "(A model doubts that it is done, and is not sure enough.)")
}
