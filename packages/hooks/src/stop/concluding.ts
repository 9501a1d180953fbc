/** The end of a review: the state is saved, what was decided is recorded, and only then is anything said. */
import type * as Judgment from "@reflexion/core/Judgment"
import { pushedBy, withRun } from "@reflexion/core/internal/turn/machine/Decision"
import type { ReviewOptions } from "@reflexion/core/internal/turn/machine/ReviewState"
import * as EndedTurn from "../memory/EndedTurn.ts"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as Lessons from "../memory/Lessons.ts"
import * as ReviewFiles from "../session/ReviewFiles.ts"
import * as SessionFile from "../session/SessionFile.ts"
import { answerOf, type Decided, remindedBy, type Reviewed, told } from "./StopDeciding.ts"
import { type Found, superseded } from "./StopReading.ts"

/** A stop as it was read. `stop` identifies it; `running` goes on in the background. */
export interface Stopped<S> {
  readonly event: HookEvent
  readonly found: Found<S>
  readonly judgment: Judgment.JudgmentState
  readonly arrived: Decided
  readonly options: ReviewOptions
  readonly running: number
  readonly since: number
  readonly stop: string
}

/** The records of what was decided; none of them may cost the user the answer. The review, where there was one. */
const report = <S>(
  hook: Hook<S>,
  { event, found: { root, settled }, options: { maxAttempts }, since }: Stopped<S>,
  { actions, judged }: Reviewed
): Parameters<typeof ReviewFiles.write>[2] | null => {
  const said = Hooks.records(actions)
  for (const record of said) {
    const rules = record.decision === "push" && judged !== null ? { rules: pushedBy(judged.verdict) } : {}
    const reason = withRun(record.reason, judged?.checks)
    Hooks.log(hook, event, { ...record, reason, ...rules, maxAttempts, directory: root }, since)
  }
  if (settled.problem !== null) Hooks.log(hook, event, { decision: "failure", reason: settled.problem }, since)
  const last = said.at(-1)
  if (judged === null || last === undefined) return null
  const { verdict } = judged
  const notify = actions.find((action) => action._tag === "Notify")
  const review = {
    ...judged,
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
  }
  const problem = ReviewFiles.write(root, hook.env, review)
  if (problem !== null) Hooks.log(hook, event, { decision: "failure", reason: problem, directory: root }, since)
  return review
}

/** Throws where the state cannot be saved: whoever cannot count its pushes makes none. */
export const conclude = <S>(
  hook: Hook<S>,
  stopped: Stopped<S>,
  { seen, session }: Pick<SessionFile.Loaded<S>, "seen" | "session">,
  reviewed: Reviewed
): HookAnswer => {
  const { event, found, options, since } = stopped
  const decided = answerOf(reviewed, options)
  const why = decided._tag === "push" ? superseded(hook, event, found) : null
  if (why !== null) {
    Hooks.log(hook, event, { decision: "abstain", reason: why }, since)
    return nothing
  }
  const reminded = decided._tag === "push" ? remindedBy(reviewed, decided.feedback) : undefined
  const saved = { ...session, review: reviewed.state, ...(reminded && { reminded }) }
  SessionFile.save(Hooks.keyOf(hook, event), saved, seen)
  const review = report(hook, stopped, reviewed)
  const { problem, config } = found.settled
  if (review === null || problem !== null) return decided
  const { judgment, stop } = stopped
  const { root } = found
  const line = config.cycle.enabled ? EndedTurn.run(hook, event, { root, review, stop, judgment, config }) : ""
  const answer = line === "" ? decided : told(decided, line)
  if (!config.memory.enabled) return answer
  return Lessons.atStop(hook, event, answer, {
    root,
    review,
    stop,
    order: judgment.task.text,
    files: judgment.evidence.edits.map(({ path }) => path),
    settings: config.memory,
    told: session.lessons ?? []
  })
}
