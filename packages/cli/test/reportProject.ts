/** A week of a project, as the hooks leave it in `.reflection/`. */
import * as AskLines from "@reflexion/core/internal/model/calls/AskLines"
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import { Mutator } from "@reflexion/core/Mutator"
import * as RecommendedAction from "@reflexion/core/RecommendedAction"
import type { CheckResult } from "@reflexion/core/internal/checks/CheckResult"
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import type { Gate, Verdict } from "@reflexion/core/Verdict"
import { Effect } from "effect"
import { failing } from "./verdicts.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** When the week ends. */
export const now = Date.parse("2026-02-01T12:00:00.000Z")

const iso = (at: number): string => new Date(at).toISOString()

const gate = (name: string, result: Gate["result"], command: string, at: number): Gate => ({
  gate: name,
  required: result !== "not_required",
  result,
  detail: result === "failed" ? "41 passed, 1 failed" : result === "passed" ? "42 passed" : "",
  evidence:
    result === "missing" || result === "not_required"
      ? []
      : [{ callId: `c${at}${name}`, command, exitCode: result === "failed" ? 1 : 0, at: iso(at) }]
})

/** One stop of a session's turn, and what was decided. */
export interface Given {
  readonly session: string
  readonly at: number
  readonly host?: string
  readonly turn?: number
  readonly verdict?: Partial<Verdict>
  readonly kind?: "push" | "none" | "notice" | "abstain"
  readonly attempt?: number
  readonly reason?: string
  readonly more?: Partial<ArtifactFiles.Review>
}

export const review = (given: Given): ArtifactFiles.Review => {
  const turn = given.turn ?? 0
  const verdict: Verdict = {
    ...failing,
    host: given.host ?? "claude-code",
    sessionId: given.session,
    contradictions: [],
    gates: [gate("tests", "failed", "npm test", given.at - minute)],
    ...given.verdict,
    turn: {
      index: turn,
      userMessageId: `u${turn}`,
      userMessageAt: iso(given.at - 20 * minute - turn),
      stoppedAt: iso(given.at - 1000)
    }
  }
  return {
    sessionId: given.session,
    timestamp: given.at,
    verdict,
    decision: {
      kind: given.kind ?? (verdict.shouldContinue ? "push" : "none"),
      reason: given.reason ?? verdict.reason,
      attempt: given.attempt ?? (verdict.shouldContinue ? 1 : null),
      maxAttempts: 3,
      notice: null
    },
    ...given.more
  }
}

const done = (summary: string, at: number): Partial<Verdict> => ({
  status: "complete",
  complete: true,
  shouldContinue: false,
  severity: "NONE",
  reason: "All required gates passed.",
  feedback: null,
  missing: [],
  nextActions: [],
  confidence: 0.95,
  stop: { kind: "complete", pattern: null },
  task: { type: "coding", summary, requirements: ["tests"] },
  gates: [gate("tests", "passed", "npm test", at - minute)]
})

const open = (summary: string): Partial<Verdict> => ({
  task: { type: "coding", summary, requirements: ["tests"] }
})

const check: CheckResult = {
  gate: "tests",
  command: "npm test",
  result: "passed",
  exitCode: 0,
  failing: [],
  detail: "42 passed",
  output: "",
  at: null,
  durationMs: 4200,
  cached: false
}

const tasks = [
  "Add a retry to the uploader and run the tests",
  "Move the rounding into the tax module",
  "Fix the flaky login test",
  "Write the release notes for 2.4",
  "Let the cart be emptied from the header",
  "Replace the date library"
]

const ids = (index: number): string => `${String(index).padStart(8, "0")}-9f0e-4c55-8a31-0123456789ab`

