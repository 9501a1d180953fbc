/**
 * What a model's opinion makes of a verdict of tier 1. It decides between complete, waiting and unknown where evidence
 * does not; it makes nothing complete over a required gate that is not passed, and pushes only for what the record shows.
 */
import * as Evidence from "../../session/evidence/Evidence.ts"
import * as Feedback from "../../judge/verdict/Feedback.ts"
import { ofOther } from "../../judge/verdict/Missing.ts"
import type { Judged } from "../../judge/verdict/Judgment.ts"
import type { Finding, Gate, Severity, StopPattern, Verdict } from "../../judge/verdict/Verdict.ts"
import { withoutUnnamed } from "../../ground/text/Addresses.ts"
import { type Verified, verify } from "./citedProof.ts"
import { type Skipped, skipped, type Unproved, unproved } from "./claimCheck.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { advice, maySpeak, ranks, redacted } from "../../judge/verdict/Conclusion.ts"
import { forUser, type Named } from "./humanWords.ts"
import type { Opinion } from "./modelOpinion.ts"
import { clean, type Turn } from "./TurnRecord.ts"
import { oneLine } from "../../ground/text/Text.ts"
import { shellCommand } from "../../session/transcript/ToolKinds.ts"

/** What the feedback is counted by. */
export interface Attempt {
  readonly attempt: number
  readonly maxAttempts: number
}

/** An opinion with what is left of it beside the record. */
interface Weighed {
  readonly opinion: Opinion
  readonly shown: ReadonlyArray<Verified>
  readonly unproved: ReadonlyArray<Unproved>
  readonly skipped: Skipped | null
  readonly human: ReadonlyArray<string>
}

const short = (text: string): string => oneLine(clean(text.slice(0, 2000)), 200)

/** In quotation marks that nothing in it can close. */
const inQuotes = (text: string): string => `"${short(text).replaceAll('"', "'")}"`

/** The same thing named twice is one. */
const distinct = (found: ReadonlyArray<Verified>): ReadonlyArray<Verified> => [
  ...new Map(found.map((item) => [item.missing, item])).values()
]

/** The user's own words, and what ran. */
const namedIn = ({ entries, known: { task } }: Turn): Named => ({
  texts: [
    task.text,
    task.message,
    ...entries.flatMap(({ event }) => (event.type === "user_message" && !event.synthetic ? [event.text] : []))
  ],
  commands: entries.flatMap(({ event }) => (event.type === "tool_call" ? (shellCommand(event) ?? []) : []))
})

/** The opinion without places that only the model names. What it cites is held against the record as it is. */
const withoutPlaces = (opinion: Opinion, { texts }: Named): Opinion => ({
  ...opinion,
  work: opinion.work.map((item) => ({ ...item, what: withoutUnnamed(item.what, texts) })),
  next: opinion.next.map((item) => withoutUnnamed(item, texts)),
  alternate: opinion.alternate === null ? null : withoutUnnamed(opinion.alternate, texts)
})

const weigh = (turn: Turn, opinion: Opinion, named: Named): Weighed => ({
  opinion: withoutPlaces(opinion, named),
  shown: distinct(opinion.work.flatMap((item) => verify(turn, item, opinion.said === "stuck") ?? [])).slice(0, 8),
  unproved: opinion.assessment === null ? [] : unproved(turn, opinion.assessment),
  skipped: opinion.assessment === null ? null : skipped(turn, opinion.assessment),
  human: opinion.human
    .flatMap((item) => forUser(item.slice(0, 2000), named) ?? [])
    .map(short)
    .slice(0, 4)
})

const least = 0.6
const most = 0.8

/** What is not a number is no confidence. */
const bounded = (confidence: number): number => (confidence > 0 ? Math.min(most, confidence) : 0)

const isOpen = (gate: Gate): boolean => gate.required && gate.result !== "passed"

