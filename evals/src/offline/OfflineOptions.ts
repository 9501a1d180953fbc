/** What `npm run eval:model` was told to do. */
import type * as Either from "effect/Either"
import * as Fs from "node:fs"
import { parseArgs } from "node:util"
import * as Arguments from "../report/Arguments.ts"
import * as Corpus from "../sessions/Corpus.ts"

export const suites = ["judge", "stuck", "compaction", "score"] as const

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

const limitOf = (text: string | undefined): number | null => {
  if (text === undefined) return null
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1) return limit
  throw new Arguments.Refused(`--limit: must be a whole number of at least 1, not "${text}"`)
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
      record: { type: "string" },
      misses: { type: "boolean" }
    }
  })
  if ((values.export === undefined) === (values.answers === undefined))
    throw new Arguments.Refused("either --export DIR or --answers DIR has to be given")
  if (values.data !== undefined && !Fs.existsSync(values.data))
    throw new Arguments.Refused(`--data: ${values.data} is not there`)
  return {
    export: values.export ?? null,
    answers: values.answers ?? null,
    suites: suitesOf(values.suite),
    data: values.data ?? Corpus.directory(),
    sessions: sessionsOf(values.sessions),
    samples: values.sample ?? [],
    limit: limitOf(values.limit),
    record: nameOf(values.record),
    misses: values.misses === true
  }
}

export const parse = (argv: ReadonlyArray<string>): Either.Either<OfflineOptions, string> =>
  Arguments.decode(() => read(argv))