/** A task that is pushed once and then done. */
const mended = (index: number, at: number): ReadonlyArray<ArtifactFiles.Review> => {
  const summary = tasks[index % tasks.length] ?? ""
  const session = ids(index)
  const again: ArtifactFiles.Review = review({
    session,
    at,
    verdict: done(summary, at),
    more: {
      progress: {
        attempt: 1,
        followed: "all",
        gates: [],
        done: [],
        stuck: [],
        fresh: [],
        summary: "Since reminder 1: tests: failed, now passed"
      }
    }
  })
  return [review({ session, at: at - 9 * minute, verdict: open(summary) }), again]
}

const asked = (index: number, at: number): ArtifactFiles.Review =>
  review({
    session: ids(index),
    at,
    host: "opencode",
    verdict: {
      ...done(tasks[index % tasks.length] ?? "", at),
      source: "model",
      cost: { modelCalls: 2, inputTokens: 5400 + index * 310, outputTokens: 420 + index * 11, durationMs: 6100 }
    },
    more: {
      asked: {
        promptVersion: 3,
        model: "claude-sonnet-4-5",
        by: "self_assessment",
        problem: null,
        answer: null,
        end: "answered",
        question: null,
        told: null
      }
    }
  })

const checked = (index: number, at: number): ArtifactFiles.Review =>
  review({
    session: ids(index),
    at,
    host: "codex",
    verdict: {
      ...done(tasks[index % tasks.length] ?? "", at),
      source: "verification",
      cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, durationMs: 4300 }
    },
    more: { checks: [{ ...check, at: iso(at) }] }
  })

/** The push was wrong: the same gates, and the next review has nothing against them. */
const doubtful = (index: number, at: number): ReadonlyArray<ArtifactFiles.Review> => {
  const session = ids(index)
  const gates = [gate("tests", "missing", "npm test", at)]
  const said: Partial<Verdict> = {
    reason: "Not done: the agent asked for leave to do what it was told to do.",
    stop: { kind: "premature", pattern: "permission_seeking" },
    severity: "MEDIUM",
    confidence: 0.6,
    task: { type: "docs", summary: "Write the release notes for 2.4", requirements: [] },
    gates,
    feedback: "[reflexion 1/3] You asked whether to go on. The task says so already: write the notes."
  }
  const waits = { ...said, status: "waiting_for_user", shouldContinue: false, feedback: null, missing: [] } as const
  return [
    review({ session, at: at - 5 * minute, verdict: said }),
    review({ session, at, verdict: waits, reason: "the agent waits for its user" })
  ]
}

const abstained = (index: number, at: number): ArtifactFiles.Review =>
  review({
    session: ids(index),
    at,
    kind: "abstain",
    reason: "no gate is required, and what the agent said decides nothing",
    verdict: {
      status: "abstained",
      shouldContinue: false,
      feedback: null,
      reason: "Nothing in the record decides whether this is done.",
      gates: [gate("tests", "not_required", "", at)],
      task: { type: "research", summary: "Where is the upload code, and who calls it?", requirements: [] }
    }
  })

const exhausted = (index: number, at: number): ReadonlyArray<ArtifactFiles.Review> =>
  [1, 2, 3, 4].map((attempt) =>
    review({
      session: ids(index),
      at: at - (4 - attempt) * 6 * minute,
      attempt,
      verdict: { ...open("Fix the flaky login test"), shouldContinue: attempt < 4 },
      kind: attempt < 4 ? "push" : "none",
      ...(attempt === 4 && { reason: "3 of 3 pushes are used up" }),
      more: {
        progress: {
          attempt,
          followed: "none",
          gates: [],
          done: [],
          stuck: [],
          fresh: [],
          summary: `Since reminder ${attempt} nothing moved`
        }
      }
    })
  )

/** All reviews of the week. */
export const week: ReadonlyArray<ArtifactFiles.Review> = [0, 1, 2, 3, 4, 5, 6].flatMap((back) => {
  const at = now - back * day
  const first = back * 10
  return [
    ...mended(first, at - 2 * hour),
    ...(back % 2 === 0 ? mended(first + 1, at - 3 * hour) : []),
    asked(first + 2, at - 4 * hour),
    checked(first + 3, at - 5 * hour),
    ...(back % 3 === 0 ? doubtful(first + 4, at - 6 * hour) : []),
    abstained(first + 5, at - 7 * hour),
    ...(back === 2 ? exhausted(first + 6, at - 8 * hour) : [])
  ]
})

