/**
 * The benchmark of the hooks: how long a person waits at each stop. Whole processes, from start to exit, against
 * `node -e 0` in the same run, in turns, so that whatever else the machine does slows all alike.
 */
import * as Judgment from "@reflexion/core/Judgment"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Corpus from "./sessions/Corpus.ts"
import { writeSession } from "./sessions/Generate.ts"
import { decoders } from "./sessions/Sessions.ts"

const { values: options } = parseArgs({
  options: { rounds: { type: "string", default: "21" }, env: { type: "string", default: "full" } }
})

const rounds = Number(options.rounds)
const megabyte = 1024 * 1024
const usual = 4 * megabyte

const targets = { first: 3.5, next: 2, usualPeak: 90, largePeak: 400 } as const

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const scratch = Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-bench-hooks-"))
const home = Path.join(scratch, "home")
const workspace = Path.join(scratch, "workspace")
for (const folder of [home, workspace]) Fs.mkdirSync(folder)

/** Nothing of the user's own is read or written; `--env bare` leaves out what else the shell gives to Node. */
const env = {
  ...(options.env !== "bare" ? process.env : { PATH: process.env["PATH"] }),
  HOME: home,
  XDG_CONFIG_HOME: Path.join(home, "config"),
  XDG_STATE_HOME: Path.join(home, "state"),
  XDG_CACHE_HOME: Path.join(home, "cache"),
  XDG_DATA_HOME: Path.join(home, "data")
}

const repository = fileURLToPath(new URL("../../", import.meta.url))
const preload = new URL("./peak.js", import.meta.url).href

/** A session cut in two, at the beginning of a usual turn. */
interface Subject {
  readonly host: string
  readonly source: string
  readonly before: Uint8Array
  readonly last: Uint8Array
}

/** What a turn usually adds to a record: the same for every host, so that they compare. */
const usualTurn = 56 * 1024

/** Where the turns begin, in bytes. */
const turns = (session: Uint8Array): ReadonlyArray<number> => {
  const reader = TranscriptReader.make({ decoders })
  const begins: Array<number> = []
  let state = Judgment.initial
  for (let at = 0; at < session.length;) {
    const end = session.indexOf(10, at) + 1 || session.length
    for (const event of reader.push(session.subarray(at, end))) {
      if (Judgment.startsTurn(state, event)) begins.push(at)
      state = Judgment.step(state, event, Judgment.defaultContext)
    }
    at = end
  }
  return begins
}

interface Cut {
  readonly from: number
  readonly to: number
}

/** The turn in the later half whose size comes nearest to the usual one; the last tenth where there is none. */
const lastTurn = (session: Uint8Array): Cut => {
  const begins = turns(session)
  const found = begins
    .map((from, index): Cut => ({ from, to: begins[index + 1] ?? session.length }))
    .filter(({ from }) => from > session.length / 2)
    .toSorted((left, right) => distance(left) - distance(right))
  return found[0] ?? { from: session.indexOf(10, Math.floor(session.length * 0.9)) + 1, to: session.length }
}

const distance = ({ from, to }: Cut): number => Math.abs(to - from - usualTurn)

const subject = (host: string, source: string, session: Uint8Array): Subject => {
  const { from, to } = lastTurn(session)
  return { host, source, before: session.subarray(0, from), last: session.subarray(from, to) }
}

/** The session of a suite whose size comes nearest to what `wanted` asks for. */
const fromCorpus = (suite: string, wanted: (size: number) => number): Uint8Array | null => {
  const root = Corpus.directory()
  const files = root === null ? [] : [...Corpus.sessionFiles(Path.join(root, suite)).values()]
  const sizes = files.map((file) => ({ file, distance: wanted(Corpus.bytes(file).length) }))
  const best = sizes.toSorted((left, right) => left.distance - right.distance)[0]
  return best === undefined ? null : Corpus.bytes(best.file)
}

const generated = (size: number): string => {
  const file = Path.join(scratch, `generated-${size}.jsonl`)
  writeSession(file, { size, callsPerTurn: 10, seed: 7 })
  return file
}

const subjects = (): ReadonlyArray<Subject> => {
  const claude = fromCorpus("claude-code", (size) => Math.abs(size - usual))
  const codex = fromCorpus("codex", (size) => -size)
  return [
    claude === null
      ? subject("claude-code", "a generated session", Fs.readFileSync(generated(usual)))
      : subject("claude-code", "a real session", claude),
    ...(codex === null ? [] : [subject("codex", "a real rollout", codex)])
  ]
}

const payload = (sessionId: string, transcript: string): string =>
  JSON.stringify({
    session_id: sessionId,
    turn_id: "turn",
    prompt_id: "prompt",
    transcript_path: transcript,
    cwd: workspace,
    permission_mode: "default",
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "That is where I stopped."
  })

