/** Handles each event of a host. */
import * as Compaction from "@reflexion/core/Compaction"
import { type PendingAnswer, type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as Learned from "../memory/Learned.ts"
import * as ReviewStop from "../stop/ReviewStop.ts"
import * as Hooks from "../session/Hook.ts"
import * as SessionFile from "../session/SessionFile.ts"
import { whole } from "../stop/StopReading.ts"
import * as ToolCall from "../events/ToolCall.ts"
import * as UserCommand from "../events/UserCommand.ts"

/** In ms. At an interruption, a host waits at most 3 s for its hooks. */
const patience = 2000

/** Saves which turn was interrupted, because only this event reports it. */
const interrupted = <S>(hook: Hooks.Hook<S>, event: HookEvent): HookAnswer => {
  const quick = { ...hook, deadline: Math.min(hook.deadline, hook.now() + patience) }
  Hooks.update(quick, event, (session) => ({ ...session, interrupted: event.turnId }))
  return nothing
}

const prompted = <S>(hook: Hooks.Hook<S>, event: HookEvent): PendingAnswer => {
  const command = event.subagent || event.prompt === null ? null : UserCommand.parse(event.prompt, hook)
  return command === null ? owed(hook, event) : UserCommand.run(hook, event, command)
}

/** Shows the result of the last stop if the result came too late for its turn. */
const owed = <S>(hook: Hooks.Hook<S>, event: HookEvent): HookAnswer => {
  if (hook.rest === undefined || SessionFile.load(Hooks.keyOf(hook, event)).session.owed === undefined) return nothing
  let text: string | undefined
  Hooks.update(hook, event, ({ owed: found, ...session }) => {
    text = found
    return session
  })
  return text === undefined ? nothing : { _tag: "notice", text }
}

/** Null if the record takes too long to read. */
const compacted = <S>(hook: Hooks.Hook<S>, event: HookEvent): string | null => {
  if (event.subagent || event.transcript === null || SessionFile.isStopped(Hooks.keyOf(hook, event))) return null
  const found = whole(hook, event)
  if (found === null || !found.reading.complete || found.settled.problem !== null) return null
  const { context, events } = found.reading
  const state = events.reduce((before, one) => Compaction.step(before, one, context), Compaction.initial)
  if (context.config.profile === "advisory" || hook.tellsOnly === true || state.judgment.task.turn < 0) return null
  const now = new Date(hook.now()).toISOString()
  const { action, text } = Compaction.read(state, { session: found.session, context, now })
  return action === "task_complete" ? null : text
}

const began = <S>(hook: Hooks.Hook<S>, event: HookEvent): HookAnswer => {
  SessionFile.prune(SessionFile.folder(hook.directories, hook.host), hook.now())
  const list = () => ToolCall.told(hook, event)
  const texts = [
    event.compacted ? compacted(hook, event) : Learned.atStart(hook, event),
    Hooks.orLogged(hook, event, { what: "there is no reminder about the todo list" }, list, null)
  ]
  return ToolCall.context(texts)
}

/** Throws errors of the file system. Then the caller logs the error and gives no answer. */
export const handle = <S>(hook: Hooks.Hook<S>, event: HookEvent): PendingAnswer => {
  switch (event.kind) {
    case "stop":
      return ReviewStop.run(hook, event)
    case "prompt":
      return prompted(hook, event)
    case "tool":
      return ToolCall.context([ToolCall.told(hook, event)])
    case "interrupt":
      return interrupted(hook, event)
    case "session_start":
      return began(hook, event)
    default:
      return nothing
  }
}
