/** Decodes messages with the role of the user: from a person, the host or reflexion. */
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { ToolCall, TranscriptEvent, UserMessage } from "@reflexion/core/Transcript"
import * as Calls from "./Calls.ts"
import * as Mark from "./Mark.ts"
import * as State from "./state.ts"

const maxSynthetic = 16 * 1024
const maxOutput = 32 * 1024

/** The host writes this text when the user runs a shell command. */
const ownShell = "The following tool was executed by the user"

const isText = (part: Json.Json): boolean => part["type"] === "text" && Json.text(part["text"]).trim() !== ""

/** Parts marked `ignored` are shown to the user but not to the model. */
const isSynthetic = (part: Json.Json): boolean =>
  isText(part) &&
  (part["synthetic"] === true ||
    part["ignored"] === true ||
    Json.isObject(Json.object(part["metadata"])["reflexion"]) ||
    Mark.isFeedbackPart(part))

const textOf = (part: Json.Json): string => Json.text(part["text"])

/** If another plugin changed our text, adds the number of the nudge from our mark. */
const counted = (part: Json.Json): string => {
  const text = textOf(part)
  const nudge = Feedback.attemptOf(text) === null ? Mark.nudgeOf(part["metadata"]) : null
  if (nudge === null) return text
  const [opening] = Feedback.render({ ...nudge, facts: [], actions: [], human: [] }).split("\n")
  return `${opening}\n${text}`
}

/** `opencode run` adds quotation marks around a prompt of several words. */
export const unquoted = (text: string): string =>
  /^"(?:[^"\\]|\\.)*"$/s.test(text) ? text.slice(1, -1).replaceAll('\\"', '"') : text

const fileOf = (part: Json.Json): ReadonlyArray<string> => {
  if (part["type"] !== "file" || part["synthetic"] === true) return []
  if (Json.text(part["mime"]).startsWith("image/")) return ["[image]"]
  return [`[file ${(Json.string(part["filename"]) ?? "").slice(0, 500)}]`]
}

/** Of a command, only the name and the arguments count, because the rest comes from a project's file. */
const typed = (parts: ReadonlyArray<Json.Json>): string => {
  const texts = parts.filter((part) => isText(part) && !isSynthetic(part)).map(textOf)
  const command = parts.flatMap((part) => Mark.commandOf(part) ?? [])[0]
  if (command !== undefined) return [`/${command.name} ${command.arguments}`.trim(), ...texts].join("\n")
  if (texts.length > 0) return unquoted(texts.join("\n"))
  const tasks = parts.filter((part) => part["type"] === "subtask").map((part) => Json.text(part["prompt"]))
  return tasks.length > 0 ? tasks.join("\n") : parts.flatMap(fileOf).join(" ")
}

const expanded = (parts: ReadonlyArray<Json.Json>): string =>
  parts
    .flatMap((part) => (Mark.commandOf(part) === null ? [] : [Json.text(part["text"] ?? part["prompt"])]))
    .join("\n")
    .trim()

type Prompt = Pick<UserMessage, "id" | "at" | "text">

const byOthers = (prompt: Prompt): UserMessage => ({
  type: "user_message",
  ...prompt,
  text: Json.clip(prompt.text, maxSynthetic / 2),
  synthetic: true
})

const isBusy = ({ answer }: State.State, at: number | null): boolean =>
  answer !== null && (answer.open || (at !== null && answer.completed !== null && answer.completed > at))

/** A message that is typed while the agent works joins the running turn, because the host answers both together. */
const genuine = (state: State.State, prompt: Prompt, created: number | null): State.Step => {
  const turn = state.turn >= 0 && isBusy(state, created) ? state.turn : state.prompts
  return [{ ...state, turn, prompts: state.prompts + 1 }, [{ type: "user_message", ...prompt, synthetic: false, turn }]]
}

/** Such a message may report that a background agent has ended. Then its call ends. */
const ended = (state: State.State, texts: ReadonlyArray<string>, at: string | null): State.Step => {
  const running = { ...state.running }
  const events = texts.flatMap((text): ReadonlyArray<ToolCall> => {
    const told = Calls.agentIn(text)
    const call = told === null || told.state === "running" ? undefined : running[told.session]
    if (told === null || call === undefined) return []
    delete running[told.session]
    const status = told.state === "completed" ? "completed" : "error"
    return [{ ...call, endedAt: at, status, output: Json.clip(text, maxOutput) }]
  })
  return events.length === 0 ? [state, State.none] : [{ ...state, running }, events]
}

const withMode = (state: State.State, events: ReadonlyArray<TranscriptEvent>, info: Json.Json): State.Step => {
  const agent = Json.string(info["agent"]) ?? Json.string(info["mode"])
  const mode = agent === null ? state.mode : agent === "plan" ? "plan" : "build"
  if (mode === state.mode) return [state, events]
  return [{ ...state, mode }, [...events, { type: "mode_change", at: Json.millis(State.createdAt(info)), mode }]]
}

export const message = (state: State.State, info: Json.Json, parts: ReadonlyArray<Json.Json>): State.Step => {
  if (parts.length === 0) return [state, State.none]
  const byHost = parts.filter(isSynthetic)
  const synthetic = byHost.map(counted).join("\n")
  const text = typed(parts)
  const at = Json.millis(State.createdAt(info))
  const id = Json.string(info["id"])
  if (text !== "") {
    const [next, events] = genuine(state, { id, at, text }, State.createdAt(info))
    const body = expanded(parts)
    const orders = { ...byOthers({ id: null, at, text: body }), expansion: true as const }
    return withMode(next, body === "" ? events : [...events, orders], info)
  }
  if (synthetic === "") return withMode(state, State.none, info)
  const shell = synthetic.startsWith(ownShell) ? id : state.shell
  const [next, calls] = ended({ ...state, shell }, byHost.map(textOf), at)
  return withMode(next, [byOthers({ id, at, text: synthetic }), ...calls], info)
}
