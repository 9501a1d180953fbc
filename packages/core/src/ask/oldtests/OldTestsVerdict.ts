/** The verdict with what the tests as they were say of the code as it is. Pure. */
import { clip, plural } from "../../ground/text/Text.ts"
import * as Feedback from "../../judge/verdict/Feedback.ts"
import { ofOther, worded } from "../../judge/verdict/Missing.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"
import type { OldTests } from "./model.ts"

export type { OldTests as Result } from "./model.ts"

/** `maySpeak`: whether the agent may be pushed now at all. */
export interface Options {
  readonly attempt: number
  readonly maxAttempts: number
  readonly maySpeak: boolean
  readonly unattended: boolean
}

const shown = 5

const namesOf = ({ failing }: OldTests): string => {
  const names = failing.slice(0, shown).map(({ file, name }) => `"${name}"${file === null ? "" : ` (${file})`}`)
  return `${names.join(", ")}${failing.length > shown ? ` and ${failing.length - shown} more` : ""}`
}

const filesOf = ({ files }: OldTests): string =>
  `${files
    .slice(0, shown)
    .map(({ path }) => path)
    .join(", ")}${files.length > shown ? ` and ${files.length - shown} more` : ""}`

/**
 * One line for a person.
 *
 * @category formatting
 */
export const describe = (result: OldTests): string => {
  const what = `the tests as they were before the task (${filesOf(result)}${result.base === null ? "" : `, by commit ${result.base}`})`
  switch (result.result) {
    case "passed":
      return `${what} pass on the present code: ${result.detail}`
    case "failed":
      return `${what} fail on the present code, where those of now pass: ${namesOf(result)}${result.told === null ? "" : `. ${result.told}`}`
    case "unknown":
      return `${what} say nothing: ${result.detail}`
  }
}

/** Whether it stands against the task. */
export const isHeld = ({ result, told }: OldTests): boolean => result === "failed" && told === null

const factOf = (result: OldTests): string =>
  `The tests as they were before this task (${filesOf(result)}), run by reflexion on the present code, fail: ${namesOf(result)}. With the tests as you left them the same command passes.`

const actions = [
  "Mend the source so that the tests pass as they were, and put back what you changed in them.",
  "Or, if such a test is wrong or what was asked calls for another one, leave it as it was, say so and show why."
]

/**
 * The verdict, which is never complete over old tests that fail. What is only told leaves it as it is.
 *
 * @category verdicts
 */
export const apply = (verdict: Verdict, result: OldTests, options: Options): Verdict => {
  if (!isHeld(result)) return verdict
  const message = `the tests as they were before the task fail on the present code: ${plural(result.failing.length, "test")}, ${namesOf(result)}`
  const found = ofOther("tampering/old-tests-fail", message, {
    level: "push",
    severity: "HIGH",
    gate: "tests",
    failing: result.failing.map(({ name }) => name)
  })
  const { attempt, maxAttempts, maySpeak, unattended } = options
  const told = { facts: [factOf(result)], actions, contradictions: [], human: [], attempt, maxAttempts, unattended }
  return {
    ...verdict,
    status: "incomplete",
    complete: false,
    shouldContinue: maySpeak,
    severity: "HIGH",
    reason: clip(`Not done: ${message}.`, 300),
    feedback: maySpeak ? Feedback.render(told) : null,
    ...worded([found, ...verdict.findings]),
    nextActions: [...actions, ...verdict.nextActions].slice(0, 20),
    confidence: 0.9,
    source: "verification",
    stop: { kind: "premature", pattern: "false_complete" }
  }
}
