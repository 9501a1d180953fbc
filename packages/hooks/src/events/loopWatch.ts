/**
 * A cheap watch for an agent that does the same thing again and again: the same call with the same result, without
 * anything between. Off unless it was installed.
 */
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as Checksum from "../places/Checksum.ts"

/** The agent is told at this many identical calls in a row, once per row. */
export const threshold = 5

const text = `[reflexion] You have made the same call ${threshold} times in a row with the same result. Doing it again will not change it: look at what the result says and try something else, or say what blocks you.`

/** Counts a finished tool call. */
export const run = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  if (event.tool === null || event.subagent) return nothing
  const print = Checksum.ofText(JSON.stringify([event.tool.name, event.tool.input, event.tool.result]))
  const { review, tool } = Hooks.update(hook, event, (session) => ({
    ...session,
    tool: { print, count: session.tool?.print === print ? session.tool.count + 1 : 1 }
  }))
  if (tool?.count !== threshold || !review.enabled) return nothing
  Hooks.log(hook, event, { decision: "notice", reason: `${threshold} identical tool calls in a row` }, hook.now())
  return { _tag: "context", text }
}
