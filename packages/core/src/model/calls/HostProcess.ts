/** One run of a host's program over one question: in a process group of its own, under limits, with nothing left of it. */
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

/** Stands in the environment of every program that is asked. Where it does, no model is asked, and no hook of ours runs. */
export const marker = "REFLEXION_ASKING"

/** Whether this process was started by a program that is asked. */
export const asksAlready: Effect.Effect<boolean> = Effect.orElseSucceed(
  Effect.map(Config.withDefault(Config.string(marker), ""), (value) => value !== ""),
  () => false
)

/** `install` says what to do where the program is not found. */
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

/**
 * `invoke` is given the run's own folder, for files that it needs. `input` is what the program reads. `workspace`: whose
 * programs are not run. It runs in `cwd`, an empty folder unless said otherwise.
 */
export interface Run {
  readonly invoke: (directory: string) => Effect.Effect<Invocation, PlatformError, FileSystem.FileSystem | Path.Path>
  readonly input: string
  readonly workspace?: string
  readonly cwd?: string
}

/** What a program has printed; `code` is null where a signal ended it. */
export interface ProgramOutput {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Why there is nothing to read. */
export class HostProblem extends Data.TaggedError("HostProblem")<{
  readonly reason: "missing" | "not_started" | "timed_out" | "printed_too_much"
  readonly detail: string
}> {}

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

/** Gone in any case: the watcher may have been there first. */
const scratch = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  Effect.acquireRelease(fs.makeTempDirectory({ prefix: "reflexion-asking-" }), (directory) =>
    Effect.ignore(fs.remove(directory, { recursive: true, force: true }))
  )
)

/** Many times what any answer has. */
const maxOut = 8_388_608

const maxErr = 65_536

const missing = ({ install, name, program }: Program, passedOver = "") =>
  new HostProblem({
    reason: "missing",
    detail: `${name} was not found as "${program}"${passedOver}: ${install}, or say where its program is`
  })

/** A path is what it says, and a name is the user's own program. */
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
      // Read to its end, so that the program never waits for us, and kept as far as it is of use.
      err: (bytes) => {
        err += errText.decode(bytes, { stream: true }).slice(0, Math.max(0, maxErr - err.length))
        return false
      }
    }
  )
  if (how === "timed_out") {
    const detail = `${host.name} was not done within ${Duration.format(host.timeout)}: allow it more time, or name a faster model`
    return yield* new HostProblem({ reason: how, detail })
  }
  if (how === "printed_too_much")
    return yield* new HostProblem({ reason: how, detail: `${host.name} printed more than any answer has` })
  // A shell's words for a program that is not there.
  if (code === 126 || code === 127) return yield* missing(host)
  const printed: ProgramOutput = { code, out, err }
  return printed
}, Effect.scoped)

/** What the program printed, or why it could not be run: on a system without room or a shell, or where it is not there. */
export const run = (host: Program, given: Run) =>
  Effect.catchAll(running(host, given), (error) => {
    if (error._tag === "HostProblem") return error
    const reason = error._tag === "SystemError" ? error.reason : "bad argument"
    if (reason === "NotFound") return missing(host)
    return new HostProblem({ reason: "not_started", detail: `${host.name} could not be started: ${reason}` })
  })
