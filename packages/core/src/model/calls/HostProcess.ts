/** Runs a host's program for one question, in its own process group and with limits. No process or file remains. */
import * as Command from "@effect/platform/Command"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ProcessGroup from "../../base/system/ProcessGroup.ts"
import * as ProgramPath from "../../base/system/ProgramPath.ts"
import * as Programs from "../../base/system/Programs.ts"

/** Each program that is asked gets this variable. With it, a process asks no model and runs no hook of reflexion. */
export const marker = "REFLEXION_ASKING"

export const asksAlready: Effect.Effect<boolean> = Effect.orElseSucceed(
  Effect.map(Config.withDefault(Config.string(marker), ""), (value) => value !== ""),
  () => false
)

export interface Program {
  readonly name: string
  readonly install: string
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  readonly timeout: Duration.DurationInput
}

export interface Invocation {
  readonly words: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

export interface Run {
  /** The argument is the run's own folder, for files that the command needs. */
  readonly invoke: (directory: string) => Effect.Effect<Invocation, PlatformError, FileSystem.FileSystem | Path.Path>
  readonly input: string
  /** Programs in this folder are never run. */
  readonly workspace?: string
  /** The default is an empty folder. */
  readonly cwd?: string
}

/** `code` is null if a signal ended the program. */
export interface ProgramOutput {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export class HostProblem extends Data.TaggedError("HostProblem")<{
  readonly reason: "missing" | "not_started" | "timed_out" | "printed_too_much"
  readonly detail: string
}> {}

/**
 * The shell script around the program. The program reads its input from a file. The shell's own input is a pipe from
 * this process. If this process is killed, the pipe ends. Then a watcher deletes the files and kills the process group.
 * On TERM the shell waits for the program.
 */
const guarded = `trap : TERM
directory=$1; input=$2; shift 2
exec 3<&0 <"$input"
(trap '' TERM; read -r _ <&3; rm -rf -- "$directory"; kill -KILL 0) >/dev/null 2>&1 &
exec 3<&-
"$@"`

/** Ignores a failed removal, because the watcher may have deleted the folder first. */
const scratch = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  Effect.acquireRelease(fs.makeTempDirectory({ prefix: "reflexion-asking-" }), (directory) =>
    Effect.ignore(fs.remove(directory, { recursive: true, force: true }))
  )
)

/** Far more characters than any answer has. */
const maxOut = 8_388_608

const maxErr = 65_536

const missing = ({ install, name, program }: Program, passedOver = "") =>
  new HostProblem({
    reason: "missing",
    detail: `${name} was not found as "${program}"${passedOver}: ${install}, or configure where its program is`
  })

/** A path is used as given. A name is searched among the user's own programs. */
const located = Effect.fnUntraced(function* (host: Program, workspace: string) {
  const { program } = host
  const paths = yield* Path.Path
  const found = Programs.find({ cwd: workspace, env: host.env }, program)
  const own = /[/\\]/.test(program) ? paths.resolve(program) : found.own[0]
  if (own !== undefined) return { file: own, path: found.path }
  return yield* missing(host, found.passedOver.length === 0 ? "" : ` (${ProgramPath.problemOf(program, found)})`)
})

const running = Effect.fnUntraced(function* (host: Program, given: Run) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const program = yield* located(host, given.workspace ?? ".")
  const directory = yield* scratch
  const { env, words } = yield* given.invoke(directory)
  const [file, empty] = [path.join(directory, "question.txt"), path.join(directory, "empty")]
  yield* fs.writeFileString(file, given.input, { mode: 0o600 })
  yield* fs.makeDirectory(empty)
  const command =
    path.sep === "\\"
      ? Command.feed(Command.make(program.file, ...words), given.input)
      : Command.make("/bin/sh", "-c", guarded, "sh", directory, file, program.file, ...words)
  let [out, err] = ["", ""]
  const [outText, errText] = [new TextDecoder(), new TextDecoder()]
  const { code, how } = yield* ProcessGroup.run(
    command.pipe(
      Command.workingDirectory(given.cwd ?? empty),
      Command.env({ ...env, ...host.env, PATH: program.path, [marker]: "1" })
    ),
    {
      timeout: host.timeout,
      out: (bytes) => {
        out += outText.decode(bytes, { stream: true })
        return out.length > maxOut
      },
      // Reads everything, so that the program never blocks.
      err: (bytes) => {
        err += errText.decode(bytes, { stream: true }).slice(0, Math.max(0, maxErr - err.length))
        return false
      }
    }
  )
  if (how === "timed_out") {
    const detail = `${host.name} did not finish within ${Duration.format(host.timeout)}: allow more time, or name a faster model`
    return yield* new HostProblem({ reason: how, detail })
  }
  if (how === "printed_too_much")
    return yield* new HostProblem({ reason: how, detail: `${host.name} printed more than an answer may have` })
  // The shell ends with one of these codes if the program does not exist or cannot run.
  if (code === 126 || code === 127) return yield* missing(host)
  const printed: ProgramOutput = { code, out, err }
  return printed
}, Effect.scoped)

/** Fails if the program could not run, for example because a file, disk space or a shell was missing. */
export const run = (host: Program, given: Run) =>
  Effect.catchAll(running(host, given), (error) => {
    if (error._tag === "HostProblem") return error
    const reason = error._tag === "SystemError" ? error.reason : "bad argument"
    if (reason === "NotFound") return missing(host)
    return new HostProblem({ reason: "not_started", detail: `${host.name} could not be started: ${reason}` })
  })
