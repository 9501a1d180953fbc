/** Explains the file system's error codes and what to do. */
import { codeOf } from "@reflexion/core/internal/base/system/PlainFiles"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { CliFailure } from "./CliError.ts"

const meanings: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk's quota is used up",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links lead in a circle",
  EMFILE: "too many files are open",
  EBUSY: "another program is using it",
  ENOENT: "there is no such file or folder",
  ENAMETOOLONG: "the name is too long"
}

/** Turns the name of a temporary file into the name of the file to write. The user knows only that file. */
const wanted = (path: string): string => {
  const [, name] = /^\.(.+)\.\d{1,10}\.[0-9a-z]{1,20}$/u.exec(basename(path)) ?? []
  return name === undefined ? path : join(dirname(path), name)
}

const found = Option.liftThrowable((path: string) => statSync(path))

/** The nearest parent that is a file where a folder is needed. */
const inTheWay = (path: string): string | null => {
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    if (Option.exists(found(folder), (one) => one.isFile())) return folder
  }
  return null
}

/** Runs code that may throw. `file` is the path to name if the error names none. */
export const attempt = <A>(run: () => A, file: string | null = null): Effect.Effect<A, CliFailure> =>
  Effect.try({ try: run, catch: (cause) => explain(cause, file) })

export const explain = (cause: unknown, file: string | null = null): CliFailure => {
  if (cause instanceof CliFailure) return cause
  const thrown = cause instanceof Error ? cause : new Error(String(cause))
  const code = codeOf(thrown)
  const named = Predicate.hasProperty(thrown, "path") && typeof thrown.path === "string" ? thrown.path : file
  const path = wanted(named ?? "")
  const blocking = code === "ENOTDIR" || code === "EEXIST" || code === "ENOENT" ? inTheWay(join(path, "_")) : null
  const move = `${blocking} is a file where a folder is needed. Move it away, then run this again.`
  if (blocking !== null) return new CliFailure({ problem: move })
  const meaning = code === null ? null : meanings[code]
  const problem = `${meaning ?? thrown.message}. Correct that, then run this again.`
  return new CliFailure({ problem: path === "" || problem.startsWith(path) ? problem : `${path}: ${problem}` })
}
