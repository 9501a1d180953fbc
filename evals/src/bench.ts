/** Measures a hook's processor time at a stop. It alternates with `node -e 0`, so that other load affects both. */
import * as Judgment from "@reflexion/core/Judgment"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Corpus from "./sessions/Corpus.ts"
import { decoders } from "./sessions/Sessions.ts"

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "11" } } })
const rounds = Number(options.rounds)

/** The lengths of turns in kilobytes. The first is the median of recorded turns. */
const lengths = [53, 199, 480]

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const scratch = Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-bench-hooks-"))
const repository = fileURLToPath(new URL("../../", import.meta.url))
const workspace = Path.join(scratch, "workspace")
Fs.mkdirSync(workspace)

/** The hook cannot read or write the user's files. */
const env = { PATH: process.env["PATH"], HOME: scratch }

interface Turn {
  readonly session: Uint8Array
  readonly from: number
  readonly to: number
}

/** Returns a session's turns, except the first two. */
const turnsOf = (session: Uint8Array): ReadonlyArray<Turn> => {
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
  return begins.slice(2).map((from, index) => ({ session, from, to: begins[index + 3] ?? session.length }))
}

/** Only newer versions of the host name their entry point. */
const sessions = (suite: string): ReadonlyArray<Uint8Array> => {
  const root = Corpus.directory()
  const files = root === null ? [] : [...Corpus.sessionFiles(Path.join(root, suite)).values()]
  const all = files.map(Corpus.bytes).filter((bytes) => bytes.length > 1_000_000 && bytes.length < 9_000_000)
  return all.filter((bytes) => Buffer.from(bytes.subarray(0, 200_000)).includes('"entrypoint":"cli"')).slice(0, 12)
}

/** In ms, of the process and its children, as the shell reports it. */
const processorTime = (args: ReadonlyArray<string>, input: string): number => {
  const command = '"$@" > /dev/null && times'
  const { status, stdout } = spawnSync("bash", ["-c", command, "bash", process.execPath, ...args], {
    env,
    input,
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`)
  const [, own = ""] = stdout.trim().split("\n")
  const seconds = [...own.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, rest]) => 60 * Number(minutes) + Number(rest))
  return 1000 * seconds.reduce((sum, one) => sum + one, 0)
}

const payload = (sessionId: string, transcript: string): string =>
  JSON.stringify({
    session_id: sessionId,
    prompt_id: "prompt",
    transcript_path: transcript,
    cwd: workspace,
    permission_mode: "default",
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "That is where I stopped."
  })

const hook = Path.join(repository, "packages", "claude-code", "dist", "hook.cjs")

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN

const nearest = (all: ReadonlyArray<Turn>, bytes: number): Turn | undefined => {
  const distance = ({ from, to }: Turn): number => Math.abs(to - from - bytes)
  return all.toSorted((left, right) => distance(left) - distance(right))[0]
}

const measure = (all: ReadonlyArray<Turn>, kilobytes: number): void => {
  const turn = nearest(all, kilobytes * 1024)
  if (turn === undefined) return
  const transcript = Path.join(scratch, `${kilobytes}.jsonl`)
  Fs.writeFileSync(transcript, turn.session.subarray(0, turn.to))
  const pairs = Array.from({ length: rounds + 1 }, (_, round) => {
    const node = processorTime(["-e", "0"], "")
    return { node, stop: processorTime([hook, "Stop"], payload(`${kilobytes}-${round}`, transcript)) }
  }).slice(1)
  // The round that was left out filled the code cache.
  const starts = median(pairs.map(({ node, stop }) => (stop - node) / node))
  const [node, stop] = [median(pairs.map((pair) => pair.node)), median(pairs.map((pair) => pair.stop))]
  const length = Math.round((turn.to - turn.from) / 1024)
  print(
    `${`${length} kB`.padStart(8)}   node ${node.toFixed(0)} ms   stop ${stop.toFixed(0)} ms   ${starts.toFixed(1)} starts of node beyond it`
  )
}

try {
  const all = ["claude-code", "claude-code-2", "claude-code-more"].flatMap(sessions).flatMap(turnsOf)
  print(
    all.length > 0
      ? `Stops of recorded turns, processor time, ${process.version}`
      : "The recorded sessions are missing: REFLEXION_CORPUS names their folder."
  )
  for (const kilobytes of lengths) measure(all, kilobytes)
} finally {
  Fs.rmSync(scratch, { recursive: true, force: true })
}
