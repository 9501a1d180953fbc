/** `npm run eval:model`: writes what a model is asked, or puts its answers through the tier. */
import { promptVersion as stuckVersion } from "@reflexion/core/StuckDetector"
import * as Prompts from "@reflexion/core/internal/model/assessment/Prompt"
import * as Either from "effect/Either"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import * as CaseQuestions from "./CaseQuestions.ts"
import * as JudgeQuestions from "./JudgeQuestions.ts"
import * as JudgeTable from "./JudgeTable.ts"
import type { Asked } from "./model.ts"
import * as OfflineFiles from "./OfflineFiles.ts"
import * as OfflineOptions from "./OfflineOptions.ts"

/** Where a run writes. */
export interface Output {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

const results = fileURLToPath(new URL("../../results/", import.meta.url))

/** So many of them, spread evenly over all. */
const spread = <A>(all: ReadonlyArray<A>, limit: number | null): ReadonlyArray<A> =>
  limit === null || limit >= all.length
    ? all
    : Array.from({ length: limit }, (_, index) => Math.floor((index * all.length) / limit)).flatMap(
        (at) => all[at] ?? []
      )

type Options = OfflineOptions.OfflineOptions

const cases = {
  stuck: CaseQuestions.allStuck
} satisfies Readonly<Record<CaseQuestions.CaseSuite, () => Promise<ReadonlyArray<CaseQuestions.CaseQuestion>>>>

const questionsOf = async (suite: OfflineOptions.Suite, options: Options): Promise<ReadonlyArray<Asked>> => {
  const all: ReadonlyArray<Asked> = suite === "judge" ? JudgeQuestions.all(options) : await cases[suite]()
  return spread(all, options.limit)
}

const versions: Readonly<Record<OfflineOptions.Suite, number>> = {
  judge: Prompts.version,
  stuck: stuckVersion
}

const exported = async (folder: string, options: Options, { out }: Output): Promise<number> => {
  let written = 0
  for (const suite of options.suites) {
    const asked = await questionsOf(suite, options)
    written += OfflineFiles.write(folder, asked)
    out(
      asked.length === 0 && suite !== "judge"
        ? `${suite}: no case leaves anything open that a model could settle`
        : `${suite}: ${asked.length} prompts, ${options.prompt === null ? `version ${versions[suite]}` : "of another judge"}`
    )
  }
  return written === 0 ? 2 : 0
}

const record = (name: string, answers: ReadonlyArray<JudgeQuestions.JudgeAnswer>): void => {
  const all = { version: 1, promptVersion: Prompts.version, answers: answers.map(JudgeTable.kept) }
  Fs.mkdirSync(results, { recursive: true })
  Fs.writeFileSync(Path.join(results, `model-${name}.json`), `${JSON.stringify(all, null, 2)}\n`)
}

const judged = (folder: string, options: Options, output: Output): number => {
  const { out } = output
  const questions = spread(JudgeQuestions.all(options), options.limit)
  const texts = OfflineFiles.read(folder, questions)
  const heard = questions.flatMap((question) => {
    const text = texts.get(question.id)
    return text === undefined ? [] : [{ question, text }]
  })
  if (heard.length === 0) {
    out(`judge: none of ${questions.length} questions is answered`)
    return 0
  }
  const { prompt } = options
  if (prompt !== null) {
    const answers = heard.map(({ question, text }) => JudgeQuestions.readOther(prompt, question, text))
    out(JudgeTable.otherText(answers, questions.length))
    if (options.misses) out(`\nWhere push and label differ\n${JudgeTable.otherMisses(answers)}`)
    return answers.length
  }
  const answers = heard.map(({ question, text }) => JudgeQuestions.read(question, text))
  out(JudgeTable.text(answers, questions.length))
  const mixed = JudgeTable.swapped(answers)
  if (mixed !== "") out(`\n${mixed}`)
  if (options.misses) out(`\nWhere push and label differ\n${JudgeTable.misses(answers)}`)
  if (options.record !== null) record(options.record, answers)
  return answers.length
}

const ofCases = async (
  suite: CaseQuestions.CaseSuite,
  folder: string,
  { options, output }: { readonly options: Options; readonly output: Output }
): Promise<number> => {
  const questions = spread(await cases[suite](), options.limit)
  const texts = OfflineFiles.read(folder, questions)
  let answered = 0
  const right = { before: 0, after: 0 }
  for (const { before, differs, id } of questions) {
    const text = texts.get(id)
    if (text === undefined) continue
    answered += 1
    const after = await differs(text)
    right.before += before.length === 0 ? 1 : 0
    right.after += after.length === 0 ? 1 : 0
    if (options.misses && after.length > 0) output.out(`  ${id}: ${after.join("; ")}`)
  }
  output.out(
    `\n${suite}: ${answered} of ${questions.length} open cases were answered; as expected: ${right.before} by the rules, ${right.after} with the model.`
  )
  return answered
}

const answered = async (folder: string, options: Options, output: Output): Promise<number> => {
  let count = 0
  for (const suite of options.suites)
    if (suite === "judge") count += judged(folder, options, output)
    else count += await ofCases(suite, folder, { options, output })
  return count === 0 ? 1 : 0
}

/** Gives the exit status. */
export const main = async (argv: ReadonlyArray<string>, output: Output): Promise<number> => {
  if (argv.includes("--help")) {
    output.out(OfflineOptions.usage)
    return 0
  }
  const parsed = OfflineOptions.parse(argv)
  if (Either.isLeft(parsed)) {
    output.err(`${parsed.left}\nnpm run eval:model -- --help lists the options.`)
    return 2
  }
  const options = parsed.right
  if (options.suites.includes("judge") && options.data === null) output.err("judge: no labelled stops; give --data DIR")
  if (options.export !== null) return exported(options.export, options, output)
  return options.answers === null ? 2 : answered(options.answers, options, output)
}
