/** Messages in the user's place: typed by a person, or put there by the host or by reflexion. */
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { TranscriptEvent, UserMessage } from "@reflexion/core/Transcript"
import * as Mark from "./Mark.ts"
import * as Background from "./background.ts"
import * as State from "./state.ts"
import type { State as Decoding } from "./state.ts"

const maxSynthetic = 16 * 1024
const none: ReadonlyArray<TranscriptEvent> = []

/** The host announces with it what the user runs in a shell. */
const ownShell = "The following tool was executed by the user"

export const message = (state: Decoding, info: Json.Json, parts: ReadonlyArray<Json.Json>): State.Step => {
  if (parts.length === 0 || State.seen(state, info) !== undefined) return [state, none]
  const told = State.remember(state, State.closed(info))
  const byHost = parts.filter(isSynthetic)
  const synthetic = byHost.map(counted).join("\n")
  const text = typed(parts)
  const at = Json.millis(State.createdAt(info))
  const id = Json.string(info["id"])
  if (text !== "") {
    const [next, events] = genuine(told, info, { id, at, text })
    const body = expanded(parts)
    const orders = { ...byOthers({ id: null, at, text: body }), expansion: true as const }
    return withMode(next, body === "" ? events : [...events, orders], info)
  }
  if (synthetic === "") return withMode(told, none, info)
  const shell = synthetic.startsWith(ownShell) ? id : told.shell
  const event = byOthers({ id, at, text: synthetic })
  const [ended, calls] = Background.allEnded({ ...told, shell }, byHost.map(textOf), at)
  return withMode(ended, [event, ...calls], info)
}

const isText = (part: Json.Json): boolean => part["type"] === "text" && Json.text(part["text"]).trim() !== ""

/** `ignored` parts are for the user's eyes. */
const isSynthetic = (part: Json.Json): boolean =>
  isText(part) &&
  (part["synthetic"] === true ||
    part["ignored"] === true ||
    Json.isObject(Json.object(part["metadata"])["reflexion"]) ||
    Mark.isFeedbackPart(part))

const textOf = (part: Json.Json): string => Json.text(part["text"])

/** Which push it is stands in our words; where another plugin has changed them, it still stands in our mark. */
const counted = (part: Json.Json): string => {
  const text = textOf(part)
  const push = Feedback.attemptOf(text) === null ? Mark.pushOf(part["metadata"]) : null
  if (push === null) return text
  const [opening] = Feedback.render({ ...push, facts: [], actions: [], human: [] }).split("\n")
  return `${opening}\n${text}`
}

const textsOf = (parts: ReadonlyArray<Json.Json>): string => parts.map(textOf).join("\n")

/** Whoever brought a command's file into the project wrote what it is made into: the user typed its name, and what is behind it. */
const commandOf = (parts: ReadonlyArray<Json.Json>): string | null => {
  const command = parts.flatMap((part) => Mark.commandOf(part) ?? [])[0]
  return command === undefined ? null : `/${command.name} ${command.arguments}`.trim()
}

/** What a command's file was made into. */
const expanded = (parts: ReadonlyArray<Json.Json>): string =>
  parts
    .flatMap((part) => (Mark.commandOf(part) === null ? [] : [Json.text(part["text"] ?? part["prompt"])]))
    .join("\n")
    .trim()

/** What a person wrote; of a prompt without words, what is in it. */
const typed = (parts: ReadonlyArray<Json.Json>): string => {
  const texts = parts.filter((part) => isText(part) && !isSynthetic(part))
  const command = commandOf(parts)
  if (command !== null) return [command, ...texts.map(textOf)].join("\n")
  if (texts.length > 0) return unquoted(textsOf(texts))
  const tasks = parts.filter((part) => part["type"] === "subtask").map((part) => Json.text(part["prompt"]))
  return tasks.length > 0 ? tasks.join("\n") : parts.flatMap(fileOf).join(" ")
}

/** `opencode run` puts a prompt of several words in quotation marks, which are none of the user's. */
export const unquoted = (text: string): string =>
  /^"(?:[^"\\]|\\.)*"$/s.test(text) ? text.slice(1, -1).replaceAll('\\"', '"') : text

const fileOf = (part: Json.Json): ReadonlyArray<string> => {
  if (part["type"] !== "file" || part["synthetic"] === true) return []
  if (Json.text(part["mime"]).startsWith("image/")) return ["[image]"]
  return [`[file ${(Json.string(part["filename"]) ?? "").slice(0, 500)}]`]
}

type Prompt = Pick<UserMessage, "id" | "at" | "text">

const byOthers = ({ at, id, text }: Prompt): UserMessage => ({
  type: "user_message",
  id,
  at,
  text: Json.clip(text, maxSynthetic / 2),
  synthetic: true
})

/** What is typed while the agent works joins the running turn: the host answers both at once. */
const genuine = (state: Decoding, info: Json.Json, prompt: Prompt): State.Step => {
  const turn = state.turn >= 0 && isBusy(state, State.createdAt(info)) ? state.turn : state.prompts
  const event: UserMessage = { type: "user_message", ...prompt, synthetic: false, turn }
  return [{ ...state, turn, prompts: state.prompts + 1 }, [event]]
}

const isBusy = ({ answer }: Decoding, at: number | null): boolean => {
  if (answer === null) return false
  return answer.open || (at !== null && answer.completed !== null && answer.completed > at)
}

const withMode = (state: Decoding, events: ReadonlyArray<TranscriptEvent>, info: Json.Json): State.Step => {
  const agent = Json.string(info["agent"]) ?? Json.string(info["mode"])
  const mode = agent === null ? state.mode : agent === "plan" ? "plan" : "build"
  if (mode === state.mode) return [state, events]
  return [{ ...state, mode }, [...events, { type: "mode_change", at: Json.millis(State.createdAt(info)), mode }]]
}
