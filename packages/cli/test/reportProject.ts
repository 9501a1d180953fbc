/** Three days of a project, as the hooks leave them in `.reflection/` and in the user's state. */
import type { CheckResult } from "@reflexion/core/internal/checks/CheckResult"
import * as TodoGuardrails from "@reflexion/core/internal/judge/todos/TodoGuardrails"
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import type { Gate, Verdict } from "@reflexion/core/Verdict"
import { Effect, TestClock } from "effect"
import { hooksHome } from "./hooksHome.ts"

export const minute = 60_000
export const day = 1440 * minute

/** When they end. */
export const now = Date.parse("2026-02-01T12:00:00.000Z")

const iso = (at: number): string => new Date(at).toISOString()

const lines = (all: ReadonlyArray<string>): string => all.map((one) => `${one}\n`).join("")

const tests = (result: Gate["result"]): ReadonlyArray<Gate> => [
  { gate: "tests", required: result !== "not_required", result, detail: "", evidence: [] }
]

const said = {
  reason: "The tests fail after the last edit.",
  findings: [],
  confidence: 0.92,
  source: "evidence"
} as const
const nudging = { complete: false, shouldContinue: true, requiresHumanAction: false, severity: "HIGH" } as const
const times = { userMessageAt: "2026-01-31T10:12:01.000Z", stoppedAt: "2026-01-31T10:31:05.000Z" }

/** A turn whose tests fail and whose final text says that they pass. */
const failing: Verdict = {
  ...said,
  ...nudging,
  version: 1,
  host: "claude-code",
  sessionId: "0f3c1d52",
  status: "incomplete",
  feedback: "The tests fail: uploads retries twice.\n\n- Run npm test again.\n- Correct src/upload.ts first.",
  missing: ["tests: 1 of 42 fails, uploads retries twice"],
  nextActions: ["Correct src/upload.ts, then run npm test"],
  stop: { kind: "premature", pattern: "false_complete" },
  turn: { index: 0, userMessageId: "u3", ...times },
  task: { type: "coding", summary: "Add a retry to the uploader and run the tests", requirements: ["tests"] },
  gates: tests("failed"),
  contradictions: [{ claim: "All tests pass now.", fact: "npm test exited 1", callId: "t1" }],
  cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0, durationMs: 3 }
}

type Given = Partial<Verdict> & { readonly session: string; readonly at: number; readonly task?: Verdict["task"] }

/** A stop at which the agent was nudged, unless `kind` says otherwise. */
export const stop = (
  { at, session, ...verdict }: Given,
  decision: Partial<ArtifactFiles.Review["decision"]> = {},
  more: Partial<ArtifactFiles.Review> = {}
): ArtifactFiles.Review => ({
  sessionId: session,
  timestamp: at,
  verdict: { ...failing, ...verdict, sessionId: session },
  decision: {
    kind: "nudge",
    reason: verdict.reason ?? failing.reason,
    attempt: 1,
    maxAttempts: 3,
    notice: null,
    ...decision
  },
  ...more
})

export const task = (summary: string): Verdict["task"] => ({ type: "coding", summary, requirements: ["tests"] })

const done = {
  status: "complete",
  reason: "All required gates passed.",
  feedback: null,
  gates: tests("passed")
} as const

const question = {
  status: "abstained",
  reason: "Nothing decides whether this is done.",
  task: task("Who calls it?")
} as const

const quiet = { kind: "none", attempt: null } as const

const passed = { result: "passed", exitCode: 0, failing: [], detail: "42 passed", output: "", cached: false } as const
const check: CheckResult = { ...passed, gate: "tests", command: "npm test", at: null, durationMs: 4200 }

const question4k = { model: "claude-code/small", ms: 3200, inputTokens: 4000, outputTokens: 300 }
const kept = { promptVersion: 3, model: "claude-code/small", problem: null, answer: null, told: null } as const
const asked = { ...kept, end: "answered", question: question4k } as const

const retry = { session: "aaaaaaaa-1", task: task("Add a retry to the uploader and run the tests") }
const login = { session: "bbbbbbbb-2", host: "codex", task: task("Fix the flaky login test") }
const notes = {
  session: "cccccccc-3",
  host: "opencode",
  task: task("Write the release notes for 2.4"),
  gates: tests("missing")
}
const cart = { session: "dddddddd-4", task: task("Let the cart be emptied from the header") }

