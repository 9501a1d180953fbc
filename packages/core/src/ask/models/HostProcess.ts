/** One run of a host's program over one question: in a process group of its own, under limits, with nothing left of it. */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as OwnPrograms from "../../base/system/OwnPrograms.ts"
import * as ProgramPath from "../../base/system/ProgramPath.ts"
import * as ProcessGroup from "../../base/system/ProcessGroup.ts"

/** A program that can be run, and the PATH of what it starts. */
export interface Located {
  readonly program: string
  readonly path: string
}

/**
 * The program that is named for work in a directory: a path is what it says, and a name is the user's own program. Where
 * there is none, which was passed over, in brackets, if one was.
 */
export const locate = Effect.fnUntraced(function* (program: string, options: OwnPrograms.Options) {
  const paths = yield* Path.Path
  const found = yield* OwnPrograms.find(options, program)
  const own = /[/\\]/.test(program) ? paths.resolve(program) : found.own[0]
  const located: Located | null = own === undefined ? null : { program: own, path: found.path }
  return located ?? (found.passedOver.length === 0 ? "" : ` (${ProgramPath.problemOf(program, found)})`)
})

/**
 * `directory` is the question's own, `input` what the program reads. It runs in `cwd`, an empty folder unless said
 * otherwise, until it has ended or printed `enough`, which is shown each piece once.
 */
export interface Options extends Located {
  readonly directory: string
  readonly words: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly input: string
  readonly timeout: Duration.DurationInput
  readonly cwd?: string
  readonly enough?: (piece: string) => boolean
}

/** `code` is null where a signal ended it; 127 is a shell's for a program that is not there. */
export interface Ran {
  readonly how: "exited" | "timed_out" | "printed_too_much"
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/**
 * The program reads a file. What the shell has as its own input is a pipe from this process: when it ends because this
 * process was killed, a watcher takes the files and the whole group with it. Asked to end, the shell waits for the program
 * to do so.
 */
const guarded = `trap : TERM
directory=$1; input=$2; shift 2
exec 3<&0 <"$input"
(trap '' TERM; read -r _ <&3; rm -rf -- "$directory"; kill -KILL 0) >/dev/null 2>&1 &
exec 3<&-
"$@"`

const commandOf = ({ directory, input, program, words }: Options, file: string, windows: boolean): Command.Command =>
  windows
    ? Command.feed(Command.make(program, ...words), input)
    : Command.make("/bin/sh", "-c", guarded, "sh", directory, file, program, ...words)

const start = Effect.fnUntraced(function* (options: Options) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(options.directory, "question.txt")
  const empty = path.join(options.directory, "empty")
  yield* fs.writeFileString(file, options.input, { mode: 0o600 })
  yield* fs.makeDirectory(empty)
  const command = commandOf(options, file, path.sep === "\\").pipe(
    Command.workingDirectory(options.cwd ?? empty),
    Command.env({ ...options.env, PATH: options.path })
  )
  return yield* Effect.acquireRelease(Command.start(command), ProcessGroup.end)
})

/** Many times what any answer has. */
const maxOut = 8_388_608

const maxErr = 65_536

interface Watched {
  readonly enough: (piece: string) => boolean
  readonly process: CommandExecutor.Process
  readonly texts: { out: string; err: string }
  readonly tooMuch: Deferred.Deferred<void>
}

const readOut = ({ enough, process, texts, tooMuch }: Watched) =>
  Stream.runForEach(Stream.decodeText(process.stdout), (piece) => {
    texts.out += piece
    return enough(piece) || texts.out.length > maxOut ? Deferred.succeed(tooMuch, undefined) : Effect.void
  })

/** Read to its end, so that it never waits for us, and kept as far as it is of use. */
const readErr = ({ process, texts }: Watched) =>
  Stream.runForEach(Stream.decodeText(process.stderr), (piece) =>
    Effect.sync(() => {
      if (texts.err.length < maxErr) texts.err += piece
    })
  )

/** A process that left the group may hold the pipes open for ever. */
const drained = "1 second"

const never = (): boolean => false

export const run = Effect.fnUntraced(function* (options: Options) {
  const process = yield* start(options)
  const watched: Watched = {
    enough: options.enough ?? never,
    process,
    texts: { out: "", err: "" },
    tooMuch: yield* Deferred.make<void>()
  }
  const reading = yield* Effect.fork(
    Effect.all([Effect.ignore(readOut(watched)), Effect.ignore(readErr(watched))], { concurrency: 2 })
  )
  const ended = yield* ProcessGroup.wait(process, watched.tooMuch, options.timeout)
  if (ended.how === "exited") yield* Effect.timeoutOption(Fiber.await(reading), drained)
  yield* Fiber.interruptFork(reading)
  const ran: Ran = { ...ended, ...watched.texts }
  return ran
}, Effect.scoped)
