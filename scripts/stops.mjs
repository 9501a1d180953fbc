/**
 * Judges every stop of the development sessions, attended and unattended, and prints what changed since the recording:
 * `node scripts/stops.mjs`. `--write` saves a new recording.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"

const root = path.dirname(import.meta.dirname)
const recording = path.join(root, "evals", "results", "stops.tsv")
const data = path.resolve(root, process.env["REFLEXION_STOPS"] ?? "../shared/data")
const bin = path.join(root, "packages", "cli", "dist", "bin.js")
const suites = ["claude-code", "claude-code-2", "claude-code-more", "codex"]

const say = (text) => process.stdout.write(`${text}\n`)

const linesOf = (text) => text.split("\n").filter((line) => line !== "")

const judge = async (files, attended) => {
  const words = ["judge", ...files, "--turn", "all", "--format", "jsonl", "--attended", attended]
  const options = { env: { PATH: process.env["PATH"], HOME: "/nonexistent" }, maxBuffer: 2 ** 30 }
  // If a stop is not complete, the command's exit status is not 0.
  const { stderr, stdout } = await promisify(execFile)(process.execPath, [bin, ...words], options).catch(
    (error) => error
  )
  if (!stdout) throw new Error(stderr)
  return linesOf(stdout).map((line) => JSON.parse(line))
}

/** For example `incomplete! | gates/not-run:push | tests=stale`, without gates that are not required. */
const brief = ({ findings, gates, shouldContinue, status }) =>
  [
    `${status}${shouldContinue ? "!" : ""}`,
    findings.map(({ level, rule }) => `${rule}:${level}`).join(" ") || "-",
    gates
      .filter(({ result }) => result !== "not_required")
      .map(({ gate, result }) => `${gate}=${result}`)
      .join(" ") || "-"
  ]
    .join(" | ")
    .replace(/(?: \| -)+$/u, "")

const keyOf = ({ sessionId, turn }) =>
  createHash("sha256").update(`${sessionId} ${turn.index}`).digest("hex").slice(0, 8)

/** Returns `[attended, unattended]` and the readers' answer for each stop. The key does not reveal the session. */
const judgeAll = async () => {
  const stops = new Map()
  for (const suite of suites) {
    const folder = path.join(data, suite, "sessions")
    const files = fs
      .readdirSync(folder)
      .toSorted()
      .map((name) => path.join(folder, name))
    const labelled = linesOf(fs.readFileSync(path.join(data, suite, "stops.jsonl"), "utf8")).map((line) =>
      JSON.parse(line)
    )
    const labels = new Map(labelled.map((stop) => [`${stop.session} ${stop.userMessageAt}`, stop.push]))
    const [there, away] = await Promise.all([judge(files, "true"), judge(files, "false")])
    for (const [index, attended] of there.entries()) {
      const label = labels.get(`${attended.sessionId} ${attended.turn.userMessageAt}`)
      const session = `${attended.sessionId}#${attended.turn.index}`
      stops.set(keyOf(attended), { verdicts: [brief(attended), brief(away[index])], label, session })
    }
  }
  return stops
}

const read = () =>
  new Map(
    linesOf(fs.readFileSync(recording, "utf8"))
      .map((line) => line.split("\t"))
      .map(([key, attended, unattended = attended]) => [key, [attended, unattended]])
  )

const answer = (label) =>
  label === undefined ? "" : label === null ? " (readers differ)" : label ? " (too early)" : " (right)"

const compare = (stops) => {
  const before = read()
  const counts = new Map()
  for (const [key, { label, session, verdicts }] of stops) {
    const was = before.get(key)
    for (const [place, who] of ["somebody there", "nobody there"].entries()) {
      const [old, now] = [was?.[place] ?? "not recorded", verdicts[place]]
      if (old === now) continue
      say(`${key} ${session}, ${who}${answer(label)}\n  was ${old}\n  now ${now}`)
      const kind = old.split(" | ")[0] === now.split(" | ")[0] ? "only rules or gates" : "status or nudge"
      counts.set(`${who}, ${kind}`, (counts.get(`${who}, ${kind}`) ?? 0) + 1)
    }
  }
  const gone = [...before.keys()].filter((key) => !stops.has(key))
  for (const key of gone) say(`${key}: no longer a stop`)
  for (const [kind, count] of counts) say(`${kind}: ${count} of ${stops.size} changed`)
  if (counts.size === 0 && gone.length === 0) say(`${stops.size} stops: nothing changed`)
}

if (!fs.existsSync(data)) {
  say(`No development sessions in ${path.relative(root, data)}: nothing is compared.`)
} else {
  const stops = await judgeAll()
  if (process.argv.includes("--write")) {
    const lines = Array.from(stops, ([key, { verdicts }]) => `${[key, ...new Set(verdicts)].join("\t")}\n`)
    fs.writeFileSync(recording, lines.toSorted().join(""))
    say(`${stops.size} stops recorded.`)
  } else compare(stops)
}
