/** Decodes the model's own records of calls: functions, scripts and their results. */
import * as Agents from "./agents.ts"
import * as Calls from "./calls.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import { chain } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Outcome from "./outcome.ts"
import * as Patch from "./patch.ts"
import * as Script from "./script.ts"
import * as Shell from "./shell.ts"
import type { Call, State, Step } from "./state.ts"

const maxField = 8 * 1024
const shells = new Set(["exec_command", "shell", "shell_command", "local_shell", "container.exec", "run_shell_command"])

interface Origin {
  readonly id: string
  readonly at: string | null
}

export const call = (state: State, item: Json.Json, at: string | null): Step => {
  const [named, id] = idOf(state, item)
  const origin = { id, at }
  if (item["type"] === "custom_tool_call") return custom(named, item, origin)
  if (item["type"] === "local_shell_call") return Calls.issue(named, shellCall(named, "shell", item["action"], origin))
  if (item["type"] === "web_search_call") return webSearch(named, item, origin)
  const parsed = Json.string(item["arguments"])
  return Calls.issue(
    named,
    functionCall(named, nameOf(item), parsed === null ? item["arguments"] : JsonLines.first(parsed), origin)
  )
}

/** If a call has no id, it gets an id that is the same each time the record is read. */
const idOf = (state: State, item: Json.Json): readonly [State, string] => {
  const id = Json.string(item["call_id"]) ?? Json.string(item["id"])
  return id === null ? [{ ...state, named: state.named + 1 }, `call#${state.named}`] : [state, id]
}

const nameOf = (item: Json.Json): string => {
  const name = Json.string(item["name"]) ?? Json.string(Json.object(item["function"])["name"]) ?? "unknown"
  const namespace = Json.string(item["namespace"])
  return (namespace === null ? name : `${namespace}__${name}`).slice(0, 200)
}

const functionCall = (state: State, name: string, input: unknown, origin: Origin): Call => {
  if (shells.has(name)) return shellCall(state, name, input, origin)
  if (name === "apply_patch") return patchCall(state, Json.text(Json.object(input)["input"]), origin)
  return plainCall(state, name, bounded(input), origin)
}

const plainCall = (state: State, tool: string, input: unknown, { at, id }: Origin): Call => ({
  id,
  at,
  tool,
  input,
  cwd: state.turnCwd,
  parts: []
})

export const shellCall = (state: State, tool: string, input: unknown, origin: Origin): Call => {
  const fields = Json.object(input)
  const command = Shell.commandOf(fields["cmd"] ?? fields["command"])
  const cwd = Shell.directory(fields["workdir"] ?? fields["working_directory"] ?? fields["cwd"])
  return { ...plainCall(state, tool, { command }, origin), cwd: cwd ?? state.turnCwd }
}

export const patchCall = (state: State, patch: string, origin: Origin): Call =>
  plainCall(state, Calls.patch, { patch: Patch.bounded(patch) }, origin)

const custom = (state: State, item: Json.Json, origin: Origin): Step => {
  const input = Json.text(item["input"])
  const name = nameOf(item)
  if (name === "exec") return scriptCall(state, input, origin)
  if (name === "apply_patch") return Calls.issue(state, patchCall(state, input, origin))
  return Calls.issue(state, functionCall(state, name, JsonLines.first(input) ?? { input }, origin))
}

const scriptCall = (state: State, source: string, origin: Origin): Step => {
  const { opaque, parts, plan } = Script.read(source)
  const tool = opaque ? Calls.opaqueScript : Calls.script
  const issued = { ...plainCall(state, tool, { script: Json.clip(source, maxField) }, origin), parts }
  if (plan === null) return Calls.issue(state, issued)
  return chain(
    state,
    (current) => Calls.issue(current, issued),
    (current) => {
      const planned = plainCall(current, "update_plan", bounded(plan), { ...origin, id: `${origin.id}/plan` })
      return Calls.done(
        current,
        planned,
        { status: "completed", exitCode: null, output: null, running: null },
        origin.at
      )
    }
  )
}

const webSearch = (state: State, item: Json.Json, origin: Origin): Step => {
  const status = item["status"] === "failed" ? "error" : "completed"
  const searched = plainCall(state, "web_search", bounded(item["action"]), origin)
  return Calls.done(state, searched, { status, exitCode: null, output: null, running: null }, origin.at)
}

/** Drops a nested value that is too long, because no rule reads it. */
export const bounded = (input: unknown): unknown => {
  if (!Json.isObject(input)) return typeof input === "string" ? Json.clip(input, maxField) : null
  const fields = Object.entries(input).slice(0, 50)
  return Object.fromEntries(fields.map(([key, value]) => [key.slice(0, 200), boundedField(value)]))
}

const maxNested = 32 * 1024

const boundedField = (value: unknown): unknown => {
  if (typeof value === "string") return Json.clip(value, maxField)
  if (typeof value !== "object") return value
  return JSON.stringify(value).length <= maxNested ? value : null
}

export const output = (state: State, item: Json.Json, at: string | null): Step => {
  const id = Json.text(item["call_id"])
  const issued = state.calls.find((one) => one.id === id)
  const outcome = Outcome.ofOutput(item["output"])
  if (issued === undefined) return Calls.settle(state, id, outcome, at)
  const key = polledKey(issued)
  if (key !== null) return polled(state, id, key, outcome, at)
  return Agents.settled(state, issued, outcome, at)
}

const keyPart = (value: unknown): string | null =>
  typeof value === "number" || typeof value === "string" ? String(value).slice(0, 40) : null

/** Null if the call is not a poll. */
const polledKey = ({ input, tool }: Call): string | null => {
  const fields = Json.object(input)
  const process = tool === "write_stdin" ? keyPart(fields["session_id"]) : null
  const cell = tool === "wait" ? keyPart(fields["cell_id"]) : null
  return process !== null ? `process ${process}` : cell !== null ? `cell ${cell}` : null
}

/** The poll is over even if the work continues. */
const polled = (state: State, id: string, key: string, outcome: Outcome.Outcome, at: string | null): Step => {
  const status = outcome.running === null && outcome.exitCode === null ? outcome.status : "completed"
  return chain(
    state,
    (current) => Calls.settle(current, id, { ...outcome, status, exitCode: null, running: null }, at),
    (current) => (isLost(outcome) ? [current, []] : Calls.polled(current, key, outcome, at))
  )
}

/** A failed poll says nothing about its process. */
const isLost = ({ exitCode, output, running }: Outcome.Outcome): boolean =>
  running === null && exitCode === null && (output ?? "").startsWith("write_stdin failed")
