/**
 * Checks at the stop compared with a naive hook, over the situations that the machine has runners for, each played through both in turn,
 * so that whatever else the machine does slows both alike.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Process from "node:process"
import * as Doors from "./situations/Doors.ts"
import * as NaiveHook from "./situations/NaiveHook.ts"
import { type Outcome, outcomes } from "./situations/Played.ts"
import * as Situations from "./situations/Situations.ts"

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
    Effect.all([outcomes(situation, Doors.claudeCode), outcomes(situation, NaiveHook.of(situation))])
  )
  const [ours, naive] = [pairs.flatMap(([one]) => one), pairs.flatMap(([, other]) => other)]
  const table = rows.map(([name, of]) => {
    const [one, other] = [of(ours), of(naive)]
    return line(name, String(one), String(other), other === 0 ? "" : (one / other).toFixed(2))
  })
  const head = `${ours.length} stops of ${played.length} situations, one after the other, ${Process.version}`
  Process.stdout.write(`${[head, line("", "reflexion", "naive", "ratio"), ...table].join("\n")}\n`)
})

await Effect.runPromise(Effect.provide(program, NodeContext.layer))
