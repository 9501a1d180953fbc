/** The user's own programs by `ProgramPath`'s rule, for code that has the services of `@effect/platform`. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as ProgramPath from "./ProgramPath.ts"

export interface Options {
  /** What is worked in. */
  readonly directory: string
  /** Stands in place of this process's environment, or of some of it. */
  readonly env?: ProgramPath.Env
}

/** Of this process, whatever a program has put in place of its configuration: that is what a child inherits. */
const inherited = Effect.map(
  Effect.forEach(ProgramPath.variables, (name) =>
    Effect.option(ConfigProvider.fromEnv().load(Config.map(Config.string(name), (value) => [name, value] as const)))
  ),
  (all): ProgramPath.Env => Object.fromEntries(all.flatMap((one) => (one._tag === "Some" ? [one.value] : [])))
)

const seenAt = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const { sep } = yield* Path.Path
  // Most of what is looked for is nowhere, and costs no more than this.
  const { mode, type } = yield* fs.stat(file)
  // Windows has no modes.
  const runs = type === "File" && (sep === "\\" || (mode & 0o111) !== 0)
  const seen: ProgramPath.Seen = {
    real: yield* fs.realPath(file),
    is: runs ? "program" : type === "Directory" ? "folder" : "other"
  }
  return seen
})

const linkAt = (file: string) => Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readLink(file))

/** Answers what is known by now with null for the rest, and `learn` finds out what was asked for in vain. */
const remembering = <A>(ask: (file: string) => Effect.Effect<A, unknown, FileSystem.FileSystem | Path.Path>) => {
  const known = new Map<string, A | null>()
  const wanted = new Set<string>()
  const get = (file: string): A | null => {
    if (!known.has(file)) wanted.add(file)
    return known.get(file) ?? null
  }
  const learnOne = (file: string) =>
    Effect.map(
      Effect.orElseSucceed(ask(file), () => null),
      (answer) => known.set(file, answer)
    )
  const learn = Effect.suspend(() => {
    const files = [...wanted]
    wanted.clear()
    return Effect.as(Effect.forEach(files, learnOne, { concurrency: 16, discard: true }), files.length)
  })
  return { get, learn }
}

/** Asks for what a pure question wants to see until it has seen all. */
const seeing = Effect.fnUntraced(function* <A>(question: (disk: ProgramPath.Disk) => A) {
  const [seen, links] = [remembering(seenAt), remembering(linkAt)]
  for (;;) {
    const answer = question({ look: seen.get, link: links.get })
    if ((yield* seen.learn) + (yield* links.learn) === 0) return answer
  }
})

export interface Resolved extends ProgramPath.Found {
  /** The PATH for a program that starts others, which leads to none of the project's. */
  readonly path: string
  /** The one that was looked through. */
  readonly given: string | null
}

/** Nothing where that is relative to a folder that was removed. */
const resolved = ({ resolve }: Path.Path, directory: string): ReadonlyArray<string> => {
  try {
    return [resolve(directory)]
  } catch {
    return []
  }
}

/** What was found, by all that it depends on: a disk is asked once. What is missing may be installed meanwhile. */
const known = new Map<string, Resolved>()
const mostKnown = 200

/** The programs of a name, and those of it that were passed over. */
export const find: (
  options: Options,
  name: string
) => Effect.Effect<Resolved, never, FileSystem.FileSystem | Path.Path> = Effect.fn("OwnPrograms.find")(function* (
  options: Options,
  name: string
) {
  const paths = yield* Path.Path
  const directories = [options.directory, "."].flatMap((directory) => resolved(paths, directory))
  const given = { ...(yield* inherited), ...options.env }
  const env = Object.fromEntries(ProgramPath.variables.map((variable) => [variable, given[variable]]))
  const key = JSON.stringify([name, directories, env])
  const before = known.get(key)
  if (before !== undefined) return before
  const found = yield* seeing((disk): Resolved => {
    const programs = ProgramPath.make({ paths, directories, env }, disk)
    return { ...programs.find(name), path: programs.path(), given: env["PATH"] ?? null }
  })
  if (known.size >= mostKnown) known.clear()
  if (found.own.length > 0) known.set(key, found)
  return found
})
