/** A large model's recorded answers to the labelled stops: what the judge makes of them today, without a network. */
import type { Answer } from "@reflexion/core/internal/model/assessment/Answer"
import { defaults } from "@reflexion/core/ReflexionConfig"
import * as Fs from "node:fs"
import { fileURLToPath } from "node:url"
import { table } from "../measure/Text.ts"
import type * as Floors from "../report/Floors.ts"
import * as JudgeQuestions from "./JudgeQuestions.ts"
import * as JudgeTable from "./JudgeTable.ts"
import type { Kept } from "./model.ts"

export const names = ["model"] as const

const file = fileURLToPath(new URL("../../results/model-shared-large.json", import.meta.url))

const recorded = (): ReadonlyMap<string, Kept> => {
  const { answers }: { readonly answers: ReadonlyArray<Kept> } = JSON.parse(Fs.readFileSync(file, "utf8"))
  return new Map(answers.map((one) => [one.id, one]))
}

const unsaid = {
  confidence: null,
  severity: null,
  feedback: null,
  evidence: null,
  claims: [],
  remaining_work: [],
  next_steps: [],
  needs_user_action: [],
  stuck: false,
  alternate_approach: null
} as const

const isStatus = (status: string | null): status is Answer["status"] =>
  ["complete", "in_progress", "blocked", "stuck", "waiting_for_user"].some((one) => one === status)

const asAnswer = ({ probability: push, status }: Kept): Answer | null =>
  isStatus(status) && push !== null ? { ...unsaid, status, push } : null

const thresholds: ReadonlyArray<number> = [0.5, 0.55, 0.6, 0.65]

/** What a threshold comes to at the labelled stops. */
export interface RecordedResult extends JudgeTable.Counted {
  readonly from: number
}

interface Options {
  readonly isWanted: (suite: string) => boolean
  readonly print: (text: string) => void
  readonly floor: Floors.RecordedFloor
}

interface Evaluated {
  readonly results: ReadonlyArray<RecordedResult> | null
  readonly failures: ReadonlyArray<string>
}

const failuresOf = (
  { maxFalsePushes, minAnswers, minFoundPushes }: Floors.RecordedFloor,
  answers: number,
  inForce: JudgeTable.Counted
): ReadonlyArray<string> => [
  ...(answers < minAnswers ? [`model: ${answers} recorded answers, at least ${minAnswers} needed`] : []),
  ...(inForce.found < minFoundPushes ? [`model: ${inForce.found} found, at least ${minFoundPushes} needed`] : []),
  ...(inForce.false > maxFalsePushes ? [`model: ${inForce.false} false pushes, at most ${maxFalsePushes} allowed`] : [])
]

export const evaluate = (root: string | null, { floor, isWanted, print }: Options): Evaluated => {
  if (root === null || !names.some(isWanted)) return { results: null, failures: [] }
  const known = recorded()
  const answers = JudgeQuestions.all({ data: root, prompt: null, right: null, samples: [], sessions: [] }).flatMap(
    (question): ReadonlyArray<JudgeQuestions.JudgeAnswer> => {
      const one = known.get(question.id)
      const { inputTokens = 0, outputTokens = 0 } = one ?? {}
      return one === undefined ? [] : [{ question, inputTokens, outputTokens, assessment: asAnswer(one) }]
    }
  )
  const results = thresholds.map((from) => ({ from, ...JudgeTable.count(answers, JudgeTable.inUse(from)) }))
  const asked = answers.filter(({ question }) => question.open).length
  print(
    `\nThe model, recorded answers: ${answers.length} labelled stops, asked at ${asked} of them\n${table([
      ["", "found", "false pushes"],
      ...results.map((one) => [`from ${one.from}`, `${one.found} of ${one.premature}`, `${one.false} of ${one.right}`])
    ])}`
  )
  const inForce = JudgeTable.count(answers, JudgeTable.inUse(defaults.models.pushFrom))
  return { results, failures: failuresOf(floor, answers.length, inForce) }
}
