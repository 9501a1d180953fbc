/** Makes a reflection without a model, from the output of a failed attempt. */
import type { FailureContext, FailureType } from "./FailureContext.ts"
import { redactedEnds, redactedHead } from "../../base/redaction/RedactedHead.ts"
import { type Category, limits, type Reflection } from "./Reflection.ts"
import { ofText } from "../../base/system/KeyHash.ts"
import { clip, oneLine } from "../../base/text/Text.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { isTainted, tainted } from "./injection.ts"
import * as RetryPrompt from "./RetryPrompt.ts"
import * as RunnerOutput from "../../session/output/RunnerOutput.ts"
import { tellingLines } from "../../session/output/TellingLines.ts"

/** The code that stores the lesson adds the other fields. */
export type Lesson = Pick<
  Reflection,
  "category" | "analysis" | "suggestion" | "actionItems" | "confidence" | "source" | "model" | "tags"
>

/** Two failures with the same cause have the same `sign`. Empty if the cause is unknown. */
interface Said extends Pick<Lesson, "category" | "analysis" | "suggestion" | "actionItems" | "confidence"> {
  readonly sign: string
}

const types: Readonly<Record<FailureType, readonly [what: string, Category, suggestion: string]>> = {
  test_failure: [
    "The tests failed",
    "root_cause",
    "Find out why the first failing test fails. Change the code, not the test."
  ],
  typecheck_failure: [
    "The type check failed",
    "misconception",
    "Look up what the code at the first error relies on. Do not silence the error."
  ],
  build_failure: [
    "The build failed",
    "root_cause",
    "Fix the code that the first error names. Other errors often follow from it."
  ],
  runtime_error: [
    "The program failed while it ran",
    "root_cause",
    "Trace the value that causes the error. Do not catch the error."
  ],
  timeout: [
    "The attempt ran out of time",
    "approach_flaw",
    "Find out what the program waits for. More time only hides the cause."
  ],
  verification_failed: ["A claim was not proved", "verification", "Do what is missing, and run a check that shows it."]
}

