/** What a run without a model was told to do. */
import type * as Either from "effect/Either"
import { parseArgs } from "node:util"
import * as Arguments from "./Arguments.ts"
import * as Corpus from "../sessions/Corpus.ts"
import * as RecordedAnswers from "../offline/RecordedAnswers.ts"
import * as ReplayEval from "../stops/ReplayEval.ts"
import * as RetryEval from "../retry/RetryEval.ts"
import * as ScoreEval from "../score/ScoreEval.ts"
import * as WatchEval from "../watch/WatchEval.ts"

export const suites: ReadonlyArray<string> = [
  "cases",
  ...Corpus.names,
  Corpus.own,
  ...WatchEval.names,
  ...ScoreEval.names,
  ...ReplayEval.names,
  ...RetryEval.names,
  ...RecordedAnswers.names
]

export const usage = `npm run eval -- [options]

  --suite NAME          only this one: ${suites.join(", ")}
  --misses              also list every stop whose kind differs from the readers'
  --pushes              also list every push at a turn without a label, and every nudge, for a reader to judge
  --case ID             print what is said of one hand-written case
  --show SESSION:TURN   print one stop of the corpus: prompt, calls, gates, verdict, label
  --json FILE           write everything, row by row, to a file
  --check               also exit 1 when a rule's level is not the one that the ledger bears out
  --record              take fixed cases off the known misses in evals/floors.json, and count new ones

Exit status: 0, 1 where a suite is below its floor, 2 for what cannot be run.
`

const read = (argv: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      suite: { type: "string" },
      misses: { type: "boolean", default: false },
      pushes: { type: "boolean", default: false },
      case: { type: "string" },
      show: { type: "string" },
      json: { type: "string" },
      check: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      help: { type: "boolean", default: false }
    }
  })
  const { check, record, suite } = values
  if (suite === undefined) return values
  if (!suites.includes(suite)) throw new Arguments.Refused(`--suite: "${suite}" is none of ${suites.join(", ")}`)
  if (check || record)
    throw new Arguments.Refused(`--${check ? "check" : "record"} needs every suite: leave --suite out`)
  return values
}

export type EvalOptions = ReturnType<typeof read>

/** The options, or what is wrong with them. */
export const parse = (argv: ReadonlyArray<string>): Either.Either<EvalOptions, string> =>
  Arguments.decode(() => read(argv))
