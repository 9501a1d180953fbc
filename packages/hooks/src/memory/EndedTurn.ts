/** The outcome log in a hook, as one call, so that a stop by which no attempt ends loads none of it. */
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import type { JudgmentState } from "@reflexion/core/Judgment"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import type { Review } from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as TurnOutcome from "@reflexion/core/internal/memory/outcomes/TurnOutcome"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import type { HookEvent } from "../input/HookEvent.ts"
import * as OutcomeFile from "./OutcomeFile.ts"
import * as ReviewFiles from "../session/ReviewFiles.ts"

/**
 * A stop that was decided: its review, what identifies it, and the events of its turn.
 *
 * @category models
 */
export interface Ended {
  readonly root: string
  readonly review: Review
  readonly stop: string
  readonly judgment: JudgmentState
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly config: ReflexionConfig
}

/** What the folds know of the whole task, and of the rest what the events of its turn have. */
const toldOf = (event: HookEvent, { events, judgment }: Ended): TurnOutcome.Told => {
  const own = events.filter((one) => one.type !== "tool_call" || one.agentId === null)
  const told = TurnOutcome.read(own)
  const said = event.message?.trim() ?? ""
  return {
    ...told,
    objective: judgment.task.message === "" ? told.objective : judgment.task.message,
    startedAt: told.startedAt ?? judgment.task.userMessageAt,
    resultLength: said === "" ? told.resultLength : said.length
  }
}

/**
 * Adds how the attempt ended to the project's outcome log, and has the rules of the reflection cycle look where it has
 * failed: the answer is a line for the user, empty where they found nothing new. What any of it fails at is one line in the
 * decision log.
 *
 * @category handlers
 */
export const run = <S>(hook: Hook<S>, event: HookEvent, ended: Ended): string => {
  const { config, review, root, stop } = ended
  const status = TurnOutcome.statusOf(review)
  if (status === null || !ReviewFiles.isWorkspace(root, hook.env)) return ""
  const since = hook.now()
  const failed = (reason: string): void =>
    Hooks.log(hook, event, { decision: "failure", reason, directory: root }, since)
  let what = "the outcome log is left alone"
  try {
    const outcome = TurnOutcome.of(review, { backend: hook.host, stop, told: toldOf(event, ended) })
    if (outcome === null) return ""
    const kept = OutcomeFile.add({ root, outcome, now: since, retentionDays: config.memory.retentionDays })
    if (kept !== null) failed(`old outcomes were not forgotten: ${kept}`)
    if (!AttemptOutcome.isFailure(outcome)) return ""
    what = "the rules look at no outcome"
    return OutcomeFile.look({ root, now: hook.now(), settings: config.cycle, env: hook.env })
  } catch (cause) {
    failed(`${what}: ${Hooks.messageOf(cause)}`)
    return ""
  }
}