const base = (verdict: Verdict): Verdict => ({
  ...verdict,
  complete: false,
  shouldContinue: false,
  requiresHumanAction: false,
  feedback: null,
  source: "model"
})

/** Tier 1's verdict as it was, with what came of asking. */
export const kept = ({ judged }: Turn, why: string): Judged => ({
  ...judged,
  verdict: redacted({ ...judged.verdict, reason: oneLine(`${judged.verdict.reason} ${why}`, 300) })
})

/** Nothing is said of the turn: a model took away what there was, and could put nothing in its place. */
const abstained = ({ judged }: Turn, why: string, findings: ReadonlyArray<Finding> = []): Judged => ({
  ...judged,
  wouldContinue: false,
  verdict: redacted({
    ...base(judged.verdict),
    status: "abstained",
    severity: "NONE",
    confidence: 0.4,
    reason: oneLine(why, 300),
    findings
  })
})

const waiting = ({ judged }: Turn, { opinion }: Weighed, why: string): Judged => ({
  ...judged,
  wouldContinue: false,
  verdict: redacted({
    ...base(judged.verdict),
    status: "waiting_for_user",
    severity: "NONE",
    confidence: bounded(opinion.confidence),
    reason: why,
    stop: { kind: "waiting_for_user", pattern: null }
  })
})

const forHuman = ({ judged }: Turn, { human, opinion }: Weighed): Judged => ({
  ...judged,
  wouldContinue: false,
  verdict: redacted({
    ...base(judged.verdict),
    status: "needs_human",
    requiresHumanAction: true,
    severity: "LOW",
    confidence: bounded(opinion.confidence),
    reason: oneLine(`Only a human can go on, a model says: ${human[0] ?? ""}`, 300),
    findings: human.map((item) => ofOther("model/needs-user", item)),
    stop: { kind: "waiting_for_user", pattern: null }
  })
})

/** Whether code was edited and nothing that could have shown a defect was run since. */
const isUntried = ({ known: { evidence } }: Turn): boolean => {
  const last = Evidence.lastEdit(evidence, ["source", "test", "conflict", "unknown"])
  return last > 0 && evidence.exercised <= last
}

const allDone = "A model finds everything done or answered that was asked for"

/** What nobody asked for and would be worth doing stays advised. */
const complete = (turn: Turn, { opinion }: Weighed): Judged => ({
  ...turn.judged,
  wouldContinue: false,
  verdict: redacted({
    ...base(turn.judged.verdict),
    status: "complete",
    complete: true,
    severity: "NONE",
    confidence: bounded(opinion.confidence),
    reason: isUntried(turn)
      ? `${allDone}; nothing was run after the last edit of code, so that nothing proves it.`
      : `${allDone}, and no evidence speaks against it.`,
    findings: [],
    nextActions: advice(turn.known),
    stop: { kind: "complete", pattern: null }
  })
})

const worst = (found: ReadonlyArray<Severity>): Severity =>
  ranks[Math.max(0, ...found.map((severity) => ranks.indexOf(severity)))] ?? "NONE"

const passedOver = ({ reason }: Skipped): Verified => ({
  missing: `the tests, which were passed over (${reason})`,
  fact: `The tests are required, and you passed some over (${reason}). That is no reason to leave them out.`,
  action: "Run the tests without leaving any out, and fix what fails.",
  severity: "HIGH"
})

/** A gate that was passed over has failed, whatever the rest of it printed. */
const gatesOf = (verdict: Verdict, passed: Skipped | null): ReadonlyArray<Gate> =>
  passed === null
    ? verdict.gates
    : verdict.gates.map((gate) =>
        gate.gate === passed.gate ? { ...gate, result: "failed", detail: `passed over: ${passed.reason}` } : gate
      )

/** Whether anything would be said to this agent, advisory or not. */
const wouldSpeak = (known: Facts): boolean => maySpeak({ ...known, profile: "balanced" })

