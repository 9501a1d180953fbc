/** Prepares a round for its readers, and reads their labels. */
import * as Schema from "effect/Schema"
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Dossier from "./Dossier.ts"
import type { FiredStop } from "./Firings.ts"
import type { Entry } from "./Ledger.ts"

/** How many silent stops are read for each stop with a firing, and how many at least. */
const [silentForEach, leastSilent] = [2, 100]

/** The data behind a dossier's id. The readers do not see it. */
export const Key = Schema.Struct({
  id: Schema.String,
  stop: Schema.String,
  project: Schema.String,
  host: Schema.String,
  attended: Schema.Boolean,
  unreachable: Schema.Array(Schema.String),
  fired: Schema.Array(Schema.String),
  told: Schema.Array(Schema.String),
  pushed: Schema.Boolean
})

export type Key = typeof Key.Type

const Said = Schema.Struct({ id: Schema.String, push: Schema.Literal("yes", "no") })

const SaidOfLine = Schema.Struct({ id: Schema.String, rule: Schema.String, worth: Schema.Literal("yes", "no") })

const decodeKey = Schema.decodeUnknownSync(Schema.parseJson(Key))

const decodeSaid = Schema.decodeUnknownSync(Schema.parseJson(Said))

const decodeSaidOfLine = Schema.decodeUnknownSync(Schema.parseJson(SaidOfLine))

/** Hosts that call the stop hook after the model's service failed. In other hosts, no nudge is possible then. */
const hearsOfErrors = ["opencode"]

const unreachable = ({ fired, listed }: FiredStop): ReadonlyArray<string> =>
  hearsOfErrors.includes(listed.host) || !fired.includes("host/failed") ? [] : fired

const lines = (file: string): ReadonlyArray<string> =>
  Fs.readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")

const jsonl = (values: ReadonlyArray<unknown>): string => values.map((value) => `${JSON.stringify(value)}\n`).join("")

/** The random order is the same each time. */
const shuffled = (values: ReadonlyArray<FiredStop>, seed: number): ReadonlyArray<FiredStop> =>
  values
    .map((value) => ({ value, at: Crypto.createHash("sha256").update(`${seed} ${value.stop}`).digest("hex") }))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .map(({ value }) => value)

/** Draws each stop with a firing and some others. `of` is the round's number: each round draws other stops. */
export const drawn = (all: ReadonlyArray<FiredStop>, of: number): ReadonlyArray<FiredStop> => {
  const heard = all.filter(({ fired, pushed, told }) => fired.length > 0 || pushed || told.length > 0)
  const silent = shuffled(
    all.filter((one) => !heard.includes(one)),
    of
  )
  return shuffled([...heard, ...silent.slice(0, Math.max(leastSilent, silentForEach * heard.length))], of + 1)
}

export const layOut = (judged: ReadonlyArray<FiredStop>, out: string): void => {
  Fs.mkdirSync(Path.join(out, "stops"), { recursive: true })
  const keys = judged.map((one, index): Key => {
    const id = `stop-${String(index + 1).padStart(4, "0")}`
    Fs.writeFileSync(Path.join(out, "stops", `${id}.md`), `${Dossier.write(id, one)}\n`)
    return {
      id,
      stop: one.stop,
      project: one.listed.project,
      host: one.listed.host,
      attended: one.attended,
      unreachable: unreachable(one),
      fired: one.fired,
      told: one.told,
      pushed: one.pushed
    }
  })
  Fs.writeFileSync(Path.join(out, "key.jsonl"), jsonl(keys))
  const told = judged.flatMap((one, index) =>
    one.told.map((rule) => ({
      id: keys[index]?.id,
      rule,
      line: one.verdict.findings.find((finding) => finding.rule === rule)?.message
    }))
  )
  Fs.writeFileSync(Path.join(out, "lines.jsonl"), jsonl(told))
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  Fs.existsSync(folder)
    ? Fs.readdirSync(folder)
        .filter((name) => name.endsWith(".jsonl"))
        .toSorted()
        .map((name) => Path.join(folder, name))
    : []

/** `unread` names the stops with fewer than two readers. */
export const take = (
  from: string
): { readonly entries: ReadonlyArray<Entry>; readonly unread: ReadonlyArray<string> } => {
  const keys = lines(Path.join(from, "key.jsonl")).map((line) => decodeKey(line))
  const said = filesIn(Path.join(from, "labels"))
    .flatMap(lines)
    .map((line) => decodeSaid(line))
  const ofLines = filesIn(Path.join(from, "worth"))
    .flatMap(lines)
    .map((line) => decodeSaidOfLine(line))
  const unread: Array<string> = []
  const entries = keys.flatMap((key): ReadonlyArray<Entry> => {
    const labels = said.filter(({ id }) => id === key.id).map(({ push }) => push)
    if (labels.length < 2) unread.push(key.id)
    if (labels.length < 2) return []
    const label = labels.every((one) => one === "yes")
      ? "right"
      : labels.every((one) => one === "no")
        ? "wrong"
        : "open"
    const { attended, host, stop } = key
    const project = Crypto.createHash("sha256").update(key.project).digest("hex").slice(0, 8)
    const rules = [...new Set([...key.fired, ...key.told])]
    const common = { stop, project, host, attended, label } as const
    if (rules.length === 0) return [{ ...common, reachable: true, rule: null }]
    return rules.map((rule): Entry => {
      const worth = ofLines.filter((one) => one.id === key.id && one.rule === rule)
      return {
        ...common,
        reachable: key.fired.includes(rule) && !key.unreachable.includes(rule),
        rule,
        ...(worth.length > 0 && { line: worth.every((one) => one.worth === "yes") })
      }
    })
  })
  return { entries, unread }
}
