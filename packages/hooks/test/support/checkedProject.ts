/** A project whose tests fail or pass, and the check that runs them. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as CheckPrint from "@reflexion/core/internal/checks/CheckPrint"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as TakenFile from "../../src/config/TakenFile.ts"
import type { Scratch } from "./session.ts"

export const textOf = (root: string, command: string, print = "0"): string =>
  TakenChecks.render({
    version: 1,
    root,
    at: "2026-01-01T00:00:00.000Z",
    checks: [{ name: "tests", command, timeout: 60, print }]
  })

/** Has the user allow it. */
export const take = Effect.fnUntraced(function* ({ hook, root }: Scratch, command: string) {
  const print = yield* Effect.provide(CheckPrint.of(root, command), NodeContext.layer)
  TakenFile.write(hook.directories, root, textOf(root, command, print))
})

/** A project whose tests print this, a command that runs them, and how often that was run. */
export const project = (scratched: Scratch, isGreen = false) => {
  const [counter, report] = [join(scratched.home, "runs"), join(scratched.home, "report")]
  writeFileSync(report, isGreen ? "Tests  3 passed (3)" : SampleFailure.output("rounds half up", "45", "44.9"))
  scratched.put("package.json", JSON.stringify({ scripts: { test: `cat ${report}; exit ${isGreen ? 0 : 1}` } }))
  execFileSync("git", ["-C", scratched.root, "init", "--quiet"])
  return {
    command: `echo ran >> ${counter}; cat ${report}; exit ${isGreen ? 0 : 1}`,
    npm: `echo ran >> ${counter}; npm test`,
    runs: () => (existsSync(counter) ? readFileSync(counter, "utf8").trim().split("\n").length : 0)
  }
}
