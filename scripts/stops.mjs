/**
 * Judges every stop of the development sessions with the built command line, with somebody there and with nobody, and
 * prints what changed since the recording: `node scripts/stops.mjs`, and with `--write` to record. A stop that two
 * readers labelled shows their answer. The sessions are not in the repository; without them nothing is compared.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const recording = path.join(root, "evals", "results", "stops.tsv")
const data = path.resolve(root, process.env["REFLEXION_STOPS"] ?? "../shared/data")
const bin = path.join(root, "packages", "cli", "dist", "bin.js")
const suites = ["claude-code", "claude-code-2", "claude-code-more", "codex"]

const say = (text) => process.stdout.write(`${text}\n`)

const judge = (files, attended) =>
  new Promise((resolve, reject) => {
    const words = ["judge", ...files, "--turn", "all", "--format", "jsonl", "--attended", attended]
    const env = { PATH: process.env["PATH"], HOME: "/nonexistent" }
    execFile(process.execPath, [bin, ...words], { env, maxBuffer: 2 ** 30 }, (error, stdout, stderr) =>
      error !== null && stdout === ""
        ? reject(new Error(stderr))
        : resolve(
            stdout
              .split("\n")
              .filter((line) => line !== "")
              .map((line) => JSON.parse(line))
          )
    )
  })

/** `incomplete! | gates/not-run:push | tests=stale` with the gates that are not just "not required"; `complete` where nothing is. */
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

const labelsOf = (suite) => {
  const lines = fs
    .readFileSync(path.join(data, suite, "stops.jsonl"), "utf8")
    .trim()
    .split("\n")
  return new Map(
    lines.map((line) => JSON.parse(line)).map((stop) => [`${stop.session} ${stop.userMessageAt}`, stop.push])
  )
}

/** Every stop, by a key that names no session: `[attended, unattended]`, and the readers' answer. */
const judgeAll = async () => {
  const stops = new Map()
  for (const suite of suites) {
    const folder = path.join(data, suite, "sessions")
    const files = fs
      .readdirSync(folder)
      .toSorted()
      .map((name) => path.join(folder, name))
    const labels = labelsOf(suite)
    const [there, away] = await Promise.all([judge(files, "true"), judge(files, "false")])
    for (const [index, attended] of there.entries()) {
      const label = labels.get(`${attended.sessionId} ${attended.turn.userMessageAt}`)
      const session = `${attended.sessionId}#${attended.turn.index}`
      const unattended = away[index]
      stops.set(keyOf(attended), { verdicts: [brief(attended), brief(unattended)], label, session })
    }
  }
  return stops
}

const read = () =>
  new Map(
    fs
      .readFileSync(recording, "utf8")
      .trim()
      .split("\n")
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
    const lines = [...stops]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([
          key,
          {
            verdicts: [there, away]
          }
        ]) => (there === away ? `${key}\t${there}` : `${key}\t${there}\t${away}`)
      )
    fs.writeFileSync(recording, `${lines.join("\n")}\n`)
    say(`${stops.size} stops recorded.`)
  } else compare(stops)
}
