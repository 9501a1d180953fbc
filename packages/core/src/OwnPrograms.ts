/**
 * The user's own programs by `ProgramPath`'s rule, for whoever has the services of `@effect/platform`.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as ProgramPath from "./ProgramPath.ts"

/**
 * `directory`: what is worked in. `env` stands in place of this process's environment, or of some of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly directory: string
  readonly env?: ProgramPath.Env
}

/** Of this process, whatever a program has put in place of its configuration: that is what a child inherits. */
const inherited = Effect.map(
  Effect.forEach(ProgramPath.variables, (name) =>
    Effect.orElseSucceed(
      Effect.map(ConfigProvider.fromEnv().load(Config.string(name)), (value) => [[name, value]]),
      () => []
    )
  ),
  (all): ProgramPath.Env => Object.fromEntries(all.flat())
)

const seenAt = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const { sep } = yield* Path.Path
  const real = yield* fs.realPath(file)
  const { mode, type } = yield* fs.stat(real)
  // Windows has no modes.
  const runs = type === "File" && (sep === "\\" || (mode & 0o111) !== 0)
  const seen: ProgramPath.Seen = { real, is: runs ? "program" : type === "Directory" ? "folder" : "other" }
  return seen
})

/** Asks for what a pure question wants to see until it has seen all. */
const seeing = Effect.fnUntraced(function* <A>(question: (look: ProgramPath.Look) => A) {
  const seen = new Map<string, ProgramPath.Seen | null>()
  for (;;) {
    const wanted = new Set<string>()
    const answer = question((file) => {
      if (!seen.has(file)) wanted.add(file)
      return seen.get(file) ?? null
    })
    if (wanted.size === 0) return answer
    const files = [...wanted]
    const asked = files.map((file) => Effect.orElseSucceed(seenAt(file), () => null))
    const found = yield* Effect.all(asked, { concurrency: 16 })
    found.forEach((one, index) => seen.set(files[index] ?? "", one))
  }
})

/**
 * `path`: the PATH for a program that starts others, which leads to none of the project's. `given`: the one that was
 * looked through.
 *
 * @since 0.1.0
 * @category models
 */
export interface Resolved extends ProgramPath.Found {
  readonly path: string
  readonly given: string | null
}

/** What was found, by all that it depends on: a disk is asked once. What is missing may be installed meanwhile. */
const known = new Map<string, Resolved>()
const mostKnown = 200

/**
 * The programs of a name, and those of it that were passed over.
 *
 * @since 0.1.0
 * @category accessors
 */
export const find: (
  options: Options,
  name: string
) => Effect.Effect<Resolved, never, FileSystem.FileSystem | Path.Path> = Effect.fn("OwnPrograms.find")(function* (
  options: Options,
  name: string
) {
  const paths = yield* Path.Path
  const directories = [paths.resolve(options.directory), paths.resolve(".")]
  const given = { ...(yield* inherited), ...options.env }
  const env = Object.fromEntries(ProgramPath.variables.map((variable) => [variable, given[variable]]))
  const key = JSON.stringify([name, directories, env])
  const before = known.get(key)
  if (before !== undefined) return before
  const found = yield* seeing((look): Resolved => {
    const programs = ProgramPath.make({ paths, directories, env }, look)
    return { ...programs.find(name), path: programs.path(), given: env["PATH"] ?? null }
  })
  if (known.size >= mostKnown) known.clear()
  if (found.own.length > 0) known.set(key, found)
  return found
})
