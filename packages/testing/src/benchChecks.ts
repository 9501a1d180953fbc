/**
 * Compares reflexion's checks at a stop with a naive hook. The naive hook runs the check at every stop and, while the
 * check fails, sends the agent back with its output. Both play each situation whose test runner is on this machine, in
 * turns.
 */
import * as Command from "@effect/platform/Command"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Process from "node:process"
import * as Sandbox from "./sandbox/Sandbox.ts"
import { answerOf, type Outcome, outcomes, stop } from "./situations/Played.ts"
import { type Situation, SituationFailure, type World } from "./situations/Situation.ts"
import * as Situations from "./situations/Situations.ts"

const hook = `
import { spawnSync } from "node:child_process"
const [, command, timeout] = process.argv
const words = ["--signal=KILL", timeout, "sh", "-c", command]
const { status, stderr, stdout } = spawnSync("timeout", words, { input: "", encoding: "utf8", maxBuffer: 1e9 })
const reason = command + " failed:\\n" + (stdout + stderr).slice(-10_000)
if (status !== null && status !== 0) process.stdout.write(JSON.stringify({ decision: "block", reason }))
`

const naive =
  ({ check }: Situation) =>
  ({ sandbox }: World) => {
    const words = [`echo ran >> "$RUNS"; ${check?.command ?? "npm test"}`, String(check?.timeout ?? 600)]
    const command = Sandbox.command(sandbox, {}, [Process.execPath, "--input-type=module", "--eval", hook, ...words])
    return Command.start(command).pipe(
      Effect.map((process) => ({ answer: answerOf(process) })),
      Effect.mapError((cause) => new SituationFailure({ detail: String(cause) }))
    )
  }

const rows: ReadonlyArray<readonly [name: string, of: (all: ReadonlyArray<Outcome>) => number]> = [
  ["wait, s", (all) => Math.round(all.reduce((sum, { waited }) => sum + Duration.toSeconds(waited), 0))],
  ["runs of the check", (all) => all.reduce((sum, { runs }) => sum + runs, 0)],
  ["nudges", (all) => all.filter(({ nudge }) => nudge !== null).length],
  ["needless nudges", (all) => all.filter(({ expected, nudge }) => expected.nudge === null && nudge !== null).length],
  ["missed nudges", (all) => all.filter(({ expected, nudge }) => expected.nudge != null && nudge === null).length],
  ["characters told", (all) => all.reduce((sum, { nudge }) => sum + (nudge?.length ?? 0), 0)],
  ["stops that left something", (all) => all.filter(({ traces }) => traces.length > 0).length]
]

const line = (...[name = "", ...cells]: ReadonlyArray<string>): string =>
  `${name.padEnd(26)}${cells.map((cell) => cell.padStart(10)).join("")}`

const played = Situations.all.filter(({ check, runner }) => check !== null && runner.isThere)

const program = Effect.gen(function* () {
  const pairs = yield* Effect.forEach(played, (situation) =>
    Effect.all([outcomes(situation, stop), outcomes(situation, naive(situation))])
  )
  const [ours, others] = [pairs.flatMap(([one]) => one), pairs.flatMap(([, other]) => other)]
  const table = rows.map(([name, of]) => line(name, String(of(ours)), String(of(others))))
  const head = `${ours.length} stops of ${played.length} situations, one after the other, ${Process.version}`
  Process.stdout.write(`${[head, line("", "reflexion", "naive"), ...table].join("\n")}\n`)
})

await Effect.runPromise(Effect.provide(program, NodeContext.layer))
