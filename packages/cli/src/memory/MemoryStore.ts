/** Finds and opens the memory that a command uses. */
import { ReflectionError } from "@reflexion/core/internal/memory/lessons/ReflectionError"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as LessonTrust from "@reflexion/hooks/memory/LessonTrust"
import * as MemoryPlace from "@reflexion/hooks/memory/MemoryPlace"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Address from "@reflexion/postgres/Address"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { lstatSync } from "node:fs"
import { hostname } from "node:os"
import { dirname, resolve } from "node:path"
import { CliFailure, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { explain } from "../process/FileProblem.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as ProjectName from "./ProjectName.ts"
import { slowly, tilde } from "../terminal/Terminal.ts"
import type { VerbArguments } from "../command/Parts.ts"

export interface Place {
  readonly path: string
  /** For a linked work tree, this is the main work tree. */
  readonly root: string
  /** True if the place was named on the command line. */
  readonly given: boolean
  /** If there is a database, `path` is its name in messages. */
  readonly database?: Address.Address
}

type Env = Readonly<Record<string, string | undefined>>

export const ofProject = (root: string, env: Env): Place => {
  const place = MemoryPlace.of(root, env)
  return { path: place.file, root: place.root, given: false }
}

export const namedBy = Effect.fnUntraced(function* (name: string, { option }: VerbArguments) {
  const { cwd } = yield* CliProcess
  const given = option(name)
  if (given === null) return null
  const path = resolve(cwd, given)
  const root = yield* Effect.try({
    try: () => Trust.rootOf(dirname(path)),
    catch: (cause) => new CliFailure({ problem: `--${name}: ${explain(cause).problem}` })
  })
  return { path, root, given: true } satisfies Place
})

export const databaseOf = Effect.fnUntraced(function* (said: string | null) {
  const { cwd, env } = yield* CliProcess
  if (said === null || !Address.isAddress(said)) return null
  const address = yield* Effect.try({
    try: () => Address.read(said, env),
    catch: (cause) => new CliFailure({ problem: `--store: ${oneLine(explain(cause).problem)}` })
  })
  const { root } = ofProject(Trust.rootOf(cwd), env)
  const settings = { project: (yield* ProjectName.of(root)) ?? "", machine: hostname() }
  const database = Address.withSettings(address, settings)
  return { path: database.shown, root, given: true, database } satisfies Place
})

export const placeOf = Effect.fnUntraced(function* (given: VerbArguments) {
  const { cwd, env } = yield* CliProcess
  const named = (yield* databaseOf(given.option("store"))) ?? (yield* namedBy("store", given))
  const place: Place = named ?? ofProject(Trust.rootOf(cwd), env)
  return place
})

export const shownPath = ({ path }: Place) => Effect.map(CliProcess, ({ env }) => tilde(env, path))

/** The driver is loaded only here. */
export const client = Effect.promise(() => import("../database/Client.ts"))

/** Matches for example `/shop/reflections.jsonl: open: EACCES: permission denied, open '/shop/reflections.jsonl'`. */
const byDisk = /^(.{1,4096}?): [a-z]{1,20}: (E[A-Z0-9]{2,20}): /su

export const refused = ({ detail }: ReflectionError): CliFailure => {
  const [, path, code] = byDisk.exec(detail) ?? []
  const known = path === undefined ? null : explain(Object.assign(new Error(detail), { code }), path).problem
  return new CliFailure({ problem: known ?? oneLine(detail) })
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** In seconds: ten years. */
const most = 3650 * 86_400

/** Parses an age such as 24h. Null if none was given. */
export const ageOf = (command: string, said: string | null, option = "since") => {
  if (said === null) return Effect.succeed(null)
  const [, count = "", unit = ""] = /^(\d{1,6})([smhdw])$/u.exec(said) ?? []
  const seconds = Number(count) * (units[unit] ?? 0)
  const fail = (why: string) =>
    new UsageError({ command, problem: `--${option}: "${oneLine(said.slice(0, 100))}" ${why}` })
  if (seconds === 0) return fail("is not an age such as 30m, 24h or 7d")
  return seconds > most ? fail("is more than ten years (3650d)") : Effect.succeed(Duration.seconds(seconds))
}

export const countOf = (command: string, said: string | null, otherwise: number) => {
  if (said === null) return Effect.succeed(otherwise)
  return /^[1-9]\d{0,6}$/u.test(said)
    ? Effect.succeed(Number(said))
    : new UsageError({ command, problem: `--limit: "${oneLine(said.slice(0, 100))}" is not a number such as 20` })
}

const linked = "it is a symbolic link, and reflexion does not follow links here"

/** If the user named a file and it is only read, it must exist: its name can be misspelled. */
export const unfit = ({ given, path }: Place, writes: boolean): string | null => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink() === true) return `${path}: ${linked}`
  if (found?.isDirectory() === true) return `${path}: this is a folder; name a file`
  if (found?.isFile() === false) return `${path}: it is no plain file`
  if (given) return found === undefined && !writes ? `${path}: there is no such file` : null
  const folder = dirname(path)
  return lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true ? `${folder}: ${linked}` : null
}

