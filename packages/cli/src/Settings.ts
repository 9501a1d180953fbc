/**
 * The configuration of a run, from every place that has one.
 *
 * @since 0.1.0
 */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as ConfigSources from "@reflexion/hooks/ConfigSources"
import * as Trust from "@reflexion/hooks/Trust"
import * as UserDirectories from "@reflexion/hooks/UserDirectories"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { constants } from "node:fs"
import { lstat, open } from "node:fs/promises"
import { dirname, join } from "node:path"
import { CliProcess } from "./CliProcess.ts"
import { ConfigurationError } from "./CliError.ts"

const maxBytes = 1024 * 1024

const isAbsent = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && (cause.code === "ENOENT" || cause.code === "ENOTDIR")

const refuse = (problem: string) => new ConfigurationError({ problem })

const readText = async (path: string, flags: number): Promise<string | null> => {
  const file = await open(path, flags)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new Error("not a file")
    if (found.size > maxBytes) throw new Error("larger than 1 MB")
    return await file.readFile("utf8")
  } finally {
    await file.close()
  }
}

const attempt = <A>(path: string, run: () => Promise<A>): Effect.Effect<A | null, ConfigurationError> =>
  Effect.tryPromise({ try: run, catch: (cause) => cause }).pipe(
    Effect.catchAll((cause) =>
      isAbsent(cause)
        ? Effect.succeed(null)
        : Effect.fail(refuse(`${path}: could not be read (${cause instanceof Error ? cause.message : String(cause)})`))
    )
  )

const parse = (path: string, text: string | null): Effect.Effect<ReflexionConfig.PartialConfig, ConfigurationError> =>
  text === null
    ? Effect.succeed({})
    : Either.mapLeft(ReflexionConfig.parse(text, { file: path }), (error) => refuse(error.message))

const userFile = Effect.map(CliProcess, ({ env }) => join(UserDirectories.make(env).config, "config.json"))

const set = (env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : [])))

/**
 * What the user's own file and environment say, over the defaults.
 *
 * @since 0.1.0
 * @category configuration
 */
export const user: Effect.Effect<ReflexionConfig.ReflexionConfig, ConfigurationError, CliProcess> = Effect.gen(
  function* () {
    const { env } = yield* CliProcess
    const file = yield* userFile
    const text = yield* attempt(file, () => readText(file, constants.O_RDONLY))
    const sources = { user: text === null ? null : { file, text }, workspace: null, env: set(env) }
    return yield* Either.mapLeft(ConfigSources.resolve(sources), refuse)
  }
)

const isLink = (path: string) => attempt(path, async () => (await lstat(path)).isSymbolicLink())

/**
 * Where a project's configuration is.
 *
 * @since 0.1.0
 * @category configuration
 */
export const workspaceFile = (root: string): string => join(root, ".reflection", "config.json")

/**
 * What a project's file says, `root` being the project's. A symbolic link is refused.
 *
 * @since 0.1.0
 * @category configuration
 */
export const project = Effect.fn("Settings.project")(function* (root: string) {
  const path = workspaceFile(root)
  for (const place of [dirname(path), path]) {
    if (yield* isLink(place)) yield* refuse(`${place}: is a symbolic link, and links are not followed in a workspace`)
  }
  const text = yield* attempt(path, () =>
    readText(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  )
  return yield* parse(path, text)
})

/**
 * Lays the file of a session's project over the user's configuration. Unless the user trusts the project, it may lower
 * `maxAttempts` but not raise it.
 *
 * @since 0.1.0
 * @category configuration
 */
export const workspace = Effect.fn("Settings.workspace")(function* (
  base: ReflexionConfig.ReflexionConfig,
  directory: string
) {
  const { env } = yield* CliProcess
  const root = Trust.rootOf(directory)
  const found = yield* project(root)
  return Trust.status(UserDirectories.make(env), root) === "trusted"
    ? ReflexionConfig.mergeTrusted(base, found)
    : ReflexionConfig.mergeWorkspace(base, found)
})
