/** The running task's part of a transcript, as a model is shown it and as what it cites is looked up in. */
import * as Json from "../../base/json/Json.ts"
import type { Judged } from "../../judge/verdict/Judgment.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import * as Redaction from "../../base/redaction/Redaction.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import type {
  AssistantMessage,
  Notice,
  ToolCall,
  Transcript,
  TranscriptEvent,
  UserMessage
} from "../../session/transcript/Transcript.ts"
import type { EarlierTurn } from "../../session/task/EarlierTurns.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { withDefaults } from "../../session/transcript/NeutralTranscript.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import { oneLine } from "../../base/text/Text.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"

/** One event under the label by which it is cited: its place (`at`) in the transcript. `current`: of the turn that is judged. */
export interface Entry {
  readonly label: string
  readonly at: number
  readonly event: UserMessage | AssistantMessage | ToolCall
  readonly current: boolean
}

/** What else happened at a place of the transcript: what the host said, or what a subagent did. */
export interface Note {
  readonly at: number
  readonly text: string
}

/**
 * A turn as it is judged: what tier 1 knows and says of it, and the record that it rests on. `told`: a model has had the agent
 * sent on since the user's last message; `before` are the turns before the task's, in short.
 */
export interface Turn {
  readonly known: Facts
  readonly judged: Judged
  readonly told: boolean
  readonly entries: ReadonlyArray<Entry>
  readonly notes: ReadonlyArray<Note>
  readonly before: ReadonlyArray<EarlierTurn>
}

/** Where the task begins, and where its last turn does. */
const bounds = (events: ReadonlyArray<TranscriptEvent>, task: TaskContext.TaskContext) => {
  let turn = -1
  let from = 0
  let current = 0
  for (const [index, event] of events.entries()) {
    if (!TaskContext.beginsTurn(turn, event)) continue
    turn = event.type === "user_message" && event.turn !== undefined ? event.turn : turn + 1
    if (turn <= task.since) from = index
    current = index
  }
  return { from, current }
}

/** All that happened since the task was given. */
export const eventsOf = ({ events }: Transcript, task: TaskContext.TaskContext): ReadonlyArray<TranscriptEvent> =>
  events.slice(bounds(events, task).from)

/** When the task was given, where the host says so. */
export const givenAt = ({ events }: Transcript, task: TaskContext.TaskContext): string | null =>
  events[bounds(events, task).from]?.at ?? null

const isShown = (event: TranscriptEvent): event is Entry["event"] =>
  (event.type === "user_message" && (isFeedback(event) || TaskContext.isGenuine(event))) ||
  (event.type === "assistant_message" && event.text.trim() !== "") ||
  (event.type === "tool_call" && event.agentId === null)

/** A call that a host tells of twice counts once, as it ended. */
const settled = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const last = new Map(entries.map((entry) => [entry.event.id ?? entry.label, entry]))
  return entries.filter((entry) => last.get(entry.event.id ?? entry.label) === entry)
}

export const entriesOf = (transcript: Transcript, task: TaskContext.TaskContext): ReadonlyArray<Entry> => {
  const { current, from } = bounds(transcript.events, task)
  const entries = transcript.events.slice(from).flatMap((given, offset): ReadonlyArray<Entry> => {
    const index = from + offset
    const event = withDefaults(given, index)
    return isShown(event) ? [{ label: `e${index}`, at: index, event, current: index >= current }] : []
  })
  return settled(entries)
}

const said: Partial<Readonly<Record<Notice["kind"], string>>> = {
  aborted: "the user interrupted the agent",
  compacted: "the context was compacted",
  api_error: "the model's service failed",
  rate_limited: "a usage limit was reached",
  background_running: "something runs in the background",
  permission_asked: "the user is asked for a permission",
  input_queued: "the user's next message waits"
}

interface Delegated {
  at: number
  calls: number
  edits: number
  commands: number
  failed: number
}

const counted = (by: Delegated): Note => ({
  at: by.at,
  text: `a subagent made ${by.calls} calls, ${by.edits} of them edits, ${by.commands} commands; ${by.failed} failed`
})

/** What is told of beside the entries. */
export const notesOf = (transcript: Transcript, task: TaskContext.TaskContext): ReadonlyArray<Note> => {
  const { from } = bounds(transcript.events, task)
  const delegated = new Map<string, Delegated>()
  const notes: Array<Note> = []
  for (const [offset, event] of transcript.events.slice(from).entries()) {
    const at = from + offset
    if (event.type === "mode_change") notes.push({ at, text: `the mode is now: ${event.mode}` })
    const words = event.type === "notice" ? said[event.kind] : undefined
    if (words !== undefined) notes.push({ at, text: words })
    if (event.type !== "tool_call" || event.agentId === null || event.status === "pending") continue
    const by = delegated.get(event.agentId) ?? { at, calls: 0, edits: 0, commands: 0, failed: 0 }
    const kind = toolKind(event.tool)
    by.at = at
    by.calls += 1
    by.edits += kind === "edit" ? 1 : 0
    by.commands += kind === "shell" ? 1 : 0
    by.failed += hasFailed(event) ? 1 : 0
    delegated.set(event.agentId, by)
  }
  return [...notes.slice(-20), ...[...delegated.values()].slice(-20).map(counted)]
}

/** The user's conditions for being done that no command proves, each to be cited by its own number. */
export const conditionsOf = ({ doneWhen }: Pick<Facts, "doneWhen">): ReadonlyArray<Entry> =>
  doneWhen
    .filter(({ command, untrusted }) => command === null && untrusted !== true)
    .map(({ id, text }) => ({
      label: id,
      at: -1,
      current: false,
      event: { type: "user_message", id: null, at: null, text, synthetic: false }
    }))

/** Whether an entry is such a condition, which nobody said at a time of the record. */
export const isCondition = ({ doneWhen }: Pick<Facts, "doneWhen">, { label }: Pick<Entry, "label">): boolean =>
  doneWhen.some(({ id }) => id === label)

/** A label without what a model may put around it. */
export const bare = (cited: string): string => cited.trim().replaceAll(/^[[(#"'`]+|[\])"'`]+$/g, "")

/** The event that a model cites, by its label or by the host's own id. */
export const find = ({ entries }: Turn, cited: string): Entry | null => {
  const name = bare(cited)
  return entries.find(({ event, label }) => label === name || (name !== "" && event.id === name)) ?? null
}

/** Without secrets and unseen characters; cleaned first, for one in a token would keep it from being known as one. */
export const clean = (text: string): string => Redaction.redact(PlainText.clean(text)).trim()

const telling = ["file_path", "filePath", "path", "pattern", "query", "url", "description"]

/** What a call is about, in a line. */
export const targetOf = (call: ToolCall, limit: number): string => {
  const input = Json.object(call.input)
  const given = shellCommand(call) ?? telling.map((name) => Json.string(input[name])).find((text) => text !== null)
  return oneLine(clean((given ?? "").slice(0, 4000)), limit)
}

export const hasFailed = (call: ToolCall): boolean =>
  call.status === "error" || (call.exitCode !== null && call.exitCode !== 0)

export const lastResponse = ({ entries, known }: Turn): Entry | null =>
  known.stop.spokeLast
    ? (entries.findLast(({ current, event }) => current && event.type === "assistant_message") ?? null)
    : null