const feedbackOf = (
  { opinion, human }: Weighed,
  found: ReadonlyArray<Verified>,
  attempt: Attempt & Pick<Feedback.Input, "unattended">
): string => {
  const alternate = opinion.said === "stuck" && opinion.alternate !== null ? inQuotes(opinion.alternate) : null
  const stuck = ["You try the same again and again without getting on."]
  const another =
    alternate === null
      ? "Take a new approach."
      : `Take a new approach. A reader of your record suggests ${alternate}: an opinion, and no order.`
  return Feedback.render({
    facts: [...(opinion.said === "stuck" ? stuck : []), ...found.map(({ fact }) => fact)],
    actions: [...(opinion.said === "stuck" ? [another] : []), ...new Set(found.map(({ action }) => action))],
    contradictions: [],
    human,
    ...attempt
  })
}

const summary = (found: ReadonlyArray<Verified>): string =>
  found
    .map(({ missing }) => missing)
    .slice(0, 2)
    .join("; ")

const patternOf = ({ shown, skipped: passed }: Weighed): StopPattern | null =>
  passed !== null ? "unverified" : shown.length > 0 ? "stopped_with_todos" : null

/** What the record shows of it, and where it shows nothing, what the model says. */
const findingsOf = (
  { opinion, skipped: passed }: Weighed,
  found: ReadonlyArray<Verified>,
  push: boolean
): ReadonlyArray<Finding> =>
  found.length === 0
    ? opinion.work.map(({ what }) => ofOther("model/unfinished", short(what)))
    : found.map(({ missing, severity }, at) =>
        ofOther("model/unfinished", missing, {
          level: push ? "push" : "tell",
          severity,
          gate: at === 0 && passed !== null ? passed.gate : null
        })
      )

/** Not done. It pushes only with something that the record shows. */
const open = (turn: Turn, weighed: Weighed, attempt: Attempt): Judged => {
  const { judged, known } = turn
  const { human, opinion } = weighed
  const found = [...(weighed.skipped === null ? [] : [passedOver(weighed.skipped)]), ...weighed.shown]
  const push = found.length > 0 && (opinion.confidence >= least || weighed.skipped !== null)
  const shouldContinue = push && maySpeak(known)
  const stuck = opinion.said === "stuck" && push
  const severity = worst([...found.map((item) => item.severity), opinion.blocker ? "BLOCKER" : "LOW"])
  const said = found.length > 0 ? summary(found) : opinion.work.map(({ what }) => short(what))[0]
  return {
    ...judged,
    wouldContinue: push && wouldSpeak(known),
    verdict: redacted({
      ...base(judged.verdict),
      status: stuck ? "stuck" : "incomplete",
      shouldContinue,
      requiresHumanAction: human.length > 0 && !stuck,
      severity,
      confidence: bounded(opinion.confidence),
      reason: oneLine(`Not done, a model says: ${said ?? "a defect that must not stay"}.`, 300),
      feedback: shouldContinue ? feedbackOf(weighed, found, { ...attempt, unattended: !known.attended }) : null,
      findings: findingsOf(weighed, found, push),
      nextActions: [...found.map(({ action }) => action), ...opinion.next.map(short)].slice(0, 20),
      gates: gatesOf(judged.verdict, weighed.skipped),
      stop: stuck ? { kind: "stuck", pattern: null } : { kind: "premature", pattern: patternOf(weighed) }
    })
  }
}

const claims = (found: ReadonlyArray<Unproved>): ReadonlyArray<Finding> =>
  found.map(({ claim, fact, gate }) =>
    ofOther("model/unproved-claim", `${gate}: a model says that ${claim}, but ${fact}`, { gate })
  )

