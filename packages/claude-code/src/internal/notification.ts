/** The harness's word that a background task ended. */
import * as Calls from "./calls.ts"
import { tagged } from "./tags.ts"
import * as Outcome from "./outcome.ts"
import type { State } from "./state.ts"

const maxSummary = 2000

export const isNotification = (text: string): boolean => text.trimStart().startsWith("<task-notification>")

/** Settles the background call that the notification is about, if it says that the task ended. */
export const apply = (state: State, text: string, at: string | null): Calls.Step => {
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
