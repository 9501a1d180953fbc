/**
 * A month of 1,000 tasks, a million outcomes, through the rules of the reflection cycle: whether each planted fault is
 * found within a day, nothing on what is healthy, and what a day keeps and costs at the end beside the beginning. Then
 * outages of such a fleet through the whole cycle, with its logs and its checkpoint on disk. `--quick` leaves out the months
 * with independent noise.
 */
import * as Effect from "effect/Effect"
import { byRule, monthOf, noise, simulate } from "./cycle/CycleMonth.ts"
import { outages } from "./cycle/CycleOutage.ts"

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** Time of this process alone, whatever else the machine does. */
const seconds = (work: () => void): number => {
  const begin = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(begin)
  return (user + system) / 1e6
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const maxGrowth = 1.5

const month = simulate(monthOf(1000), seconds)
const perEvent = (days: ReadonlyArray<number>): number => (median(days) / (month.outcomes / month.seconds.length)) * 1e6
const [early, late] = [perEvent(month.seconds.slice(1, 8)), perEvent(month.seconds.slice(-7))]
const growth = late / early
const [first, last] = [month.sizes[1], month.sizes.at(-1)]
/** Files that are seldom read are not read in each part of the window. */
const isBounded =
  first !== undefined &&
  last !== undefined &&
  first.tasks === last.tasks &&
  first.runs === last.runs &&
  first.skills === last.skills &&
  last.parts <= (last.skills + 1) * 24

print(`Reflection cycle: ${month.outcomes} outcomes of 1,000 tasks in 30 days, ${month.findings} findings`)
for (const { fault, hours } of month.found)
  print(`  ${fault.rule} of ${fault.subjectId}: ${hours === null ? "not found" : `found after ${hours.toFixed(1)} h`}`)
print(`  findings on what is healthy: ${month.astray.length} (target: none)`)
for (const { detail, rule } of month.astray) print(`    ${rule}: ${detail}`)
print(
  `  kept after two days: ${JSON.stringify(first)}, after 30: ${JSON.stringify(last)} (target: the same, in at most 24 parts of each)`
)
print(
  `  ${early.toFixed(2)} µs an outcome in the first week, ${late.toFixed(2)} µs in the last, ${growth.toFixed(2)}× (target: at most ${maxGrowth}×)`
)

/** How loud: findings on what is healthy, which grow with it. */
const loudness = [noise, { ...noise, failed: 0.02, timeout: 0.02 }, { ...noise, failed: 0.1 }]

const isQuick = process.argv.includes("--quick")

const noisy = (isQuick ? [] : loudness).map((each) => {
  const { astray, late, outcomes } = simulate({ ...monthOf(1000), noise: each })
  const share = ((astray.length / outcomes) * 100_000).toFixed(1)
  print(
    `  with independent noise (${each.failed * 100} % fail, ${each.timeout * 100} % time out, ${each.short * 100} % say little): ${late.length} faults late, ${astray.length} findings on what is healthy, ${share} of 100,000 outcomes`
  )
  print(`    ${JSON.stringify(byRule(astray))}`)
  return { astray, late }
})

const coped = await Effect.runPromise(outages)
for (const line of coped.lines) print(line)

const good =
  coped.good &&
  month.late.length === 0 &&
  noisy.every((each) => each.late.length === 0) &&
  month.astray.length === 0 &&
  isBounded &&
  growth <= maxGrowth
print(good ? "\nAll targets are met." : "\nA target is missed.")
process.exitCode = good ? 0 : 1