/** A yes: it counts where the model is sure, contradicts neither itself nor the record, and no required gate is open. */
const onComplete = (turn: Turn, weighed: Weighed): Judged => {
  const { judged } = turn
  const gate = judged.verdict.gates.find(isOpen)
  if (weighed.human.length > 0) return forHuman(turn, weighed)
  if (weighed.unproved.length > 0) {
    const named = claims(weighed.unproved)
    return abstained(
      turn,
      `A model calls it done on claims that the record does not bear out: ${named[0]?.message ?? ""}.`,
      named
    )
  }
  if (judged.verdict.status === "complete") return judged
  if (gate !== undefined) return kept(turn, `(A model calls it done; no model outranks ${gate.gate}: ${gate.result}.)`)
  if (weighed.opinion.assessment?.stuck === true) return kept(turn, "(A model calls it done and stuck at once.)")
  if (!weighed.opinion.sure) return kept(turn, "(A model calls it done and is not sure.)")
  if (weighed.opinion.assessment?.evidence === null && isUntried(turn))
    return kept(turn, "(A model calls it done, and gives no evidence; nothing was run after the last edit of code.)")
  return complete(turn, weighed)
}

const doubts = (turn: Turn, { opinion }: Weighed): Judged => {
  const what = opinion.work.map((item) => short(item.what))[0] ?? opinion.next.map(short)[0] ?? "something"
  return abstained(turn, `A model finds it not done (${what}), and cites nothing that shows it.`)
}

/** What the model itself leaves to the user is no push, whatever else it finds. */
const isLeft = ({ said }: Opinion): boolean => said === "waiting_for_user" || said === "blocked"

const onOpen = (turn: Turn, weighed: Weighed, attempt: Attempt): Judged => {
  const { opinion, shown } = weighed
  if (opinion.said === "complete")
    return abstained(turn, "A model calls it done and names work that is left: it contradicts itself.")
  if (shown.length > 0 && !isLeft(opinion)) return open(turn, weighed, attempt)
  if (weighed.human.length > 0) return forHuman(turn, weighed)
  const idle = opinion.work.length === 0 && opinion.next.length === 0
  if (opinion.said === "waiting_for_user") return waiting(turn, weighed, "The agent waits for its user, a model says.")
  if (opinion.said === "blocked" || (idle && opinion.said === "in_progress"))
    return waiting(turn, weighed, "Nothing is left that the agent could do by itself, a model says.")
  return doubts(turn, weighed)
}

/** What evidence has decided otherwise than as done, no model changes. */
const isFree = ({ status }: Verdict): boolean => status === "complete" || status === "abstained"

/** What a rule found and asks about: a model that is sure of it has the agent sent on, in the rule's own words. */
const onAsked = (turn: Turn, agreed: Judged, weighed: Weighed): Judged => {
  const { opinion } = weighed
  const done = opinion.said === "complete" && opinion.work.length === 0
  if (done && turn.known.contradictions.length > 0)
    return kept(turn, "(A model calls it done; the record disproves a claim of the agent's.)")
  if (done) return onComplete(turn, weighed)
  if (isLeft(opinion)) return waiting(turn, weighed, "The agent waits for its user, a model says.")
  if (opinion.said === "complete" || opinion.confidence < least) return kept(turn, "(A model is not sure of it.)")
  const verdict: Verdict = { ...agreed.verdict, source: "model", confidence: bounded(opinion.confidence) }
  return { ...agreed, verdict: redacted({ ...verdict, reason: oneLine(`${verdict.reason} A model agrees.`, 300) }) }
}

/** The verdict with the model's opinion in it. */
export const modelVerdict = (turn: Turn, opinion: Opinion, attempt: Attempt): Judged => {
  if (turn.agreed === null && !isFree(turn.judged.verdict)) return turn.judged
  const weighed = weigh(turn, opinion, namedIn(turn))
  if (turn.agreed !== null && !opinion.blocker) return onAsked(turn, turn.agreed, weighed)
  if (opinion.blocker || (weighed.skipped !== null && !isLeft(opinion))) return open(turn, weighed, attempt)
  const done = opinion.said === "complete" && opinion.work.length === 0
  return done ? onComplete(turn, weighed) : onOpen(turn, weighed, attempt)
}
