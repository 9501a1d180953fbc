/** The messages between a client and an agent, without I/O. A line that is not ours is passed on byte for byte. */
// We use only the SDK's types: its connection would write messages in another form.
import type { AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS, SessionUpdate } from "@agentclientprotocol/sdk"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import * as StopSignal from "@reflexion/core/internal/session/stop/StopSignal"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as AcpTranscript from "./AcpTranscript.ts"

type MethodsOf<A> = A[keyof A]

const methods = {
  load: "session/load",
  resume: "session/resume",
  prompt: "session/prompt",
  cancel: "session/cancel",
  cancelRequest: "$/cancel_request",
  close: "session/close",
  delete: "session/delete",
  setMode: "session/set_mode",
  update: "session/update",
  permission: "session/request_permission"
} as const satisfies Readonly<
  Record<
    string,
    MethodsOf<typeof AGENT_METHODS> | MethodsOf<typeof CLIENT_METHODS> | MethodsOf<typeof PROTOCOL_METHODS>
  >
>

/** The end of a turn whose response is held for a review. `review` numbers the reviews. */
export interface TurnEnd {
  readonly sessionId: string
  readonly review: number
  /** When the usage limit ends, in ISO 8601. Set once for each prompt of the client. Null if none, or unknown. */
  readonly limitEnd: string | null
}

/** `released` has the reviews whose response was passed on. */
export interface Outcome {
  readonly client: Array<Uint8Array>
  readonly agent: Array<Uint8Array>
  ended: TurnEnd | null
  readonly released: Array<number>
}

const nothing = (): Outcome => ({ client: [], agent: [], ended: null, released: [] })

interface Session {
  readonly cwd: string | null
  readonly transcript: ReturnType<typeof AcpTranscript.make>
  /** The client's prompts that the agent has not answered. */
  readonly asked: Set<string>
  held: { readonly line: Uint8Array; readonly response: Json.Json } | null
  /** The agent's lines after the held response. */
  behind: Array<Uint8Array>
  /** True while the held response waits for a usage limit to end. */
  waits: boolean
  /** True if the agent began something after the held response. */
  isBusy: boolean
  /** The id of our running prompt. */
  ours: string | null
  isCancelled: boolean
  /** True if a usage limit was reported since the client's prompt. */
  isLimited: boolean
  review: number
}

/** In bytes. A longer line is passed on without being read. */
const maxLine = 64 * 1024 * 1024

const parse = (line: Uint8Array): Json.Json => {
  try {
    return line.length > maxLine ? {} : Json.object(JSON.parse(Buffer.from(line).toString("utf8")))
  } catch {
    return {}
  }
}

const encoded = (message: object): Uint8Array => Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

const shown = (sessionId: string, line: string): Uint8Array => {
  const content = { type: "text" as const, text: `\n\n${line}\n\n` }
  const update: SessionUpdate = { sessionUpdate: "agent_message_chunk", content }
  return encoded({ method: methods.update, params: { sessionId, update } })
}

/** The ids 1 and "1" are different. */
const keyOf = (id: unknown): string => JSON.stringify(id) ?? ""

const limits = /\blimit(?:ed)?\b|quota|too many requests|\b429\b/i

const textOf = ({ data, message }: Json.Json): string => {
  const { details, message: more } = Json.object(data)
  return [message, data, details, more].map(Json.text).filter(Boolean).join(": ")
}

const limitEndOf = (events: ReadonlyArray<TranscriptEvent>): string | null => {
  const signal = events.reduce(StopSignal.step, StopSignal.initial)
  return StopSignal.read(signal).closing === "limited" ? (signal.notice?.limitEnd ?? null) : null
}

const modeIn = ({ configOptions, modes }: Json.Json): string | null => {
  const options = Json.list(configOptions).map(Json.object)
  const option = options.find(({ category }) => category === "mode")
  return Json.string(Json.object(modes)["currentModeId"]) ?? Json.string(option?.["currentValue"])
}

