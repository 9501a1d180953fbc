/** An outage of a fleet whose cycle keeps its logs and its checkpoint on disk: what it costs the process that runs it. */
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { FindingLog } from "@reflexion/core/FindingLog"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import { TaskControl } from "@reflexion/core/TaskControl"
import { NodeLogDisk } from "@reflexion/node"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

/**
 * What an outage came to. `seconds` of processor time; `longest` is for how many ms at a stretch no timer of the process
 * had its turn, on a machine that may have had other work; `bytes` is the size of the checkpoint.
 */
export interface Outage {
  readonly down: number
  readonly findings: number
  readonly paused: number
  readonly seconds: number
  readonly turns: number
  readonly longest: number
  readonly bytes: number
}

const fleet = { tasks: 1000, runsADay: 34 } as const

const outcomeOf = (id: string, task: number, at: number): AttemptOutcome => ({
  id,
  taskId: `task-${task}`,
  sessionId: `session-${id}`,
  objective: `Do what task ${task} is for.`,
  status: "completed",
  durationMs: 1000,
  tools: [],
  loaded: [{ kind: "skill", name: `skill-${task % 20}` }],
  resultLength: 400,
  backend: "script",
  at: new Date(at).toISOString()
})

/** A day of a fleet that nothing is wrong with. */
const dayBefore = (now: number): string => {
  const all = fleet.tasks * fleet.runsADay
  const from = now - 12 * 3_600_000
  return Array.from({ length: all }, (_, index) =>
    JSON.stringify(outcomeOf(`o${index}`, index % fleet.tasks, from + index * 1200))
  ).join("\n")
}

/** Counts the turns of a timer while `work` runs. */
const watched = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const seen = { turns: 0, longest: 0, last: performance.now() }
      const timer = setInterval(() => {
        const now = performance.now()
        seen.turns += 1
        seen.longest = Math.max(seen.longest, now - seen.last)
        seen.last = now
      }, 5)
      return { seen, timer }
    }),
    ({ seen }) =>
      Effect.map(work, (value) => ({
        value,
        turns: seen.turns,
        longest: Math.max(seen.longest, performance.now() - seen.last)
      })),
    ({ timer }) => Effect.sync(() => clearInterval(timer))
  )

const control = (paused: Set<string>) =>
  Layer.succeed(TaskControl, {
    pause: (taskId) => Effect.sync(() => paused.add(taskId).has(taskId)),
    isPaused: (taskId) => Effect.sync(() => paused.has(taskId)),
    active: Effect.succeed([])
  })

const failing = Effect.fnUntraced(function* (down: number, checkpoint: string, paused: ReadonlySet<string>) {
  const { append } = yield* OutcomeLog
  const { run } = yield* ReflectionCycle
  yield* run({ analyse: false })
  const now = yield* Clock.currentTimeMillis
  yield* append(
    Array.from({ length: 3 * down }, (_, index) => ({
      ...outcomeOf(`f${index}`, index % down, now),
      status: "failed" as const
    }))
  )
  const before = process.cpuUsage()
  const { longest, turns, value } = yield* watched(run({ analyse: false }))
  const { system, user } = process.cpuUsage(before)
  const outage: Outage = {
    down,
    findings: value.findings.length,
    paused: paused.size,
    seconds: (user + system) / 1e6,
    turns,
    longest,
    bytes: Fs.statSync(checkpoint).size
  }
  return outage
})

/** `down` tasks of 1,000 fail three times each, all at once. */
export const outageOf = (down: number) =>
  Effect.acquireUseRelease(
    Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-outage-"))),
    (folder) =>
      Effect.gen(function* () {
        const outcomes = Path.join(folder, "outcomes.jsonl")
        const findings = Path.join(folder, "findings.jsonl")
        const checkpoint = Path.join(folder, "cycle.json")
        Fs.writeFileSync(outcomes, `${dayBefore(yield* Clock.currentTimeMillis)}\n`)
        const paused = new Set<string>()
        const logs = Layer.merge(OutcomeLog.Live({ path: outcomes }), FindingLog.Live({ path: findings }))
        const cycle = ReflectionCycle.Live({ checkpoint, debounce: "1 hour" }).pipe(
          Layer.provideMerge(logs),
          Layer.provide([control(paused), NodeLogDisk.layer])
        )
        return yield* Effect.provide(failing(down, checkpoint, paused), cycle)
      }),
    (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
  )

/** Of processor time for each finding of an outage, to the pause of its task; where so few are down all else outweighs it. */
const [maxMillis, few] = [20, 10] as const

/** Outages small and large, in words, and whether each task was paused at a bearable cost, the process having its turns. */
export const outages = Effect.gen(function* () {
  const all = yield* Effect.forEach([1, 100, fleet.tasks], outageOf)
  const lines = all.map(
    ({ bytes, down, findings, longest, paused, seconds, turns }) =>
      `  ${down} down: ${findings} findings, ${paused} paused, ${seconds.toFixed(2)} s of processor time (${((seconds / findings) * 1000).toFixed(1)} ms a finding), ${turns} turns of a timer of 5 ms, ${Math.round(longest)} ms apart at most, checkpoint of ${(bytes / 1e6).toFixed(1)} MB`
  )
  const good = all.every(
    ({ down, findings, paused, seconds, turns }) =>
      paused === down && turns > 0 && (down < few || (seconds / findings) * 1000 <= maxMillis)
  )
  return {
    lines: [
      `Outages of a fleet of ${fleet.tasks} tasks, its logs and checkpoint on disk: tasks that fail 3 times at once (target: each paused, at most ${maxMillis} ms a finding where ${few} or more are down, the process having its turns)`,
      ...lines
    ],
    good
  }
})
