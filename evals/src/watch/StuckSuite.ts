/** Assesses the hand-written sessions of stuckness. */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as StuckAssessment from "@reflexion/core/StuckAssessment"
import { type Case, transcript } from "../case/Case.ts"
import type { Written } from "../case/CaseSuite.ts"
import { mentions, oneOf } from "../case/Check.ts"
import { futile } from "../cases/stuck/Futile.ts"
import { holds } from "../cases/stuck/Holds.ts"
import { nearMisses } from "../cases/stuck/NearMisses.ts"
import { quietSessions } from "../cases/stuck/Quiet.ts"
import { roundsOfCalls } from "../cases/stuck/Rounds.ts"
import { stuckSessions } from "../cases/stuck/Stuck.ts"
import { variedSessions } from "../cases/stuck/Varied.ts"
import { waitingSessions } from "../cases/stuck/Waiting.ts"
import { workingSessions } from "../cases/stuck/Working.ts"
import type { StuckCase, StuckExpectation } from "./StuckCase.ts"
import * as Times from "../measure/Times.ts"
import * as Utmost from "../case/Utmost.ts"

export const suites: Readonly<Record<string, ReadonlyArray<StuckCase>>> = {
  working: workingSessions,
  waiting: waitingSessions,
  stuck: stuckSessions,
  quiet: quietSessions,
  "near-misses": nearMisses,
  varied: variedSessions,
  holds,
  rounds: roundsOfCalls,
  futile
}

export type StuckResult = Written<StuckCase> & { readonly assessed: StuckAssessment.Assessed }

/** The case as a transcript, and the moment at which somebody looks. */
export const seen = (self: StuckCase) => {
  const as: Case = { ...self, expect: { status: "abstained" } }
  const session = transcript(as)
  const last = session.events.at(-1)?.at ?? null
  const at = last === null ? null : new Date(Date.parse(last) + (self.silence ?? 60) * 1000).toISOString()
  return { session, now: at }
}

export const differences = (
  expect: StuckExpectation,
  { assessment }: Pick<StuckAssessment.Assessed, "assessment">
): ReadonlyArray<string> => [
  ...oneOf("reason", assessment.reason, expect.reason),
  ...oneOf("shouldNudge", assessment.shouldNudge, expect.nudge),
  ...(expect.loop === undefined || assessment.loops.some((loop) => loop.pattern === expect.loop)
    ? []
    : [`loop ${expect.loop} is not among ${assessment.loops.map((loop) => loop.pattern).join(", ") || "none"}`]),
  ...mentions("nudge", assessment.nudge ?? "", expect.says),
  ...mentions("evidence", assessment.evidence.join("\n"), expect.evidence)
]

/** The assessment of the case, with the ways in which it differs from the expectation. */
export const assess = (suite: string, self: StuckCase): StuckResult => {
  const { now, session } = seen(self)
  const config = ReflexionConfig.merge(Utmost.config, self.profile ? { profile: self.profile } : {})
  const assessed = StuckAssessment.assessTranscript(session, { now, context: { config } })
  return { suite, case: self, assessed, differences: differences(self.expect, assessed) }
}

export const assessAll = (): ReadonlyArray<StuckResult> =>
  Object.entries(suites).flatMap(([suite, cases]) =>
    cases.map((self) => Times.measure("stuck", self.id, () => assess(suite, self)))
  )
