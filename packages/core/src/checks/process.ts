/** One command in a process group of its own, under limits on its time and its output, which leaves nothing running. */
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

/**
 * `within`: the words of a program that runs the rest of its words in a sandbox. `maxOutput` in bytes. `secrets`: the
 * variables that it does not see.
 */
export interface Options {
  readonly command: string
  readonly directory: string
  readonly timeout: Duration.DurationInput
  readonly within: ReadonlyArray<string>
  readonly maxOutput: number
  readonly secrets: ReadonlyArray<string>
}

/** `code` is null where a signal ended it. `not_started` says why in `output`. */
export interface CheckEnd {
  readonly how: "exited" | "timed_out" | "printed_too_much" | "not_started"
  readonly code: number | null
  readonly output: string
  readonly durationMs: number
}

/** A program that runs within a check must not verify in turn. */
export const marker = "REFLEXION_VERIFYING"

/**
 * The check has no input. What the shell has as its own is a pipe from this process: when it ends because this process
 * was killed, a watcher takes the whole group with it. Asked to end, the shell waits for the check to do so. A second word
 * is the PATH that the user has, where the sandbox was started with another.
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

/** A sandbox is started in our name, and may start others before it confines any; the check is the user's words. */
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

/** Never fails: what went wrong is in what it gives. */
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
  // What it was given to end by itself is no part of its time.
  const durationMs = ended.how === "timed_out" ? Math.min(took, Duration.toMillis(options.timeout)) : took
  return { ...ended, durationMs }
})
