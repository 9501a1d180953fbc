/** The verdicts that a model's opinion may come to where it sends nobody on. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import { ofOther } from "../../judge/verdict/Missing.ts"
import type { Judged } from "../../judge/verdict/Judgment.ts"
import type { Finding, Verdict } from "../../judge/verdict/Verdict.ts"
import { advice, redacted } from "../../judge/verdict/Conclusion.ts"
import { oneLine } from "../../base/text/Text.ts"
import type { Turn } from "./TurnRecord.ts"
import type { Weighed } from "./weighed.ts"

const most = 0.8

/** What is not a number is no confidence. */
export const bounded = (confidence: number): number => (confidence > 0 ? Math.min(most, confidence) : 0)

export const base = (verdict: Verdict): Verdict => ({
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
export const abstained = ({ judged }: Turn, why: string, findings: ReadonlyArray<Finding> = []): Judged => ({
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

export const waiting = ({ judged }: Turn, { opinion }: Weighed, why: string): Judged => ({
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

export const forHuman = ({ judged }: Turn, { human, opinion }: Weighed): Judged => ({
  ...judged,
  wouldContinue: false,
  verdict: redacted({
    ...base(judged.verdict),
    status: "needs_human",
    requiresHumanAction: true,
    severity: "LOW",
    confidence: bounded(opinion.confidence),
    reason: `Only a human can go on, a model says: ${human[0] ?? ""}`,
    findings: human.map((item) => ofOther("model/needs-user", item)),
    stop: { kind: "waiting_for_user", pattern: null }
  })
})

/** Whether code was edited and nothing that could have shown a defect was run since. */
export const isUntried = ({ known: { evidence } }: Turn): boolean => {
  const last = Evidence.lastEdit(evidence, ["source", "test", "conflict", "unknown"])
  return last > 0 && evidence.exercised <= last
}

const allDone = "A model finds everything done or answered that was asked for"

/** What nobody asked for and would be worth doing stays advised. */
export const complete = (turn: Turn, { opinion }: Weighed): Judged => ({
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
