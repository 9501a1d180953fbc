/**
 * Judges recorded turns by all of their record and by its end, as a hook reads it, and lists where the two differ: in status,
 * in whether the agent is sent on, or in the rules. The sessions are those of ../shared/data, or of REFLEXION_CORPUS.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { root } from "./bundler.mjs"

const built = (...names) => path.join(root, ...names)
const Corpus = await import(built("evals", "dist", "sessions", "Corpus.js"))
const Judgment = await import(built("packages", "core", "dist", "judge", "verdict", "Judgment.js"))
const RecordTail = await import(built("packages", "hooks", "dist", "session", "RecordTail.js"))
const { decoder: claude } = await import(built("packages", "hooks", "dist", "process", "ClaudeCodeHook.js"))
const { decoder: codex } = await import(built("packages", "hooks", "dist", "process", "CodexHook.js"))

const suites = { "claude-code": claude, "claude-code-2": claude, "claude-code-more": claude, codex }
const reaches = { true: { turns: 2, bytes: 300_000 }, false: { turns: 5, bytes: 1_000_000 } }

const print = (text) => process.stdout.write(`${text}\n`)

const corpus = Corpus.directory()
if (corpus === null) {
  print(Corpus.skipped)
  process.exit(0)
}

const context = (session) => ({ ...Judgment.defaultContext, cwd: session.cwd })

const parsed = (line) => {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** The places where turns end, with what all of the record up to there says. */
function* turns(decoder, bytes) {
  let state = decoder.initial
  let judgment = Judgment.initial
  let begun = null
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at) + 1 || bytes.length
    const line = bytes.subarray(at, end)
    // The host begins a turn before its prompt is there.
    if (line.subarray(0, 200).includes('"task_started"')) begun = { at, state, judgment }
    const [next, events] = decoder.step(state, parsed(line.toString("utf8")))
    const before = judgment
    for (const event of events) {
      if (before.task.turn >= 0 && Judgment.startsTurn(judgment, event)) yield begun ?? { at, state, judgment: before }
      judgment = Judgment.step(judgment, event, context(decoder.session(next)))
    }
    if (events.length > 0) begun = null
    state = next
    at = end
  }
  if (judgment.task.turn >= 0) yield { at: bytes.length, state, judgment }
}

const judged = (decoder, { judgment, state }, attended) => {
  const session = { ...decoder.session(state), attended }
  const given = { session, context: context(session), now: judgment.stop.lastAt }
  const end = decoder.finish(state).reduce((before, one) => Judgment.step(before, one, given.context), judgment)
  const { findings, shouldContinue, status } = Judgment.verdict(end, given)
  const rules = findings.map(({ level, rule }) => `${rule}:${level}`).join(" ")
  return { status, push: shouldContinue, rules }
}

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "reflexion-tails-"))
const file = path.join(scratch, "record.jsonl")

const most = Number(process.argv[2] ?? 900)

for (const attended of [true, false]) {
  const counts = { turns: 0, pushed: 0, status: 0, push: 0, rules: 0 }
  for (const [suite, decoder] of Object.entries(suites)) {
    const files = [...Corpus.sessionFiles(path.join(corpus, suite))]
    const share = Math.ceil((most * files.length) / 346)
    let left = share
    for (const [name, packed] of files) {
      const bytes = Corpus.bytes(packed)
      let known
      let number = 0
      for (const whole of turns(decoder, bytes)) {
        if (left <= 0) break
        left -= 1
        fs.writeFileSync(file, bytes.subarray(0, whole.at))
        if (bytes[whole.at - 1] !== 10) fs.appendFileSync(file, "\n")
        const options = { file, decoder, reach: () => reaches[attended], known, context, hasTime: () => true }
        const tail = RecordTail.read(options)
        known = tail.known
        const before = judged(decoder, whole, attended)
        const after = judged(decoder, { judgment: tail.judgment, state: tail.decoder }, attended)
        counts.turns += 1
        if (before.push) counts.pushed += 1
        const differs = Object.keys(before).filter((key) => before[key] !== after[key])
        for (const key of differs) counts[key] += 1
        if (differs.length > 0) {
          print(
            `${suite} ${name.slice(0, 13)} turn ${number}: ${differs.map((key) => `${key} ${before[key]} -> ${after[key]}`).join("; ")}`
          )
        }
        number += 1
      }
    }
  }
  print(`attended ${attended}: ${JSON.stringify(counts)}`)
}
fs.rmSync(scratch, { recursive: true, force: true })
