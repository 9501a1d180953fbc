/**
 * What the rules were worth on stops that nobody had seen: one line for each firing of a rule and for each silent stop that was
 * read, without a word of the session. `evals/ledger` keeps a file a round.
 */
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"

export const Label = Schema.Literal("right", "wrong", "open")

export type Label = typeof Label.Type

/**
 * A stop that two readers looked at, and the rule that fired there; `rule` is null where none did. `project` is a hash of its name, for not
 * everybody who has published a session knows what stands in it; `version` is the rule's,
 * `reachable` says whether the host can still be sent on there, `label` whether that would have been right (`open`: the readers
 * differ), and `line` whether the line that a user reads there was worth it, where there is one.
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
 * A round: `list` is the hash of its list of sessions, which was committed before its first run; `stops` are all that were
 * judged and `lines` those at which a user would have read a line, at the levels of then. `firstContact` is false where
 * somebody had looked at the stops before.
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

/** A round with what was read in it. */
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

/** All rounds, in their order; one that was announced and not read has no entries. */
export const load = (from: string = folder): ReadonlyArray<Read> =>
  decodeRounds(Fs.readFileSync(Path.join(from, "rounds.json"), "utf8")).map((round) => ({
    ...round,
    entries: entriesOf(Path.join(from, `round-${round.round}.jsonl`))
  }))