const lesson = (id: string, over: Readonly<Record<string, unknown>>) =>
  JSON.stringify({
    id,
    sessionId: ids(1),
    taskId: "uploader",
    subtaskId: "uploader-retry",
    attemptNumber: 1,
    category: "root_cause",
    analysis: "The mock clock was never advanced, so the second try was never made.",
    suggestion: "Advance the test clock past the back-off before you assert on the second call.",
    actionItems: [],
    confidence: 0.8,
    createdAt: iso(now - 2 * day),
    source: "heuristic",
    model: null,
    tags: [],
    ...over
  })

const outcome = (id: string | null, success: boolean) =>
  JSON.stringify({
    event: "outcome",
    success,
    at: iso(now - day),
    reflectionIds: id === null ? [] : [id],
    taskId: "uploader",
    subtaskId: null,
    attemptNumber: null
  })

const memory = [
  lesson("lesson-new", {}),
  lesson("lesson-helps", {
    suggestion: "Run the type check before the tests: half of the failures were types.",
    createdAt: iso(now - 20 * day)
  }),
  lesson("lesson-harms", {
    suggestion: "Delete the lock file and install again.",
    category: "environment",
    createdAt: iso(now - 30 * day)
  }),
  lesson("lesson-idle", { suggestion: "Use the older API of the payment provider.", createdAt: iso(now - 200 * day) }),
  ...[true, true, true, true, false].map((success) => outcome("lesson-helps", success)),
  ...[false, false, false].map((success) => outcome("lesson-harms", success)),
  ...[true, false, false, true, false, false].map((success) => outcome(null, success))
]

const finding = JSON.stringify({
  id: "finding-1",
  at: iso(now - day),
  action: "reflection_rule",
  sessionId: "system:reflection",
  rule: "consecutive_failures",
  severity: "warning",
  subjectType: "task",
  subjectId: "login-test",
  detail: "4 attempts at the task failed one after the other, the last with the same message: expected 200, got 503.",
  actionTaken: null
})

const recommended = (target: string, change: string, reason: string): RecommendedAction.RecommendedAction => {
  const made = RecommendedAction.make({ target, change, reason })
  if (made === null) throw new Error(`${target}: no change`)
  return made
}

/** What is proposed in a file. */
export const proposed = recommended(
  "tasks/login-test",
  "Wait for the service to be ready before the first request, for a minute at most.",
  "All four failures came within two seconds of its start."
)

/** Has the real mutator propose it in a project; gives the whole place of the proposal. */
export const leaveProposal = (root: string) =>
  Effect.flatMap(Mutator, ({ propose }) => propose(proposed)).pipe(
    Effect.map(({ reference }) => reference),
    Effect.provide(Mutator.Proposal({ directory: root }))
  )

const line = (over: Readonly<Record<string, unknown>>): string => JSON.stringify({ ...JSON.parse(finding), ...over })

