/** A session of a running OpenCode server: the user's actions, and the end of a turn. */
import type { Message, Part } from "@opencode-ai/sdk/client"
import * as Effect from "effect/Effect"
import { eventually, type HostFault } from "../contract/HostContract.ts"
import { ask, model, type Server } from "./OpenCodeHost.ts"

export interface Entry {
  readonly info: Message
  readonly parts: ReadonlyArray<Part>
}

export interface Session {
  readonly id: string
  readonly entries: Effect.Effect<ReadonlyArray<Entry>, HostFault>
  readonly prompt: (text: string, agent?: "plan") => Effect.Effect<void, HostFault>
  /** Runs what a user types after an exclamation mark. */
  readonly shell: (command: string) => Effect.Effect<void, HostFault>
  readonly compact: Effect.Effect<void, HostFault>
  readonly abort: Effect.Effect<void, HostFault>
  /** Null while something runs or the record is incomplete. */
  readonly rest: Effect.Effect<ReadonlyArray<Entry> | null, HostFault>
  readonly settled: Effect.Effect<ReadonlyArray<Entry>, HostFault>
}

const unfinished = (part: Part): boolean =>
  part.type === "tool" && (part.state.status === "pending" || part.state.status === "running")

/** `session.idle` does not prove that an entry is complete: after an abort it comes twice, first too early. */
const isComplete = ({ info, parts }: Entry): boolean =>
  info.role === "assistant" &&
  (info.time.completed !== undefined || info.error !== undefined) &&
  !parts.some(unfinished)

export const open = Effect.fn("OpenCodeSession.open")(function* (
  { client }: Server,
  options: { readonly resume?: string } = {}
) {
  const id = options.resume ?? (yield* ask("no session could be begun", () => client.session.create({ body: {} }))).id
  const path = { id }
  const entries: Effect.Effect<ReadonlyArray<Entry>, HostFault> = ask("the messages could not be read", () =>
    client.session.messages({ path })
  )
  const ids = Effect.map(entries, (all) => new Set(all.map(({ info }) => info.id)))
  /** Messages of an earlier process. If one is unfinished, it stays unfinished. */
  const left = yield* ids
  let known: ReadonlySet<string> = left
  let prompted = false

  const isIdle = Effect.map(
    ask("the status could not be read", () => client.session.status()),
    (statuses) => (statuses[id]?.type ?? "idle") === "idle"
  )
  const look = Effect.gen(function* () {
    if (!(yield* isIdle)) return null
    const all = yield* entries
    if (prompted && !all.some(({ info }) => info.role === "user" && !known.has(info.id))) return null
    const last = all.at(-1)
    return last === undefined || left.has(last.info.id) || isComplete(last) ? all : null
  })
  const session: Session = {
    id,
    entries,
    prompt: (text, agent) =>
      Effect.gen(function* () {
        known = yield* ids
        const body = { model, parts: [{ type: "text" as const, text }], ...(agent === undefined ? {} : { agent }) }
        yield* ask("the prompt was refused", () => client.session.promptAsync({ path, body }))
        prompted = true
      }),
    shell: (command) =>
      Effect.asVoid(
        ask("the command was refused", () => client.session.shell({ path, body: { agent: "build", model, command } }))
      ),
    compact: Effect.asVoid(ask("the compaction was refused", () => client.session.summarize({ path, body: model }))),
    abort: Effect.asVoid(ask("the abort was refused", () => client.session.abort({ path }))),
    rest: look,
    settled: eventually(`the end of the turn in ${id}`, look)
  }
  return session
})
