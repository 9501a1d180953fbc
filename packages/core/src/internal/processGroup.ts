/** A process that leads a group of its own, ended with all that is left of the group. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as Effect from "effect/Effect"

/** How long a process may take to end once it is asked to. */
export const grace = "2 seconds"

/** Asks the group to end, then ends it with all that is left of it, also after its leader has gone. */
export const end = Effect.fnUntraced(function* (process: CommandExecutor.Process) {
  const kill = (signal: "SIGTERM" | "SIGKILL") =>
    process.kill(signal).pipe(Effect.ignore, Effect.interruptible, Effect.timeoutOption(grace))
  if (yield* Effect.orElseSucceed(process.isRunning, () => true)) yield* kill("SIGTERM")
  yield* kill("SIGKILL")
})
