/** What the doctor sees of a project's memory: where it is. */
import * as Trust from "@reflexion/hooks/config/Trust"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CliProcess } from "../process/CliProcess.ts"
import * as Finding from "./finding.ts"
import * as MemoryStore from "../memory/MemoryStore.ts"
import * as Terminal from "../terminal/Terminal.ts"

type Env = Readonly<Record<string, string | undefined>>

/** Where it is, which is of interest where that is not below the project's own root. */
const whereOf = (root: string, place: MemoryStore.Place, env: Env): ReadonlyArray<Finding.Finding> => {
  const path = Terminal.tilde(env, place.path)
  return place.root === root ? [] : [Finding.plain("memory", `${path}, which all work trees of this clone share`)]
}

/**
 * Nothing where there is nothing to say. The doctor changes nothing: a command of the memory does.
 *
 * @category reading
 */
export const look: Effect.Effect<ReadonlyArray<Finding.Finding>, never, CliProcess> = Effect.gen(function* () {
  const { cwd, env } = yield* CliProcess
  // What keeps the project from being found is a finding of the workspace's already.
  const root = yield* Effect.option(Effect.try(() => Trust.rootOf(cwd)))
  if (Option.isNone(root)) return []
  return whereOf(root.value, MemoryStore.ofProject(root.value, env), env)
})
