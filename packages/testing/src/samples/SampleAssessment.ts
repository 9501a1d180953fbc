/** Sample answers of a model to the question whether the work is done. */
import type { SelfAssessment } from "@reflexion/core/internal/model/assessment/Answer"

/** It is unknown whether a test or build ran. */
export const complete: SelfAssessment & { readonly evidence: NonNullable<SelfAssessment["evidence"]> } = {
  status: "complete",
  confidence: 0.9,
  push: 0,
  evidence: {
    tests: {
      ran: null,
      results: "unknown",
      ran_after_changes: false,
      commands: [],
      skipped: false,
      skip_reason: null
    },
    build: { ran: null, results: "unknown" },
    pr: { created: false, url: null, ci_status: "unknown", checked: false }
  },
  claims: [],
  remaining_work: [],
  next_steps: [],
  needs_user_action: [],
  stuck: false,
  alternate_approach: null
}

export const announced = (quote: string, event = ""): SelfAssessment => ({
  ...complete,
  status: "in_progress",
  confidence: 0.95,
  push: 0.9,
  remaining_work: [{ what: "the tests", kind: "step", event, quote, name: null }],
  next_steps: ["Write the tests."]
})
