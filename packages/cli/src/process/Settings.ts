/** Reads the configuration of a run from all sources. */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as ConfigSources from "@reflexion/hooks/config/ConfigSources"
import * as Marks from "@reflexion/hooks/config/Marks"
import * as TakenFile from "@reflexion/hooks/config/TakenFile"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { join } from "node:path"
import { CliProcess, userDirectories } from "./CliProcess.ts"
import { type ConfigurationError, refusal } from "./CliError.ts"
import { explain } from "./FileProblem.ts"

/** Reads or writes a file of the user's settings. */
export const onFile = <A>(file: string, run: () => A): Effect.Effect<A, ConfigurationError> =>
  Effect.try({ try: run, catch: (cause) => refusal(explain(cause, file).problem) })

const set = (env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : [])))

const fileOfUser = Effect.map(userDirectories, ({ config }) => join(config, "config.json"))

const userFile = Effect.gen(function* () {
  const file = yield* fileOfUser
  const text = yield* onFile(file, () => PlainFiles.read(file, { follow: true }))
  return text === null ? null : { file, text }
})

/** Does not include a host's own small model. */
export const user: Effect.Effect<ReflexionConfig.ReflexionConfig, ConfigurationError, CliProcess> = Effect.gen(
  function* () {
    const { env } = yield* CliProcess
    const sources = { user: yield* userFile, workspace: null, env: set(env) }
    return yield* Either.mapLeft(ConfigSources.resolve(sources), refusal)
  }
)

/** Refuses a configuration that is a symbolic link. */
export const saidBy = Effect.fn("Settings.saidBy")(function* (workspace: Trust.Workspace) {
  const file = join(workspace.root, Trust.configuration)
  return yield* Either.mapLeft(yield* onFile(file, () => ConfigSources.saidBy(workspace)), refusal)
})

export const saidAt = Effect.fn("Settings.saidAt")(function* (directory: string) {
  return yield* saidBy(Trust.Workspace.at(yield* userDirectories, Trust.rootOf(directory)))
})

/** The nudges that the user marked as wrong. */
export const marksAt = Effect.fn("Settings.marksAt")(function* (directory: string) {
  const directories = yield* userDirectories
  const root = Trust.rootOf(directory)
  return yield* onFile(Marks.fileOf(directories, root), () => Marks.read(directories, root))
})

/** The checks that the user allowed for a project, or null. */
export const takenAt = Effect.fn("Settings.takenAt")(function* (root: string) {
  const directories = yield* userDirectories
  return yield* onFile(TakenFile.fileOf(directories, root), () => TakenFile.read(directories, root))
})

/** If a project is not trusted, only a few harmless settings of its configuration are used. */
export const workspace = Effect.fn("Settings.workspace")(function* (
  base: ReflexionConfig.ReflexionConfig,
  directory: string
) {
  const { marks } = yield* marksAt(directory)
  const limited = Marks.limit(ConfigSources.over(base, yield* saidAt(directory)), Marks.lowered(marks))
  return yield* Either.mapLeft(ConfigSources.withTaken(limited, yield* takenAt(Trust.rootOf(directory))), refusal)
})

export const here = Effect.flatMap(CliProcess, ({ cwd }) => Effect.flatMap(user, (base) => workspace(base, cwd)))

/** The source with the highest priority decides. Null if no source names a model. */
export const modelAt = Effect.fn("Settings.modelAt")(function* (directory: string) {
  const { env } = yield* CliProcess
  const file = yield* userFile
  const own =
    file === null ? {} : yield* Either.mapLeft(ReflexionConfig.parse(file.text, file), (e) => refusal(e.message))
  const { config, trusted } = yield* saidAt(directory)
  const all = [
    { by: join(Trust.rootOf(directory), Trust.configuration), model: trusted ? config.model : undefined },
    { by: "REFLEXION_MODEL", model: env["REFLEXION_MODEL"] || undefined },
    { by: yield* fileOfUser, model: own.model }
  ]
  const [first] = all.flatMap(({ by, model }) => (model === undefined ? [] : [{ model, by }]))
  return first ?? null
})
