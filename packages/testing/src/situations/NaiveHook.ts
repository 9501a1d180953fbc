/** What people write themselves: at every stop it runs the check, and sends the agent back with the output while that is red. */
import * as Command from "@effect/platform/Command"
import * as Effect from "effect/Effect"
import * as NodeProcess from "node:process"
import * as Sandbox from "../sandbox/Sandbox.ts"
import { type Door, hookOf } from "./Doors.ts"
import { SituationFailure, type Situation } from "./Situation.ts"

const program = `
import { spawnSync } from "node:child_process"
const [, command, timeout] = process.argv
const words = ["--signal=KILL", timeout, "sh", "-c", command]
const { status, stderr, stdout } = spawnSync("timeout", words, { input: "", encoding: "utf8", maxBuffer: 1e9 })
const reason = command + " failed:\\n" + (stdout + stderr).slice(-10_000)
if (status !== null && status !== 0) process.stdout.write(JSON.stringify({ decision: "block", reason }))
`

/** A host gives its hooks ten minutes. */
const longest = 600

/**
 * The door of a project with this check.
 *
 * @category constructors
 */
export const of = ({ check }: Situation): Door => ({
  name: "naive",
  stop: ({ sandbox }) => {
    const command = `echo ran >> "$RUNS"; ${check?.command ?? "npm test"}`
    const words = ["--input-type=module", "--eval", program, command, String(check?.timeout ?? longest)]
    return Command.start(Sandbox.command(sandbox, {}, [NodeProcess.execPath, ...words])).pipe(
      Effect.map(hookOf),
      Effect.mapError((cause) => new SituationFailure({ detail: String(cause) }))
    )
  }
})
