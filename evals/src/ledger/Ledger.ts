/**
 * How right the rules were on unseen stops. There is one line for each firing of a rule and for each silent stop that
 * was read, without any text of a session. `evals/ledger` has one file for each round.
 */
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"

export const Label = Schema.Literal("right", "wrong", "open")

export type Label = typeof Label.Type

/**
 * A stop that two readers judged, and the rule that fired (`rule`; null for none). `project` is a hash of the project's
 * name, because a published session may reveal more than its owner knows. `version` is the version of the rule.
 * `reachable`: the host could still be nudged. `label`: whether a nudge would have been right (`open`: the readers
 * disagree). `line`: whether the user's line was worth reading, if there was one.
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
 * A round. `list` is the hash of its list of sessions, which was committed before the first run. `stops` counts all
 * judged stops. `lines` counts the stops with a line for the user, at the levels of that time. `firstContact` is false
 * if somebody had seen the stops before.
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

/** A round with its entries. */
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

/** Returns all rounds in order. A round that was announced but not read has no entries. */
export const load = (from: string = folder): ReadonlyArray<Read> =>
  decodeRounds(Fs.readFileSync(Path.join(from, "rounds.json"), "utf8")).map((round) => ({
    ...round,
    entries: entriesOf(Path.join(from, `round-${round.round}.jsonl`))
  }))