/** Words in an output that decide the category of the lesson, for any type of failure. */
const signs: ReadonlyArray<readonly [on: RegExp, Category]> = [
  [/missing script|no rule to make target|script not found|couldn't find a script/i, "tool_misuse"],
  [
    /command not found|: not found$|E(?:CONNREFUSED|ADDRINUSE|ACCES|NOSPC)|permission denied|out of memory/im,
    "environment"
  ],
  [/cannot find (?:module|package|name)|no module named|unresolved import|ENOENT|no such file/i, "missing_context"],
  [/timed? ?out|deadline exceeded/i, "approach_flaw"],
  [/no tests? (?:found|ran|files)|coverage .{0,80}threshold/i, "test_gap"]
]

const sentence = (text: string): string => {
  const one = oneLine(text, 240)
  return `${one.slice(0, 1).toUpperCase()}${one.slice(1)}${/[.?!]$/.test(one) ? "" : "."}`
}

/** Makes a lesson from a verdict's missing work and next actions. Null if nothing is missing. */
const ofMissing = ({ failureType, missing = [], nextActions = [] }: FailureContext): Said | null => {
  const [first, ...more] = missing
  if (first === undefined) return null
  const [, category, otherwise] = types[failureType]
  const [suggestion = otherwise, ...actionItems] = nextActions
  const analysis = [`The agent stopped, and this was not done: ${oneLine(first, 240)}`, ...more.slice(0, 2)]
  return {
    category,
    analysis: analysis.map(sentence).join(" "),
    suggestion,
    actionItems,
    confidence: 0.6,
    sign: `missing ${first}`
  }
}

const ofOutput = ({ errorOutput, failureType, nextActions = [] }: FailureContext): Said => {
  const passed = failureType === "test_failure" ? RunnerOutput.testsIn(errorOutput) : null
  const lines = tellingLines(errorOutput)
  const test = RunnerOutput.failingTest(errorOutput)
  const [what, ofType, suggestion] = types[failureType]
  const told = lines.join("\n")
  const category = signs.find(([on]) => on.test(told))?.[1] ?? ofType
  if (passed?.outcome === "passed" && test === null)
    return {
      category: "verification",
      analysis: `No test failed: the output says ${passed.detail}. If the attempt failed, the cause was something else.`,
      suggestion: "Find out what else failed before you change anything.",
      actionItems: [],
      confidence: 0.3,
      sign: ""
    }
  const name = test === null ? "" : `"${oneLine(test, 100).replaceAll('"', "'")}"`
  const head = test === null ? what : `The test ${name} failed`
  return {
    category,
    analysis: lines.length === 0 ? `${head}, and the output does not say why.` : `${head}:\n${told}`,
    suggestion: nextActions[0] ?? suggestion,
    actionItems:
      test === null
        ? nextActions.slice(1)
        : [`Run ${name} alone until it passes.`, "Run the whole suite once before you say that the task is done."],
    confidence: lines.length === 0 ? 0.3 : test === null ? 0.5 : 0.6,
    sign: lines.length === 0 ? "" : `${test ?? ""} ${told}`
  }
}

/** An earlier attempt failed for the same cause, so the lesson asks for another approach. */
const again = (said: Said, before: ReadonlyArray<Reflection>): Said => ({
  ...said,
  category: "approach_flaw",
  analysis: `The attempt failed in the same way as attempt ${Math.max(...before.map(({ attemptNumber }) => attemptNumber))}: the changes since then did not touch the cause. ${said.analysis}`,
  suggestion: `Take a different approach than before. ${said.suggestion}`,
  actionItems: ["Say in one sentence why the last change could not help.", ...said.actionItems]
})

const maxPart = 65_536

const heads = (texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.map((text) => redactedHead(text, 1000))

/** Removes secrets before any text is cut, because half of a secret would not be recognised. */
const safe = ({ errorOutput, missing, nextActions, ...failure }: FailureContext): FailureContext => {
  const { head, tail } = redactedEnds(errorOutput, maxPart)
  return {
    ...failure,
    errorOutput: tail === "" ? head : `${head}\n${tail}`,
    ...(missing !== undefined && { missing: heads(missing) }),
    ...(nextActions !== undefined && { nextActions: heads(nextActions) })
  }
}

const maxSign = 160

/** Text that changes in each attempt: temporary folders, memory addresses, random ids, times and line numbers. */
const passing =
  /(?:\/tmp|\/var\/(?:tmp|folders)|\\Temp)[\\/][^\s'"]*[\\/]|\b0x[\da-f]{6,16}\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b\d+(?:\.\d+)? ?m?s\b|:\d+(?::\d+)?\b|\(\d+\)/gi

/** If a sign is cut, a hash keeps it different from other signs. */
const signOf = (text: string): string => {
  const whole = redact(text.trim()).replaceAll(passing, "#").replaceAll(/\s+/g, " ")
  return whole.length <= maxSign ? whole : `${clip(whole, maxSign - 8)} ${ofText(whole).toString(36)}`
}

/**
 * If an open reflection in the attempt's prompt (`previous`) has the same cause, the lesson asks for another approach.
 */
export const reflect = (failure: FailureContext, previous: ReadonlyArray<Reflection> = []): Lesson => {
  const known = safe(failure)
  const first = ofMissing(known) ?? ofOutput(known)
  const sign = signOf(first.sign)
  // An unknown cause cannot be compared with other causes.
  const before = previous.filter((one) => sign !== "" && one.tags.includes(sign) && !RetryPrompt.isResolved(one))
  const { actionItems, analysis, category, confidence, suggestion } = before.length === 0 ? first : again(first, before)
  return {
    category,
    analysis: clip(redact(analysis), limits.analysis),
    suggestion: clip(redact(suggestion), limits.text),
    actionItems: actionItems.slice(0, limits.items).map((one) => clip(redact(one), limits.item)),
    confidence,
    source: "heuristic",
    model: null,
    tags: sign === "" ? [failure.failureType] : [failure.failureType, sign]
  }
}

/** If the failure has words that give orders to a reader, the record is marked and never used in a prompt. */
export const reflectionOf = (
  { attemptNumber, sessionId, subtaskId, taskId, ...failure }: FailureContext,
  lesson: Lesson,
  { createdAt, id }: Pick<Reflection, "createdAt" | "id">
): Reflection => {
  const { errorOutput, filesModified, missing = [], nextActions = [], subtaskDescription } = failure
  const speaks = [errorOutput, subtaskDescription, ...filesModified, ...missing, ...nextActions].some(isTainted)
  const tags = speaks ? [...lesson.tags, tainted] : lesson.tags
  return { id, sessionId, taskId, subtaskId, attemptNumber, createdAt, ...lesson, tags }
}

export const make = (
  failure: FailureContext,
  { previous, ...record }: Pick<Reflection, "createdAt" | "id"> & { readonly previous?: ReadonlyArray<Reflection> }
): Reflection => reflectionOf(failure, reflect(failure, previous), record)