/** The log of findings once a model has looked at them; `proposal` is where its proposal went. */
export const analysedFindings = (proposal: string): string => {
  const analysis = "by-hand-analysis-1"
  return lines([
    line({ actionTaken: `analysed: ${analysis}` }),
    line({
      id: "finding-2",
      rule: "skill_failure_correlation",
      subjectType: "skill",
      subjectId: "skills/deploy.md",
      detail: "3 of the 4 attempts that loaded it failed; of the others 1 of 11.",
      actionTaken: `analysed: ${analysis}`
    }),
    line({
      id: analysis,
      at: iso(now - 20 * hour),
      action: "reflection_analysis",
      rule: "analysis",
      severity: "action_taken",
      subjectType: "sub_session",
      subjectId: analysis,
      detail: `Both patterns begin at a fresh machine. The deploy skill pushes without a login, which only worked while an old token was cached; the login test asks a service that has not started yet.\n\nRecommended:\n- skills/deploy.md: Log in to the registry before the image is pushed.\n- ${proposed.target}: ${proposed.change}`,
      actionTaken: `left branch reflexion/deploy, proposal ${proposal}`
    }),
    line({
      id: "by-hand-analysis-0",
      at: iso(now - 2 * day),
      action: "reflection_analysis",
      rule: "analysis",
      severity: "action_taken",
      subjectType: "sub_session",
      subjectId: "by-hand-analysis-0",
      detail: `The integration tests are run without their database.\n\nRecommended:\n- skills/tests.md: Say which database the integration tests need.`,
      actionTaken: "left branch reflexion/database"
    })
  ])
}

const attempt = (index: number, status: string) =>
  JSON.stringify({
    id: `attempt-${index}`,
    taskId: "uploader",
    sessionId: ids(index),
    objective: "Add a retry to the uploader",
    status,
    durationMs: 60_000,
    tools: [],
    loaded: [],
    resultLength: 120,
    backend: "claude-code",
    at: iso(now - index * hour)
  })

const decision = (directory: string, over: Partial<Decision.Decision>): string =>
  Decision.encode({
    at: iso(now - day),
    host: "claude-code",
    sessionId: ids(0),
    directory,
    event: "Stop",
    decision: "none",
    reason: "",
    status: null,
    severity: null,
    attempt: null,
    maxAttempts: null,
    durationMs: 80,
    ...over
  })

const lines = (texts: ReadonlyArray<string>): string => texts.map((text) => `${text}\n`).join("")

export const recordFiles = (reviews: ReadonlyArray<ArtifactFiles.Review>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    reviews.flatMap((one) => ArtifactFiles.files(one).map(({ name, text }) => [`.reflection/${name}`, text] as const))
  )

/** The skills of the project, before any change of them. */
export const skills: Readonly<Record<string, string>> = {
  "skills/deploy.md": "# Deploy\n\n1. Build the image.\n2. Push the image.\n",
  "skills/tests.md": "# Tests\n\nRun `npm test`.\n"
}

/** The files of the project, relative to its root. */
export const files: Readonly<Record<string, string>> = {
  ...recordFiles(week),
  ".reflection/reflections.jsonl": lines(memory),
  ".reflection/findings.jsonl": lines([finding]),
  ".reflection/outcomes.jsonl": lines(
    ["completed", "completed", "failed", "timeout", "completed"].map((status, index) => attempt(index + 1, status))
  )
}

/** The decision log, of this project and of another. */
export const log = (root: string): string =>
  lines([
    decision(root, { decision: "failure", reason: "the record could not be read: it is locked" }),
    decision(root, { decision: "reminder", reason: "all todos are done" }),
    decision("/elsewhere", { decision: "failure", reason: "not of this project" })
  ])

/** What models were asked at stops of the week, of the last of them without an answer. */
const put: ReadonlyArray<AskLines.AskLine> = week.map((one, index) => ({
  at: iso(one.timestamp),
  host: index % 3 === 0 ? "codex" : "claude-code",
  session: one.sessionId,
  model: index % 3 === 0 ? "codex/small" : "claude-code/small",
  ms: 2100 + 40 * index,
  end: index === week.length - 1 ? "late" : "answered",
  inputTokens: 3600 + 10 * index,
  outputTokens: 280,
  attended: true
}))

/** The files of the user's state in which they are, by their names. */
export const questions: Readonly<Record<string, string>> = Object.fromEntries(
  [...new Set(put.map(({ at }) => at.slice(0, 10)))].map((day) => [
    `models/${AskLines.fileOf(day)}`,
    put
      .filter(({ at }) => at.startsWith(day))
      .map(AskLines.print)
      .join("\n")
  ])
)
