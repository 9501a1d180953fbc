/** The host's API as a review needs it. Answers are untyped, because sessions come from many versions of the host. */
import type { OpencodeClient } from "@opencode-ai/sdk"
import { AgentHostError } from "@reflexion/core/AgentHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface Prompt {
  readonly text: string
  readonly metadata: Record<string, unknown>
  /** Agent, model and variant are those of the session's last message. */
  readonly agent: string | null
  readonly model: { readonly providerID: string; readonly modelID: string } | null
  /** How hard the model thinks. */
  readonly variant: string | null
  /** True if the message must not start a turn of the agent. */
  readonly noReply: boolean
}

export interface Child {
  readonly parentId: string
  readonly title: string
  readonly metadata: Record<string, unknown>
}

export interface Question {
  readonly text: string
  /** Added to the agent's own system prompt. */
  readonly system: string
  readonly agent: string
  /** If null, the host uses its default model. */
  readonly model: Prompt["model"]
}

export interface Toast {
  readonly message: string
  readonly variant: "info" | "success" | "warning" | "error"
}

/** "retry": the model failed, and the host waits before it asks again. */
export type Status = "idle" | "busy" | "retry"

interface Answer {
  readonly data?: unknown
  readonly error?: unknown
  readonly response?: { readonly status: number }
}

const refused = (sessionId: string | null, { error, response }: Answer): AgentHostError => {
  const { data, message, name } = Json.object(error)
  const said = Json.text(Json.object(data)["message"]) || Json.text(message) || Json.text(name)
  const reason = response?.status === 404 ? "session_gone" : "rejected"
  return new AgentHostError({ reason, sessionId, detail: (said || "no reason given").slice(0, 300) })
}

const call = (name: string, sessionId: string | null, run: (signal: AbortSignal) => Promise<Answer>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new AgentHostError({ reason: "unreachable", sessionId, cause })
  }).pipe(
    Effect.flatMap((answer) => (answer.error === undefined ? Effect.succeed(answer.data) : refused(sessionId, answer))),
    Effect.withSpan(`OpenCodeClient.${name}`)
  )

const object = Effect.map(Json.object)

const list = Effect.map(Json.list)

/** The host accepts these keys, and below the metadata and the title search. Its types lack all of them. */
const denied = [{ permission: "*", pattern: "*", action: "deny" }]

/** The name is also in `extra`, because the host accepts `service` but does not log it. */
const service = { service: "reflexion", extra: { service: "reflexion" } }

const make = ({ app, config, session, tui }: OpencodeClient) => {
  const providers = Effect.map(
    call("providers", null, (signal) => config.providers({ signal })),
    (found): ReadonlyArray<Json.Json> => Json.list(Json.object(found)["providers"]).map(Json.object)
  )
  const toast = (given: Toast) =>
    Effect.asVoid(call("toast", null, (signal) => tui.showToast({ body: { ...given }, signal })))
  return {
    session: (id: string) => object(call("session", id, (signal) => session.get({ path: { id }, signal }))),
    /** Each message is `{ info, parts }`, oldest first. With a `limit`, only the last messages. */
    messages: (id: string, limit: number | null) => {
      const query = limit === null ? {} : { query: { limit } }
      return list(call("messages", id, (signal) => session.messages({ path: { id }, signal, ...query })))
    },
    status: (id: string) =>
      Effect.map(
        call("status", id, (signal) => session.status({ signal })),
        (all): Status => {
          const type = Json.string(Json.object(Json.object(all)[id])["type"]) ?? "idle"
          return type === "idle" || type === "retry" ? type : "busy"
        }
      ),
    prompt: (id: string, { agent, metadata, model, noReply, text, variant }: Prompt) => {
      const body = {
        ...(agent !== null && { agent }),
        ...(model !== null && { model: { ...model } }),
        ...(variant !== null && { variant }),
        ...(noReply && { noReply }),
        parts: [{ type: "text" as const, text, metadata }]
      }
      const send = (signal: AbortSignal): Promise<Answer> => {
        const request = { path: { id }, body, signal }
        return noReply ? session.prompt(request) : session.promptAsync(request)
      }
      return Effect.asVoid(call("prompt", id, send))
    },
    /** In this session every tool is denied. */
    create: ({ metadata, parentId, title }: Child) => {
      const body = { parentID: parentId, title, metadata, permission: denied }
      return object(call("create", parentId, (signal) => session.create({ body, signal })))
    },
    titled: (title: string) => {
      const query: Record<string, string> = { search: title, limit: "1000" }
      return list(call("titled", null, (signal) => session.list({ query, signal })))
    },
    /** The answer is `{ info, parts }`. If the session is deleted before the answer, this waits forever. */
    ask: (id: string, { agent, model, system, text }: Question) => {
      const parts = [{ type: "text" as const, text }]
      const body = { agent, parts, ...(model !== null && { model: { ...model } }), ...(system !== "" && { system }) }
      return object(call("ask", id, (signal) => session.prompt({ path: { id }, body, signal })))
    },
    /** Also ends work that continues in a deleted session. */
    abort: (id: string) => Effect.asVoid(call("abort", id, (signal) => session.abort({ path: { id }, signal }))),
    remove: (id: string) => Effect.asVoid(call("remove", id, (signal) => session.delete({ path: { id }, signal }))),
    providers,
    /** The names have the form `provider/model`. */
    models: Effect.map(
      providers,
      (all): ReadonlySet<string> =>
        new Set(
          all.flatMap(({ id, models }) => Object.keys(Json.object(models)).map((model) => `${Json.text(id)}/${model}`))
        )
    ),
    /** A project in the host's directory can change this configuration. */
    config: object(call("config", null, (signal) => config.get({ signal }))),
    toast,
    /** Shows a message later. The host shows one line at a time, and messages about a stop come first. */
    later: (given: Toast) => Effect.asVoid(Effect.forkDaemon(Effect.delay(Effect.ignore(toast(given)), "10 seconds"))),
    log: (level: "debug" | "info" | "warn" | "error", message: string) =>
      Effect.ignore(call("log", null, () => app.log({ body: { ...service, level, message } })))
  }
}

export class OpenCodeClient extends Context.Tag("@reflexion/opencode/OpenCodeClient")<
  OpenCodeClient,
  ReturnType<typeof make>
>() {
  static readonly layer = (client: OpencodeClient): Layer.Layer<OpenCodeClient> =>
    Layer.sync(OpenCodeClient, () => make(client))
}
