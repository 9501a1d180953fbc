/** Where a path leads, and what it lies in. */
import * as Option from "effect/Option"
import { realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path"

const realOf = Option.liftThrowable((path: string) => realpathSync(path))

/** The path without symbolic links; of one that is not there, as much of it as is. */
export const real = (path: string): string =>
  Option.getOrElse(realOf(path), () => (dirname(path) === path ? path : join(real(dirname(path)), basename(path))))

/** Whether a path is a folder or leads into it, by either of its names. */
export const isInside = (folder: string, path: string): boolean =>
  [path, real(path)].some((one) =>
    [folder, real(folder)].some((parent) => {
      const steps = relative(parent, one)
      return steps !== ".." && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
    })
  )
