/**
 * What an agent is told whose context the host has compacted, so that the task and an open pull request or issue are not
 * lost with it.
 */
import * as Compaction from "@reflexion/core/Compaction"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import { whole } from "../stop/StopReading.ts"
import * as SessionFile from "../session/SessionFile.ts"

/**
 * The answer at the beginning of a session that goes on from a compaction. It reads the record from its start, once; a
 * record that takes too long, or has no task or one that is done, leaves the host's own summary alone.
 */
export const run = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  if (event.subagent || event.transcript === null || SessionFile.isStopped(Hooks.keyOf(hook, event))) return nothing
  let state = Compaction.initial
  const found = whole(hook, event, (one, context) => {
    state = Compaction.step(state, one, context)
  })
  if (found === null || !found.reading.complete || found.settled.problem !== null) return nothing
  const { context } = found.reading
  if (context.config.profile === "advisory" || state.judgment.task.turn < 0) return nothing
  const now = new Date(hook.now()).toISOString()
  const { action, text } = Compaction.read(state, { session: found.session, context, now })
  return action === "task_complete" ? nothing : { _tag: "context", text }
}
