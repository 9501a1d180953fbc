/** The one question by which checks are taken: only "y" or "yes", typed on a terminal, takes them. */
import type { ProposedCheck } from "@reflexion/core/internal/session/project/ProposedChecks"
import type { Check } from "@reflexion/core/ReflexionConfig"
import * as ProjectRoot from "@reflexion/hooks/places/ProjectRoot"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import { wrap } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import type { Known } from "./model.ts"
import * as ProjectChecks from "./ProjectChecks.ts"
import * as ChecksReport from "./report.ts"

const say = (text: string) => Effect.flatMap(Terminal.style, ({ width }) => Console.log(wrap(text, width).join("\n")))

/**
 * Shows what would be taken and asks; says whether it was taken. Null where nobody can be asked.
 *
 * @category programs
 */
export const put = Effect.fn("Offer.put")(function* (
  known: Known,
  fresh: ReadonlyArray<ProposedCheck | Check>,
  host?: string
) {
  const { ask } = yield* CliProcess
  if (ask === null) return null
  const style = yield* Terminal.style
  yield* Console.log(ChecksReport.question(style, { fresh, known, ...(host !== undefined && { host }) }))
  const answer = yield* Effect.promise(() => ask("\nTake them for this project? [y/N] ").catch(() => ""))
  if (!Terminal.isYes(answer)) {
    yield* say(ChecksReport.declined)
    return false
  }
  const kept = known.taken.filter(({ name }) => !fresh.some((other) => other.name === name))
  yield* ProjectChecks.keep(known.root, [...kept, ...fresh.map(ProjectChecks.checkOf)])
  yield* say(ChecksReport.took)
  return true
})

const isProject = (root: string, env: CliProcess["Type"]["env"]): boolean =>
  existsSync(join(root, ".git")) && ProjectRoot.isWorkspace(root, env)

/**
 * Proposes the checks of the current project, where there are any that the user has not heard of by their configuration.
 * `silent`: nothing is asked, and one line says how to do it later. What stands in the way of it is said, and nothing else
 * fails for it.
 *
 * @category programs
 */
export const atInstall = Effect.fn("Offer.atInstall")(
  function* (host: string, { silent }: { readonly silent: boolean }) {
    const { ask, cwd, env } = yield* CliProcess
    if (!isProject(Trust.rootOf(cwd), env)) return
    const known = yield* ProjectChecks.at(cwd)
    if (known.proposed.length === 0) return
    yield* Console.log("")
    if (silent || ask === null) return yield* say(ChecksReport.later(known.proposed))
    yield* put(known, known.proposed, host)
  },
  Effect.catchAll(({ problem }) => Console.error(`reflexion: no checks are proposed: ${problem}`))
)
