/** The running task's part of a transcript, as a model is shown it and as what it cites is looked up in. */
import * as Json from "../../ground/json/Json.ts"
import type { Judged } from "../../judge/verdict/Judgment.ts"
import * as PlainText from "../../ground/text/PlainText.ts"
import * as Redaction from "../../ground/redaction/Redaction.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import type {
  AssistantMessage,
  ToolCall,
  Transcript,
  TranscriptEvent,
  UserMessage
} from "../../session/transcript/Transcript.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { withDefaults } from "../../session/transcript/NeutralEvents.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import { oneLine, tail } from "../../ground/text/Text.ts"
import { shellCommand } from "../../session/transcript/ToolKinds.ts"

/** One event under the label by which it is cited: its place in the transcript. `current`: of the turn that is judged. */
export interface Entry {
  readonly label: string
  readonly event: UserMessage | AssistantMessage | ToolCall
  readonly current: boolean
}

/**
 * A turn as it is judged: what tier 1 knows and says of it, and the record that it rests on. `agreed` is what it would say if
 * a model agreed with the rules that ask; null where none does.
 */
export interface Turn {
  readonly known: Facts
  readonly judged: Judged
  readonly agreed: Judged | null
  readonly entries: ReadonlyArray<Entry>
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
    return isShown(event) ? [{ label: `e${index}`, event, current: index >= current }] : []
  })
  return settled(entries)
}

/** The user's conditions for being done that no command proves, each to be cited by its own number. */
export const conditionsOf = ({ doneWhen }: Pick<Facts, "doneWhen">): ReadonlyArray<Entry> =>
  doneWhen
    .filter(({ command, untrusted }) => command === null && untrusted !== true)
    .map(({ id, text }) => ({
      label: id,
      current: false,
      event: { type: "user_message", id: null, at: null, text, synthetic: false }
    }))

/** Whether an entry is such a condition, which nobody said at a time of the record. */
export const isCondition = ({ doneWhen }: Pick<Facts, "doneWhen">, { label }: Pick<Entry, "label">): boolean =>
  doneWhen.some(({ id }) => id === label)

/** The event that a model cites, by its label or by the host's own id. */
export const find = ({ entries }: Turn, cited: string): Entry | null => {
  const name = cited.trim().replaceAll(/^[[(#"'`]+|[\])"'`]+$/g, "")
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

const outcomeOf = (call: ToolCall): string =>
  call.exitCode === null ? (call.status ?? "outcome unknown") : `exit ${call.exitCode}`

/** The end of an output, where tools say how it went. */
const outputOf = (call: ToolCall, limit: number): string => {
  const said = oneLine(tail(clean((call.output ?? "").slice(-4000)), limit), limit)
  return said === "" ? "" : `; its output ends: ${said}`
}

const line = ({ event, label }: Entry, last: boolean): string => {
  switch (event.type) {
    case "user_message":
      return event.synthetic
        ? `[${label}] the agent was reminded: ${oneLine(clean(event.text.slice(0, 4000)), 600)}`
        : `[${label}] user: ${oneLine(clean(event.text.slice(0, 8000)), 1500)}`
    case "assistant_message":
      return `[${label}] agent: ${last ? "its last response, below" : oneLine(clean(event.text.slice(0, 4000)), 160)}`
    case "tool_call":
      return `[${label}] ${oneLine(event.tool, 40)} \`${targetOf(event, 200)}\` → ${outcomeOf(event)}${outputOf(event, hasFailed(event) ? 400 : 160)}`
  }
}

export const lastResponse = ({ entries, known }: Turn): Entry | null =>
  known.stop.spokeLast
    ? (entries.findLast(({ current, event }) => current && event.type === "assistant_message") ?? null)
    : null

const maxCalls = 60

/** The record in lines: every message of the user's, and the last of all else. */
export const lines = (turn: Turn): ReadonlyArray<string> => {
  const recent = new Set(turn.entries.slice(-maxCalls))
  const shown = turn.entries
    .filter((entry) => !isCondition(turn.known, entry))
    .filter((entry) => recent.has(entry) || entry.event.type === "user_message")
    .slice(-maxCalls * 2)
  const last = lastResponse(turn)
  return shown.map((entry) => line(entry, entry === last))
}
