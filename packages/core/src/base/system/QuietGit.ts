/**
 * Runs short git commands. They only read, fetch nothing, and run no program that the repository names. Everyone who
 * can write in a project can change its `.git/config` and attributes, so these files must not decide what runs.
 */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ProgramPath from "./ProgramPath.ts"
import * as Programs from "./Programs.ts"

interface Program {
  readonly git: string
  /** The program `env`, which runs git without some variables. Null if there is none. */
  readonly env: string | null
  readonly path: string
}

/** `within` is the sandbox of the check. `off` has the options that turn off all filter drivers of the project. */
export interface Git {
  readonly program: Program
  readonly within: ReadonlyArray<string>
  readonly off: ReadonlyArray<string>
}

export interface Asking {
  readonly directory: string
  readonly index?: string
  readonly stdin?: Uint8Array
  /** The highest exit status that counts as an answer. The default is 0. */
  readonly status?: number
  /** In bytes. Longer output counts as no answer. With `cut`, its beginning is the answer. */
  readonly limit?: number
  readonly cut?: boolean
  readonly timeout?: Duration.DurationInput
}

const defaultLimit = 64 * 1024 * 1024
const timeout = "20 seconds"

const settings = (
  "core.fsmonitor=false core.hooksPath=/dev/null core.pager=cat core.quotePath=false core.alternateRefsCommand= " +
  "diff.autoRefreshIndex=false diff.external= diff.ignoreSubmodules=all submodule.recurse=false"
).split(" ")

export const quiet = ["--no-pager", "--no-optional-locks", ...settings.flatMap((setting) => ["-c", setting])]

/** A shell or a git hook may have set these variables for another repository, or to change paths and diffs. */
const foreign = (
  "DIR WORK_TREE IMPLICIT_WORK_TREE COMMON_DIR INDEX_FILE PREFIX NAMESPACE CEILING_DIRECTORIES SHALLOW_FILE GRAFT_FILE " +
  "OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES NO_REPLACE_OBJECTS REPLACE_REF_BASE ATTR_SOURCE CONFIG DIFF_OPTS EXTERNAL_DIFF " +
  "LITERAL_PATHSPECS GLOB_PATHSPECS NOGLOB_PATHSPECS ICASE_PATHSPECS"
).split(" ")

/** Git fetches no missing object. No protocol is allowed, so the address of a remote cannot run a program. */
export const environment = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  LC_ALL: "C"
}

/** Removes variables with `env`, because a `Command` can only add them. Windows has `env` only if git installed it. */
const apart = ({ env }: Program, { index }: Asking): ReadonlyArray<string> => {
  const names = foreign.filter((name) => index === undefined || name !== "INDEX_FILE")
  return env === null ? [] : [env, ...names.flatMap((name) => ["-u", `GIT_${name}`])]
}

const command = ({ off, program, within }: Git, words: ReadonlyArray<string>, asking: Asking) => {
  const [first = program.git, ...rest] = [...apart(program, asking), ...within, program.git, ...quiet, ...off, ...words]
  return Command.make(first, ...rest).pipe(
    Command.workingDirectory(asking.directory),
    Command.env({ ...environment, PATH: program.path, GIT_INDEX_FILE: asking.index }),
    Command.stdin(asking.stdin === undefined ? Stream.empty : Stream.make(asking.stdin))
  )
}

const answer = Effect.fnUntraced(function* (git: Git, words: ReadonlyArray<string>, asking: Asking) {
  const limit = asking.limit ?? defaultLimit
  const process = yield* Effect.acquireRelease(Command.start(command(git, words, asking)), (started) =>
    Effect.ignore(Effect.whenEffect(started.kill("SIGKILL"), started.isRunning))
  )
  yield* Effect.forkScoped(Effect.ignore(Stream.runDrain(process.stderr)))
  const pieces: Array<Uint8Array> = []
  let length = 0
  yield* Stream.runForEachWhile(process.stdout, (bytes) =>
    Effect.sync(() => {
      pieces.push(bytes)
      length += bytes.length
      return length <= limit
    })
  )
  if (length > limit && asking.cut !== true) return null
  if (length <= limit && (yield* process.exitCode) > (asking.status ?? 0)) return null
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}, Effect.scoped)

