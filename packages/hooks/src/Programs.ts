/**
 * The user's programs, by their names.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import { accessSync, constants, statSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, isAbsolute, join } from "node:path"
import { isInside } from "./Paths.ts"
import * as Trust from "./Trust.ts"

type Env = Readonly<Record<string, string | undefined>>

const runnable = Option.liftThrowable((path: string) => {
  accessSync(path, constants.X_OK)
  return statSync(path)
})

/**
 * @since 0.1.0
 * @category predicates
 */
export const isProgram = (path: string): boolean => Option.exists(runnable(path), (found) => found.isFile())

/**
 * The programs of a name on PATH, in its order.
 *
 * @since 0.1.0
 * @category accessors
 */
export const onPath = (env: Env, name: string): ReadonlyArray<string> =>
  (env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) =>
      (process.platform === "win32" ? [".exe", ".cmd", ""] : [""]).map((end) => join(folder, name + end))
    )
    .filter(isProgram)

const homeOf = (env: Env): string => env["HOME"] || env["USERPROFILE"] || homedir()

/**
 * The first of them, null where there is none. A program that the project of `cwd` brings along is not the user's.
 *
 * @since 0.1.0
 * @category accessors
 */
export const own = ({ cwd, env }: { readonly cwd: string; readonly env: Env }, name: string): string | null => {
  const root = Trust.rootOf(cwd)
  const isForeign = (path: string): boolean => isInside(root, path) && !isInside(root, homeOf(env))
  return onPath(env, name).find((path) => !isForeign(path)) ?? null
}
