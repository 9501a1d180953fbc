/** Helpers for hosts that store files: the user's folders, the events, and sessions in files. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { homedir } from "node:os"
import { basename, join, resolve } from "node:path"
import type { Env, HookEvent, Place, SessionFile, Sessions, HostPlace } from "./Host.ts"

export const homeOf = (env: Env): string => env["HOME"] || env["USERPROFILE"] || homedir()

export const userFolder = ({ cwd, env }: HostPlace, variable: string, name: string): string => {
  const given = env[variable]
  return given === undefined || given === "" ? join(homeOf(env), name) : resolve(cwd, given)
}

/** In seconds. Checks have ten minutes, and reading the evidence takes a moment. */
export const longest = 660

/** The end of a subagent and a compaction have no hook: the main agent's turn goes on, and a hook costs a process. */
export const commonEvents: ReadonlyArray<HookEvent> = [
  ["Stop", longest],
  ["UserPromptSubmit", longest],
  ["SessionStart", 10]
]

export const plan = "a question counts against your plan's limits"

const written = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.stat(file).pipe(
    Effect.map(({ mtime }) => Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() })),
    Effect.orElseSucceed(() => 0)
  )
})

const sessionOf = (file: string, name: string) =>
  Effect.map(written(file), (time): SessionFile => ({ name, file, written: time }))

/** `find` returns the last changed files, newest first. */
export const sessionsOf = (
  find: (
    place: Place,
    limit: number
  ) => Effect.Effect<ReadonlyArray<string>, PlatformError | ConfigError, FileSystem.FileSystem | Path.Path>
): Pick<Sessions, "newest" | "recent"> => ({
  newest: (place) =>
    Effect.flatMap(find(place, 1), ([file]) =>
      file === undefined
        ? Effect.succeedNone
        : Effect.map(
            sessionOf(file, file),
            Option.liftPredicate((one) => one.written > place.after)
          )
    ),
  recent: (place, limit) =>
    Effect.flatMap(
      find(place, limit),
      Effect.forEach((file) =>
        Effect.map(
          sessionOf(file, basename(file).replace(/\.jsonl(?:\.zst)?$/u, "")),
          (one): Either.Either<SessionFile, string> => Either.right(one)
        )
      )
    )
})
