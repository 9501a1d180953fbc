/** The calls of the host's API that a review needs. Answers are untyped: the host's types are of one version, sessions of many. */
import type { OpencodeClient } from "@opencode-ai/sdk"
import { AgentHostError } from "@reflexion/core/AgentHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** `agent`, `model` and `variant` (how hard it thinks) as the session's last message has them; `noReply` begins no turn. */
export interface Prompt {
  readonly text: string
  readonly metadata: Record<string, unknown>
  readonly agent: string | null
  readonly model: { readonly providerID: string; readonly modelID: string } | null
  readonly variant: string | null
  readonly noReply: boolean
}

/** A session below another's. */
export interface Child {
  readonly parentId: string
  readonly title: string
  readonly metadata: Record<string, unknown>
}

/** `system` is added to the agent's own; with a null `model` the host takes its default. */
export interface Question {
  readonly text: string
  readonly system: string
  readonly agent: string
  readonly model: Prompt["model"]
}

export interface Toast {
  readonly message: string
  readonly variant: "info" | "success" | "warning" | "error"
}

/** What a session is at. `retry`: the model failed, and the host waits to ask it again. */
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

/** Of the host's own keys, as those below that its types do not have: metadata, and a search among the titles. */
const denied = [{ permission: "*", pattern: "*", action: "deny" }]

/** The host takes the name of a service and writes it nowhere; what is extra it does write. */
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
    /** The last so many messages in their order, all with null: `{ info, parts }` each. */
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
    /** Returns as soon as the host has taken the message. */
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
    /** A session that can do nothing: every tool is denied to it. */
    create: ({ metadata, parentId, title }: Child) => {
      const body = { parentID: parentId, title, metadata, permission: denied }
      return object(call("create", parentId, (signal) => session.create({ body, signal })))
    },
    /** The sessions in whose title the text is. */
    titled: (title: string) => {
      const query: Record<string, string> = { search: title, limit: "1000" }
      return list(call("titled", null, (signal) => session.list({ query, signal })))
    },
    /** Waits for the answer, `{ info, parts }`; for ever if the session is deleted meanwhile. */
    ask: (id: string, { agent, model, system, text }: Question) => {
      const parts = [{ type: "text" as const, text }]
      const body = { agent, parts, ...(model !== null && { model: { ...model } }), ...(system !== "" && { system }) }
      return object(call("ask", id, (signal) => session.prompt({ path: { id }, body, signal })))
    },
    /** Also ends what goes on in a session that was deleted. */
    abort: (id: string) => Effect.asVoid(call("abort", id, (signal) => session.abort({ path: { id }, signal }))),
    remove: (id: string) => Effect.asVoid(call("remove", id, (signal) => session.delete({ path: { id }, signal }))),
    /** The providers that the user has set up there, each with its models. */
    providers,
    /** The names of the models that the user has there, `provider/model`. */
    models: Effect.map(
      providers,
      (all): ReadonlySet<string> =>
        new Set(
          all.flatMap(({ id, models }) => Object.keys(Json.object(models)).map((model) => `${Json.text(id)}/${model}`))
        )
    ),
    /** The host's configuration in force in the directory, in which its project has a say. */
    config: object(call("config", null, (signal) => config.get({ signal }))),
    toast,
    /** The host shows one line at a time, and what is said of a stop comes first: this waits 10 s, and nobody waits for it. */
    later: (given: Toast) => Effect.asVoid(Effect.forkDaemon(Effect.delay(Effect.ignore(toast(given)), "10 seconds"))),
    /** To the host's own log. */
    log: (level: "debug" | "info" | "warn" | "error", message: string) =>
      Effect.ignore(call("log", null, () => app.log({ body: { ...service, level, message } })))
  }
}

/** The host's API, over the client that a plugin is given, or one made with the SDK. */
export class OpenCodeClient extends Context.Tag("@reflexion/opencode/OpenCodeClient")<
  OpenCodeClient,
  ReturnType<typeof make>
>() {
  static readonly layer = (client: OpencodeClient): Layer.Layer<OpenCodeClient> =>
    Layer.sync(OpenCodeClient, () => make(client))
}
