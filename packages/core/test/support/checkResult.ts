import type * as CheckResult from "../../src/checks/CheckResult.ts"

export const checkResult = (over: Partial<CheckResult.CheckResult> = {}): CheckResult.CheckResult => ({
  gate: "tests",
  command: "npm test",
  result: "failed",
  exitCode: 1,
  failing: [{ name: "cart › empties", file: "src/cart.test.ts", line: 12 }],
  detail: "1 failed, 3 passed (cart › empties)",
  output: "",
  at: "2026-01-01T00:00:00.000Z",
  durationMs: 5,
  cached: false,
  ...over
})
