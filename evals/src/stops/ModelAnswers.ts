/** Questions to a model and its answers without a network: a file for each prompt and answer, or a run's record. */
import * as Answers from "@reflexion/core/internal/model/assessment/Answer"
import { decide } from "@reflexion/core/internal/model/assessment/Decide"
import * as Quotations from "@reflexion/core/internal/model/assessment/Quotations"
import * as ModelBudget from "@reflexion/core/ModelBudget"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { attempt, type JudgedStop, promptOf } from "./JudgedStops.ts"

/** `assessment` is null if the answer cannot be read. */
export interface ModelAnswer {
  readonly stop: JudgedStop
  readonly assessment: Answers.Answer | null
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The names and the order of the files do not reveal the labels. */
export const writePrompts = (folder: string, stops: ReadonlyArray<JudgedStop>): void => {
  Fs.mkdirSync(folder, { recursive: true })
  for (const stop of stops) {
    const { prompt, system } = promptOf(stop)
    const note = `<!-- Answer from this file alone. Write one JSON object as the system part says to ${stop.id}.json -->`
    Fs.writeFileSync(Path.join(folder, `${stop.id}.md`), `${note}\n\n# System\n\n${system}\n\n# User\n\n${prompt}\n`)
  }
}

/** `ID.json` has the model's answer word for word. */
export const readFolder = (folder: string, stops: ReadonlyArray<JudgedStop>): ReadonlyArray<ModelAnswer> =>
  stops.flatMap((stop): ReadonlyArray<ModelAnswer> => {
    const file = Path.join(folder, `${stop.id}.json`)
    if (!Fs.existsSync(file)) return []
    const text = Fs.readFileSync(file, "utf8")
    const { prompt, system } = promptOf(stop)
    return [
      {
        stop,
        assessment: Answers.read(text, Quotations.shown(stop.record)),
        inputTokens: ModelBudget.estimate(system) + ModelBudget.estimate(prompt),
        outputTokens: ModelBudget.estimate(text)
      }
    ]
  })

const results = fileURLToPath(new URL("../../results/", import.meta.url))

/** The record has no text of a session or a model. */
export const recordFile = (name: string): string => Path.join(results, `model-${name}.tsv`)

const columns = ["id", "status", "push", "input tokens", "output tokens"]

export const writeRecord = (name: string, answers: ReadonlyArray<ModelAnswer>): void => {
  const rows = answers.map(({ assessment, inputTokens, outputTokens, stop }) => [
    stop.id,
    assessment?.status ?? "-",
    assessment?.push ?? "-",
    inputTokens,
    outputTokens
  ])
  Fs.writeFileSync(recordFile(name), [columns, ...rows].map((row) => `${row.join("\t")}\n`).join(""))
}

const unsaid = {
  confidence: null,
  evidence: null,
  claims: [],
  remaining_work: [],
  next_steps: [],
  needs_user_action: [],
  stuck: false,
  alternate_approach: null
} as const

const statuses: ReadonlyArray<Answers.Answer["status"]> = [
  "complete",
  "in_progress",
  "blocked",
  "stuck",
  "waiting_for_user"
]

const assessmentOf = (said: string, push: string): Answers.Answer | null => {
  const status = statuses.find((one) => one === said)
  return status === undefined ? null : { ...unsaid, status, push: Number(push) }
}

export const readRecord = (name: string, stops: ReadonlyArray<JudgedStop>): ReadonlyArray<ModelAnswer> => {
  const byId = new Map(stops.map((stop) => [stop.id, stop]))
  const lines = Fs.readFileSync(recordFile(name), "utf8").trim().split("\n").slice(1)
  return lines.flatMap((line): ReadonlyArray<ModelAnswer> => {
    const [id = "", status = "", push = "", input, output] = line.split("\t")
    const stop = byId.get(id)
    if (stop === undefined) return []
    return [{ stop, assessment: assessmentOf(status, push), inputTokens: Number(input), outputTokens: Number(output) }]
  })
}

/** If the answer cannot be read, the evidence decides. */
export const isNudged = ({ assessment, stop }: ModelAnswer, from: number): boolean =>
  assessment === null
    ? stop.there.shouldContinue
    : decide(stop.record, assessment, { ...attempt, from }).verdict.shouldContinue