const milliseconds = (args: ReadonlyArray<string>, input: string): number => {
  const begin = process.hrtime.bigint()
  const { status } = spawnSync(process.execPath, args, { env, input, stdio: ["pipe", "ignore", "inherit"] })
  const took = Number(process.hrtime.bigint() - begin) / 1e6
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`)
  return took
}

const hookOf = (host: string): string => Path.join(repository, "packages", host, "dist", "hook.cjs")

interface Stops<A> {
  readonly first: A
  readonly next: A
}

/** Two stops of a session that no hook has seen: all but its last turn, then that. */
const stops = <A>(
  { before, host, last }: Subject,
  id: string,
  measure: (args: ReadonlyArray<string>, input: string) => A
): Stops<A> => {
  const transcript = Path.join(scratch, `${host}.jsonl`)
  Fs.writeFileSync(transcript, before)
  const first = measure([hookOf(host), "Stop"], payload(id, transcript))
  Fs.appendFileSync(transcript, last)
  return { first, next: measure([hookOf(host), "Stop"], payload(id, transcript)) }
}

/** The peak of resident memory, in megabytes. */
const peak = (args: ReadonlyArray<string>, input: string): number => {
  const file = Path.join(scratch, "peak")
  spawnSync(process.execPath, ["--import", preload, ...args], {
    env: { ...env, PEAK_FILE: file },
    input,
    stdio: ["pipe", "ignore", "inherit"]
  })
  return Number(Fs.readFileSync(file, "utf8")) / megabyte
}

const sorted = (values: ReadonlyArray<number>): ReadonlyArray<number> => values.toSorted((left, right) => left - right)
const median = (values: ReadonlyArray<number>): number => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN
const least = (values: ReadonlyArray<number>): number => sorted(values)[0] ?? Number.NaN

const ms = (value: number): string => `${value.toFixed(0)} ms`.padStart(7)

/** A hook's times, each with that of `node -e 0` just before it. */
interface Pair {
  readonly hook: number
  readonly node: number
}

/** A burst of other work slows both halves of a pair; the median is that of the pairs' own ratios. */
const row = (name: string, pairs: ReadonlyArray<Pair>, target: number): boolean => {
  const ratio = median(pairs.map(({ hook, node }) => hook / node))
  const times = pairs.map(({ hook }) => hook)
  print(
    `  ${name.padEnd(12)} median ${ms(median(times))}   least ${ms(least(times))}   median ratio ${ratio.toFixed(2)}×   target ${target.toFixed(1)}×  ${ratio <= target ? "met" : "missed"}`
  )
  return ratio <= target
}

interface Measured {
  readonly first: Array<Pair>
  readonly next: Array<Pair>
}

/** With a reference that swings like this no ratio means anything. */
const maxSwing = 1.5

const isSteady = (node: ReadonlyArray<number>): boolean => {
  print(`node -e 0      median ${ms(median(node))}   least ${ms(least(node))}   (${rounds} rounds, all in turns)`)
  if (median(node) <= maxSwing * least(node)) return true
  print(`The machine is too busy for a verdict: \`node -e 0\` took ${maxSwing} times its least and more in the median.`)
  return false
}

const paired = (args: ReadonlyArray<string>, input: string): Pair => {
  const node = milliseconds(["-e", "0"], "")
  return { hook: milliseconds(args, input), node }
}

const speed = (all: ReadonlyArray<Subject>): boolean => {
  const found = all.map((): Measured => ({ first: [], next: [] }))
  // The round before the first fills the code caches and the disk's.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, one] of all.entries()) {
      const { first, next } = stops(one, `round-${round}`, paired)
      if (round === 0) continue
      found[index]?.first.push(first)
      found[index]?.next.push(next)
    }
  }
  const steady = isSteady(found.flatMap(({ first, next }) => [...first, ...next]).map(({ node }) => node))
  const met = all.map(({ before, host, last, source }, index) => {
    print(
      `${host}: ${source}, ${(before.length / megabyte).toFixed(1)} MB, then ${(last.length / 1024).toFixed(0)} KB more`
    )
    const values = found[index] ?? { first: [], next: [] }
    const first = row("first stop", values.first, targets.first)
    return row("next stop", values.next, targets.next) && first
  })
  return steady && met.every((one) => one)
}

const memory = (all: ReadonlyArray<Subject>): boolean => {
  const bounded = (name: string, megabytes: number, target: number): boolean => {
    print(
      `  ${name.padEnd(34)} ${megabytes.toFixed(0).padStart(4)} MB   target ${target} MB  ${megabytes < target ? "met" : "missed"}`
    )
    return megabytes < target
  }
  print("\nPeak memory")
  const usualPeaks = all.flatMap((one) => {
    const { first, next } = stops(one, "memory", peak)
    return [
      bounded(`${one.host}, first stop`, first, targets.usualPeak),
      bounded(`${one.host}, next stop`, next, targets.usualPeak)
    ]
  })
  const large = peak([hookOf("claude-code"), "Stop"], payload("large", generated(100 * megabyte)))
  return bounded("claude-code, first stop on 100 MB", large, targets.largePeak) && usualPeaks.every((met) => met)
}

try {
  const all = subjects()
  print(
    `Hooks as processes, ${process.version}, ${options.env === "bare" ? "in a bare environment" : "in this shell's environment, as hosts run hooks (--env bare: in none)"}`
  )
  const fast = speed(all)
  const small = memory(all)
  print(fast && small ? "\nEvery target is met." : "\nA target is missed, or could not be measured.")
  process.exitCode = fast && small ? 0 : 1
} finally {
  Fs.rmSync(scratch, { recursive: true, force: true })
}