/** Null if git fails, is missing, prints too much or takes too long. */
export const ask = (
  git: Git,
  words: ReadonlyArray<string>,
  asking: Asking
): Effect.Effect<Uint8Array | null, never, CommandExecutor.CommandExecutor> =>
  answer(git, words, asking).pipe(
    Effect.timeoutTo({ duration: asking.timeout ?? timeout, onSuccess: (out) => out, onTimeout: () => null }),
    Effect.orElseSucceed(() => null)
  )

export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

export const items = (bytes: Uint8Array): ReadonlyArray<string> => text(bytes).match(/[^\0]+/g) ?? []

const maxDrivers = 100

/** Turns off every filter that a configuration names. Null if a filter cannot be turned off. */
const offOf = (keys: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  const names = [...new Set(keys.flatMap((key) => /^filter\.(?:(.*)\.)?[^.]*$/s.exec(key)?.[1] ?? []))]
  if (names.length > maxDrivers || names.some((name) => /[=\n]/.test(name))) return null
  return names.flatMap((name) =>
    ["clean=", "smudge=", "process=", "required=false"].flatMap((setting) => ["-c", `filter.${name}.${setting}`])
  )
}

/** Null if there is no git. "foreign", with a warning, if only the project has a git program. */
export const programOf = Effect.fnUntraced(function* (directory: string) {
  const found = Programs.find({ cwd: directory }, "git")
  const [git] = found.own
  if (git === undefined) {
    if (found.passedOver.length === 0) return null
    yield* Effect.logWarning(`git is not asked about ${directory}: ${ProgramPath.problemOf("git", found)}`)
    return "foreign"
  }
  const env = Programs.find({ cwd: directory }, "env")
  if (env.own.length === 0 && env.passedOver.length > 0)
    yield* Effect.logWarning(`git is run with all variables of this process: ${ProgramPath.problemOf("env", env)}`)
  const program: Program = { git, env: env.own[0] ?? null, path: found.path }
  return program
})

/** Null if git would also run programs that the project supplies or configures. */
export const open: (
  directory: string,
  within: ReadonlyArray<string>
) => Effect.Effect<Git | null, never, CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path> =
  Effect.fnUntraced(function* (directory, within) {
    const program = yield* programOf(directory)
    if (program === null || program === "foreign") return null
    const keys = yield* ask({ program, within, off: [] }, ["config", "--list", "--name-only", "-z"], { directory })
    const off = keys === null ? null : offOf(items(keys))
    return off === null ? null : { program, within, off }
  })

/** Makes a diff independent of all settings, and prevents git from running a program. */
export const plainDiff =
  "--no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=all --src-prefix=a/ --dst-prefix=b/".split(
    " "
  )

/** The empty tree, the state before the first commit. */
const beginning = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

const hashOf = (git: Git, words: ReadonlyArray<string>, directory: string) =>
  Effect.map(ask(git, words, { directory }), (bytes) => {
    const hash = bytes === null ? "" : text(bytes).trim()
    return /^[0-9a-f]{40,64}$/.test(hash) ? hash : null
  })

/**
 * The last commit. If `since` (ISO 8601) is set, the last commit before that time. The empty tree if there is no such
 * commit.
 */
export const baseOf = Effect.fnUntraced(function* (git: Git, directory: string, since: string | null) {
  const head = yield* hashOf(git, ["rev-parse", "--verify", "--quiet", "HEAD"], directory)
  if (head === null) return beginning
  if (since === null) return head
  return (yield* hashOf(git, ["rev-list", "-1", `--before=${since}`, "HEAD"], directory)) ?? beginning
})

/**
 * The commit that the working copy had at a time, even if other commits were merged later. Without a reflog, the times
 * of the commits decide. If the reflog begins later, git starts at the reflog's first entry, and `--before` finds an
 * older commit.
 */
export const headAt = Effect.fnUntraced(function* (git: Git, directory: string, since: string) {
  const words = ["rev-list", "-1", `--before=${since}`, `HEAD@{${since}}`, "--"]
  return (yield* hashOf(git, words, directory)) ?? (yield* baseOf(git, directory, since))
})
