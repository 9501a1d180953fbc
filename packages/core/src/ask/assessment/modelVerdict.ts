/**
 * What a model's opinion makes of a verdict of tier 1. *Not done* from `pushFrom` on pushes where no fact speaks against it;
 * *done* settles what evidence leaves open, and makes nothing complete over a required gate that is not passed. A statement
 * that a fact contradicts voids the whole of it. No word of the model's is in the verdict.
 */
import * as Feedback from "../../judge/verdict/Feedback.ts"
import { ofOther } from "../../judge/verdict/Missing.ts"
import type { Judged } from "../../judge/verdict/Judgment.ts"
import type { Finding, Gate, Severity, StopPattern, Verdict } from "../../judge/verdict/Verdict.ts"
import { type Shown, unshown } from "./citations.ts"
import type { Skipped, Unproved } from "./claimCheck.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { maySpeak, ranks, redacted } from "../../judge/verdict/Conclusion.ts"
import { abstained, base, bounded, complete, forHuman, isUntried, kept, waiting } from "./madeVerdicts.ts"
import { isAgents, isUndecided } from "../../judge/verdict/LeftOpen.ts"
import { fresh, isOpen as isLeftOpen } from "./mayPush.ts"
import { type Opinion, pushFrom } from "./modelOpinion.ts"
import type { Turn } from "./TurnRecord.ts"
import { weigh, type Weighed } from "./weighed.ts"
import { oneLine } from "../../base/text/Text.ts"

/** What the feedback is counted by. `from`: another threshold than `pushFrom`, for whoever measures. */
export interface Attempt {
  readonly attempt: number
  readonly maxAttempts: number
  readonly from?: number
}

const isOpen = (gate: Gate): boolean => gate.required && gate.result !== "passed"

const worst = (found: ReadonlyArray<Severity>): Severity =>
  ranks[Math.max(0, ...found.map((severity) => ranks.indexOf(severity)))] ?? "NONE"

