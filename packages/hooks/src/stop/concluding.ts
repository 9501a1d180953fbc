/** The end of a review: the state is saved, what was decided is recorded, and only then is anything said. */
import type * as Judgment from "@reflexion/core/Judgment"
import type { ReviewOptions } from "@reflexion/core/internal/review/machine/ReviewState"
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import type { HookAnswer, HookEvent } from "../input/HookEvent.ts"
import * as EndedTurn from "../memory/EndedTurn.ts"
import * as Learned from "../memory/Learned.ts"
import type { Hook, Rest } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import * as ReviewFiles from "../session/ReviewFiles.ts"
import * as SessionFile from "../session/SessionFile.ts"
import { answerOf, remindedBy, type Reviewed, told } from "./StopDeciding.ts"
import { type Found, superseded } from "./StopReading.ts"

/** A stop as it was read. `stop` identifies it; `running` goes on in the background; `given` is what it is judged for. */
export interface Stopped<S> {
  readonly event: HookEvent
  readonly found: Found<S>
  readonly judgment: Judgment.JudgmentState
  readonly given: () => Judgment.VerdictOptions
  readonly options: ReviewOptions
  readonly running: number
  readonly since: number
  readonly stop: string
  /** The rest that the answer would end, where the turn is over already. */
  readonly rest?: Rest
}

/** The records of what was decided; none of them may cost the user the answer. The review, where there was one. */
const report = <S>(
  hook: Hook<S>,
  { event, found: { root, settled }, options: { maxAttempts }, since }: Stopped<S>,
  { actions, judged }: Reviewed
): ArtifactFiles.Review | null => {
  Hooks.logAll(hook, event, actions, { judged, maxAttempts, directory: root, since })
  if (settled.problem !== null) Hooks.log(hook, event, { decision: "failure", reason: settled.problem }, since)
  const timestamp = hook.now()
  const kept = ArtifactFiles.reviewOf(judged, actions, { sessionId: event.sessionId, timestamp, maxAttempts })
  if (kept === null) return null
  const cost = { ...kept.verdict.cost, durationMs: timestamp - since }
  const review = { ...kept, verdict: { ...kept.verdict, cost } }
  const problem = ReviewFiles.write(root, hook.env, review)
  if (problem !== null) Hooks.log(hook, event, { decision: "failure", reason: problem, directory: root }, since)
  return review
}

/** Throws where the state cannot be saved: whoever cannot count its pushes makes none. */
export const conclude = <S>(
  hook: Hook<S>,
  stopped: Stopped<S>,
  { seen, session }: Pick<SessionFile.Loaded, "seen" | "session">,
  reviewed: Reviewed
): HookAnswer => {
  const { event, found, judgment, options, since, stop } = stopped
  const decided = answerOf(reviewed, options)
  const why = decided._tag === "push" ? superseded(hook, event, found, judgment) : null
  if (why !== null) return Hooks.abstain(hook, event, why, since)
  const reminded = decided._tag === "push" ? remindedBy(reviewed, decided.feedback) : undefined
  const saved = { ...session, review: reviewed.state, ...(reminded && { reminded }) }
  SessionFile.save(Hooks.keyOf(hook, event), saved, seen)
  const review = report(hook, stopped, reviewed)
  const { reading, root, settled } = found
  const { events } = reading
  const { config } = settled
  if (review === null || settled.problem !== null) return decided
  const line = config.cycle.enabled ? EndedTurn.run(hook, event, { root, review, stop, judgment, events, config }) : ""
  const answer = line === "" ? decided : told(decided, line)
  if (!config.memory.enabled) return answer
  return Learned.atStop(hook, event, answer, {
    root,
    review,
    stop,
    order: judgment.task.text,
    events,
    files: judgment.evidence.edits.map(({ path }) => path),
    settings: config.memory,
    told: session.lessons ?? []
  })
}
