/**
 * The few calls of the host's API that a review needs, as effects that fail in the words of `AgentHost`. Answers are
 * handed on untyped: the host's types are of one version, its sessions of many.
 */
import type { OpencodeClient } from "@opencode-ai/sdk"
import { AgentHostError, type Reason } from "@reflexion/core/AgentHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * How the agent is made to go on: `agent` and `model` as the session's own last message has them, null where unknown.
 *
 * @category models
 */
export interface Prompt {
  readonly text: string
  readonly metadata: Record<string, unknown>
  readonly agent: string | null
  readonly model: { readonly providerID: string; readonly modelID: string } | null
  /** How hard the model thinks, by the host's own word for it. */
  readonly variant: string | null
  /** Stores the message and begins no turn. */
  readonly noReply: boolean
}

/**
 * A session below another's.
 *
 * @category models
 */
export interface Child {
  readonly parentId: string
  readonly title: string
  readonly metadata: Record<string, unknown>
}

/**
 * What is asked in a session of ours. `system` is added to the agent's own; with a null `model` the host takes its
 * default.
 *
 * @category models
 */
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

/**
 * What a session is at. `retry`: the model failed, and the host waits to ask it again.
 *
 * @category models
 */
export type Status = "idle" | "busy" | "retry"

interface Answer {
  readonly data?: unknown
  readonly error?: unknown
  readonly response?: { readonly status: number }
}

const reasonOf = (status: number | undefined): Reason => (status === 404 ? "session_gone" : "rejected")

const detailOf = (error: unknown): string => {
  const fields = Json.object(error)
  const message = Json.text(Json.object(fields["data"])["message"]) || Json.text(fields["message"])
  return (message || Json.text(fields["name"]) || "no reason given").slice(0, 300)
}

type Run = (signal: AbortSignal) => Promise<Answer>

const call = (name: string, sessionId: string | null, run: Run) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new AgentHostError({ reason: "unreachable", sessionId, cause })
  }).pipe(
    Effect.filterOrFail(
      ({ error }) => error === undefined,
      ({ error, response }) =>
        new AgentHostError({ reason: reasonOf(response?.status), sessionId, detail: detailOf(error) })
    ),
    Effect.map(({ data }) => data),
    Effect.withSpan(`OpenCodeClient.${name}`)
  )

const body = ({ agent, metadata, model, noReply, text, variant }: Prompt) => ({
  ...(agent !== null && { agent }),
  ...(model !== null && { model: { ...model } }),
  ...(variant !== null && { variant }),
  ...(noReply && { noReply }),
  parts: [{ type: "text" as const, text, metadata }]
})

const asked = ({ agent, model, system, text }: Question) => ({
  agent,
  ...(model !== null && { model: { ...model } }),
  ...(system !== "" && { system }),
  parts: [{ type: "text" as const, text }]
})

/** Of the host's own keys, as those below that its types do not have: metadata, and a search among the titles. */
const denied = [{ permission: "*", pattern: "*", action: "deny" }]

const most = 1000

const namesOf = (provider: Json.Json): ReadonlyArray<string> =>
  Object.keys(Json.object(provider["models"])).map((model) => `${Json.text(provider["id"])}/${model}`)

const providersIn = (found: unknown): ReadonlyArray<Json.Json> =>
  Json.list(Json.object(found)["providers"]).map(Json.object)

const statusIn = (all: unknown, id: string): Status => {
  const type = Json.string(Json.object(Json.object(all)[id])["type"]) ?? "idle"
  return type === "idle" || type === "retry" ? type : "busy"
}

/** The host takes the name of a service and writes it nowhere; what is extra it does write. */
const service = { service: "reflexion", extra: { service: "reflexion" } }

const make = (client: OpencodeClient) => {
  const { app, config, session, tui } = client
  const providers = Effect.map(
    call("providers", null, (signal) => config.providers({ signal })),
    providersIn
  )
  return {
    session: (id: string) =>
      Effect.map(
        call("session", id, (signal) => session.get({ path: { id }, signal })),
        Json.object
      ),
    /** The last so many messages in their order, all with null: `{ info, parts }` each. */
    messages: (id: string, limit: number | null) => {
      const query = limit === null ? {} : { query: { limit } }
      return Effect.map(
        call("messages", id, (signal) => session.messages({ path: { id }, signal, ...query })),
        Json.list
      )
    },
    status: (id: string) =>
      Effect.map(
        call("status", id, (signal) => session.status({ signal })),
        (all) => statusIn(all, id)
      ),
    /** Returns as soon as the host has taken the message. */
    prompt: (id: string, given: Prompt) =>
      Effect.asVoid(
        call("prompt", id, (signal) => {
          const request = { path: { id }, body: body(given), signal }
          return given.noReply ? session.prompt(request) : session.promptAsync(request)
        })
      ),
    /** A session that can do nothing: every tool is denied to it. */
    create: ({ metadata, parentId, title }: Child) => {
      const body = { parentID: parentId, title, metadata, permission: denied }
      return Effect.map(
        call("create", parentId, (signal) => session.create({ body, signal })),
        Json.object
      )
    },
    /** The sessions in whose title the text is. */
    titled: (title: string) => {
      const query: Record<string, string> = { search: title, limit: String(most) }
      return Effect.map(
        call("titled", null, (signal) => session.list({ query, signal })),
        Json.list
      )
    },
    /** Waits for the answer, `{ info, parts }`; for ever if the session is deleted meanwhile. */
    ask: (id: string, given: Question) =>
      Effect.map(
        call("ask", id, (signal) => session.prompt({ path: { id }, body: asked(given), signal })),
        Json.object
      ),
    /** Also ends what goes on in a session that was deleted. */
    abort: (id: string) => Effect.asVoid(call("abort", id, (signal) => session.abort({ path: { id }, signal }))),
    remove: (id: string) => Effect.asVoid(call("remove", id, (signal) => session.delete({ path: { id }, signal }))),
    /** The providers that the user has set up there, each with its models. */
    providers,
    /** The names of the models that the user has there, `provider/model`. */
    models: Effect.map(providers, (all): ReadonlySet<string> => new Set(all.flatMap(namesOf))),
    /** The host's configuration in force in the directory, in which its project has a say. */
    config: Effect.map(
      call("config", null, (signal) => config.get({ signal })),
      Json.object
    ),
    toast: (given: Toast) =>
      Effect.asVoid(call("toast", null, (signal) => tui.showToast({ body: { ...given }, signal }))),
    /** To the host's own log. */
    log: (level: "debug" | "info" | "warn" | "error", message: string) =>
      Effect.ignore(call("log", null, () => app.log({ body: { ...service, level, message } })))
  }
}

/**
 * The host's API.
 *
 * @category services
 */
export class OpenCodeClient extends Context.Tag("@reflexion/opencode/OpenCodeClient")<
  OpenCodeClient,
  ReturnType<typeof make>
>() {
  /** Over the client that a plugin is given, or one made with the SDK. */
  static readonly layer = (client: OpencodeClient): Layer.Layer<OpenCodeClient> =>
    Layer.sync(OpenCodeClient, () => make(client))
}
