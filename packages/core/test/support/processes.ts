/** Processes that tests start say who they are in files; what is left of them is looked for. */
import { FileSystem } from "@effect/platform"
import { Effect, Schedule } from "effect"

export const textOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.orElseSucceed(fs.readFileString(file), () => "")
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until a file has so many lines, each the id of a process. */
export const pidsIn = Effect.fnUntraced(function* (file: string, count: number) {
  const read = Effect.map(textOf(file), (text) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map(Number)
  )
  yield* Effect.repeat(read, { until: (pids) => pids.length >= count, schedule: Schedule.spaced("20 millis") })
  return yield* read
})

/** Waits until none of the processes runs any more. */
export const gone = (pids: ReadonlyArray<number>) =>
  Effect.repeat(
    Effect.sync(() => pids.some(isAlive)),
    { while: (some) => some, schedule: Schedule.spaced("20 millis") }
  )
