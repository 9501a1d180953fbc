/** Processes that left their group, as browsers under test do: where the system shows environments, they are found there. */
import * as Command from "@effect/platform/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"

const holds = Effect.fnUntraced(function* (pid: string, variable: string) {
  const fs = yield* FileSystem.FileSystem
  const environment = yield* fs.readFileString(`/proc/${pid}/environ`)
  return environment.split("\0").includes(variable)
})

const found = Effect.fnUntraced(function* (variable: string) {
  const fs = yield* FileSystem.FileSystem
  const names = yield* Effect.orElseSucceed(fs.readDirectory("/proc"), () => [])
  const pids = names.filter((name) => /^\d{1,10}$/.test(name))
  return yield* Effect.filter(pids, (pid) => Effect.orElseSucceed(holds(pid, variable), () => false), {
    concurrency: 16
  })
})

const rounds = 3

/** Kills every process in whose environment the variable stands as it is written; who starts another may need a second round. */
export const end = Effect.fnUntraced(function* (variable: string) {
  for (let round = 0; round < rounds; round++) {
    const pids = yield* found(variable)
    if (pids.length === 0) return
    yield* Effect.ignore(Command.exitCode(Command.make("/bin/sh", "-c", 'kill -KILL "$@"', "sh", ...pids)))
  }
})
