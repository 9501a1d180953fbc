/** What is done at each event of a host. */
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import * as CompactedTask from "../events/CompactedTask.ts"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import { type Answered, type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import { spoken } from "../stop/StopDeciding.ts"
import { latest } from "../stop/StopReading.ts"
import * as Learned from "../memory/Learned.ts"
import * as ReviewStop from "../stop/ReviewStop.ts"
import * as SessionFile from "../session/SessionFile.ts"
import * as SessionPrune from "../session/SessionPrune.ts"
import * as ToolCall from "../events/ToolCall.ts"
import * as UserCommand from "../events/UserCommand.ts"

/** A host that interrupts its agent waits for its hooks no longer than 3 s: so long for the record, and for all of it. */
const [reading, all] = [1000, 2000]

/**
 * The host says so only here: the turn under way is not to be revived. It is known by its number, and by the user's
 * message, for the next message ends what was said of this one.
 */
const interrupted = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  const at = hook.now()
  const within = (patience: number): Hook<S> => ({ ...hook, deadline: Math.min(hook.deadline, at + patience) })
  const judgment = latest(within(reading), event)
  Hooks.update(within(all), event, (session) => {
    const said = judgment === null ? [] : spoken(session.review, judgment, at)
    const events = [...said, { _tag: "Abort" as const, at }]
    const [review, actions] = ReviewState.decideAll(session.review, events, ReviewState.defaultOptions)
    Hooks.logAll(hook, event, actions, { judged: null, since: at, directory: event.cwd, maxAttempts: null })
    return { ...session, review, interrupted: event.turnId }
  })
  return nothing
}

/** Every prompt that is no command is the model's. */
const prompted = <S>(hook: Hook<S>, event: HookEvent): Answered => {
  const command = event.subagent || event.prompt === null ? null : UserCommand.parse(event.prompt, hook)
  return command === null ? owed(hook, event) : UserCommand.run(hook, event, command)
}

/** What came of the last stop after its turn, which nobody could be told then. */
const owed = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  if (hook.rest === undefined || SessionFile.load(Hooks.keyOf(hook, event)).session.owed === undefined) return nothing
  let text: string | undefined
  Hooks.update(hook, event, ({ owed: found, ...session }) => {
    text = found
    return session
  })
  return text === undefined ? nothing : { _tag: "notice", text }
}

const began = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  SessionPrune.run(hook.directories, hook.host, hook.now())
  const answer = event.compacted ? CompactedTask.run(hook, event) : Learned.atStart(hook, event)
  return hook.began === undefined ? answer : hook.began(hook, event, answer)
}

/**
 * Answers an event. Throws what the file system throws: the caller then says nothing.
 *
 * @category handlers
 */
export const handle = <S>(hook: Hook<S>, event: HookEvent): Answered => {
  switch (event.kind) {
    case "stop":
      return ReviewStop.run(hook, event)
    case "prompt":
      return prompted(hook, event)
    case "tool":
      return ToolCall.run(hook, event)
    case "interrupt":
      return interrupted(hook, event)
    case "session_start":
      return began(hook, event)
    case "subagent_stop":
    case "compaction":
    case "other":
      return nothing
  }
}
