/**
 * The benchmark of the loops: what it costs to look for them after every event of a session of 50,000, beside one pass
 * of JSON.stringify over its tool calls; and whether an event costs more in a long session than in a short one.
 */
import * as Loops from "@reflexion/core/internal/judge/loops/Loops"
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import { parseArgs } from "node:util"
import { agent } from "./case/Case.ts"
import { callOf } from "./sessions/Events.ts"
import { generator } from "./measure/Metrics.ts"

const { values: options } = parseArgs({
  options: { repeats: { type: "string", default: "5" }, events: { type: "string", default: "50000" } }
})

const repeats = Number(options.repeats)
const events = Number(options.events)
const few = 1000
const maxRatio = 5
const maxGrowth = 1.5

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Time of this process alone, whatever else the machine does. */
const seconds = (work: () => void): number => {
  const begin = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(begin)
  return (system + user) / 1e6
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Keeps results alive so that no work is optimised away. */
let sink = 0

type Random = () => number

const pick = <A>(next: Random, values: ReadonlyArray<A>, otherwise: A): A =>
  values[Math.floor(next() * values.length)] ?? otherwise

const words = "the parser reads every token and keeps a list of open brackets so that errors name both ends".split(" ")

const lines = (next: Random, length: number): string => {
  let out = ""
  for (let line = 1; out.length < length; line++) {
    const said = Array.from({ length: 8 }, () => pick(next, words, "a")).join(" ")
    out += `${String(line).padStart(6)}\tif (${said}) return ${Math.floor(next() * 1000)}\n`
  }
  return out
}

const call = (index: number, tool: string, input: unknown, output: string, exitCode: number | null): ToolCall =>
  callOf({
    id: `call-${index}`,
    at: new Date(1_772_000_000_000 + index * 1000).toISOString(),
    tool,
    input,
    cwd: "/repo",
    status: exitCode === null || exitCode === 0 ? "completed" : "error",
    exitCode,
    output
  })

const commands: ReadonlyArray<(next: Random, index: number) => string> = [
  () => "npm test 2>&1 | tail -n 20",
  () => "git status --short && git diff --stat",
  (next) => `cd packages/p${Math.floor(next() * 9)} && npm run build`,
  (_, index) => `rg -n 'token${index}' src | head -40`,
  (_, index) => `sed -n '${index},${index + 80}p' src/file${index % 60}.ts`,
  (next, index) => `python - <<'EOF'\nprint(${index})\n${lines(next, 300)}EOF`
]

const makeEvent = (next: Random, index: number): TranscriptEvent => {
  const kind = next()
  const file = `/repo/src/file${index % 80}.ts`
  if (kind < 0.1) return agent(`Step ${index}: ${lines(next, 200)}`)
  if (kind < 0.45) {
    const command = pick(next, commands, () => "ls")(next, index)
    return call(
      index,
      "Bash",
      { command },
      `${lines(next, 100 + next() * 6000)}exit after ${index} ms`,
      next() < 0.8 ? 0 : 1
    )
  }
  if (kind < 0.75)
    return call(index, "Read", { file_path: file, offset: index % 900 }, lines(next, 500 + next() * 8000), null)
  const edited = { file_path: file, old_string: lines(next, 400), new_string: lines(next, 500) }
  return call(index, "Edit", edited, `The file ${file} has been updated.`, null)
}

/** Now and then the same call comes again and again, as in a session that loops. */
const session = (count: number): ReadonlyArray<TranscriptEvent> => {
  const next = generator(11)
  const all: Array<TranscriptEvent> = []
  while (all.length < count) {
    const event = makeEvent(next, all.length)
    const times = all.length % 500 === 0 ? 6 : 1
    for (let time = 0; time < times && all.length < count; time++)
      all.push(event.type === "tool_call" ? { ...event, id: `call-${all.length}` } : event)
  }
  return all
}

const look = (some: ReadonlyArray<TranscriptEvent>): void => {
  let state = Loops.initial
  for (const event of some) {
    state = Loops.step(state, event)
    sink += Loops.read(state).length
  }
}

const stringify = (some: ReadonlyArray<TranscriptEvent>): void => {
  for (const event of some) if (event.type === "tool_call") sink += JSON.stringify(event).length
}

interface Round {
  readonly ratio: number
  readonly growth: number
}

const round = (all: ReadonlyArray<TranscriptEvent>, number: number): Round => {
  const start = all.slice(0, few)
  const looks = Math.max(1, Math.floor(all.length / few / 2))
  const short = seconds(() => {
    for (let time = 0; time < looks; time++) look(start)
  })
  const looking = seconds(() => look(all))
  const writing = seconds(() => stringify(all))
  const perEvent = { short: short / looks / start.length, long: looking / all.length }
  const [ratio, growth] = [looking / writing, perEvent.long / perEvent.short]
  print(
    `  round ${number}: JSON.stringify ${writing.toFixed(2)} s, loops ${looking.toFixed(2)} s, ${ratio.toFixed(2)}×; ${(perEvent.short * 1e6).toFixed(1)} µs an event at ${few}, ${(perEvent.long * 1e6).toFixed(1)} µs at ${all.length}, ${growth.toFixed(2)}×`
  )
  return { ratio, growth }
}

const all = session(events)
const size = all.reduce((sum, event) => sum + (event.type === "tool_call" ? JSON.stringify(event).length : 0), 0)
print(`Loops: ${all.length} events, ${(size / 1e6).toFixed(0)} MB of tool calls, ${repeats} rounds`)
look(all.slice(0, few))
const found = Array.from({ length: repeats }, (_, number) => round(all, number + 1))
const [ratio, growth] = [median(found.map((one) => one.ratio)), median(found.map((one) => one.growth))]
const good = ratio <= maxRatio && growth <= maxGrowth
print(`  median: ${ratio.toFixed(2)}× JSON.stringify (target: at most ${maxRatio}×)`)
print(`  median: ${growth.toFixed(2)}× an event at ${few} (target: at most ${maxGrowth}×)`)
print(good && sink > 0 ? "\nBoth targets are met." : "\nA target is missed.")
process.exitCode = good ? 0 : 1
