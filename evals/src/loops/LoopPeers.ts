/** The sequences on which other agents test their own loop detectors, as events, and what each expects of them. */
import * as Json from "@reflexion/core/internal/ground/json/Json"
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { agent, user } from "../case/Case.ts"
import { callOf } from "../sessions/Events.ts"

export interface PeerCase {
  readonly peer: string
  readonly id: string
  readonly events: ReadonlyArray<TranscriptEvent>
  /** Whether the peer warns, asks or stops anywhere in the sequence. */
  readonly flagged: boolean
}

const begins = user("Begin anew.")

/** Sequences without results are left so: their peers do not look at them, and nothing is made up here. */
const stepOf = (step: Json.Json, index: number): ToolCall => {
  const error = Json.string(step["error"])
  const output = error ?? Json.string(step["output"])
  const failed = error !== null || step["failed"] === true
  return callOf({
    id: `call-${index}`,
    tool: Json.text(step["tool"]),
    input: step["args"] ?? null,
    status: failed ? "error" : output === null ? null : "completed",
    output
  })
}

const stepsOf = (self: Json.Json): ReadonlyArray<Json.Json> => {
  const coded = Json.list(self["sequence_rle"]).map(Json.object)
  const steps =
    coded.length > 0
      ? coded.flatMap(({ event, times }) => Array.from({ length: Json.number(times) ?? 1 }, () => Json.object(event)))
      : Json.list(self["sequence"]).map(Json.object)
  return Json.isObject(self["next_call"]) ? [...steps, self["next_call"]] : steps
}

const eventsOf = (self: Json.Json): ReadonlyArray<TranscriptEvent> => {
  const events: Array<TranscriptEvent> = []
  let run: string | null = null
  for (const [index, step] of stepsOf(self).entries()) {
    const own = Json.string(step["run"])
    if (index > 0 && own !== run) events.push(begins)
    run = own
    if (step["type"] === "control") events.push(begins)
    else if (step["type"] === "message") events.push(agent(Json.text(step["text"])))
    else events.push(stepOf(step, index))
  }
  return events
}

const warnings: ReadonlySet<unknown> = new Set(["warn", "soft", "hard", false])

const flaggedOf = (self: Json.Json): boolean => {
  const expected = self["expected"] ?? self["expected_allow"]
  if (Array.isArray(expected)) return expected.some((answer) => warnings.has(answer))
  const { actions, ask_at_call: asked, halt, next_call: next, stuck } = Json.object(expected)
  const warned = Json.list(actions).some((answer) => warnings.has(answer))
  return stuck === true || halt === true || next === "block" || warned || Json.number(asked) !== null
}

const suffix = "_cases.json"

/** Every case of every peer in the corpus' folder `loops`; none where there is no such folder. */
export const load = (root: string): ReadonlyArray<PeerCase> => {
  const folder = Path.join(root, "loops")
  if (!Fs.existsSync(folder)) return []
  return Fs.readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .toSorted()
    .flatMap((name) => {
      const file = Json.object(JSON.parse(Fs.readFileSync(Path.join(folder, name), "utf8")))
      return Json.list(file["cases"])
        .map(Json.object)
        .map((self) => ({
          peer: Json.text(file["peer"]),
          id: Json.text(self["id"]),
          events: eventsOf(self),
          flagged: flaggedOf(self)
        }))
    })
}
