/** Reads the configuration of a run from all sources. */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as ConfigSources from "@reflexion/hooks/config/ConfigSources"
import * as Marks from "@reflexion/hooks/config/Marks"
import * as TakenFile from "@reflexion/hooks/config/TakenFile"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { join } from "node:path"
import { CliProcess } from "./CliProcess.ts"
import { ConfigurationError } from "./CliError.ts"
import { explain } from "./FileProblem.ts"

const refuse = (problem: string) => new ConfigurationError({ problem })

/** Runs an operation on a file and turns an error into a problem. */
export const attempt = <A>(file: string, run: () => A): Effect.Effect<A, ConfigurationError> =>
  Effect.try({ try: run, catch: (cause) => refuse(explain(cause, file).problem) })

const set = (env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : [])))

/** Returns the path of the user's own file, which may not exist. */
export const fileOf = (env: Readonly<Record<string, string | undefined>>): string =>
  join(UserDirectories.make(env).config, "config.json")

const userFile = Effect.gen(function* () {
  const { env } = yield* CliProcess
  const file = fileOf(env)
  const text = yield* attempt(file, () => PlainFiles.read(file, { follow: true }))
  return text === null ? null : { file, text }
})

/**
 * The configuration from the user's own file and environment, over the defaults. It has no host's own small model,
 * which is asked only at stops of a live session.
 */
export const user: Effect.Effect<ReflexionConfig.ReflexionConfig, ConfigurationError, CliProcess> = Effect.gen(
  function* () {
    const { env } = yield* CliProcess
    const sources = { user: yield* userFile, workspace: null, env: set(env) }
    return yield* Either.mapLeft(ConfigSources.resolve(sources), refuse)
  }
)

/** Returns a project's configuration and whether the user trusts it. A symbolic link is refused. */
export const saidBy = Effect.fn("Settings.saidBy")(function* (workspace: Trust.Workspace) {
  const file = join(workspace.root, Trust.configuration)
  return yield* Either.mapLeft(yield* attempt(file, () => ConfigSources.saidBy(workspace)), refuse)
})

/** Returns the configuration of a directory's project. */
export const saidAt = Effect.fn("Settings.saidAt")(function* (directory: string) {
  const { env } = yield* CliProcess
  return yield* saidBy(Trust.Workspace.at(UserDirectories.make(env), Trust.rootOf(directory)))
})

/** Returns the nudges that the user marked as wrong in a directory's project. */
export const marksAt = Effect.fn("Settings.marksAt")(function* (directory: string) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  const root = Trust.rootOf(directory)
  return yield* attempt(Marks.fileOf(directories, root), () => Marks.read(directories, root))
})

/** Returns the file of checks that the user approved for a directory's project. Null if there is none. */
const takenAt = Effect.fn("Settings.takenAt")(function* (directory: string) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  const root = Trust.rootOf(directory)
  return yield* attempt(TakenFile.fileOf(directories, root), () => TakenFile.read(directories, root))
})

/**
 * Applies a project's file to the user's configuration, with the user's marks and approved checks. Without trust, the
 * file can lower `maxAttempts` but not raise it.
 */
export const workspace = Effect.fn("Settings.workspace")(function* (
  base: ReflexionConfig.ReflexionConfig,
  directory: string
) {
  const { marks } = yield* marksAt(directory)
  const limited = Marks.limit(ConfigSources.over(base, yield* saidAt(directory)), Marks.lowered(marks))
  return yield* Either.mapLeft(ConfigSources.withTaken(limited, yield* takenAt(directory)), refuse)
})

/** A model that the configuration names. */
export interface Named {
  readonly model: string
  /** The file or the variable that names it. */
  readonly by: string
}

/**
 * Returns the model that is named for a directory's project, from the source with the highest priority. Null if no
 * source names one.
 */
export const modelAt = Effect.fn("Settings.modelAt")(function* (directory: string) {
  const { env } = yield* CliProcess
  const file = yield* userFile
  const own =
    file === null ? {} : yield* Either.mapLeft(ReflexionConfig.parse(file.text, file), (e) => refuse(e.message))
  const { config, trusted } = yield* saidAt(directory)
  const all: ReadonlyArray<readonly [by: string, model: string | undefined]> = [
    [join(Trust.rootOf(directory), Trust.configuration), trusted ? config.model : undefined],
    ["REFLEXION_MODEL", env["REFLEXION_MODEL"] || undefined],
    [fileOf(env), own.model]
  ]
  return all.flatMap(([by, model]): ReadonlyArray<Named> => (model === undefined ? [] : [{ model, by }]))[0] ?? null
})
