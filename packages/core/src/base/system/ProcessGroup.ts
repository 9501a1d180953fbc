/** A process that leads a group of its own, ended with all that is left of the group. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
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

/** `code` is null where a signal ended it, and where it has not ended. */
export interface Ended {
  readonly how: "exited" | "timed_out" | "printed_too_much"
  readonly code: number | null
}

const exit = ({ exitCode }: CommandExecutor.Process): Effect.Effect<Ended> =>
  Effect.match(exitCode, {
    onFailure: () => ({ how: "exited", code: null }),
    onSuccess: (code) => ({ how: "exited", code: Number(code) })
  })

/** Waits until the process has ended, or has to be. */
export const wait = (
  process: CommandExecutor.Process,
  tooMuch: Deferred.Deferred<void>,
  timeout: Duration.DurationInput
): Effect.Effect<Ended> =>
  exit(process).pipe(
    Effect.raceFirst(Effect.as(Deferred.await(tooMuch), { how: "printed_too_much", code: null } as const)),
    Effect.timeoutTo({
      duration: timeout,
      onSuccess: (ended): Ended => ended,
      onTimeout: (): Ended => ({ how: "timed_out", code: null })
    })
  )
