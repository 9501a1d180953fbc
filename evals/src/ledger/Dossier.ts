/** A stop as a reader gets it, without the verdict. */
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as Sessions from "../sessions/Sessions.ts"
import { type FiredStop, turnOf } from "./Firings.ts"

const head = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)} […${text.length - length} characters left out]`

const tail = (text: string, length: number): string =>
  text.length <= length ? text : `[${text.length - length} characters left out…] ${text.slice(-length)}`

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim()

const inputOf = (input: unknown): string =>
  oneLine(typeof input === "string" ? input : (JSON.stringify(input) ?? "")).slice(0, 4000)

const line = (event: TranscriptEvent): string => {
  switch (event.type) {
    case "user_message":
      return `${event.synthetic ? "HARNESS" : "USER"}: ${head(oneLine(event.text), 600)}`
    case "assistant_message":
      return `AGENT SAYS: ${head(oneLine(event.text), 400)}`
    case "tool_call":
      return `CALL ${event.tool} ${head(inputOf(event.input), 240)}\n    -> ${event.status ?? "no result"}${event.exitCode === null ? "" : `, exit ${event.exitCode}`}: ${tail(oneLine(event.output ?? ""), 260)}`
    case "todo_update":
      return `TODO LIST: ${head(event.todos.map(({ content, status }) => `[${status}] ${content}`).join(" | "), 500)}`
    case "notice":
      return `HOST: ${event.kind} ${head(oneLine(event.detail ?? ""), 200)}`
    case "mode_change":
      return `MODE: ${event.mode}`
  }
}

/** The first calls show the agent's plan, the last calls how the work ended. */
const steps = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> => {
  const lines = events.slice(1).map(line)
  const [first, last] = [12, 34]
  return lines.length <= first + last
    ? lines
    : [...lines.slice(0, first), `… ${lines.length - first - last} steps left out …`, ...lines.slice(-last)]
}

/** Only `id` connects the dossier to the verdict. */
export const write = (id: string, judged: FiredStop): string => {
  const { before, events, isLast, next, turns } = turnOf(judged)
  return [
    `# ${id}`,
    `A session with ${judged.listed.host}, turn ${judged.index + 1} of ${turns}.`,
    ...(before.length === 0 ? [] : ["\n## Earlier turns"]),
    ...before.map(
      (turn) =>
        `USER: ${head(oneLine(Sessions.prompt(turn)), 700)}\nAGENT, AT ITS END: ${tail(oneLine(Sessions.finalText(turn)), 700)}`
    ),
    "\n## The user's message of this turn",
    head(Sessions.prompt(events), 3500),
    "\n## What happened",
    ...steps(events),
    "\n## The agent's last words in this turn",
    tail(Sessions.finalText(events), 4000),
    "\n## What the user wrote next",
    isLast ? "(The session ends here.)" : head(next, 1200)
  ].join("\n")
}
