/** Runs a process as the leader of its own group, with limits. At the end, the whole group is killed. */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"

/** How long a process may take to end after SIGTERM. */
const grace = "2 seconds"

/** Also kills the processes that remain after the leader has ended. */
const end = Effect.fnUntraced(function* (process: CommandExecutor.Process) {
  const kill = (signal: "SIGTERM" | "SIGKILL") =>
    process.kill(signal).pipe(Effect.ignore, Effect.interruptible, Effect.timeoutOption(grace))
  if (yield* Effect.orElseSucceed(process.isRunning, () => true)) yield* kill("SIGTERM")
  yield* kill("SIGKILL")
})

export interface ProcessEnd {
  readonly how: "exited" | "timed_out" | "printed_too_much"
  /** Null if a signal ended the process, or if it has not ended. */
  readonly code: number | null
}

const exit = ({ exitCode }: CommandExecutor.Process): Effect.Effect<ProcessEnd> =>
  Effect.match(exitCode, {
    onFailure: () => ({ how: "exited", code: null }),
    onSuccess: (code) => ({ how: "exited", code: Number(code) })
  })

const wait = (
  process: CommandExecutor.Process,
  tooMuch: Deferred.Deferred<void>,
  timeout: Duration.DurationInput
): Effect.Effect<ProcessEnd> =>
  exit(process).pipe(
    Effect.raceFirst(Effect.as(Deferred.await(tooMuch), { how: "printed_too_much", code: null } as const)),
    Effect.timeoutTo({
      duration: timeout,
      onSuccess: (ended): ProcessEnd => ended,
      onTimeout: (): ProcessEnd => ({ how: "timed_out", code: null })
    })
  )

/** How long to wait for the rest of the output. A process that left the group may hold the pipes open forever. */
const drained = "1 second"

/** `out` and `err` return true to end the run, because the output is too long or already sufficient. */
export interface Limits {
  readonly timeout: Duration.DurationInput
  readonly out: (bytes: Uint8Array) => boolean
  readonly err: (bytes: Uint8Array) => boolean
}

/** Leaves no process behind. Fails if the command cannot be started. */
export const run = Effect.fnUntraced(function* (command: Command.Command, { err, out, timeout }: Limits) {
  const process = yield* Effect.acquireRelease(Command.start(command), end)
  const tooMuch = yield* Deferred.make<void>()
  const read = (stream: typeof process.stdout, take: (bytes: Uint8Array) => boolean) =>
    Effect.ignore(
      Stream.runForEach(stream, (bytes) => (take(bytes) ? Deferred.succeed(tooMuch, undefined) : Effect.void))
    )
  const reading = yield* Effect.fork(
    Effect.zip(read(process.stdout, out), read(process.stderr, err), { concurrent: true })
  )
  const ended = yield* wait(process, tooMuch, timeout)
  if (ended.how === "exited") yield* Effect.timeoutOption(Fiber.await(reading), drained)
  yield* end(process)
  yield* Effect.timeoutOption(Fiber.await(reading), drained)
  yield* Fiber.interruptFork(reading)
  return ended
}, Effect.scoped)
