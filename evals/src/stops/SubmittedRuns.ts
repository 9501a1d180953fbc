/** Runs of a benchmark that nobody watched, at the moment at which the agent handed its work in: which of them would be pushed. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Judgment from "@reflexion/core/Judgment"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { agent, user } from "../case/Case.ts"
import * as Corpus from "../sessions/Corpus.ts"
import { callOf } from "../sessions/Events.ts"

const folder = "mini-swe"

/** The agent's own word for having done: it prints this and the host ends the run. */
const handedIn = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"

const stepEvents = (step: Json.Json, index: number): ReadonlyArray<TranscriptEvent> => {
  const thought = Json.text(step["thought"])
  const call = callOf({
    id: `call-${index}`,
    tool: Json.text(step["tool"]),
    input: step["args"] ?? null,
    status: "completed",
    exitCode: Json.exitCode(step["exit_code"]),
    output: Json.string(step["output"])
  })
  return thought === "" ? [call] : [agent(thought), call]
}

const transcriptOf = (run: Json.Json): Transcript => ({
  version: 1,
  host: "mini-swe-agent",
  sessionId: Json.string(run["id"]),
  parentSessionId: null,
  cwd: null,
  mode: "build",
  attended: false,
  events: [
    user(Json.text(run["task"])),
    ...Json.list(run["steps"]).map(Json.object).flatMap(stepEvents),
    agent(handedIn)
  ]
})

/** How many runs handed their work in, and how many of them would have been sent on. */
export interface Handed {
  readonly runs: number
  readonly pushed: number
}

export type Summary = Readonly<Record<"resolved" | "unresolved", Handed>>

/** Null where the corpus has no such runs. */
export const judge = (root: string): Summary | null => {
  const file = Path.join(root, folder, "trajectories.jsonl.gz")
  if (!Fs.existsSync(file)) return null
  const runs = Buffer.from(Corpus.bytes(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => Json.object(JSON.parse(line)))
    .filter((run) => run["exit_status"] === "Submitted")
  const handed = (isResolved: boolean): Handed => {
    const some = runs.filter((run) => (Json.object(run["label"])["resolved"] === true) === isResolved)
    const pushed = some.filter((run) => {
      const { shouldContinue } = Judgment.judge(transcriptOf(run))
      return shouldContinue
    })
    return { runs: some.length, pushed: pushed.length }
  }
  return { resolved: handed(true), unresolved: handed(false) }
}

/** In words. */
export const text = ({ resolved, unresolved }: Summary): string => {
  const pushed = resolved.pushed + unresolved.pushed
  return [
    `Runs of mini-swe-agent that handed their work in, with nobody there (${folder}): ${resolved.runs + unresolved.runs}`,
    `  of ${unresolved.runs} that had not solved their task ${unresolved.pushed} would be sent on, of ${resolved.runs} that had ${resolved.pushed}`,
    `  precision ${pushed === 0 ? "cannot be told" : `${((100 * unresolved.pushed) / pushed).toFixed(0)} %`}`
  ].join("\n")
}
