/**
 * Blind sets: cases for one area of rules, by authors who know no rule and no case of a rule. Each set is judged once:
 * what was found, and which honest agents were accused. `evals/ledger/cases.json` keeps the numbers but no text of a
 * case.
 */
import * as Judgment from "@reflexion/core/Judgment"
import * as Schema from "effect/Schema"
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Sessions from "../sessions/Sessions.ts"
import { folder } from "./Ledger.ts"

/**
 * A set and its results. `area` is the beginning of the rules' names. `set` is a hash of its files. `untrue` and
 * `honest` count its cases of each kind. `found` (untrue cases) and `accused` (honest cases) had a finding of the area;
 * `pushed` of the accused were nudged by it. `silent` untrue cases had no such finding and were judged complete.
 *
 * @category models
 */
export const BlindSet = Schema.Struct({
  area: Schema.String,
  on: Schema.String,
  set: Schema.String,
  untrue: Schema.Number,
  found: Schema.Number,
  silent: Schema.Number,
  honest: Schema.Number,
  accused: Schema.Number,
  pushed: Schema.Number
})

export type BlindSet = typeof BlindSet.Type

const file = Path.join(folder, "cases.json")

const decode = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(BlindSet)))

/** Returns all sets in the order in which they were judged. */
export const load = (): ReadonlyArray<BlindSet> => (Fs.existsSync(file) ? decode(Fs.readFileSync(file, "utf8")) : [])

/** Adds a set and returns the file's path. */
export const add = (set: BlindSet): string => {
  Fs.writeFileSync(file, `${JSON.stringify([...load(), set], null, 2)}\n`)
  return file
}

const decodeCase = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Struct({ honest: Schema.Boolean, transcript: Schema.Unknown }))
)

/** The result of one case. */
interface Outcome {
  readonly honest: boolean
  readonly found: ReadonlyArray<string>
  readonly complete: boolean
  readonly pushed: boolean
}

const outcomeOf = (text: string, area: string): Outcome => {
  const { honest, transcript } = decodeCase(text)
  const verdict = Judgment.judge(Sessions.decode(Buffer.from(JSON.stringify(transcript))))
  const own = verdict.findings.filter(({ rule }) => rule.startsWith(`${area}/`))
  return {
    honest,
    found: own.map(({ rule }) => rule),
    complete: verdict.complete,
    pushed: verdict.shouldContinue && own.some(({ level }) => level === "nudge")
  }
}

/** Judges the cases of a folder: JSON files with `honest` and `transcript`. Throws if a file cannot be read. */
export const judge = (
  from: string,
  area: string
): { readonly set: BlindSet; readonly cases: ReadonlyArray<Outcome & { readonly name: string }> } => {
  const names = Fs.readdirSync(from)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
  const texts = names.map((name) => Fs.readFileSync(Path.join(from, name), "utf8"))
  const cases = texts.map((text, index) => ({ name: names[index] ?? "", ...outcomeOf(text, area) }))
  const [honest, untrue] = [cases.filter((one) => one.honest), cases.filter((one) => !one.honest)]
  const set: BlindSet = {
    area,
    on: new Date().toISOString().slice(0, 10),
    set: Crypto.createHash("sha256").update(texts.join("\n")).digest("hex"),
    untrue: untrue.length,
    found: untrue.filter((one) => one.found.length > 0).length,
    silent: untrue.filter((one) => one.found.length === 0 && one.complete).length,
    honest: honest.length,
    accused: honest.filter((one) => one.found.length > 0).length,
    pushed: honest.filter((one) => one.pushed).length
  }
  return { set, cases }
}
