/** Short questions to git, which run none of a repository's own programs that can be left out and change nothing in it. */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** `within`: as for a check, since what is asked may run a filter that the repository names. */
export interface Asking {
  readonly directory: string
  readonly within: ReadonlyArray<string>
  readonly index?: string
  readonly stdin?: Uint8Array
}

const limit = 64 * 1024 * 1024
const timeout = "20 seconds"

const quiet = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]

const command = (words: ReadonlyArray<string>, asking: Asking): Command.Command => {
  const [program = "git", ...rest] = [...asking.within, "git", ...quiet, ...words]
  return Command.make(program, ...rest).pipe(
    Command.workingDirectory(asking.directory),
    Command.env({ GIT_INDEX_FILE: asking.index, GIT_TERMINAL_PROMPT: "0" }),
    Command.stdin(asking.stdin === undefined ? Stream.empty : Stream.make(asking.stdin))
  )
}

const joined = (pieces: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const collect = Effect.fnUntraced(function* (process: CommandExecutor.Process) {
  const pieces: Array<Uint8Array> = []
  let length = 0
  yield* Stream.runForEachWhile(process.stdout, (bytes) =>
    Effect.sync(() => {
      pieces.push(bytes)
      length += bytes.length
      return length <= limit
    })
  )
  return length > limit ? null : joined(pieces, length)
})

const answer = Effect.fnUntraced(function* (words: ReadonlyArray<string>, asking: Asking) {
  const process = yield* Effect.acquireRelease(Command.start(command(words, asking)), (started) =>
    Effect.ignore(Effect.whenEffect(started.kill("SIGKILL"), started.isRunning))
  )
  yield* Effect.forkScoped(Effect.ignore(Stream.runDrain(process.stderr)))
  const out = yield* collect(process)
  return out === null || (yield* process.exitCode) !== 0 ? null : out
}, Effect.scoped)

/** What git prints, null where it fails, is not there, prints too much or takes too long. */
export const ask = (
  words: ReadonlyArray<string>,
  asking: Asking
): Effect.Effect<Uint8Array | null, never, CommandExecutor.CommandExecutor> =>
  answer(words, asking).pipe(
    Effect.timeoutTo({ duration: timeout, onSuccess: (out) => out, onTimeout: () => null }),
    Effect.orElseSucceed(() => null)
  )
