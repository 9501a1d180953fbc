/** Folds the messages of one session into the events of a transcript. */
import type { SessionUpdate, ToolKind } from "@agentclientprotocol/sdk"
import * as Json from "@reflexion/core/internal/base/json/Json"
import { attemptOf } from "@reflexion/core/internal/session/task/OwnFeedback"
import { todosIn } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { Mode, Notice, ToolCall, ToolStatus, TranscriptEvent } from "@reflexion/core/Transcript"

/** A call, put together from all its messages. `name` is its first title. */
interface Call {
  readonly place: number
  readonly name: string
  readonly fields: Json.Json
}

const kinds = {
  prompt: "user_message_chunk",
  text: "agent_message_chunk",
  call: "tool_call",
  plan: "plan",
  mode: "current_mode_update"
} as const satisfies Readonly<Record<string, SessionUpdate["sessionUpdate"]>>

const statuses: Readonly<Record<string, ToolStatus>> = {
  pending: "pending",
  in_progress: "running",
  completed: "completed",
  failed: "error",
  denied: "denied"
}

/** A call of another kind keeps its name. */
const tools = {
  execute: "bash",
  edit: "edit",
  delete: "edit",
  move: "edit",
  read: "read",
  search: "grep",
  fetch: "webfetch"
} as const satisfies Partial<Record<ToolKind, string>>

const isKnown = (kind: unknown): kind is keyof typeof tools => typeof kind === "string" && Object.hasOwn(tools, kind)

const objects = (list: unknown): ReadonlyArray<Json.Json> => Json.list(list).map(Json.object)

const hasEnded = (fields: Json.Json | undefined): boolean =>
  /^(?:completed|failed)$/.test(Json.text(fields?.["status"]))

/** Some agents give the command only as the title. */
const shellInput = (input: Json.Json, title: unknown): unknown =>
  input["command"] === undefined && input["cmd"] === undefined
    ? { command: Json.text(title).replace(/^`(.*)`$/s, "$1") }
    : input

const editInput = (input: Json.Json, { content, locations }: Json.Json): unknown => {
  const diffs = objects(content).filter(({ type }) => type === "diff")
  const [only, ...others] = diffs
  if (only !== undefined && others.length === 0)
    return { filePath: only["path"], oldString: only["oldText"], newString: only["newText"] }
  const places = diffs.length > 0 ? diffs : Object.keys(input).length > 0 ? [] : objects(locations)
  return places.length === 0
    ? input
    : { changes: Object.fromEntries(places.map(({ path }) => [Json.text(path), null])) }
}

const inputOf = ({ content, kind, locations, rawInput, title }: Json.Json): unknown => {
  const tool = isKnown(kind) ? tools[kind] : null
  const input = Json.object(rawInput)
  if (tool === "bash") return shellInput(input, title)
  return tool === "edit" ? editInput(input, { content, locations }) : (rawInput ?? null)
}

const resultOf = ({
  content,
  kind,
  rawOutput,
  status
}: Json.Json): Pick<ToolCall, "status" | "exitCode" | "output"> => {
  const raw = Json.object(rawOutput)
  const codes = [raw, Json.object(raw["metadata"])].flatMap((one) => [one["exitCode"], one["exit_code"], one["exit"]])
  const exitCode = codes.map(Json.exitCode).find((code) => code !== null) ?? null
  const texts = objects(content).flatMap((item) => Json.string(Json.object(item["content"])["text"]) ?? [])
  const named = [rawOutput, raw["output"], raw["aggregated_output"], raw["stdout"], texts.join("\n")]
  const output = Json.clip(named.map(Json.text).find((text) => text !== "") ?? "", 64 * 1024)
  // Some agents call a failed command "completed". Without output and exit code, the status is unknown.
  if (kind === "execute" && status === "completed" && exitCode === null && output === "")
    return { status: null, exitCode, output: null }
  return { status: statuses[Json.text(status)] ?? null, exitCode, output: output === "" ? null : output }
}

export const make = (cwd: string | null, now: () => number) => {
  const events: Array<TranscriptEvent> = []
  const calls = new Map<string, Call>()
  let mode: Mode = "unknown"
  /** The message that the next chunk continues. */
  let open: unknown = null

  const time = () => Json.millis(now())

  const said = (type: "user_message" | "assistant_message", text: string, synthetic = false): void => {
    const at = time()
    // Nudges are counted for each message id, so the ids of different processes must differ.
    const id = `${at}#${events.length}`
    if (type === "user_message") events.push({ type, id, at, text, synthetic })
    else events.push({ type, id, at, text, completed: null, outputTokens: null, model: null })
  }

  const chunk = (type: "user_message" | "assistant_message", { content, messageId }: Json.Json): void => {
    const text = Json.contentText(content)
    const last = events.at(-1)
    const key = `${type} ${Json.text(messageId)}`
    if (open !== key || last?.type !== type) said(type, text)
    else events[events.length - 1] = { ...last, text: last.text + text }
    open = key
  }

  const called = (given: Json.Json, isNew: boolean): void => {
    const id = Json.text(given["toolCallId"])
    const before = calls.get(id)
    const known = isNew && hasEnded(before?.fields) ? undefined : before
    const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    // After a denial, the agent reports the call as failed. The call did not run, so it stays denied.
    const denied = known?.fields["status"] === "denied" && { status: "denied" }
    const fields: Json.Json = { ...known?.fields, ...said, ...denied }
    const { kind, rawInput } = fields
    const place = known?.place ?? events.length
    const name = known?.name ?? Json.text(given["name"] ?? given["title"]).slice(0, 200)
    calls.set(id, { place, name, fields })
    events[place] = {
      type: "tool_call",
      id: `${id}#${place}`,
      at: events[place]?.at ?? time(),
      endedAt: hasEnded(fields) ? time() : null,
      tool: isKnown(kind) ? tools[kind] : name,
      input: inputOf(fields),
      cwd: Json.string(Json.object(rawInput)["cwd"]) ?? cwd,
      background: false,
      agentId: null,
      ...resultOf(fields)
    }
  }

  const inMode = (name: string): void => {
    const next = /\bplan/i.test(name) ? "plan" : "build"
    if (next !== mode) events.push({ type: "mode_change", at: time(), mode: next })
    mode = next
  }

  return {
    /** In a history that the agent replays, our earlier prompts look like the user's. */
    events: (): ReadonlyArray<TranscriptEvent> =>
      events.map((event) =>
        event.type === "user_message" && attemptOf(event.text) !== null ? { ...event, synthetic: true } : event
      ),
    prompted: (text: string, synthetic: boolean) => said("user_message", text, synthetic),
    /** Reads the update of a `session/update`, or the call in a request for permission. */
    updated: (update: Json.Json, isLive: boolean): void => {
      const kind = update["sessionUpdate"]
      // In a running turn, some agents repeat the prompt. It is already an event.
      if (kind === kinds.prompt && !isLive) chunk("user_message", update)
      else if (kind === kinds.text) chunk("assistant_message", update)
      else if (kind === kinds.plan)
        events.push({ type: "todo_update", at: time(), todos: todosIn(update["entries"]) ?? [] })
      else if (kind === kinds.mode) inMode(Json.text(update["currentModeId"]))
      else if (typeof update["toolCallId"] === "string") called(update, kind === kinds.call)
    },
    denied: (toolCallId: unknown) => called({ toolCallId, status: "denied" }, false),
    noticed: (kind: Notice["kind"], detail: string | null = null) =>
      void events.push({ type: "notice", at: time(), kind, detail }),
    inMode
  }
}
