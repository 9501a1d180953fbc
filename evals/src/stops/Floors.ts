/** The results in `floors.json`, which must not become worse. */
import * as Fs from "node:fs"
import { fileURLToPath } from "node:url"
import type { JudgedFolder, JudgedStop } from "./JudgedStops.ts"
import type { ModelAnswer } from "./ModelAnswers.ts"
import * as StopTable from "./StopTable.ts"

interface Bound {
  readonly minFound: number
  readonly maxWrong: number
}

export interface Floors {
  /** The number of labelled stops in each folder. */
  readonly stops: Readonly<Record<string, number>>
  readonly somebodyThere: Bound
  readonly nobodyThere: Bound
  /** The minimum share of stops whose kind agrees with a reader's. */
  readonly minAgreeing: number
  readonly model: Bound & { readonly minAnswers: number }
}

const file = fileURLToPath(new URL("../../floors.json", import.meta.url))

export const load = (): Floors => {
  const floors: Floors = JSON.parse(Fs.readFileSync(file, "utf8"))
  return floors
}

const below = (what: string, { found, wrong }: StopTable.Counted, { maxWrong, minFound }: Bound) => [
  ...(found < minFound ? [`${what}: ${found} premature stops found, at least ${minFound} needed`] : []),
  ...(wrong > maxWrong ? [`${what}: ${wrong} right stops nudged, at most ${maxWrong} allowed`] : [])
]

const itself = (stop: JudgedStop): JudgedStop => stop

export const failures = (
  { minAgreeing, model, nobodyThere, somebodyThere, stops: least }: Floors,
  folders: Readonly<Record<string, JudgedFolder>>,
  answers: ReadonlyArray<ModelAnswer>
): ReadonlyArray<string> => {
  const stops = Object.values(folders).flatMap((folder) => folder.stops)
  const agreeing = StopTable.agreeing(stops) / Math.max(1, stops.length)
  const counted = Object.entries(least).flatMap(([name, wanted]) => {
    const { length } = folders[name]?.stops ?? []
    return length < wanted ? [`${name}: ${length} labelled stops, at least ${wanted} needed`] : []
  })
  return [
    ...counted,
    ...below(
      "somebody there",
      StopTable.count(stops, itself, (one) => one.there.shouldContinue),
      somebodyThere
    ),
    ...below(
      "nobody there",
      StopTable.count(stops, itself, (one) => one.alone.shouldContinue),
      nobodyThere
    ),
    ...(agreeing < minAgreeing ? [`kinds agree at ${agreeing.toFixed(3)}, at least ${minAgreeing} needed`] : []),
    ...(answers.length < model.minAnswers
      ? [`model: ${answers.length} recorded answers, at least ${model.minAnswers} needed`]
      : []),
    ...below(
      "model",
      StopTable.count(answers, ({ stop }) => stop, StopTable.inUse()),
      model
    )
  ]
}
