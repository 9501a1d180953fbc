/** How right the rules were on unseen stops, without texts of sessions. `evals/ledger` has one file for each round. */
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"

export const Label = Schema.Literal("right", "wrong", "open")

export type Label = typeof Label.Type

/**
 * A stop that two readers judged. `rule` is the rule that fired, or null, and `version` its version. `project` is a
 * hash, because a published session may reveal more than its owner knows. `reachable`: a nudge was possible. `label`:
 * whether a nudge would have been right (`open`: the readers disagree). `line`: the user's line was worth reading.
 *
 * @category models
 */
export const Entry = Schema.Struct({
  stop: Schema.String,
  project: Schema.String,
  host: Schema.String,
  attended: Schema.Boolean,
  reachable: Schema.Boolean,
  rule: Schema.NullOr(Schema.String),
  version: Schema.optionalWith(Schema.NullOr(Schema.String), { exact: true }),
  label: Label,
  line: Schema.optionalWith(Schema.Boolean, { exact: true })
})

export type Entry = typeof Entry.Type

/**
 * `list` is the hash of the list of sessions, which was committed before the first run. `stops` counts all judged
 * stops, `lines` those with a line for the user. `firstContact` is false if somebody had seen the stops before.
 *
 * @category models
 */
export const Round = Schema.Struct({
  round: Schema.Number,
  on: Schema.String,
  list: Schema.String,
  firstContact: Schema.Boolean,
  sessions: Schema.Number,
  projects: Schema.Number,
  stops: Schema.Record({ key: Schema.String, value: Schema.Number }),
  attended: Schema.NullOr(Schema.Number),
  lines: Schema.NullOr(Schema.Number),
  read: Schema.NullOr(Schema.Number)
})

export type Round = typeof Round.Type

export const encodeRound = Schema.encodeSync(Round)

export interface Read extends Round {
  readonly entries: ReadonlyArray<Entry>
}

export const folder = fileURLToPath(new URL("../../ledger", import.meta.url))

const decodeRounds = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Round)))

const decodeEntry = Schema.decodeUnknownSync(Schema.parseJson(Entry))

export const entriesFile = (round: number): string => Path.join(folder, `round-${round}.jsonl`)

const entriesOf = (file: string): ReadonlyArray<Entry> =>
  Fs.existsSync(file)
    ? Fs.readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line, index) => {
          try {
            return decodeEntry(line)
          } catch (error) {
            throw new Error(`${Path.basename(file)}, line ${index + 1}: ${String(error)}`, { cause: error })
          }
        })
    : []

/** A round that was announced but not read has no entries. */
export const load = (from: string = folder): ReadonlyArray<Read> =>
  decodeRounds(Fs.readFileSync(Path.join(from, "rounds.json"), "utf8")).map((round) => ({
    ...round,
    entries: entriesOf(Path.join(from, `round-${round.round}.jsonl`))
  }))
