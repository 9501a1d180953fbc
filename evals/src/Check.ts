/** Compares a verdict with a case's expectation. */
import type { Verdict } from "@reflexion/core/Verdict"
import type { Expectation } from "./Case.ts"

const oneOf = <A>(what: string, actual: A, expected: A | ReadonlyArray<A> | undefined): ReadonlyArray<string> => {
  if (expected === undefined) return []
  const allowed: ReadonlyArray<unknown> = Array.isArray(expected) ? expected : [expected]
  return allowed.includes(actual) ? [] : [`${what} is ${String(actual)}, not ${allowed.join(" or ")}`]
}

const gateResults = (expect: Expectation, verdict: Verdict): ReadonlyArray<string> =>
  Object.entries(expect.gates ?? {}).flatMap(([name, expected]) =>
    oneOf(`gate ${name}`, verdict.gates.find((gate) => gate.gate === name)?.result ?? "missing", expected)
  )

const mentions = (expect: Expectation, verdict: Verdict): ReadonlyArray<string> => {
  const feedback = (verdict.feedback ?? "").toLowerCase()
  return (expect.feedback ?? [])
    .filter((text) => !feedback.includes(text.toLowerCase()))
    .map((text) => `feedback does not mention "${text}"`)
}

/** Every point in which the verdict differs from the expectation; none where it agrees. */
export const differences = (expect: Expectation, verdict: Verdict): ReadonlyArray<string> => [
  ...oneOf("status", verdict.status, expect.status),
  ...oneOf("shouldContinue", verdict.shouldContinue, expect.push),
  ...oneOf("requiresHumanAction", verdict.requiresHumanAction, expect.human),
  ...oneOf("severity", verdict.severity, expect.severity),
  ...oneOf("stop.kind", verdict.stop.kind, expect.kind),
  ...oneOf("stop.pattern", verdict.stop.pattern, expect.pattern),
  ...gateResults(expect, verdict),
  ...oneOf("contradicted", verdict.contradictions.length > 0, expect.contradicted),
  ...mentions(expect, verdict),
  ...(expect.confidenceAtMost !== undefined && verdict.confidence > expect.confidenceAtMost
    ? [`confidence is ${verdict.confidence}, over ${expect.confidenceAtMost}`]
    : [])
]
