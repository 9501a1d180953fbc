import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import type * as Answers from "../../src/model/assessment/Answer.ts"
import * as TurnRecord from "../../src/model/assessment/TurnRecord.ts"
import type { Transcript, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, transcript, user } from "./events.ts"

/** What evidence says of a session. */
export const seenOf = (session: Transcript, config: ReflexionConfig.PartialConfig = {}) => {
  const merged = ReflexionConfig.merge(ReflexionConfig.defaults, config)
  const context = { ...Judgment.defaultContext, config: merged, cwd: session.cwd }
  const { state } = Judgment.replay(session, context)
  const options = { session, context, now: null, attempt: 1 }
  return { state, options, judged: Judgment.review(state, options) }
}

export const turnOf = (session: Transcript, config: ReflexionConfig.PartialConfig = {}): TurnRecord.Turn => {
  const { judged, options, state } = seenOf(session, config)
  return TurnRecord.turnOf(state, { ...options, transcript: session, judged })
}

export const turn = (events: ReadonlyArray<TranscriptEvent>, rest: Partial<Transcript> = {}): TurnRecord.Turn =>
  turnOf(transcript(events, rest))

/** A change was asked for and none was made; the last response is e3. */
export const unchanged: ReadonlyArray<TranscriptEvent> = [
  user("Add a retry to the fetch helper in src/http.ts."),
  call("Read", { file_path: "/repo/src/http.ts" }, { output: "export const get = retry(3, fetch)" }),
  call("Grep", { pattern: "retry" }, { output: "src/http.ts:1" }),
  agent("The helper in src/http.ts already retries three times, so there is nothing to add.")
]

/** The rules do not read this language: the agent may be done, or about to go on. The last response is e2. */
export const german: ReadonlyArray<TranscriptEvent> = [
  user("Behebe den Parser und schreibe Tests dazu."),
  edit("/repo/src/parser.ts"),
  agent("Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests für die Randfälle.")
]

/** Tests were asked for, and their result is unknown. */
export const unknownTests: ReadonlyArray<TranscriptEvent> = [
  user("Fix the parser and run the tests."),
  edit("/repo/src/parser.ts"),
  run("npm test", null, "", { id: "call-tests" }),
  agent("I fixed the parser and all tests pass.")
]

/** Deployments fail alike, and the rules can't read the last words about it. The last response is e4. */
export const deploys: ReadonlyArray<TranscriptEvent> = [
  user("Make the deploy script in a.js work."),
  edit("/repo/a.js"),
  ...["", " -v", " --retry"].map((flag) =>
    run(`node a.js --deploy${flag}`, 1, "Error: connect ECONNREFUSED 10.0.0.1:22")
  ),
  agent("Hm, immer noch dasselbe.")
]

const claims = {
  tests: { ran: null, results: "unknown", ran_after_changes: false, commands: [], skipped: false, skip_reason: null },
  build: { ran: null, results: "unknown" },
  pr: { created: false, url: null, ci_status: "unknown", checked: false }
} as const

export type Item = Partial<Answers.RemainingWork>

export const item = (given: Item): Answers.RemainingWork => ({
  what: "it",
  kind: "other",
  event: "",
  quote: "",
  name: null,
  ...given
})

export type GivenOpinion = Partial<Omit<Answers.SelfAssessment, "remaining_work">> & {
  readonly remaining_work?: ReadonlyArray<Item>
}

/** By default, the work is done; otherwise it is as sure of a push as of its status. */
export const assessment = ({ remaining_work = [], ...given }: GivenOpinion = {}): Answers.SelfAssessment => ({
  status: "complete",
  confidence: 0.9,
  push: given.status === "in_progress" || given.status === "stuck" ? (given.confidence ?? 0.9) : 0,
  claims: [],
  evidence: claims,
  remaining_work: remaining_work.map(item),
  next_steps: [],
  needs_user_action: [],
  stuck: false,
  alternate_approach: null,
  ...given
})

export const first = { attempt: 1, maxAttempts: 3, from: ReflexionConfig.defaults.models.nudgeFrom } as const
