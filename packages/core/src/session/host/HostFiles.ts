/** What hosts that keep files have in common: the user's folders, events, sessions that are files. */
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

/** A folder that a variable names, else one in the user's home directory. */
export const userFolder = ({ cwd, env }: HostPlace, variable: string, name: string): string => {
  const given = env[variable]
  return given === undefined || given === "" ? join(homeOf(env), name) : resolve(cwd, given)
}

/** In seconds. Checks have ten minutes, and evidence takes a moment; at a prompt only `/reflection checks run` takes that long. */
export const longest = 660

/** A subagent's stop and a compaction are no stop of the task: a hook there would cost a process and say nothing. */
export const commonEvents: ReadonlyArray<HookEvent> = [
  ["Stop", longest],
  ["UserPromptSubmit", longest],
  ["SessionStart", 10]
]

/** What an answer of a small model counts against, where the user has a plan. */
export const plan = "it counts against your plan's limits"

const written = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.stat(file).pipe(
    Effect.map(({ mtime }) => Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() })),
    Effect.orElseSucceed(() => 0)
  )
})

const sessionOf = (file: string, name: string) =>
  Effect.map(written(file), (time): SessionFile => ({ name, file, written: time }))

/** A directory's sessions where each is a file; `find` gives some that were written to last, the last first. */
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
