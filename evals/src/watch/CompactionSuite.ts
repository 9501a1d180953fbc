/** Assesses the hand-written sessions of compaction. */
import * as Compaction from "@reflexion/core/Compaction"
import { transcript } from "../case/Case.ts"
import type { Written } from "../case/CaseSuite.ts"
import { mentions, oneOf } from "../case/Check.ts"
import { compactions } from "../cases/compaction/Compactions.ts"
import { moreCompactions } from "../cases/compaction/MoreCompactions.ts"
import { pullRequests } from "../cases/compaction/PullRequests.ts"
import type { CompactionCase, CompactionExpectation } from "./CompactionCase.ts"
import * as Times from "../measure/Times.ts"
import * as Utmost from "../case/Utmost.ts"

export const suites: Readonly<Record<string, ReadonlyArray<CompactionCase>>> = {
  compactions,
  "more-compactions": moreCompactions,
  "pull-requests": pullRequests
}

export type CompactionResult = Written<CompactionCase> & { readonly assessment: Compaction.CompactionAssessment }

/** In what an assessment is otherwise than expected. */
export const differences = (
  expect: CompactionExpectation,
  said: Compaction.CompactionAssessment
): ReadonlyArray<string> => [
  ...oneOf("action", said.action, expect.action),
  ...oneOf("hasActiveGitWork", said.hasActiveGitWork, expect.git),
  ...mentions("text", said.text, expect.says),
  ...(expect.never ?? []).filter((text) => said.text.includes(text)).map((text) => `text contains "${text}"`),
  ...(expect.confidenceAtMost !== undefined && said.confidence > expect.confidenceAtMost
    ? [`confidence is ${said.confidence}, over ${expect.confidenceAtMost}`]
    : [])
]

/** What goes on after the case, with the ways in which it differs from the expectation. */
export const assess = (suite: string, self: CompactionCase): CompactionResult => {
  const assessment = Compaction.assess(transcript({ ...self, expect: { status: "abstained" } }), {
    context: { config: Utmost.config }
  })
  return { suite, case: self, assessment, differences: differences(self.expect, assessment) }
}

export const assessAll = (): ReadonlyArray<CompactionResult> =>
  Object.entries(suites).flatMap(([suite, cases]) =>
    cases.map((self) => Times.measure("compaction", self.id, () => assess(suite, self)))
  )
