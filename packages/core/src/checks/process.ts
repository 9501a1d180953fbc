/** Runs one command in its own process group, with limits on time and output. Nothing keeps running afterwards. */
import * as Command from "@effect/platform/Command"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ProcessGroup from "../base/system/ProcessGroup.ts"
import * as Programs from "../base/system/Programs.ts"
import * as Output from "./output.ts"

export interface Options {
  readonly command: string
  readonly directory: string
  readonly timeout: Duration.DurationInput
  /** The words of a program that runs the remaining words in a sandbox. */
  readonly within: ReadonlyArray<string>
  /** In bytes. */
  readonly maxOutput: number
  /** The names of variables that the command does not see. */
  readonly secrets: ReadonlyArray<string>
}

export interface CheckEnd {
  readonly how: "exited" | "timed_out" | "printed_too_much" | "not_started"
  /** Null if a signal ended the run. */
  readonly code: number | null
  /** For `not_started`, the reason. */
  readonly output: string
  readonly durationMs: number
}

/** Marks a program as part of a check. Such a program must not run checks itself. */
export const marker = "REFLEXION_VERIFYING"

/**
 * The check has no input. The shell's own input is a pipe from this process: if this process is killed, the pipe ends
 * and a watcher kills the whole group. On TERM, the shell waits until the check ends. If the sandbox was started with
 * another PATH, the second argument is the user's PATH.
 */
const guarded = `trap : TERM
exec 3<&0 </dev/null
(trap '' TERM; read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 &
exec 3<&-
(trap 'exit 143' TERM; command=$1; PATH=\${2-$PATH}; set --; eval "$command")`

const isWindows = Effect.map(Path.Path, (path) => path.sep === "\\")

const shell = ({ command }: Options, windows: boolean): Command.Command =>
  windows
    ? Command.make(command).pipe(Command.runInShell(true), Command.stdin(Stream.empty))
    : Command.make("/bin/sh", "-c", guarded, "sh", command)

/** The sandbox gets a safe PATH, because it may start programs before it is active. The check gets the user's PATH. */
const sandboxed = ({ command, directory, within }: Options): Command.Command => {
  const [program = "/bin/sh", ...words] = [...within, "/bin/sh", "-c", guarded, "sh", command]
  const { given, path } = Programs.find({ cwd: directory }, "sh")
  return Command.make(program, ...words, ...(given === null ? [] : [given])).pipe(Command.env({ PATH: path }))
}

const commandOf = Effect.fnUntraced(function* (options: Options) {
  const plain = options.within.length > 0 ? sandboxed(options) : shell(options, yield* isWindows)
  const own = Object.fromEntries(options.secrets.map((name) => [name, ""]))
  const CI = yield* Effect.orElseSucceed(Config.string("CI"), () => "1")
  return plain.pipe(Command.workingDirectory(options.directory), Command.env({ CI, ...own, [marker]: "1" }))
})

/** Never fails: errors are part of the result. */
export const run = Effect.fnUntraced(function* (options: Options) {
  const since = yield* Clock.currentTimeMillis
  const kept = Output.make()
  const take = (stream: "out" | "err") => (bytes: Uint8Array) => kept.push(stream, bytes) > options.maxOutput
  const limits = { timeout: options.timeout, out: take("out"), err: take("err") }
  const ended = yield* ProcessGroup.run(yield* commandOf(options), limits).pipe(
    Effect.map((how) => ({ ...how, output: kept.text() })),
    Effect.catchAll(({ message }) => Effect.succeed({ how: "not_started", code: null, output: message } as const))
  )
  const took = (yield* Clock.currentTimeMillis) - since
  // After the limit, the check needs some time to end. This time does not count.
  const durationMs = ended.how === "timed_out" ? Math.min(took, Duration.toMillis(options.timeout)) : took
  return { ...ended, durationMs }
})