/** The ids of our prompts begin with `prefix`. The client's ids must not begin with it. */
export const make = ({ now, prefix }: { readonly now: () => number; readonly prefix: string }) => {
  const sessions = new Map<string, Session>()
  /** The requests of each side that have no response yet. */
  const requests = { client: new Map<string, Json.Json>(), agent: new Map<string, Json.Json>() }
  const ours = new Map<string, string>()
  let prompts = 0
  let reviews = 0
  let out = nothing()

  const outcome = (): Outcome => {
    const all = out
    out = nothing()
    return all
  }

  const begin = (id: string, given: unknown): Session => {
    const cwd = Json.string(given)
    const empty = {
      asked: new Set<string>(),
      behind: [],
      held: null,
      ours: null,
      waits: false,
      isBusy: false,
      isCancelled: false
    }
    const transcript = AcpTranscript.make(cwd, now)
    const session: Session = { cwd, transcript, ...empty, isLimited: false, review: 0 }
    sessions.set(id, session)
    return session
  }

  const of = (id: string): Session => sessions.get(id) ?? begin(id, null)

  const isJudged = (session: Session): boolean => session.held !== null && session.ours === null

  const flush = (session: Session): void => void out.client.push(...session.behind.splice(0))

  const letGo = (session: Session, stopReason = "end_turn"): void => {
    const { held } = session
    if (held === null) return
    const { error: _error, jsonrpc: _, result, ...rest } = held.response
    const changed = { ...rest, result: { ...Json.object(result), stopReason } }
    out.client.push(stopReason === "end_turn" ? held.line : encoded(changed))
    flush(session)
    out.released.push(session.review)
    session.held = null
    session.ours = null
    session.waits = false
  }

  const end = (sessionId: string, session: Session): void => {
    const limitEnd = limitEndOf(session.transcript.events())
    session.review = ++reviews
    session.isBusy = false
    out.ended = { sessionId, review: session.review, limitEnd: session.isLimited ? null : limitEnd }
    session.isLimited ||= limitEnd !== null
  }

  const prompted = (id: string, params: Json.Json, key: string): void => {
    const session = of(id)
    if (session.ours !== null) out.agent.push(encoded({ method: methods.cancel, params: { sessionId: id } }))
    letGo(session)
    session.isCancelled = false
    session.isLimited = false
    session.asked.add(key)
    session.transcript.prompted(Json.contentText(params["prompt"]), false)
  }

  const cancelled = (session: Session): void => {
    session.isCancelled = true
    if (isJudged(session)) letGo(session, "cancelled")
  }

  /** In a closed session, the agent may never answer our prompt. */
  const closed = (session: Session): void => {
    session.isCancelled = true
    letGo(session, "cancelled")
  }

  /** The agent has answered the prompt whose response we hold, so our own prompt is cancelled instead. */
  const requestCancelled = (key: string): void => {
    for (const [sessionId, session] of sessions) {
      if (session.held === null || keyOf(session.held.response["id"]) !== key) continue
      if (session.ours !== null) out.agent.push(encoded({ method: methods.cancel, params: { sessionId } }))
      cancelled(session)
    }
  }

  const permitted = ({ params }: Json.Json, { result }: Json.Json): void => {
    const { options, sessionId, toolCall } = Json.object(params)
    const { optionId } = Json.object(Json.object(result)["outcome"])
    const chosen = Json.list(options)
      .map(Json.object)
      .find((option) => option["optionId"] === optionId)
    if (!Json.text(chosen?.["kind"]).startsWith("reject")) return
    of(Json.text(sessionId)).transcript.denied(Json.object(toolCall)["toolCallId"])
  }

  const failed = (session: Session, error: unknown): void => {
    const said = textOf(Json.object(error))
    session.transcript.noticed(limits.test(said.slice(0, 2000)) ? "rate_limited" : "api_error", said)
  }

  /** Returns true if the response is held. An error is held only for a usage limit whose end is known. */
  const promptEnded = (id: string, line: Uint8Array, response: Json.Json): boolean => {
    const session = of(id)
    session.asked.delete(keyOf(response["id"]))
    const { stopReason } = Json.object(response["result"])
    if (stopReason === "cancelled") session.transcript.noticed("aborted")
    const isError = response["error"] !== undefined
    if (isError) failed(session, response["error"])
    const isBusy = session.asked.size > 0 || session.held !== null
    const isOver = isError ? limitEndOf(session.transcript.events()) !== null : stopReason === "end_turn"
    if (!isOver || session.isCancelled || isBusy) return false
    session.held = { line, response }
    end(id, session)
    return true
  }

  const opened = (params: Json.Json, result: Json.Json, isMode: boolean): void => {
    const made = Json.string(result["sessionId"])
    if (made !== null && !sessions.has(made)) begin(made, params["cwd"])
    const mode = isMode ? Json.string(params["modeId"]) : modeIn(result)
    if (mode !== null) of(made ?? Json.text(params["sessionId"])).transcript.inMode(mode)
  }

  /** Replaces a held error by a success, because our prompt has succeeded. */
  const succeed = (session: Session): void => {
    const { error, ...rest } = session.held?.response ?? {}
    if (error === undefined) return
    const response = { ...rest, result: { stopReason: "end_turn" } }
    session.held = { line: encoded(response), response }
  }

  const ourPromptEnded = (id: string, key: string, { error, result }: Json.Json): void => {
    const session = of(id)
    ours.delete(key)
    if (session.ours !== key) return
    const reason = Json.object(result)["stopReason"]
    session.ours = null
    if (error !== undefined) failed(session, error)
    if (reason === "cancelled" || session.isCancelled) {
      session.transcript.noticed("aborted")
      letGo(session, "cancelled")
    } else if (reason === "end_turn") {
      succeed(session)
      end(id, session)
    } else if (error !== undefined && !session.isLimited && limitEndOf(session.transcript.events()) !== null)
      end(id, session)
    else {
      if (error !== undefined) out.client.push(shown(id, Notice.unanswered(textOf(Json.object(error)))))
      letGo(session, Json.string(reason) ?? "end_turn")
    }
  }

  const readClient = (line: Uint8Array): void => {
    const message = parse(line)
    const { id, method } = message
    const params = Json.object(message["params"])
    const sessionId = Json.text(params["sessionId"])
    const key = keyOf(id)
    const request = method === undefined ? requests.agent.get(key) : undefined
    if (request !== undefined) permitted(request, message)
    if (method === undefined) requests.agent.delete(key)
    else if (id !== undefined) requests.client.set(key, message)
    if (method === methods.prompt && id !== undefined) prompted(sessionId, params, key)
    else if (method === methods.cancel) cancelled(of(sessionId))
    else if (method === methods.close || method === methods.delete) closed(of(sessionId))
    else if (method === methods.cancelRequest) requestCancelled(keyOf(params["requestId"]))
    else if (method === methods.load || method === methods.resume) {
      letGo(of(sessionId))
      begin(sessionId, params["cwd"])
    }
    out.agent.push(line)
  }

  /** Returns true if the response must not be passed on now. */
  const responded = (line: Uint8Array, message: Json.Json, key: string): boolean => {
    const own = ours.get(key)
    if (own !== undefined) ourPromptEnded(own, key, message)
    const request = own === undefined ? requests.client.get(key) : undefined
    if (request === undefined) return own !== undefined
    requests.client.delete(key)
    const params = Json.object(request["params"])
    if (request["method"] === methods.prompt) return promptEnded(Json.text(params["sessionId"]), line, message)
    if (message["error"] === undefined)
      opened(params, Json.object(message["result"]), request["method"] === methods.setMode)
    return false
  }

  const readAgent = (line: Uint8Array): void => {
    const message = parse(line)
    const { id, method } = message
    if (method === undefined && id !== undefined && responded(line, message, keyOf(id))) return
    const params = Json.object(message["params"])
    const session = method === undefined ? undefined : sessions.get(Json.text(params["sessionId"]))
    if (method === methods.permission && id !== undefined) requests.agent.set(keyOf(id), message)
    const call = method === methods.permission ? params["toolCall"] : undefined
    const update = Json.object(method === methods.update ? params["update"] : call)
    session?.transcript.updated(update, session.asked.size > 0 || session.held !== null)
    const isWork = method === methods.permission || update["sessionUpdate"] === "tool_call"
    if (session !== undefined && isJudged(session)) session.isBusy ||= isWork
    if (session?.waits === true && session.isBusy) letGo(session)
    if (session !== undefined && isJudged(session) && !session.waits) session.behind.push(line)
    else out.client.push(line)
  }

  /** If a line cannot be read, it is passed on unchanged. */
  const reading =
    (side: "client" | "agent", read: (line: Uint8Array) => void) =>
    (line: Uint8Array): Outcome => {
      try {
        read(line)
      } catch {
        out[side].push(line)
      }
      return outcome()
    }

  const heldBy = ({ review, sessionId }: TurnEnd): Session | null => {
    const session = sessions.get(sessionId)
    return session !== undefined && isJudged(session) && session.review === review ? session : null
  }

  /** Shows the user a line before the held response. Returns null if the turn is no longer held. */
  const tell = (turn: TurnEnd, notice: string): Outcome | null => {
    if (heldBy(turn) === null) return null
    out.client.push(shown(turn.sessionId, notice))
    return outcome()
  }

  /** While the response waits, the agent's other lines are passed on. If the agent works again, the response is too. */
  const wait = (turn: TurnEnd, notice: string): Outcome | null => {
    const session = heldBy(turn)
    if (session === null) return null
    if (session.isBusy) {
      letGo(session)
      return outcome()
    }
    session.waits = true
    flush(session)
    return tell(turn, notice)
  }

  const nudge = (turn: TurnEnd, text: string, notice: string): Outcome | null => {
    const session = heldBy(turn)
    if (session === null) return null
    const { sessionId } = turn
    const id = `${prefix}${++prompts}`
    session.waits = false
    session.ours = keyOf(id)
    ours.set(session.ours, sessionId)
    flush(session)
    session.transcript.prompted(text, true)
    out.client.push(shown(sessionId, notice))
    out.agent.push(encoded({ id, method: methods.prompt, params: { sessionId, prompt: [{ type: "text", text }] } }))
    return outcome()
  }

  /** If `turn` is null, passes on all held responses. */
  const release = (turn: TurnEnd | null): Outcome => {
    const held = turn === null ? [...sessions.values()] : [heldBy(turn)]
    for (const session of held) if (session !== null) letGo(session)
    return outcome()
  }

  const fromClient = reading("agent", readClient)
  const fromAgent = reading("client", readAgent)
  return { fromClient, fromAgent, nudge, tell, wait, release, session: (id: string) => sessions.get(id) ?? null }
}

export type Proxy = ReturnType<typeof make>
