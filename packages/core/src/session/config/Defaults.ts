/** The default values. A hook loads the defaults without the schemas. */
import type { ReflexionConfig } from "./model.ts"

export const defaults: ReflexionConfig = {
  profile: "balanced",
  attended: "auto",
  gates: [],
  rules: {},
  ruleLimits: {},
  maxAttempts: 3,
  continueAfterLimit: false,
  stuck: { silence: 30, stall: 180 },
  model: "off",
  models: {
    fallback: [],
    fast: {},
    providers: {},
    nudgeFrom: 0.6,
    timeout: 60,
    tokensPerReview: 60_000,
    tokensPerDay: 2_000_000,
    callsPerDay: 20
  },
  crossReview: {},
  routing: {},
  checks: [],
  doneWhen: [],
  memory: {
    enabled: true,
    maxReflectionsPerRetry: 3,
    generationTimeoutMs: 30_000,
    retentionDays: 30,
    crossTask: 0.3
  },
  todos: {
    enabled: true,
    agents: [],
    delegates: [],
    limits: { implementation: 1, "no-delegation": 1, parallel: 1, "large-list": 1, completed: 1 },
    resetOn: "completion",
    delegateFrom: 2,
    largeFrom: 7,
    required: false
  },
  cycle: {
    enabled: true,
    batch_threshold: 10,
    consecutive_failure_limit: 3,
    lookback_seconds: 86_400,
    min_result_length: 50
  }
}
