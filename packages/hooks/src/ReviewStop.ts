/**
 * The review of one stop, from the host's word that the agent stopped to the answer: read what is new, judge, ask the
 * state machine, save, and only then speak.
 *
 * @since 0.1.0
 */
import type * as Judgment from "@reflexion/core/Judgment"
import * as Notice from "@reflexion/core/Notice"
import type { ReviewOptions } from "@reflexion/core/ReviewState"
import type { Hook } from "./Hook.ts"
import * as Hooks from "./Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "./HookEvent.ts"
import * as Checksum from "./internal/checksum.ts"
import * as ProjectRoot from "./internal/projectRoot.ts"
import { answerOf, arrive, optionsOf, review, type Reviewed } from "./internal/stopDeciding.ts"
import { atStop, type Found, read, superseded } from "./internal/stopReading.ts"
import * as ReviewFiles from "./ReviewFiles.ts"
import * as SessionFile from "./SessionFile.ts"
import type { Settled } from "./Settings.ts"

/** Why a stop is not even looked at, null if it is. */
const refusal = (event: HookEvent): string | null => {
  if (event.subagent) return "it is a subagent's stop"
  if (event.plan) return "the agent is in plan mode"
  if (event.background > 0) return "work goes on in the background"
  return event.transcript === null ? "the host keeps no record of this session" : null
}

/** Two hooks at one stop, such as a plugin's and an installed one, see the same. */
const stopKey = (event: HookEvent, judgment: Judgment.JudgmentState): string =>
  Checksum.ofText(
    JSON.stringify([
      event.turnId,
      judgment.task.turn,
      judgment.evidence.order,
      judgment.stop.messages,
      judgment.pushes.count,
      event.message?.length ?? -1,
      judgment.stop.text
    ])
  )

/** Identifies a problem in the configuration, under which nothing is pushed; null where there is none. */
const problemKey = ({ problem }: Settled): string | null => (problem === null ? null : Checksum.ofText(problem))

/** Why what was read does not tell how the stop is to be taken, null if it does. */
const unreadable = <S>(hook: Hook<S>, { complete, fold }: Found<S>["folded"]): string | null => {
  if (!complete) return "the record was too long to read in time"
  return hook.decoder.isPrompted(fold.decoder) ? null : "no message of the user began this turn"
}

const judgeStop = <S>(hook: Hook<S>, event: HookEvent, loaded: SessionFile.Loaded<S>, since: number): HookAnswer => {
  const saved = loaded.session
  const found = read(hook, event, saved)
  const why = found === null ? "the session's record does not exist" : unreadable(hook, found.folded)
  if (found !== null && why === null) return decide(hook, event, loaded, found, since)
  // What was read is kept, so that the next stop gets further.
  if (found !== null) SessionFile.save(Hooks.keyOf(hook, event), { ...saved, fold: found.folded.fold }, loaded.seen)
  Hooks.log(hook, event, { decision: "abstain", reason: why ?? "" }, since)
  return nothing
}

const decide = <S>(
  hook: Hook<S>,
  event: HookEvent,
  { seen, session }: SessionFile.Loaded<S>,
  found: Found<S>,
  since: number
): HookAnswer => {
  const judgment = atStop(hook, event, found)
  const stop = stopKey(event, judgment)
  if (stop === session.stop) return nothing
  const saved = { ...session, fold: found.folded.fold, stop, told: problemKey(found.settled) }
  const { problem } = found.settled
  // A problem takes the place of the review, whose notice would count as given and be seen by nobody.
  if (problem !== null && saved.told !== session.told) {
    SessionFile.save(Hooks.keyOf(hook, event), saved, seen)
    Hooks.log(hook, event, { decision: "failure", reason: problem, directory: found.root }, since)
    return { _tag: "notice", text: Notice.problem(problem) }
  }
  const options = { ...optionsOf(found.settled), ...(found.settled.problem !== null && { pushes: false }) }
  const at = hook.now()
  const running = event.background + hook.decoder.background(saved.fold.decoder, judgment.task.userMessageAt)
  const interrupted = event.turnId !== null && event.turnId === session.interrupted
  const arrived = arrive(session.review, { interrupted, running }, judgment, options, at)
  const reviewed = review(found, arrived, judgment, options, at)
  const answer = answerOf(reviewed, options)
  const why = answer._tag === "push" ? superseded(hook, event, found) : null
  if (why !== null) {
    Hooks.log(hook, event, { decision: "abstain", reason: why }, since)
    return nothing
  }
  SessionFile.save(Hooks.keyOf(hook, event), { ...saved, review: reviewed.state }, seen)
  report(hook, event, found, reviewed, options, since)
  return answer
}

/** The records of what was decided; none of them may cost the user the answer. */
const report = <S>(
  hook: Hook<S>,
  event: HookEvent,
  { root, settled }: Found<S>,
  { actions, verdict }: Reviewed,
  { maxAttempts }: ReviewOptions,
  since: number
): void => {
  const said = Hooks.records(actions)
  for (const record of said) Hooks.log(hook, event, { ...record, maxAttempts, directory: root }, since)
  if (settled.problem !== null) Hooks.log(hook, event, { decision: "failure", reason: settled.problem }, since)
  const last = said.at(-1)
  if (verdict === null || last === undefined) return
  const notify = actions.find((action) => action._tag === "Notify")
  const problem = ReviewFiles.write(root, ProjectRoot.real(hook.env["HOME"] ?? "/"), {
    sessionId: event.sessionId,
    timestamp: hook.now(),
    verdict: { ...verdict, cost: { ...verdict.cost, durationMs: hook.now() - since } },
    decision: {
      kind: last.decision,
      reason: last.reason,
      attempt: last.attempt,
      maxAttempts,
      notice: notify?.notice ?? null
    }
  })
  if (problem !== null) Hooks.log(hook, event, { decision: "failure", reason: problem, directory: root }, since)
}

/**
 * Answers a stop. Throws what the file system throws where the session's state can be neither read nor saved: whoever
 * cannot count its pushes makes none.
 *
 * @since 0.1.0
 * @category handlers
 */
export const run = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  const since = hook.now()
  const why = refusal(event)
  if (why !== null) {
    Hooks.log(hook, event, { decision: "abstain", reason: why }, since)
    return nothing
  }
  const key = Hooks.keyOf(hook, event)
  const release = SessionFile.lock(key, since)
  if (release === null) {
    Hooks.log(hook, event, { decision: "abstain", reason: "another review of this session is under way" }, since)
    return nothing
  }
  try {
    const loaded = SessionFile.load<S>(key)
    if (loaded.problem !== null) Hooks.log(hook, event, { decision: "failure", reason: loaded.problem }, since)
    if (!loaded.session.review.enabled) {
      Hooks.log(hook, event, { decision: "abstain", reason: "the user stopped reflexion in this session" }, since)
      return nothing
    }
    return judgeStop(hook, event, loaded, since)
  } finally {
    release()
  }
}