export const fit = (place: Place, writes: boolean, option: string): Effect.Effect<void, CliFailure> =>
  Effect.try({
    try: () => (place.database === undefined ? unfit(place, writes) : null),
    catch: (cause) => explain(cause, place.path).problem
  }).pipe(
    Effect.catchAll(Effect.succeed),
    Effect.flatMap((problem) =>
      problem === null
        ? Effect.void
        : new CliFailure({ problem: `${place.given ? `--${option}: ` : ""}${oneLine(problem)}` })
    )
  )

export const warnings = Logger.replace(
  Logger.defaultLogger,
  Logger.withConsoleError(
    Logger.make<unknown, string>(({ message }) => {
      const said = [message].flat().filter((part) => typeof part === "string")
      return `reflexion: ${oneLine(said.join(" "))}`
    })
  )
)

const fileOf = ({ path }: Place) => Layer.catchAll(ReflexionStore.Live({ path }), (error) => Layer.fail(refused(error)))

export const inDatabase = (database: Address.Address, writes: boolean) =>
  Layer.unwrapEffect(Effect.map(client, ({ layer }) => layer(database, writes)))

/** Records each lesson that a command adds as the user's own. If this fails, the lesson counts as another person's. */
const layerOf = (place: Place, writes: boolean) =>
  Layer.effect(
    ReflexionStore,
    Effect.gen(function* () {
      const directories = UserDirectories.make((yield* CliProcess).env)
      const store = yield* ReflexionStore
      const append: typeof store.append = Effect.fnUntraced(function* (lessons) {
        // The project's review folder gets a file that makes git ignore it.
        if (!place.given)
          yield* Effect.try({
            try: () => MemoryPlace.prepare(place.path),
            catch: (cause) => new ReflectionError({ reason: "storage_error", detail: explain(cause).problem })
          })
        const kept = yield* store.append(lessons)
        yield* Effect.catchAll(
          Effect.try(() => LessonTrust.own(directories, kept)),
          ({ error }) => Effect.logWarning(`reflexion cannot record that you added this: ${explain(error).problem}`)
        )
        return kept
      })
      return { ...store, append }
    })
  ).pipe(Layer.provide(place.database === undefined ? fileOf(place) : inDatabase(place.database, writes)))

/** `writes` allows creating the memory. `doing` is printed if the program takes longer than a second. */
export const within =
  (
    place: Place,
    { doing = `reading ${oneLine(place.path)}`, writes }: { readonly writes: boolean; readonly doing?: string }
  ) =>
  <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.zipRight(
      fit(place, writes, "store"),
      program.pipe(Effect.provide(layerOf(place, writes)), slowly(doing), Effect.provide(warnings))
    )
