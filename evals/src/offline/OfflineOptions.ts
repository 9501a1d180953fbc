/** What `npm run eval:model` was told to do. */
import * as Either from "effect/Either"
import * as Fs from "node:fs"
import { parseArgs } from "node:util"
import * as Arguments from "../report/Arguments.ts"
import * as Corpus from "../sessions/Corpus.ts"
import * as JudgeTemplate from "./JudgeTemplate.ts"

export const suites = ["judge", "stuck"] as const

export type Suite = (typeof suites)[number]

/** `export` and `answers` are the folders to write and to read, of which one is given. */
export interface OfflineOptions {
  readonly export: string | null
  readonly answers: string | null
  readonly suites: ReadonlyArray<Suite>
  /** Folders of labelled stops, or one with such folders in it. */
  readonly data: string | null
  /** Only these sessions; empty for all. */
  readonly sessions: ReadonlyArray<string>
  readonly samples: ReadonlyArray<string>
  readonly limit: number | null
  /** Every premature stop, and so many of the right ones; null for all stops. */
  readonly right: number | null
  /** Another judge's prompt, null for ours. */
  readonly prompt: JudgeTemplate.Template | null
  /** How the run is called in the record, null for none. */
  readonly record: string | null
  readonly misses: boolean
}

export const usage = `npm run eval:model -- --export DIR | --answers DIR [options]

Measures any model without a network. --export writes what a model is asked, a file each; whoever is the model reads those
files and nothing else, and writes its answer to each into another folder; --answers puts the answers through the real
decoding and the real consequences, and prints what came of them.

  --export DIR     write the prompts to DIR/SUITE/ID.md
  --answers DIR    read the answers from DIR/SUITE/ID.json (or DIR/ID.json): what the model said, word for word
  --suite NAME     ${suites.join(", ")}; may be given several times, without it all of them
  --data DIR       labelled stops: a folder with stops.jsonl and sessions/, or one with such folders (../shared/data, or
                   where REFLEXION_CORPUS points)
  --sessions LIST  only these sessions: their ids with commas between, or a file with one a line
  --prompt FILE    of the labelled stops: another judge's prompt in place of ours, and which of its answers are a push;
                   evals/README.md has its form
  --right N        every premature stop, and N of the right ones, always the same: for two judges of which each answer costs
  --sample NAME    only stops of this sample, such as random; may be given several times
  --limit N        at most N questions of each suite, spread evenly over it
  --record NAME    keep status, probability, kinds and tokens of each answer in evals/results/model-NAME.json
  --misses         list every stop at which push and label differ

Exit status: 0, 1 where no question was answered, 2 for what cannot be run.
`

const isSuite = (name: string): name is Suite => suites.some((suite) => suite === name)

const suitesOf = (given: ReadonlyArray<string> = []): ReadonlyArray<Suite> => {
  const strange = given.find((name) => !isSuite(name))
  if (strange !== undefined)
    throw new Arguments.Refused(`--suite: must be one of ${suites.join(", ")}, not "${strange}"`)
  return given.length === 0 ? suites : given.filter(isSuite)
}

const sessionsOf = (text: string | undefined): ReadonlyArray<string> => {
  if (text === undefined) return []
  const all = Fs.existsSync(text) ? Fs.readFileSync(text, "utf8").split("\n") : text.split(",")
  return all.map((one) => one.trim()).filter((one) => one !== "")
}

const countOf = (option: string, text: string | undefined): number | null => {
  if (text === undefined) return null
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1) return count
  throw new Arguments.Refused(`${option}: must be a whole number of at least 1, not "${text}"`)
}

const promptOf = (file: string | undefined): JudgeTemplate.Template | null => {
  if (file === undefined) return null
  const template = JudgeTemplate.load(file)
  if (Either.isRight(template)) return template.right
  throw new Arguments.Refused(`--prompt: ${template.left}`)
}

const nameOf = (text: string | undefined): string | null => {
  if (text === undefined) return null
  if (/^[a-z0-9][a-z0-9._-]{0,59}$/u.test(text)) return text
  throw new Arguments.Refused(`--record: must be a name of small letters, digits, dots and hyphens, not "${text}"`)
}

const read = (argv: ReadonlyArray<string>): OfflineOptions => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      export: { type: "string" },
      answers: { type: "string" },
      suite: { type: "string", multiple: true },
      data: { type: "string" },
      sessions: { type: "string" },
      sample: { type: "string", multiple: true },
      limit: { type: "string" },
      right: { type: "string" },
      prompt: { type: "string" },
      record: { type: "string" },
      misses: { type: "boolean" }
    }
  })
  if ((values.export === undefined) === (values.answers === undefined))
    throw new Arguments.Refused("either --export DIR or --answers DIR has to be given")
  const suites = suitesOf(values.suite)
  const prompt = promptOf(values.prompt)
  if (prompt !== null && (suites.length !== 1 || suites[0] !== "judge"))
    throw new Arguments.Refused("--prompt is for the labelled stops: give --suite judge, and no other")
  if (prompt !== null && values.record !== undefined)
    throw new Arguments.Refused("--record keeps answers to our own prompt: leave it or --prompt out")
  if (values.data !== undefined && !Fs.existsSync(values.data))
    throw new Arguments.Refused(`--data: ${values.data} is not there`)
  return {
    export: values.export ?? null,
    answers: values.answers ?? null,
    suites,
    data: values.data ?? Corpus.directory(),
    sessions: sessionsOf(values.sessions),
    samples: values.sample ?? [],
    limit: countOf("--limit", values.limit),
    right: countOf("--right", values.right),
    prompt,
    record: nameOf(values.record),
    misses: values.misses === true
  }
}

export const parse = (argv: ReadonlyArray<string>): Either.Either<OfflineOptions, string> =>
  Arguments.decode(() => read(argv))
