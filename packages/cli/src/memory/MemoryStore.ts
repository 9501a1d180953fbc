/** The memory that a command works on: where it is, and how it is opened. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { ReflectionError } from "@reflexion/core/internal/memory/lessons/ReflectionError"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as LessonTrust from "@reflexion/hooks/memory/LessonTrust"
import * as MemoryPlace from "@reflexion/hooks/memory/MemoryPlace"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Console from "effect/Console"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { lstatSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { MemoryError, type ConfigurationError, type UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import type { ExitStatus } from "../process/ExitStatus.ts"
import { explain } from "../process/FileProblem.ts"
import { oneLine } from "../terminal/Layout.ts"
import type { Given } from "./model.ts"

/**
 * A command of the memory as a program.
 *
 * @category models
 */
export type Memory = Effect.Effect<
  void,
  ConfigurationError | MemoryError | UsageError,
  CliProcess | ExitStatus | CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path
>

/**
 * Where the memory is, and the project that it belongs to: of linked work trees the main one. `given`: it was named on the
 * command line.
 *
 * @category models
 */
export interface Place {
  readonly path: string
  readonly root: string
  readonly given: boolean
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * The memory that a project has without being told.
 *
 * @category accessors
 */
export const ofProject = (root: string, env: Env): Place => {
  const place = MemoryPlace.of(root, env)
  return { path: place.file, root: place.root, given: false }
}

const unable = (problem: string) => new MemoryError({ problem })

const rooted = Effect.map(CliProcess, ({ cwd }) => Trust.rootOf(cwd))

export const placeOf = Effect.fnUntraced(function* ({ option }: Given) {
  const { cwd, env } = yield* CliProcess
  const given = option("store")
  if (given === null) return ofProject(yield* rooted, env)
  const path = resolve(cwd, given)
  const root = yield* Effect.try({
    try: () => Trust.rootOf(dirname(path)),
    catch: (cause) => unable(`--store: ${explain(cause).problem}`)
  })
  const place: Place = { path, root, given: true }
  return place
})

/** `/shop/reflections.jsonl: open: EACCES: permission denied, open '/shop/reflections.jsonl'` */
const byDisk = /^(.{1,4096}?): [a-z]{1,20}: (E[A-Z0-9]{2,20}): /su

/**
 * What the store refused, as the command says it.
 *
 * @category errors
 */
export const refused = ({ detail }: ReflectionError): MemoryError => {
  const [, path, code] = byDisk.exec(detail) ?? []
  const known = path === undefined ? null : explain(Object.assign(new Error(detail), { code }), path).problem
  return new MemoryError({ problem: known ?? oneLine(detail) })
}

/**
 * Says what is being done where it takes longer than a second.
 *
 * @category combinators
 */
export const slowly =
  (doing: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.scoped(
      Effect.zipRight(
        Effect.forkScoped(Effect.delay(Console.error(`reflexion: ${doing} …`), Duration.seconds(1))),
        work
      )
    )

const linked = "it is a symbolic link, which is not followed here"

/**
 * Why a place can be no log's. What is only read has to be there where it was named: a misspelt name is none.
 *
 * @category errors
 */
export const unfit = ({ given, path }: Place, writes: boolean): string | null => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink() === true) return `${path}: ${linked}`
  if (found?.isDirectory() === true) return `${path}: it is a folder; name a file`
  if (found?.isFile() === false) return `${path}: it is no plain file`
  if (given) return found === undefined && !writes ? `${path}: there is no such file` : null
  const folder = dirname(path)
  return lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true ? `${folder}: ${linked}` : null
}

const fit = (place: Place, writes: boolean): Effect.Effect<void, MemoryError> =>
  Effect.try({ try: () => unfit(place, writes), catch: (cause) => explain(cause, place.path).problem }).pipe(
    Effect.catchAll(Effect.succeed),
    Effect.flatMap((problem) =>
      problem === null
        ? Effect.void
        : new MemoryError({ problem: `${place.given ? "--store: " : ""}${oneLine(problem)}` })
    )
  )

/** A project's folder for reviews has a file of its own, by which git passes it over. */
const prepare = ({ given, path }: Place) =>
  given
    ? Effect.void
    : Effect.try({
        try: () => MemoryPlace.prepare(path),
        catch: (cause) => new ReflectionError({ reason: "storage_error", detail: explain(cause).problem })
      })

/**
 * What is to be said beside the answer: a line that a crash tore, or a model that gave no reflection.
 *
 * @category layers
 */
export const warnings = Logger.replace(
  Logger.defaultLogger,
  Logger.withConsoleError(
    Logger.make<unknown, string>(({ message }) => {
      const said = [message].flat().filter((part) => typeof part === "string")
      return `reflexion: ${oneLine(said.join(" "))}`
    })
  )
)

/**
 * `writes`: it may add to a memory that is not there yet. `doing` is said where it takes longer than a second.
 *
 * @category models
 */
export interface Working {
  readonly writes: boolean
  readonly doing?: string
}

type Store = Context.Tag.Service<ReflexionStore>

/** What a command adds is the user's own, as it is kept. Without a place to note that, it is one of others. */
const owning = (directories: UserDirectories.UserDirectories, place: Place, store: Store): Store => ({
  ...store,
  append: (input) =>
    Effect.gen(function* () {
      yield* prepare(place)
      const kept = yield* store.append(input)
      yield* Effect.try(() => LessonTrust.own(directories, kept)).pipe(
        Effect.catchAll(({ error }) =>
          Effect.logWarning(`it cannot be noted that you added this: ${explain(error).problem}`)
        )
      )
      return kept
    })
})

const layerOf = (place: Place) =>
  Layer.effect(
    ReflexionStore,
    Effect.gen(function* () {
      const { env } = yield* CliProcess
      return owning(UserDirectories.make(env), place, yield* ReflexionStore)
    })
  ).pipe(Layer.provide(ReflexionStore.Live({ path: place.path })))

/**
 * Runs a program with the memory at a place.
 *
 * @category combinators
 */
export const within =
  (place: Place, { doing = `reading ${oneLine(place.path)}`, writes }: Working) =>
  <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* fit(place, writes)
      return yield* program.pipe(
        Effect.provide(Layer.catchAll(layerOf(place), (error) => Layer.fail(refused(error)))),
        slowly(doing),
        Effect.provide(warnings)
      )
    })

/**
 * How many lines of a memory nobody can read.
 *
 * @category accessors
 */
export const unreadable = Effect.flatMap(ReflexionStore, (store) => store.unreadable)
