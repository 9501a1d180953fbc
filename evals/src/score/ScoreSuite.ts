/** Scores the hand-written sessions. */
import * as Score from "@reflexion/core/Score"
import { transcript } from "../case/Case.ts"
import type { Written } from "../case/CaseSuite.ts"
import { scores } from "../cases/score/Scores.ts"
import { mentions, oneOf } from "../case/Check.ts"
import type { ScoreCase, ScoreExpectation } from "./ScoreCase.ts"
import * as Times from "../measure/Times.ts"

export const suites: Readonly<Record<string, ReadonlyArray<ScoreCase>>> = { scores }

export type ScoreResult = Written<ScoreCase> & { readonly score: Score.Score | null }

/** In what a score differs from what was expected. */
export const differences = (expect: ScoreExpectation, said: Score.Score | null): ReadonlyArray<string> => {
  const reasons = (said?.reasons ?? []).join("\n")
  return [
    ...oneOf("score", said?.score ?? null, expect.score),
    ...mentions("the reasons", reasons, expect.says),
    ...(expect.never ?? [])
      .filter((text) => reasons.toLowerCase().includes(text.toLowerCase()))
      .map((text) => `the reasons contain "${text}"`)
  ]
}

/** The score of the case's last task, with the ways in which it differs from the expectation. */
export const assess = (suite: string, self: ScoreCase): ScoreResult => {
  const score = Score.assess(transcript({ ...self, expect: { status: "abstained" } }))
  return { suite, case: self, score, differences: differences(self.expect, score) }
}

export const assessAll = (): ReadonlyArray<ScoreResult> =>
  Object.entries(suites).flatMap(([suite, cases]) =>
    cases.map((self) => Times.measure("score", self.id, () => assess(suite, self)))
  )
