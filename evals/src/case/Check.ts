/** Compares a verdict with a case's expectation. */
import type { Verdict } from "@reflexion/core/Verdict"
import type { Expectation } from "./Case.ts"

/** What an answer is, where it is none of those expected. */
export const oneOf = <A>(
  what: string,
  actual: A,
  expected: A | ReadonlyArray<A> | undefined
): ReadonlyArray<string> => {
  if (expected === undefined) return []
  const allowed: ReadonlyArray<unknown> = Array.isArray(expected) ? expected : [expected]
  return allowed.includes(actual) ? [] : [`${what} is ${String(actual)}, not ${allowed.join(" or ")}`]
}

const gateResults = (expect: Expectation, verdict: Verdict): ReadonlyArray<string> =>
  Object.entries(expect.gates ?? {}).flatMap(([name, expected]) =>
    oneOf(`gate ${name}`, verdict.gates.find((gate) => gate.gate === name)?.result ?? "missing", expected)
  )

/** What a text lacks of what it has to contain, whatever the case. */
export const mentions = (
  what: string,
  text: string,
  wanted: ReadonlyArray<string> | undefined
): ReadonlyArray<string> => {
  const lowered = text.toLowerCase()
  return (wanted ?? [])
    .filter((one) => !lowered.includes(one.toLowerCase()))
    .map((one) => `${what} does not mention "${one}"`)
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
  ...mentions("feedback", verdict.feedback ?? "", expect.feedback),
  ...(expect.confidenceAtMost !== undefined && verdict.confidence > expect.confidenceAtMost
    ? [`confidence is ${verdict.confidence}, over ${expect.confidenceAtMost}`]
    : [])
]
