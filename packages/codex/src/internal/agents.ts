/** Handles agents that the main agent starts. An agent runs until a record says that it ended. */
import * as Calls from "./calls.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import { chain } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type * as Outcome from "./outcome.ts"
import { type Call, none, type State, type Step } from "./state.ts"

const bare = (tool: string): string => tool.slice(tool.lastIndexOf("__") === -1 ? 0 : tool.lastIndexOf("__") + 2)

/** Also handles what the result says about agents. */
export const settled = (state: State, call: Call, outcome: Outcome.Outcome, at: string | null): Step => {
  const answer = Json.object(JsonLines.first(outcome.output ?? ""))
  switch (bare(call.tool)) {
    case "spawn_agent": {
      const agent = Json.string(answer["agent_id"]) ?? Json.string(answer["task_name"])
      const started: Outcome.Outcome =
        agent === null ? outcome : { ...outcome, status: "running", output: "", running: `agent ${agent}` }
      return Calls.settle(state, call.id, started, at)
    }
    case "wait_agent":
    case "wait":
      return chain(
        state,
        (current) => Calls.settle(current, call.id, outcome, at),
        (current) => statuses(current, Json.object(answer["status"]), at)
      )
    case "close_agent":
      return chain(
        state,
        (current) => Calls.settle(current, call.id, outcome, at),
        (current) =>
          ended(current, Json.text(Json.object(call.input)["target"] ?? Json.object(call.input)["id"]), null, at)
      )
    default:
      return Calls.settle(state, call.id, outcome, at)
  }
}

const statuses = (state: State, all: Json.Json, at: string | null): Step =>
  chain(
    state,
    ...Object.entries(all)
      .filter(([, status]) => status !== "running" && status !== "pending_init")
      .map(
        ([agent, status]) =>
          (current: State) =>
            ended(current, agent, status, at)
      )
  )

/** The output is the agent's last message, if the record has it. */
export const ended = (state: State, agent: string, status: unknown, at: string | null): Step => {
  const said = Json.object(status)
  const failed = Object.hasOwn(said, "errored")
  return Calls.polled(
    state,
    `agent ${agent}`,
    {
      status: failed ? "error" : "completed",
      exitCode: null,
      output: Json.clip(Json.text(said["completed"] ?? said["errored"]), 32 * 1024),
      running: null
    },
    at
  )
}

/** `<subagent_notification>{"agent_path":…,"status":{…}}`: the host tells the agent that another agent ended. */
export const notified = (state: State, text: string, at: string | null): Step => {
  const told = Json.object(JsonLines.first(text.slice(text.indexOf(">") + 1)))
  const agent = Json.string(told["agent_path"])
  const status = told["status"]
  return agent === null || typeof status !== "object" ? [state, none] : ended(state, agent, status, at)
}

/** The message is from another agent to the main agent. */
export const wrote = (state: State, item: Json.Json, at: string | null): Step => {
  const text = Json.contentText(item["content"])
  const author = Json.string(item["author"])
  return author === null || !text.startsWith("Message Type: FINAL_ANSWER")
    ? [state, none]
    : ended(state, author, { completed: text }, at)
}