const passedOver = (): Shown => ({
  key: "passed some over",
  missing: "the tests, some of which were passed over",
  fact: "The tests are required, and you passed some over. That they are flaky, slow or not related is no reason.",
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

/** What goes round in circles does so on record. */
const isStuck = ({ opinion, shown: named }: Weighed): boolean => opinion.said === "stuck" && named.length > 0

const circling = "You try the same again and again without getting on."

const feedbackOf = (
  weighed: Weighed,
  found: ReadonlyArray<Shown>,
  { attempt, maxAttempts, unattended }: Attempt & Required<Pick<Feedback.Input, "unattended">>
): string => {
  const stuck = isStuck(weighed)
  return Feedback.render({
    facts: [...(stuck ? [circling] : []), ...found.map(({ fact }) => fact)],
    actions: [...(stuck ? ["Take a new approach."] : []), ...new Set(found.map(({ action }) => action))],
    contradictions: [],
    human: weighed.human,
    attempt,
    maxAttempts,
    unattended,
    unsure: true
  })
}

const summary = (found: ReadonlyArray<Shown>): string =>
  found
    .map(({ missing }) => missing)
    .slice(0, 2)
    .join("; ")

const patternOf = ({ shown, skipped: passed }: Weighed): StopPattern | null =>
  passed !== null ? "unverified" : shown.length > 0 ? "stopped_with_todos" : null

const findingsOf = ({ skipped: passed }: Weighed, found: ReadonlyArray<Shown>, push: boolean): ReadonlyArray<Finding> =>
  found.map(({ missing, severity }, at) =>
    ofOther("model/unfinished", missing, {
      level: push ? "push" : "tell",
      severity,
      gate: at === 0 && passed !== null ? passed.gate : null
    })
  )

/** Whether a model is sure enough for a push. */
const isSure = ({ push }: Opinion, { from = pushFrom }: Attempt): boolean => push >= from

/** Whether it is, and says of something that it is missing. */
const wantsPush = ({ opinion, shown }: Pick<Weighed, "opinion" | "shown">, attempt: Attempt): boolean =>
  opinion.work.length + shown.length > 0 && isSure(opinion, attempt)

/** Not done. It pushes where the model is sure of it and the agent was not told so before. */
const open = (turn: Turn, weighed: Weighed, attempt: Attempt): Judged => {
  const { judged, known } = turn
  const { human, opinion } = weighed
  const over = weighed.skipped === null ? [] : [passedOver()]
  const named = [...over, ...weighed.shown]
  const news = fresh(turn, named, unshown(turn))
  const push = news !== null && (wantsPush(weighed, attempt) || over.length > 0) && isAgents(known)
  const shouldContinue = push && maySpeak(known)
  const stuck = isStuck(weighed) && push
  const found = push ? news : named.length > 0 ? named : [unshown(turn)]
  return {
    ...judged,
    wouldContinue: push && wouldSpeak(known),
    verdict: redacted({
      ...base(judged.verdict),
      status: stuck ? "stuck" : "incomplete",
      shouldContinue,
      requiresHumanAction: human.length > 0 && !stuck,
      severity: worst([...found.map((item) => item.severity), opinion.blocker ? "BLOCKER" : "LOW"]),
      confidence: bounded(opinion.push),
      reason: oneLine(`Not done, a model says: ${summary(found)}.`, 300),
      feedback: shouldContinue ? feedbackOf(weighed, found, { ...attempt, unattended: !known.attended }) : null,
      findings: findingsOf(weighed, found, push),
      nextActions: [...new Set(found.map(({ action }) => action))],
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
const onComplete = (turn: Turn, weighed: Weighed, attempt: Attempt): Judged => {
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
  if (isSure(weighed.opinion, attempt)) return kept(turn, "(A model calls it done, and a push right at once.)")
  if (!weighed.opinion.sure) return kept(turn, "(A model calls it done and is not sure.)")
  if (weighed.opinion.assessment?.evidence === null && isUntried(turn))
    return kept(turn, "(A model calls it done, and gives no evidence; nothing was run after the last edit of code.)")
  return complete(turn, weighed)
}

/** What the model itself leaves to the user is no push, whatever else it finds. */
const isLeft = ({ said }: Opinion): boolean => said === "waiting_for_user" || said === "blocked"

/** What was waited for before stays so. */
const onLeft = (turn: Turn, weighed: Weighed, why: string): Judged =>
  turn.judged.verdict.status === "waiting_for_user" ? turn.judged : waiting(turn, weighed, why)

const onOpen = (turn: Turn, weighed: Weighed, attempt: Attempt): Judged => {
  const { opinion, shown: named } = weighed
  const idle = opinion.work.length === 0 && opinion.next.length === 0
  if (opinion.said === "complete")
    return abstained(turn, "A model calls it done and names work that is left: it contradicts itself.")
  if (!isLeft(opinion) && wantsPush(weighed, attempt)) return open(turn, weighed, attempt)
  if (!isFree(turn.judged.verdict) || !isUndecided(turn.known, turn.judged.verdict)) return turn.judged
  if (!isLeft(opinion) && named.length > 0) return open(turn, weighed, attempt)
  if (weighed.human.length > 0) return forHuman(turn, weighed)
  if (opinion.said === "waiting_for_user") return onLeft(turn, weighed, "The agent waits for its user, a model says.")
  if (opinion.said === "blocked" || (idle && opinion.said === "in_progress"))
    return onLeft(turn, weighed, "Nothing is left that the agent could do by itself, a model says.")
  return abstained(turn, "A model doubts that it is done, and is not sure enough of it.")
}

/** What a yes may settle. */
const isFree = ({ status }: Verdict): boolean => status === "complete" || status === "abstained"

const voided = (turn: Turn, { false: found }: Weighed): Judged => {
  const [first] = found
  const why = first === undefined ? "" : `: it says that ${first.claim}, but ${first.fact}`
  return kept(turn, `(A model's answer does not count${why}.)`)
}

/** The verdict with the model's opinion in it. */
export const modelVerdict = (turn: Turn, opinion: Opinion, attempt: Attempt): Judged => {
  if (!isLeftOpen(turn)) return turn.judged
  const weighed = weigh(turn, opinion)
  const done = opinion.said === "complete" && opinion.work.length === 0
  if (!done && weighed.false.length > 0) return voided(turn, weighed)
  if (opinion.blocker || (weighed.skipped !== null && !isLeft(opinion))) return open(turn, weighed, attempt)
  if (!done) return onOpen(turn, weighed, attempt)
  return isFree(turn.judged.verdict) ? onComplete(turn, weighed, attempt) : turn.judged
}
