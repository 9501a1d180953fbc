/** What a model claims of the checks, held against what the tool calls prove. */
import type { SelfAssessment } from "./model.ts"
import type { Gate } from "../../judge/verdict/Verdict.ts"
import { passedOver, waved } from "./skippedTests.ts"
import { absence } from "../../session/vocabulary/GateTable.ts"
import type { Turn } from "./TurnRecord.ts"
import { shellCommand } from "../../session/transcript/ToolKinds.ts"

/** A claim that the record does not bear out. `gate` is what it is about. */
export interface Unproved {
  readonly gate: string
  readonly claim: string
  readonly fact: string
}

/** A required gate that the agent passed over: its runs, whatever they say, do not count. `reason` is the record's. */
export interface Skipped {
  readonly gate: string
  readonly reason: string
}

type Evidence = NonNullable<SelfAssessment["evidence"]>

const gateOf = ({ judged }: Turn, name: string): Gate | undefined =>
  judged.verdict.gates.find((gate) => gate.gate === name)

/** A run whose end is not known bears nothing out, and speaks against nothing. */
const mayHavePassed = (turn: Turn, ...names: ReadonlyArray<string>): boolean =>
  names.some((name) => ["passed", "unknown"].includes(gateOf(turn, name)?.result ?? "missing"))

/** The same of one that is said to have failed. */
const mayHaveFailed = (turn: Turn, name: string): boolean =>
  ["failed", "stale", "unknown"].includes(gateOf(turn, name)?.result ?? "missing")

const hasRun = (turn: Turn, ...names: ReadonlyArray<string>): boolean =>
  names.some((name) => (gateOf(turn, name)?.evidence.length ?? 0) > 0)

/** What the record says of a gate instead. */
const standing = (turn: Turn, name: string): string => {
  const gate = gateOf(turn, name)
  return gate === undefined || gate.evidence.length === 0
    ? absence(name)
    : `by the record ${name} ${gate.result === "not_required" ? "did not run since" : `is ${gate.result}`}`
}

const folded = (text: string): string => text.replaceAll(/\s+/g, " ").trim().toLowerCase()

/** Whether a command was issued in this task, as a whole or as a part of one. */
const wasIssued = ({ entries }: Turn, command: string): boolean => {
  const wanted = folded(command)
  return (
    wanted.length > 2 &&
    entries.some(({ event }) => event.type === "tool_call" && folded(shellCommand(event) ?? "").includes(wanted))
  )
}

const testClaims = (turn: Turn, { tests }: Evidence): ReadonlyArray<Unproved> => {
  const fact = standing(turn, "tests")
  const about = { gate: "tests", fact }
  const strange = tests.commands.some((command) => !wasIssued(turn, command))
  return [
    ...(tests.ran && !hasRun(turn, "tests") ? [{ ...about, claim: "the tests ran" }] : []),
    ...(tests.ran && tests.results === "pass" && !mayHavePassed(turn, "tests")
      ? [{ ...about, claim: "the tests passed" }]
      : []),
    ...(tests.results === "fail" && !mayHaveFailed(turn, "tests") ? [{ ...about, claim: "the tests failed" }] : []),
    ...(tests.ran_after_changes && gateOf(turn, "tests")?.result === "stale"
      ? [{ ...about, claim: "the tests ran after the last change" }]
      : []),
    ...(tests.ran && strange
      ? [{ gate: "tests", claim: "another command ran", fact: "no such call is on record" }]
      : [])
  ]
}

const buildClaims = (turn: Turn, { build }: Evidence): ReadonlyArray<Unproved> => {
  const fact = standing(turn, "build")
  if (build.ran && !hasRun(turn, "build", "typecheck")) return [{ gate: "build", claim: "the build ran", fact }]
  return build.ran && build.results === "pass" && !mayHavePassed(turn, "build", "typecheck")
    ? [{ gate: "build", claim: "the build passed", fact }]
    : []
}

const pullRequest =
  /^https?:\/\/[\w.:-]{1,200}\/[\w./~-]{1,300}\/(?:pull|pulls|pull-requests|merge_requests)\/\d{1,10}\b/

/** Whether a tool has said the address: what the agent writes proves nothing. */
const isOnRecord = ({ entries }: Turn, url: string): boolean =>
  entries.some(({ event }) => event.type === "tool_call" && (event.output ?? "").includes(url))

const hasUrl = (turn: Turn, { pr }: Evidence): boolean =>
  pr.url !== null && pullRequest.test(pr.url.slice(0, 600)) && isOnRecord(turn, pr.url.slice(0, 600))

const prClaims = (turn: Turn, evidence: Evidence): ReadonlyArray<Unproved> => {
  const { ci_status: status, checked, created } = evidence.pr
  return [
    ...(created && !mayHavePassed(turn, "pr") && !hasUrl(turn, evidence)
      ? [{ gate: "pr", claim: "a pull request was opened", fact: "no address of one is on record" }]
      : []),
    ...(status === "pass" && !mayHavePassed(turn, "ci")
      ? [{ gate: "ci", claim: "CI is green", fact: standing(turn, "ci") }]
      : []),
    ...(checked && !hasRun(turn, "ci") ? [{ gate: "ci", claim: "CI was looked at", fact: standing(turn, "ci") }] : [])
  ]
}

/** Every claim that no evidence bears out, or that evidence speaks against. */
export const unproved = (turn: Turn, { evidence }: SelfAssessment): ReadonlyArray<Unproved> =>
  evidence === null ? [] : [...testClaims(turn, evidence), ...buildClaims(turn, evidence), ...prClaims(turn, evidence)]

const sure = 0.8

/**
 * The tests, where they were required and passed over as flaky or unimportant: the model says so and is sure, and the
 * record shows it.
 */
export const skipped = (turn: Turn, { confidence, evidence }: SelfAssessment): Skipped | null => {
  if (evidence === null || !(confidence >= sure)) return null
  const { skip_reason: reason, skipped: was } = evidence.tests
  if (!was || reason === null || !waved.test(reason.slice(0, 500))) return null
  const gate = gateOf(turn, "tests")
  const shown = gate?.required === true ? passedOver(turn, gate) : null
  return shown === null ? null : { gate: "tests", reason: shown }
}
