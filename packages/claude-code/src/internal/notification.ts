/** Handles the host's messages about the end of a background task and about an idle teammate. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Calls from "./calls.ts"
import { tagged } from "./prompt.ts"
import * as Outcome from "./outcome.ts"
import type { State, Step } from "./state.ts"

const maxSummary = 2000

const isOfTeammates = (text: string): boolean => text.trimStart().startsWith("<teammate-message")

export const isNotification = (text: string): boolean =>
  text.trimStart().startsWith("<task-notification>") || isOfTeammates(text)

const maxTeam = 20_000

const message =
  /<teammate-message teammate_id="([^"<>]{1,200})"[^<>]{0,400}>\s{0,9}(\{[^<]{1,2000}\})\s{0,9}<\/teammate-message>/g

const idle = new Set(["idle_notification", "shutdown_approved", "teammate_terminated"])

const kindOf = (body: string): unknown => {
  try {
    return Json.object(JSON.parse(body))["type"]
  } catch {
    return null
  }
}

/** A report does not end a teammate's work. */
const ofTeammates = (state: State, text: string, at: string | null): Step => {
  const ended = Array.from(text.slice(0, maxTeam).matchAll(message), ([, name = "", body = ""]) => ({ name, body }))
    .filter(({ body }) => idle.has(String(kindOf(body))))
    .map(({ name }): Calls.TaskEnd => ({ task: name, status: "completed", exitCode: null, output: null, at }))
  return ended.reduce<Step>(
    ([current, events], one) => {
      const [next, more] = Calls.endTask(current, one)
      return [next, [...events, ...more]]
    },
    [state, []]
  )
}

export const apply = (state: State, text: string, at: string | null): Step => {
  if (isOfTeammates(text)) return ofTeammates(state, text, at)
  const status = endOf(text)
  if (status === null) return [state, []]
  const result = tagged(text, "result")
  return Calls.endTask(state, {
    task: (tagged(text, "task-id") ?? "").trim(),
    callId: (tagged(text, "tool-use-id") ?? "").trim(),
    status,
    exitCode: exitCodeOf((tagged(text, "summary") ?? "").slice(0, maxSummary)),
    output: result === null ? null : Outcome.clipOutput(result),
    at
  })
}

const endOf = (text: string) => {
  const summary = text.indexOf("<summary>")
  const status = tagged(summary === -1 ? text : text.slice(0, summary), "status")
  if (status !== null) return Calls.endStatus(status.trim())
  const monitored = tagged(text, "event") ?? ""
  return monitored.startsWith("[Monitor timed out") || monitored.startsWith("[Monitor ended") ? "completed" : null
}

const exitCodeOf = (summary: string): number | null => {
  const at = summary.lastIndexOf("exit code ")
  const digits = at === -1 ? null : /^-?\d{1,9}/.exec(summary.slice(at + "exit code ".length))
  return digits === null ? null : Number(digits[0])
}
