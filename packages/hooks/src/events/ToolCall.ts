/** What is done after a tool call, and what of that where a session begins. Everything here is loaded only then. */
import type { Hook } from "../session/Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as LoopWatch from "./loopWatch.ts"
import * as TodoWatch from "./todoWatch.ts"

const textOf = (answer: HookAnswer): string | null => (answer._tag === "context" ? answer.text : null)

/** Looks at the agent's todo list, and for loops at every call where each is reported. */
export const run = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  const loop = event.kind === "tool" && hook.watches !== "todos" ? textOf(LoopWatch.run(hook, event)) : null
  const texts = [loop, TodoWatch.run(hook, event)].filter((text) => text !== null)
  return texts.length === 0 ? nothing : { _tag: "context", text: texts.join("\n\n") }
}
