/** Decodes messages. A message can be recorded twice: as an item of the model and as an event of the host. */
import type { TranscriptEvent, UserMessage } from "@reflexion/core/Transcript"
import * as Agents from "./agents.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import { chain } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Prompt from "./prompt.ts"
import { type Echo, none, type Prompt as Held, type State, type Step, type Words } from "./state.ts"

const maxEchoes = 16

export const item = (state: State, message: Json.Json, at: string | null): Step => {
  switch (message["role"]) {
    case "user":
      return userItem(state, message, at)
    case "assistant":
      return assistantItem(state, message, at)
    default:
      return [state, none]
  }
}

const userItem = (state: State, message: Json.Json, at: string | null): Step => {
  const told = Json.object(message["internal_chat_message_metadata_passthrough"] ?? message["metadata"])
  const prompt = Prompt.classify(message["content"], Json.list(told["content_item_kinds"]))
  const id = Json.string(message["id"])
  switch (prompt.kind) {
    case "context":
      return [state, none]
    case "notification": {
      const [next, events] = Agents.notified(state, prompt.text, at)
      return [next, [synthetic(id, at, prompt.text), ...events]]
    }
    case "synthetic":
      return [state, [synthetic(id, at, prompt.text)]]
    case "genuine": {
      const [next, repeated] = echo(state, "item", `user ${prompt.text.trim()}`)
      return repeated ? [next, none] : genuine(record(next, "item", anyPrompt), { id, at, text: prompt.text })
    }
    case "unsaid":
      return unsaid(state, { id, at, text: prompt.text })
  }
}

const maxSynthetic = 16 * 1024

const synthetic = (id: string | null, at: string | null, text: string): UserMessage => ({
  type: "user_message",
  id,
  at,
  text: Json.clip(text, maxSynthetic / 2),
  synthetic: true
})

/** The author is unknown until the next line. If the record has events for prompts, no person wrote this text. */
const unsaid = (state: State, { at, id, text }: Held): Step => {
  const [next, repeated] = echo(state, "item", `user ${text.trim()}`)
  if (repeated) return [next, none]
  const [flushed, events] = flush(next)
  return [{ ...flushed, held: { id, at, text } }, events]
}

/** Releases the held texts: the lines after them named no other author. */
export const flush = (state: State): Step => {
  if (state.held === null && state.unnamed === null) return [state, none]
  return chain(state, flushPrompt, flushWords)
}

const flushWords = (state: State): Step =>
  state.unnamed === null ? [state, none] : [{ ...state, unnamed: null }, [assistantMessage(state, state.unnamed)]]

/** If the record has no events for prompts at all, a person wrote the held text. */
const flushPrompt = (state: State): Step => {
  if (state.held === null) return [state, none]
  const rest = { ...state, held: null }
  return state.namesPrompts ? [rest, none] : genuine(rest, state.held)
}

/** If a prompt has pictures, the texts of its item and its event differ and cannot be compared. */
const anyPrompt = "prompt"

export const userEvent = (state: State, text: string, id: string | null, at: string | null): Step => {
  const named = { ...state, namesPrompts: true }
  const told = consume(consume(named, "event", `user ${text.trim()}`) ?? named, "event", anyPrompt)
  if (told !== null) return [told, none]
  const [next, repeated] = echo(named, "event", `user ${text.trim()}`)
  if (repeated && state.held === null) return [next, none]
  return text.trim() === "" ? [next, none] : genuine({ ...next, held: null }, { id, at, text })
}

/** The first message after the host began a turn starts that turn. A message typed later joins that turn. */
const genuine = (state: State, { at, id, text }: Held): Step => {
  const joins = state.phase === "working" && state.turn >= 0
  const turn = joins ? state.turn : state.prompts
  const message: UserMessage = { type: "user_message", id, at, text, synthetic: false, turn }
  const phase = state.phase === "begun" ? "working" : state.phase
  return chain(
    state,
    flushWords,
    (current) => [{ ...current, turn, prompts: current.prompts + 1, phase }, [message]],
    (current) => entered(current, at)
  )
}

/** The next turn's mode must not apply to the turn before. */
export const entered = (state: State, at: string | null): Step => {
  const mode = state.nextMode
  if (mode === null) return [state, none]
  const next = { ...state, mode, nextMode: null }
  return mode === state.mode ? [next, none] : [next, [{ type: "mode_change", at, mode }]]
}

const assistantItem = (state: State, message: Json.Json, at: string | null): Step =>
  said(state, {
    from: "item",
    id: Json.string(message["id"]),
    at,
    text: Json.contentText(message["content"]),
    final: message["phase"] === "final_answer"
  })

export interface SpokenWords extends Words {
  readonly from: Echo["from"]
}

export const said = (state: State, { from, ...words }: SpokenWords): Step => {
  if (words.text.trim() === "") return [state, none]
  const [next, repeated] = echo(from === "event" ? namesMessages(state) : state, from, `agent ${words.text.trim()}`)
  if (repeated) return [next, none]
  if (from === "event" || !state.namesMessages) return [next, [assistantMessage(next, words)]]
  return [{ ...next, unnamed: words }, none]
}

const assistantMessage = (state: State, { at, final, id, text }: Words): TranscriptEvent => ({
  type: "assistant_message",
  id,
  at,
  text,
  completed: final ? true : null,
  outputTokens: null,
  model: state.model
})

/** The held text was a summary for the model at a compaction, not a message to the user. */
export const compacted = (state: State): State => (state.unnamed === null ? state : { ...state, unnamed: null })

export const namesMessages = (state: State): State => (state.namesMessages ? state : { ...state, namesMessages: true })

/** True if the other kind of record (item or event) already had this text. */
const echo = (state: State, from: Echo["from"], text: string): readonly [State, boolean] => {
  const told = consume(state, from, text)
  return told === null ? [record(state, from, text), false] : [told, true]
}

const record = (state: State, from: Echo["from"], text: string): State => ({
  ...state,
  echoes: Json.append(state.echoes, { from, text }, maxEchoes)
})

/** Null if the other kind of record has no such text. */
const consume = (state: State, from: Echo["from"], text: string): State | null => {
  const told = state.echoes.find((one) => one.from !== from && one.text === text)
  return told === undefined ? null : { ...state, echoes: state.echoes.filter((one) => one !== told) }
}
