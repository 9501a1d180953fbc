import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as Files from "../src/contract/files.ts"
import { green, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { kilo } from "../src/hosts/OpenCodeContract.ts"
import * as HostBinaries from "../src/sandbox/HostBinaries.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { live } from "./support/live.ts"

/** What the command line prints if it can ask Kilo's program. */
const asked = ({ sandbox }: World.World, ...words: ReadonlyArray<string>) =>
  Effect.flatMap(HostBinaries.kiloBinary, (binary) =>
    Sandbox.execute(sandbox, "env", `KILO_BIN=${binary}`, process.execPath, World.bin, ...words)
  )

// One after the other: each start of Kilo takes seconds of processor time, and the doctor waits only ten seconds for
// its version.
describe.sequential("reflexion in Kilo", () => {
  live("tells the user what is open and sends the agent nothing, under Kilo's name", function* () {
    const world = yield* World.make(kilo)
    const outcome = yield* World.play(world, { model: [...untested, [runTests], [green]], prompts: [task, "Go on."] })
    assert.deepStrictEqual(outcome.nudges, [])
    const decisions = outcome.decisions.map(({ decision, host }) => `${host} ${decision}`)
    assert.deepStrictEqual(decisions, ["kilo notice", "kilo rearm", "kilo notice"])
    assert.match(outcome.notices[0] ?? "", /the tests were not run/)
    assert.match(outcome.notices[1] ?? "", /the tests pass/)
    assert.isNotNull(yield* Files.textOf(World.stateFile(world, outcome.sessionId)))
    const judged = JSON.parse(yield* asked(world, "judge", "--host", "kilo", "--format", "json"))
    assert.deepInclude(judged, { host: "kilo", sessionId: outcome.sessionId, status: "complete" })
  })

  live("installs next to other plugins, passes the doctor, and uninstalls byte for byte", function* () {
    const world = yield* World.bare(kilo)
    const settings = Object.entries(kilo.settings).map(
      ([name, text]) => [`${world.sandbox.home}/${name}`, text] as const
    )
    yield* Files.write(Object.fromEntries(settings))
    const [[file, before] = ["", ""]] = settings
    const now = Files.textOf(file)
    yield* World.reflexion(world, "install", kilo.name)
    assert.include(yield* now, `"file://${world.data}/hooks/kilo/`)
    const text = yield* asked(world, "doctor", kilo.name)
    assert.match(text, /binary +7\.\d+\.\d+/)
    assert.include(text, "All is well.")
    yield* World.reflexion(world, "uninstall", kilo.name)
    assert.strictEqual(yield* now, before)
  })
})
