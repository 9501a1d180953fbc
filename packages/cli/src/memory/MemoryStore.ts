/** The memory that a command works on: where it is, and how it is opened. */
import { ReflectionError } from "@reflexion/core/internal/memory/lessons/ReflectionError"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as LessonTrust from "@reflexion/hooks/memory/LessonTrust"
import * as MemoryPlace from "@reflexion/hooks/memory/MemoryPlace"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { lstatSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { MemoryError, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { explain } from "../process/FileProblem.ts"
import { oneLine } from "../terminal/Layout.ts"
import type { VerbArguments } from "../command/Parts.ts"

/** Where a file is, and the project that it belongs to: of linked work trees the main one. `given`: it was named on the command line. */
export interface Place {
  readonly path: string
  readonly root: string
  readonly given: boolean
}

type Env = Readonly<Record<string, string | undefined>>

/** The memory that a project has without being told. */
export const ofProject = (root: string, env: Env): Place => {
  const place = MemoryPlace.of(root, env)
  return { path: place.file, root: place.root, given: false }
}

/** The file that an option names, null where it names none. */
export const namedBy = Effect.fnUntraced(function* (name: string, { option }: VerbArguments) {
  const { cwd } = yield* CliProcess
  const given = option(name)
  if (given === null) return null
  const path = resolve(cwd, given)
  const root = yield* Effect.try({
    try: () => Trust.rootOf(dirname(path)),
    catch: (cause) => new MemoryError({ problem: `--${name}: ${explain(cause).problem}` })
  })
  return { path, root, given: true } satisfies Place
})

export const placeOf = Effect.fnUntraced(function* (given: VerbArguments) {
  const { cwd, env } = yield* CliProcess
  const place: Place = (yield* namedBy("store", given)) ?? ofProject(Trust.rootOf(cwd), env)
  return place
})

/** `/shop/reflections.jsonl: open: EACCES: permission denied, open '/shop/reflections.jsonl'` */
const byDisk = /^(.{1,4096}?): [a-z]{1,20}: (E[A-Z0-9]{2,20}): /su

/** What the store refused, as the command says it. */
export const refused = ({ detail }: ReflectionError): MemoryError => {
  const [, path, code] = byDisk.exec(detail) ?? []
  const known = path === undefined ? null : explain(Object.assign(new Error(detail), { code }), path).problem
  return new MemoryError({ problem: known ?? oneLine(detail) })
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Ten years: what is older is in no file. */
const most = 3650 * 86_400

/** An age such as 24h, null where none was given. */
export const ageOf = (command: string, said: string | null, option = "since") => {
  if (said === null) return Effect.succeed(null)
  const [, count = "", unit = ""] = /^(\d{1,6})([smhdw])$/u.exec(said) ?? []
  const seconds = Number(count) * (units[unit] ?? 0)
  const fail = (why: string) =>
    new UsageError({ command, problem: `--${option}: "${oneLine(said.slice(0, 100))}" ${why}` })
  if (seconds === 0) return fail("is no age, such as 30m, 24h or 7d")
  return seconds > most ? fail("is more than ten years (3650d)") : Effect.succeed(Duration.seconds(seconds))
}

/** A count such as 20, `otherwise` where none was given. */
export const countOf = (command: string, said: string | null, otherwise: number) => {
  if (said === null) return Effect.succeed(otherwise)
  return /^[1-9]\d{0,6}$/u.test(said)
    ? Effect.succeed(Number(said))
    : new UsageError({ command, problem: `--limit: "${oneLine(said.slice(0, 100))}" is no count, such as 20` })
}

/** Says what is being done where it takes longer than a second. */
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

/** Why a place can be no file of ours. What is only read has to be there where it was named: a misspelt name is no place. */
export const unfit = ({ given, path }: Place, writes: boolean): string | null => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink() === true) return `${path}: ${linked}`
  if (found?.isDirectory() === true) return `${path}: it is a folder; name a file`
  if (found?.isFile() === false) return `${path}: it is no plain file`
  if (given) return found === undefined && !writes ? `${path}: there is no such file` : null
  const folder = dirname(path)
  return lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true ? `${folder}: ${linked}` : null
}

/** Fails where a place is unfit; `option` is the one that named it. */
export const fit = (place: Place, writes: boolean, option: string): Effect.Effect<void, MemoryError> =>
  Effect.try({ try: () => unfit(place, writes), catch: (cause) => explain(cause, place.path).problem }).pipe(
    Effect.catchAll(Effect.succeed),
    Effect.flatMap((problem) =>
      problem === null
        ? Effect.void
        : new MemoryError({ problem: `${place.given ? `--${option}: ` : ""}${oneLine(problem)}` })
    )
  )

/** What is to be said on standard error with the answer: a line that a crash tore, or a model that gave no lesson. */
export const warnings = Logger.replace(
  Logger.defaultLogger,
  Logger.withConsoleError(
    Logger.make<unknown, string>(({ message }) => {
      const said = [message].flat().filter((part) => typeof part === "string")
      return `reflexion: ${oneLine(said.join(" "))}`
    })
  )
)

/** What a command adds is the user's own, as it is kept. Without a place to note that, it is another's. */
const layerOf = (place: Place) =>
  Layer.effect(
    ReflexionStore,
    Effect.gen(function* () {
      const directories = UserDirectories.make((yield* CliProcess).env)
      const store = yield* ReflexionStore
      const append: typeof store.append = Effect.fnUntraced(function* (lessons) {
        // A project's folder for reviews has a file of its own, so that git ignores it.
        if (!place.given)
          yield* Effect.try({
            try: () => MemoryPlace.prepare(place.path),
            catch: (cause) => new ReflectionError({ reason: "storage_error", detail: explain(cause).problem })
          })
        const kept = yield* store.append(lessons)
        yield* Effect.catchAll(
          Effect.try(() => LessonTrust.own(directories, kept)),
          ({ error }) => Effect.logWarning(`it cannot be noted that you added this: ${explain(error).problem}`)
        )
        return kept
      })
      return { ...store, append }
    })
  ).pipe(
    Layer.provide(ReflexionStore.Live({ path: place.path })),
    Layer.catchAll((error) => Layer.fail(refused(error)))
  )

/**
 * Runs a program with the memory at a place. `writes`: it may add to a memory that is not there yet. `doing` is said where
 * it takes longer than a second.
 */
export const within =
  (
    place: Place,
    { doing = `reading ${oneLine(place.path)}`, writes }: { readonly writes: boolean; readonly doing?: string }
  ) =>
  <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.zipRight(
      fit(place, writes, "store"),
      program.pipe(Effect.provide(layerOf(place)), slowly(doing), Effect.provide(warnings))
    )
