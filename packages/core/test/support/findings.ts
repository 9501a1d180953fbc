/** Findings for tests. */
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"

export const finding = (given: Partial<ReflectionFinding> & { readonly id: string }): ReflectionFinding => ({
  at: "2026-03-01T10:00:00.000Z",
  action: "reflection_rule",
  sessionId: "system:reflection",
  rule: "consecutive_failures",
  severity: "warning",
  subjectType: "task",
  subjectId: "nightly",
  detail: "Task nightly failed 3 times in a row.",
  actionTaken: null,
  ...given
})
