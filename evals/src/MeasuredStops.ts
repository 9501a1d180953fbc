/** The stops of each suite in the form in which all are measured alike. */
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import { repeatedCalls, type Stop } from "./Baselines.ts"
import type { CaseResult } from "./CaseSuite.ts"
import type { CompactionResult } from "./CompactionSuite.ts"
import type { JudgedStop } from "./Corpus.ts"
import type { LoopRow } from "./LoopSuite.ts"
import type { NudgeRow } from "./NudgeSuite.ts"
import type { Measured } from "./Rates.ts"
import type { ScoreResult } from "./ScoreSuite.ts"
import * as Sessions from "./Sessions.ts"
import type { StuckResult } from "./StuckSuite.ts"

const isAmong = <A>(expected: A | ReadonlyArray<A>, answer: unknown): boolean => {
  const allowed: ReadonlyArray<unknown> = Array.isArray(expected) ? expected : [expected]
  return allowed.includes(answer)
}

const lastTurn = (events: ReadonlyArray<TranscriptEvent>): Stop => {
  const begin = events.findLastIndex((event) => event.type === "user_message" && !event.synthetic)
  const turn = events.slice(Math.max(0, begin))
  return { finalText: Sessions.finalText(turn), repeatedCalls: repeatedCalls(turn) }
}

/** What a verdict says that it cost. */
export const paid = ({ cost }: Verdict): { readonly modelCalls: number; readonly tokens: number } => ({
  modelCalls: cost.modelCalls,
  tokens: cost.inputTokens + cost.outputTokens
})

const unpaid = { modelCalls: null, tokens: null }

/** The status of a verdict on a stop of that kind. */
const statusOf = (kind: string): string => (kind === "premature" ? "incomplete" : kind)

export const ofCase = ({ case: self, verdict }: CaseResult): Measured => ({
  session: self.id,
  push: self.expect.push ?? null,
  pushed: verdict.shouldContinue,
  right: isAmong(self.expect.status, verdict.status),
  abstained: verdict.status === "abstained",
  ...paid(verdict),
  ...lastTurn(self.events),
  isRight: ({ kind }) => isAmong(self.expect.status, statusOf(kind))
})

export const ofStop = (row: JudgedStop): Measured => ({
  session: row.session,
  push: row.push,
  pushed: row.pushed,
  right: row.kinds.includes(row.kind),
  abstained: row.abstained,
  modelCalls: row.modelCalls,
  tokens: row.tokens,
  finalText: row.finalText,
  repeatedCalls: row.repeatedCalls,
  isRight: ({ kind }) => row.kinds.includes(kind)
})

const reasons: Readonly<Record<string, string>> = {
  premature: "genuinely_stuck",
  stuck: "genuinely_stuck",
  complete: "complete",
  waiting_for_user: "waiting_for_user"
}

export const ofStuck = ({ assessed: { assessment, decided }, case: self }: StuckResult): Measured => ({
  session: self.id,
  push: self.expect.nudge ?? null,
  pushed: assessment.shouldNudge,
  right: isAmong(self.expect.reason, assessment.reason),
  abstained: !decided,
  ...unpaid,
  ...lastTurn(self.events),
  isRight: ({ kind }) => isAmong(self.expect.reason, reasons[kind])
})

/** Only of labelled stops; the readers said of them whether a push is right, and not what a watch should call them. */
export const ofNudge = ({ assessment, decided, push, repeatedCalls, session, suite, text }: NudgeRow): Measured => {
  const label = push ?? null
  return {
    session: `${suite}/${session}`,
    push: label,
    pushed: assessment.shouldNudge,
    right: label === null ? null : label === assessment.shouldNudge,
    abstained: !decided,
    ...unpaid,
    finalText: text,
    repeatedCalls,
    isRight: ({ pushed }) => (label === null ? null : label === pushed)
  }
}

export const ofCompaction = ({ assessment, case: self }: CompactionResult): Measured => ({
  session: self.id,
  push: null,
  pushed: false,
  right: isAmong(self.expect.action, assessment.action),
  abstained: false,
  ...unpaid,
  ...lastTurn(self.events),
  isRight: ({ kind }) => isAmong(self.expect.action, kind)
})

export const ofScore = ({ case: self, score }: ScoreResult): Measured => ({
  session: self.id,
  push: null,
  pushed: false,
  right: isAmong(self.expect.score, score?.score),
  abstained: score === null,
  ...unpaid,
  ...lastTurn(self.events),
  isRight: ({ kind }) => isAmong(self.expect.score, Number(kind))
})

/** A loop stands in place of a push: the table says where there is one. */
export const ofLoop = ({ expected, found, id, repeatedCalls }: LoopRow): Measured => {
  const label = expected === null ? null : expected.loops.length > 0
  return {
    session: id,
    push: label,
    pushed: found.length > 0,
    right: label === null ? null : label === found.length > 0,
    abstained: false,
    ...unpaid,
    finalText: "",
    repeatedCalls,
    isRight: ({ pushed }) => (label === null ? null : label === pushed)
  }
}
