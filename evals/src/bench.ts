/**
 * The benchmark: what judging costs in time beside reading, splitting and parsing the same files, and in memory for a
 * large session. Every figure is a ratio or a bound measured in this one run.
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
  options: { repeats: { type: "string", default: "5" }, files: { type: "string" } }
})

const repeats = Number(options.repeats)
const megabyte = 1024 * 1024
const maxRatio = 2
const maxPeak = 400 * megabyte

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const seconds = (work: () => void): number => {
  const begin = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - begin) / 1e9
}

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Keeps results alive so that no work is optimised away. */
let sink = 0

/** Lines that hold no value, or two of them as crashed writers leave them, are passed over. */
const readSplitParse = (file: string): void => {
  for (const line of Fs.readFileSync(file, "utf8").split("\n")) {
    if (line === "") continue
    try {
      if (JSON.parse(line) !== null) sink++
    } catch {
      sink--
    }
  }
}

/** What a one-shot review does: bytes to events, every event through the folds, the verdict on the last turn. */
const judge = (file: string): void => {
  const reader = TranscriptReader.make({ decoders })
  const context = Judgment.defaultContext
  let state = Judgment.initial
  for (const events of [reader.push(Fs.readFileSync(file)), reader.end()]) {
    for (const event of events) state = Judgment.step(state, event, context)
  }
  sink += Judgment.verdict(state, { session: reader.session(), context, now: null }).reason.length
}

/** Uncompressed session files in a scratch folder: the corpus', else generated ones. */
const sessions = (scratch: string): { readonly source: string; readonly files: ReadonlyArray<string> } => {
  const root = Corpus.directory()
  if (root === null) {
    const files = [1, 2, 3, 4].map((seed) => {
      const file = Path.join(scratch, `generated-${seed}.jsonl`)
      writeSession(file, { size: 10 * megabyte, callsPerTurn: 10 * seed, seed })
      return file
    })
    return { source: "generated sessions", files }
  }
  const packed = Corpus.names.flatMap((name) => [...Corpus.sessionFiles(Path.join(root, name)).values()])
  const files = packed.slice(0, Number(options.files ?? packed.length)).map((file, index) => {
    const target = Path.join(scratch, `${index}.jsonl`)
    Fs.writeFileSync(target, Corpus.bytes(file))
    return target
  })
  return { source: "sessions of the corpus", files }
}

/** Both works file by file, in turns, so that whatever else the machine does slows both alike. */
const interleaved = (
  files: ReadonlyArray<string>,
  round: number
): { readonly parsing: number; readonly judging: number } => {
  let parsing = 0
  let judging = 0
  for (const [index, file] of files.entries()) {
    const isJudgeFirst = (index + round) % 2 === 0
    if (isJudgeFirst) judging += seconds(() => judge(file))
    parsing += seconds(() => readSplitParse(file))
    if (!isJudgeFirst) judging += seconds(() => judge(file))
  }
  return { parsing, judging }
}

const speed = (scratch: string): boolean => {
  const { source, files } = sessions(scratch)
  const size = files.reduce((sum, file) => sum + Fs.statSync(file).size, 0)
  print(`Speed: ${files.length} ${source}, ${(size / megabyte).toFixed(1)} MB, ${repeats} interleaved rounds`)
  const ratios: Array<number> = []
  for (let round = 0; round <= repeats; round++) {
    const { judging, parsing } = interleaved(files, round)
    if (round === 0) continue
    ratios.push(judging / parsing)
    print(
      `  round ${round}: read + split + JSON.parse ${parsing.toFixed(2)} s, judge ${judging.toFixed(2)} s, ${(judging / parsing).toFixed(2)}×`
    )
  }
  const ratio = median(ratios)
  print(`  median ratio ${ratio.toFixed(2)}× (target: at most ${maxRatio}×)`)
  return ratio <= maxRatio
}

const repository = fileURLToPath(new URL("../../", import.meta.url))
const preload = new URL("./peak.js", import.meta.url).href

const peakOf = (
  scratch: string,
  file: string
): { readonly peak: number; readonly took: number; readonly status: number | null } => {
  const peakFile = Path.join(scratch, "peak")
  Fs.rmSync(peakFile, { force: true })
  let status: number | null = null
  const took = seconds(() => {
    status = spawnSync(
      process.execPath,
      ["--import", preload, Path.join(repository, "packages/cli/dist/bin.js"), "judge", file, "--format", "json"],
      { env: { ...process.env, PEAK_FILE: peakFile }, stdio: ["ignore", "ignore", "inherit"] }
    ).status
  })
  return { peak: Fs.existsSync(peakFile) ? Number(Fs.readFileSync(peakFile, "utf8")) : Number.NaN, took, status }
}

const memory = (scratch: string): boolean => {
  print("\nMemory: `reflexion judge` on generated sessions of 200 MB")
  const shapes = [
    { name: "many short turns", callsPerTurn: 5 },
    { name: "one endless turn", callsPerTurn: 60_000 }
  ]
  return shapes
    .map(({ callsPerTurn, name }) => {
      const file = Path.join(scratch, "large.jsonl")
      writeSession(file, { size: 200 * megabyte, callsPerTurn, seed: 7 })
      const size = Fs.statSync(file).size
      const { peak, status, took } = peakOf(scratch, file)
      Fs.rmSync(file)
      print(
        `  ${name}: ${(size / megabyte).toFixed(0)} MB judged in ${took.toFixed(1)} s, exit ${status}, peak ${(peak / megabyte).toFixed(0)} MB (target: under ${maxPeak / megabyte} MB)`
      )
      return peak < maxPeak && status !== null && status !== 2
    })
    .every((good) => good)
}

const scratch = Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-bench-"))
try {
  const fast = speed(scratch)
  const small = memory(scratch)
  print(fast && small ? "\nBoth targets are met." : "\nA target is missed.")
  process.exitCode = fast && small ? 0 : 1
} finally {
  Fs.rmSync(scratch, { recursive: true, force: true })
}
