/** One stop in full, for the analysis of an error. */
import * as Judgment from "@reflexion/core/Judgment"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import * as Path from "node:path"
import * as Corpus from "./Corpus.ts"
import * as Sessions from "./Sessions.ts"

const clip = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)} […]`)

const tail = (text: string, length: number): string => (text.length <= length ? text : `[…] ${text.slice(-length)}`)

const oneLine = (text: string): string => text.replace(/\s{1,1000}/gu, " ")

const eventLine = (event: TranscriptEvent): string => {
  switch (event.type) {
    case "user_message":
      return `${event.synthetic ? "harness" : "user   "}  ${clip(oneLine(event.text), 160)}`
    case "assistant_message":
      return `agent    ${clip(oneLine(event.text), 160)}`
    case "tool_call":
      return `${event.id ?? "call"}  ${event.tool} ${clip(oneLine(JSON.stringify(event.input)), 200)} → ${event.status ?? "?"} exit ${event.exitCode ?? "?"}  ${tail(oneLine(event.output ?? ""), 160)}`
    case "todo_update":
      return `todos    ${event.todos.map((todo) => `${todo.status}: ${todo.content}`).join(" | ")}`
    case "notice":
      return `notice   ${event.kind} ${event.detail ?? ""}`
    case "mode_change":
      return `mode     ${event.mode}`
  }
}

const gateLines = (verdict: Verdict): ReadonlyArray<string> =>
  verdict.gates.map(
    (gate) =>
      `  ${gate.gate}: ${gate.result}${gate.required ? " (required)" : ""} ${gate.detail} [${gate.evidence.map((one) => `${one.callId ?? "?"} ${clip(one.command, 80)} → ${one.exitCode ?? "?"}`).join("; ")}]`
  )

const labelLines = (root: string, session: string, turn: number): ReadonlyArray<string> =>
  Corpus.names
    .flatMap((name) => Corpus.stops(Path.join(root, name)))
    .filter((stop) => stop.session === session && stop.turn === turn)
    .map((stop) => `label: ${stop.kinds.join(" | ")}, push ${String(stop.push)}, ${stop.why.join(" · ")}`)

/** `SESSION:TURN`; the beginning of a session's id is enough. */
export const show = (root: string, name: string): string => {
  const [prefix = "", wanted = "0"] = name.split(":")
  const files = Corpus.names.flatMap((suite) => [...Corpus.sessionFiles(Path.join(root, suite))])
  const found = files.find(([session]) => session.startsWith(prefix))
  if (found === undefined) return `no session begins with ${prefix}`
  const [session, file] = found
  const transcript = Sessions.decode(Corpus.bytes(file))
  const verdicts = Judgment.judgeTurns(transcript)
  const index = verdicts.findIndex((verdict) => verdict.turn.index === Number(wanted))
  const verdict = verdicts[index]
  if (verdict === undefined) return `${session} has ${verdicts.length} turns and no turn ${wanted}`
  const events = Sessions.turnEvents(transcript, verdict, verdicts[index + 1])
  return [
    `${session}:${wanted}`,
    ...labelLines(root, session, verdict.turn.index),
    `verdict: ${verdict.status}, kind ${verdict.stop.kind}${verdict.stop.pattern === null ? "" : `/${verdict.stop.pattern}`}, push ${String(verdict.shouldContinue)}, severity ${verdict.severity}, confidence ${verdict.confidence}`,
    `reason: ${verdict.reason}`,
    `task: ${verdict.task.type}, required: ${verdict.task.requirements.join(", ")}`,
    ...gateLines(verdict),
    ...verdict.contradictions.map((one) => `  contradiction: ${one.claim} / ${one.fact}`),
    `missing: ${verdict.missing.join(" | ")}`,
    `feedback: ${verdict.feedback ?? "none"}`,
    "",
    `prompt: ${clip(Sessions.prompt(events), 3000)}`,
    "",
    ...events.map(eventLine),
    "",
    `final text: ${tail(Sessions.finalText(events), 4000)}`,
    "",
    `next prompt: ${clip(Sessions.nextPrompt(transcript, verdicts[index + 1]), 600)}`
  ].join("\n")
}