export const stops: ReadonlyArray<ArtifactFiles.Review> = [
  stop({ ...retry, at: now - 2 * day }),
  stop({ ...retry, ...done, at: now - 2 * day + 9 * minute }, quiet, { checks: [check] }),
  ...[1, 2, 3].map((attempt) => stop({ ...login, at: now - day + attempt * minute }, { attempt })),
  stop({ ...login, at: now - day + 4 * minute }, { ...quiet, reason: "3 of 3 nudges are used up" }),
  stop({ ...notes, at: now - 60 * minute, feedback: "You asked whether to go on.\nWrite the notes." }),
  stop({ ...notes, at: now - 50 * minute, status: "waiting_for_user", reason: "It asks which version." }, quiet),
  stop({ ...cart, ...done, at: now - 40 * minute }, quiet, { asked }),
  stop({ ...cart, at: now - 30 * minute, turn: { ...failing.turn, index: 1 } }),
  stop({ session: "eeeeeeee-5", ...done, ...question, at: now - 20 * minute }, { ...quiet, kind: "abstain" })
]

const lesson = (id: string, suggestion: string, createdAt = now - day): string =>
  `{"id":"${id}","suggestion":"${suggestion}","sessionId":"aaaaaaaa-1","taskId":"shop","subtaskId":"shop/cart","attemptNumber":1,` +
  `"category":"root_cause","analysis":"The mock clock was never advanced.","actionItems":[],"confidence":0.8,"tags":[],` +
  `"createdAt":"${iso(createdAt)}","source":"heuristic","model":null}`

const outcome = (success: boolean, ...ids: ReadonlyArray<string>): string =>
  `{"event":"outcome","success":${success},"at":"${iso(now - day)}","reflectionIds":${JSON.stringify(ids)},"taskId":"shop","subtaskId":null,"attemptNumber":null}`

const finding =
  `{"id":"f1","at":"${iso(now - day)}","action":"reflection_rule","sessionId":"system:reflection","severity":"warning",` +
  `"rule":"consecutive_failures","subjectType":"task","subjectId":"login-test","actionTaken":null,` +
  `"detail":"4 attempts at the task failed one after the other."}`

export const recordFiles = (reviews: ReadonlyArray<ArtifactFiles.Review>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    reviews.flatMap((one) => ArtifactFiles.files(one).map(({ name, text }) => [`.reflection/${name}`, text] as const))
  )

/** The files of the project, relative to its root. */
export const files: Readonly<Record<string, string>> = {
  ...recordFiles(stops),
  ".reflection/reflections.jsonl": lines([
    lesson("new", "Advance the test clock before you assert."),
    lesson("helps", "Run the type check before the tests.", now - 20 * day),
    lesson("harms", "Delete the lock file and install again.", now - 30 * day),
    ...[true, true, false].map((success) => outcome(success, "helps")),
    ...[false, false].map((success) => outcome(success, "harms")),
    outcome(true)
  ]),
  ".reflection/findings.jsonl": lines([finding]),
  ".reflection/proposals/act-1.md": "# A change of skills/login.md\n\nWait for the service first.\n"
}

type Said = Partial<Decision.Decision> & Pick<Decision.Decision, "decision" | "reason">

const decisions: ReadonlyArray<Said> = [
  ...stops.map(({ decision: { attempt, kind, reason }, sessionId, timestamp, verdict: { host, status } }) => ({
    decision: kind,
    reason,
    attempt,
    sessionId,
    host,
    status,
    at: iso(timestamp)
  })),
  { decision: "wrong", reason: "by the user", attempt: 1, sessionId: notes.session, at: iso(now - 45 * minute) },
  ...TodoGuardrails.decisions({ life: 1, reminder: null, skipped: [{ pattern: "stalled", why: "limit" }] }),
  { decision: "failure", reason: "the record could not be read: it is locked" },
  { decision: "failure", reason: "of another project", directory: "/elsewhere", sessionId: "ffffffff-6" }
]

const none = { event: "Stop", status: null, severity: null, attempt: null, maxAttempts: 3, durationMs: 80 }

/** The decision log, of this project and of another. */
export const log = (root: string): string =>
  lines(
    decisions.map((one) =>
      Decision.encode({
        ...none,
        at: iso(now - 10 * minute),
        host: "claude-code",
        sessionId: retry.session,
        directory: root,
        ...one
      })
    )
  )

/** A home with the project in it. The clock shows the end of the three days. */
export const project = Effect.fnUntraced(function* (
  given: Readonly<Record<string, string>> = files,
  state: (root: string) => string = log
) {
  yield* TestClock.setTime(now)
  const home = yield* hooksHome
  for (const [name, text] of Object.entries(given)) home.put(`project/${name}`, text)
  home.put(".local/state/reflexion/log.jsonl", state(home.project))
  return home
})
