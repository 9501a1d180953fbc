/** Waits for the files into which processes write their ids, and for the end of the processes. */
import { FileSystem } from "@effect/platform"
import { Effect, Fiber, Schedule, TestClock, TestServices } from "effect"

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

/** Waits until a file has so many lines, each the id of a process; by the wall clock. */
export const pidsIn = Effect.fnUntraced(function* (file: string, count: number) {
  const read = Effect.map(textOf(file), (text) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map(Number)
  )
  yield* Effect.repeat(read, { until: (pids) => pids.length >= count, schedule: Schedule.spaced("20 millis") })
  return yield* read
}, TestServices.provideLive)

const eventually = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  TestServices.provideLive(Effect.repeat(holds, { until: (does) => does, schedule: Schedule.spaced("20 millis") }))

/** Waits until none of the processes runs any more; by the wall clock. */
export const gone = (pids: ReadonlyArray<number>) => eventually(Effect.sync(() => !pids.some(isAlive)))

/** Moves the test clock as fast as real time until the fiber has ended. */
export const whileTimeGoesBy = <A, E>(fiber: Fiber.Fiber<A, E>) => {
  const moment = Effect.zipRight(TestServices.provideLive(Effect.sleep("20 millis")), TestClock.adjust("20 millis"))
  return Effect.raceFirst(Fiber.join(fiber), Effect.forever(moment))
}
