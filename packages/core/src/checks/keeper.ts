/** Runs a shell that makes something. The shell removes it when the scope ends, even if this process is killed. */
import * as Command from "@effect/platform/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Git from "../base/system/QuietGit.ts"

const limit = {
  duration: "1 minute",
  onSuccess: (line: Option.Option<string>) => line,
  onTimeout: Option.none
} as const

/** Returns the line that the script prints. When its input ends, the script removes what it made. */
export const keep = Effect.fnUntraced(function* (
  { program: { path } }: Git.Git,
  script: string,
  words: ReadonlyArray<string>
) {
  const process = yield* Command.make("/bin/sh", "-c", `trap '' TERM INT HUP PIPE\n${script}`, "sh", ...words).pipe(
    Command.workingDirectory("/"),
    Command.env({ ...Git.environment, PATH: path }),
    Command.start
  )
  // Runs in the background. If the process ends at this moment, its pipe may never report that it is closed.
  const close = Effect.forkDaemon(Effect.ignore(Stream.run(Stream.empty, process.stdin)))
  const ended = process.exitCode.pipe(Effect.ignore, Effect.interruptible, Effect.timeoutOption("20 seconds"))
  const kill = Effect.ignore(process.kill("SIGKILL"))
  const end = Effect.flatMap(
    Effect.zipRight(close, ended),
    Option.match({ onNone: () => kill, onSome: () => Effect.void })
  )
  yield* Effect.addFinalizer(() => end)
  const said = Stream.runHead(Stream.splitLines(Stream.decodeText(process.stdout)))
  return Option.getOrNull(yield* Effect.timeoutTo(said, limit))
})

const temporary = `folder=$(mktemp -d "\${TMPDIR:-/tmp}/reflexion-XXXXXX") && echo "$folder" && read -r _
rm -rf "$folder"`

/** Null if the system cannot make the folder in this way. */
export const folder = (git: Git.Git) => Effect.orElseSucceed(keep(git, temporary, []), () => null)
