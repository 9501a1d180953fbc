import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"

export const outcome = (given: Partial<AttemptOutcome> & { readonly id: string }): AttemptOutcome => ({
  taskId: "nightly",
  sessionId: "s1",
  objective: "Refresh the price list of the shop",
  status: "failed",
  durationMs: 1000,
  tools: [],
  loaded: [],
  resultLength: 400,
  backend: "codex",
  at: "2026-03-01T10:00:00.000Z",
  ...given
})
