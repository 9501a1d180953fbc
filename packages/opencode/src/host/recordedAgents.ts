/** What a session's agents did, and the agents of those: read again only where something of them may be new. */
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as OpenCodeAgents from "../decoder/OpenCodeAgents.ts"
import { OpenCodeClient } from "./OpenCodeClient.ts"
import * as OpenCodeTranscript from "../decoder/OpenCodeTranscript.ts"

export interface Agents {
  /** The `task` calls that are over, and whose agents were looked at since. */
  readonly over: ReadonlySet<string>
  /** The agents of whom more is to come, and those that could not be read. */
  readonly open: ReadonlySet<string>
  /** The calls that were told, each by the status under which it was. */
  readonly told: ReadonlySet<string>
}

export const none: Agents = { over: new Set(), open: new Set(), told: new Set() }

const maxAgents = 2_000
const maxTold = 20_000

/** What was read of a session: its messages, or the last of them, and where that leaves the decoder. */
interface Reading {
  readonly messages: ReadonlyArray<unknown>
  readonly state: OpenCodeTranscript.State
}

/** What changes in one look. */
const looking = (before: Agents) => {
  const over = new Set(before.over)
  const open = new Set<string>()
  const told = new Set(before.told)
  const calls: Array<ToolCall> = []
  /** The agents to be looked at by what was read of the session that has them. */
  const due = (sessionId: string, { messages, state }: Reading): ReadonlyArray<string> => {
    const keyOf = ({ id }: OpenCodeAgents.Task) => `${sessionId} ${id}`
    const fresh = OpenCodeAgents.tasks(messages).filter((task) => !over.has(keyOf(task)))
    for (const task of fresh) if (task.over) over.add(keyOf(task))
    const unfinished = fresh.filter((task) => !task.over).map((task) => task.sessionId)
    const behind = [...state.running.map(({ key }) => key), ...unfinished]
    // The end of an agent in the background is told in the session that has it.
    for (const one of behind.length === 0 ? [] : [sessionId, ...behind]) open.add(one)
    return fresh.map((task) => task.sessionId)
  }
  const tell = (call: ToolCall): void => {
    const name = `${call.id} ${call.status}`
    if (told.has(name) || told.size >= maxTold) return
    told.add(name)
    calls.push(call)
  }
  /** Takes an agent's session, and answers with its own agents. */
  const take = (sessionId: string, messages: ReadonlyArray<unknown>): ReadonlyArray<string> => {
    const exported = { info: { id: sessionId }, messages }
    for (const call of OpenCodeAgents.calls(exported)) tell(call)
    const [state] = OpenCodeTranscript.step(OpenCodeTranscript.initial, exported)
    return due(sessionId, { messages, state })
  }
  return { over, open, told, calls, due, take }
}

/** Looks at the agents of a session of which so much was read anew: what is kept of them now, and what is new of them. */
export const look = Effect.fnUntraced(function* (
  root: string,
  before: Agents,
  reading: Reading
): Effect.fn.Return<readonly [Agents, ReadonlyArray<ToolCall>], never, OpenCodeClient> {
  const client = yield* OpenCodeClient
  const { calls, due, open, over, take, told } = looking(before)
  const visit = (sessionId: string) =>
    client.messages(sessionId, null).pipe(
      Effect.map((messages) => take(sessionId, messages)),
      Effect.catchAll(({ reason }) => {
        if (reason !== "session_gone") open.add(sessionId)
        return Effect.succeed([])
      })
    )
  const first = [...before.open, ...due(root, reading)]
  yield* OpenCodeAgents.follow({ root, first, most: maxAgents, visit })
  return [{ over, open, told }, calls]
})
