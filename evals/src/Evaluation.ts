/** `npm run eval`: judges the labelled stops by evidence and by a model's answers. */
import * as Either from "effect/Either"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as EvalOptions from "./EvalOptions.ts"
import * as Corpus from "./sessions/Corpus.ts"
import * as Floors from "./stops/Floors.ts"
import * as JudgedStops from "./stops/JudgedStops.ts"
import * as ModelAnswers from "./stops/ModelAnswers.ts"
import * as StopTable from "./stops/StopTable.ts"

export interface Output {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/** The large model whose recorded answers to the default corpus are used. */
const recorded = "shared-large"

const absent =
  "There are no labelled stops: they lie outside the repository, in ../shared/data next to it or where REFLEXION_CORPUS points.\nNothing was judged, and no floor was looked at."

const judge = (data: string): Readonly<Record<string, JudgedStops.JudgedFolder>> =>
  Object.fromEntries(Corpus.foldersOf(data).map((folder) => [Path.basename(folder), JudgedStops.ofFolder(folder)]))

const jsonLine = ({ alone, id, isAsked, kinds, push, session, suite, there, turn }: JudgedStops.JudgedStop): string =>
  JSON.stringify({
    id,
    suite,
    session,
    turn,
    label: { push, kinds },
    isAsked,
    there: { status: there.status, kind: there.stop.kind, nudge: there.shouldContinue },
    alone: { status: alone.status, kind: alone.stop.kind, nudge: alone.shouldContinue }
  })

const shown = (options: EvalOptions.EvalOptions, data: string, { err, out }: Output): number => {
  const folders = judge(data)
  const stops = Object.values(folders).flatMap((folder) => folder.stops)
  const lost = Object.values(folders).flatMap((folder) => folder.lost)
  if (stops.length === 0) {
    err(`${data} has no labelled stops: a folder of them has stops.jsonl and sessions/.`)
    return 2
  }
  if (options.export !== null) {
    ModelAnswers.writePrompts(options.export, stops)
    out(`${stops.length} prompts in ${options.export}`)
    return 0
  }
  const sessions = new Set(stops.map(({ session }) => session)).size
  out(`Labelled stops of real sessions: ${stops.length} in ${sessions} sessions.`)
  out(`The kind of stop is one that a reader gave at ${StopTable.agreeing(stops)} of them.`)
  if (lost.length > 0) {
    const names = lost.map(({ session, turn }) => `${session}:${turn}`)
    out(
      `${lost.length} labels are of no stop on record: ${names.slice(0, 3).join(", ")}${names.length > 3 ? " …" : ""}`
    )
  }
  out("")
  out(StopTable.evidence(stops))
  const { answers: folder, record } = options
  const answers = folder === null ? ModelAnswers.readRecord(recorded, stops) : ModelAnswers.readFolder(folder, stops)
  if (answers.length > 0) {
    const thresholds = folder === null ? [0.5, 0.55, 0.6, 0.65] : [0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9]
    out(`\n${folder === null ? "A large model, recorded: " : ""}${StopTable.model(answers, thresholds)}`)
  }
  if (record !== null) ModelAnswers.writeRecord(record, answers)
  if (options.json !== null) Fs.writeFileSync(options.json, stops.map((stop) => `${jsonLine(stop)}\n`).join(""))
  if (options.misses) {
    const nudged = new Set(answers.filter(StopTable.inUse()).map(({ stop }) => stop.id))
    const answered = new Set(answers.map(({ stop }) => stop.id))
    out(`\nWhere evidence and the label differ\n${StopTable.misses(stops, ({ there }) => there.shouldContinue)}`)
    const told = stops.filter(({ id }) => answered.has(id))
    out(`\nWhere the model in use and the label differ\n${StopTable.misses(told, ({ id }) => nudged.has(id))}`)
  }
  const failures = options.check ? [...Floors.failures(Floors.load(), folders, answers)] : []
  if (folder !== null && answers.length === 0) failures.push(`${folder} has no answer to any of these stops`)
  if (failures.length > 0) err(`\n${failures.join("\n")}`)
  else if (options.check) out("\nNothing is below its floor.")
  return failures.length > 0 ? 1 : 0
}

/** Returns the exit status: 0; 1 if a number is below its floor or an answer is missing; 2 for an error. */
export const main = (argv: ReadonlyArray<string>, output: Output): number => {
  const parsed = EvalOptions.parse(argv)
  if (Either.isLeft(parsed)) {
    output.err(`${parsed.left}\nnpm run eval -- --help lists the options.`)
    return 2
  }
  const options = parsed.right
  if (options.help) output.out(EvalOptions.usage)
  else if (options.data === null) output.out(absent)
  else return shown(options, options.data, output)
  return 0
}
