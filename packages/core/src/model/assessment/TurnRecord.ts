/** Selects the part of a transcript for a model's prompt: the events of the current task. */
import { safeText } from "../../base/redaction/SafeText.ts"
import * as Json from "../../base/json/Json.ts"
import { hasFailed } from "../../session/evidence/Calls.ts"
import type { JudgedTurn, JudgmentState, VerdictOptions } from "../../judge/verdict/Judgment.ts"
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
import { type Facts, gather } from "../../session/facts/Facts.ts"
import { withDefaults } from "../../session/transcript/NeutralTranscript.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import { oneLine } from "../../base/text/Text.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"

export interface Entry {
  readonly label: string
  readonly at: number
  readonly event: UserMessage | AssistantMessage | ToolCall
  readonly current: boolean
}

/** A notice of the host, or a subagent's work. `at` is its position in the transcript. */
export interface Note {
  readonly at: number
  readonly text: string
}

export interface Turn {
  readonly known: Facts
  readonly judged: JudgedTurn
  /** True if a model's opinion has caused a nudge since the user's last message. */
  readonly told: boolean
  readonly entries: ReadonlyArray<Entry>
  readonly notes: ReadonlyArray<Note>
  readonly before: ReadonlyArray<EarlierTurn>
}

/** `from` is where the task begins, `current` is where its last turn begins. */
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

export const eventsOf = ({ events }: Transcript, task: TaskContext.TaskContext): ReadonlyArray<TranscriptEvent> =>
  events.slice(bounds(events, task).from)

/** The time when the task was given. Null if the host does not say it. */
export const givenAt = ({ events }: Transcript, task: TaskContext.TaskContext): string | null =>
  events[bounds(events, task).from]?.at ?? null

const isShown = (event: TranscriptEvent): event is Entry["event"] =>
  (event.type === "user_message" && (isFeedback(event) || TaskContext.isGenuine(event))) ||
  (event.type === "assistant_message" && event.text.trim() !== "") ||
  (event.type === "tool_call" && event.agentId === null)

/** A host may report a call twice. The last report stays. */
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

/** A model may put brackets or quotation marks around a label. */
export const bare = (cited: string): string => cited.trim().replaceAll(/^[[(#"'`]+|[\])"'`]+$/g, "")

/** Removes invisible characters before secrets: a secret that contains one would not be recognized. */
export const clean = (text: string): string => safeText(text).trim()

const telling = ["file_path", "filePath", "path", "pattern", "query", "url", "description"]

export const firstText = (input: unknown, names: ReadonlyArray<string>): string | null =>
  names.map((name) => Json.string(Json.object(input)[name])).find((text) => text !== null) ?? null

export const targetOf = (call: ToolCall, limit: number): string => {
  const given = shellCommand(call) ?? firstText(call.input, telling) ?? ""
  return oneLine(clean(given.slice(0, 4000)), limit)
}

export const lastResponse = ({ entries, known }: Turn): Entry | null =>
  known.stop.spokeLast
    ? (entries.findLast(({ current, event }) => current && event.type === "assistant_message") ?? null)
    : null

export const turnOf = (
  state: JudgmentState,
  options: VerdictOptions & { readonly transcript: Transcript; readonly judged: JudgedTurn }
): Turn => {
  const known = gather(state, options)
  const { judged, transcript } = options
  return {
    known,
    judged,
    told: state.nudges.unsure === true,
    entries: entriesOf(transcript, known.task),
    notes: notesOf(transcript, known.task),
    before: (state.earlier ?? []).filter(({ turn }) => turn < known.task.since)
  }
}
