/** The command line options of `npm run eval`. */
import * as Either from "effect/Either"
import * as Fs from "node:fs"
import { parseArgs } from "node:util"
import * as Corpus from "./sessions/Corpus.ts"

export const usage = `npm run eval -- [options]

Judges labelled stops of real sessions, by evidence and by a large model's recorded answers, and prints how many premature ones are
found and how many right ones are nudged.

  --check          exit 1 where less is found, or more is wrong, than floors.json allows
  --data DIR       labelled stops: a folder with stops.jsonl and sessions/, or one with such folders (../shared/data, or
                   where REFLEXION_CORPUS points)
  --misses         list every stop at which a nudge and the label differ
  --json FILE      write a line of JSON for each stop
  --export DIR     write what a model is asked, a file each
  --answers DIR    read the answers from DIR/ID.json, what the model said word for word, and print what they are worth
  --record NAME    with --answers: keep status, probability and tokens of each in evals/results/model-NAME.tsv

npm run eval -- ledger prints what each rule was worth on stops that nobody had seen; "ledger --help" lists its commands.
`

export interface EvalOptions {
  readonly check: boolean
  readonly misses: boolean
  readonly help: boolean
  /** Null if there is no corpus. */
  readonly data: string | null
  readonly json: string | null
  readonly export: string | null
  readonly answers: string | null
  readonly record: string | null
}

const read = (argv: ReadonlyArray<string>): EvalOptions => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      check: { type: "boolean", default: false },
      misses: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      data: { type: "string" },
      json: { type: "string" },
      export: { type: "string" },
      answers: { type: "string" },
      record: { type: "string" }
    }
  })
  const { answers = null, data, json = null, record = null, ...rest } = values
  if (data !== undefined && !Fs.existsSync(data)) throw new Error(`--data: ${data} is not there`)
  if (answers !== null && !Fs.existsSync(answers)) throw new Error(`--answers: ${answers} is not there`)
  if (rest.export !== undefined && answers !== null) throw new Error("--export and --answers: give one of them")
  if (record !== null && answers === null) throw new Error("--record: it needs --answers")
  if (record !== null && !/^[a-z0-9][a-z0-9._-]{0,59}$/u.test(record))
    throw new Error(`--record: "${record}" is no name of small letters, digits, dots and hyphens`)
  if (rest.check && (data !== undefined || answers !== null))
    throw new Error("--check is of the recorded answers to the usual corpus: leave --data and --answers out")
  return { ...rest, answers, json, record, export: rest.export ?? null, data: data ?? Corpus.directory() }
}

export const parse = (argv: ReadonlyArray<string>): Either.Either<EvalOptions, string> =>
  Either.try({ try: () => read(argv), catch: (error) => (error instanceof Error ? error.message : String(error)) })
