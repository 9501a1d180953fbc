/**
 * When the memory is asked: at a stop that fails, at one that completes a task or where a session begins in a project that has
 * one. What it fails at is one line in the decision log.
 */
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as Learned from "./Learned.ts"
import * as MemoryPlace from "./MemoryPlace.ts"

/** What the memory makes of it; null where it fails. */
const ask = <S>(hook: Hook<S>, event: HookEvent, asked: Learned.Asked): string | null => {
  const since = hook.now()
  try {
    return Learned.run(hook, event, asked)
  } catch (cause) {
    const reason = `the memory is left alone: ${Hooks.messageOf(cause)}`
    Hooks.log(hook, event, { decision: "failure", reason, directory: asked.root }, since)
    return null
  }
}

/**
 * The answer to a stop, with what was learned before in its feedback. A completion ends what is open, whichever turn or
 * session that is of: it is looked for wherever the project has a memory.
 */
export const atStop = <S>(
  hook: Hook<S>,
  event: HookEvent,
  answer: HookAnswer,
  asked: Omit<Learned.AtStop, "_tag" | "feedback">
): HookAnswer => {
  const { decision, verdict } = asked.review
  const isPush = answer._tag === "push"
  const failed = isPush || decision.notice === "exhausted" || decision.notice === "unmoved"
  if (!failed && !(verdict.complete && MemoryPlace.exists(asked.root))) return answer
  const feedback = ask(hook, event, { _tag: "stop", ...asked, feedback: isPush ? answer.feedback : "" })
  return isPush && feedback !== null ? { ...answer, feedback } : answer
}

/** The answer where a session begins. */
export const atStart = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  if (event.subagent || event.cwd === null) return nothing
  const root = ProjectRoot.of(event.cwd)
  const text = MemoryPlace.exists(root) ? ask(hook, event, { _tag: "start", root }) : null
  return text === null || text === "" ? nothing : { _tag: "context", text }
}
