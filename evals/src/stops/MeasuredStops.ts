/** The stops of each suite in the form in which all are measured alike. */
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import { repeatedCalls, type Stop } from "../measure/Baselines.ts"
import type { CaseResult } from "../case/CaseSuite.ts"
import type { CompactionResult } from "../watch/CompactionSuite.ts"
import type { JudgedStop } from "../sessions/Corpus.ts"
import type { NudgeRow } from "../watch/NudgeSuite.ts"
import type { Measured } from "../measure/Rates.ts"
import * as RetrySuite from "../retry/RetrySuite.ts"
import type { ScoreResult } from "../score/ScoreSuite.ts"
import * as Sessions from "../sessions/Sessions.ts"
import type { StuckResult } from "../watch/StuckSuite.ts"

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

const isSingle = (expected: unknown): boolean => !Array.isArray(expected) || expected.length === 1

const unpaid = { modelCalls: null, tokens: null }

/** The status of a verdict on a stop of that kind. */
const statusOf = (kind: string): string => (kind === "premature" ? "incomplete" : kind)

export const ofCase = ({ case: self, verdict }: CaseResult): Measured => ({
  session: self.id,
  push: self.expect.push ?? null,
  pushed: verdict.shouldContinue,
  right: isAmong(self.expect.status, verdict.status),
  single: isSingle(self.expect.status),
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
  single: row.kinds.length === 1,
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
  single: isSingle(self.expect.reason),
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
    single: label !== null,
    abstained: !decided,
    ...unpaid,
    finalText: text,
    repeatedCalls,
    isRight: ({ pushed }) => (label === null ? null : label === pushed)
  }
}

/** Below it nothing on record decided, and going on is only the default. */
const decidedFrom = 0.5

export const ofCompaction = ({ assessment, case: self }: CompactionResult): Measured => ({
  session: self.id,
  push: null,
  pushed: false,
  right: isAmong(self.expect.action, assessment.action),
  single: isSingle(self.expect.action),
  abstained: assessment.confidence < decidedFrom,
  ...unpaid,
  ...lastTurn(self.events),
  isRight: ({ kind }) => isAmong(self.expect.action, kind)
})

export const ofScore = ({ case: self, score }: ScoreResult): Measured => ({
  session: self.id,
  push: null,
  pushed: false,
  right: isAmong(self.expect.score, score?.score),
  single: isSingle(self.expect.score),
  abstained: score === null,
  ...unpaid,
  ...lastTurn(self.events),
  isRight: ({ kind }) => isAmong(self.expect.score, Number(kind))
})

/** Right is a prompt that names all that is to be known; a baseline is a piece of the output, by its name. */
export const ofRetry = ({ carried, case: self }: RetrySuite.RetryResult): Measured => {
  const isWhole = (text: string): boolean => carried[text]?.facts.every(({ named }) => named) === true
  return {
    session: self.id,
    push: null,
    pushed: false,
    right: isWhole(RetrySuite.own.prompt),
    single: true,
    abstained: null,
    ...unpaid,
    finalText: "",
    repeatedCalls: 0,
    isRight: ({ kind }) => isWhole(kind)
  }
}
