/** A file system with hardly any room, which only root may make, and in a container not even root. */
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const ran = (...[program, ...words]: readonly [string, ...ReadonlyArray<string>]): boolean =>
  spawnSync(program, words, { stdio: "ignore" }).status === 0

const mount = (path: string, kilobytes: number): boolean =>
  ran("mount", "-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", path)

const mayMount = (): boolean => {
  const place = mkdtempSync(join(tmpdir(), "mount-"))
  try {
    return mount(place, 64) && ran("umount", place)
  } finally {
    rmdirSync(place)
  }
}

/**
 * Whether one can be made here.
 *
 * @category predicates
 */
export const isPossible = process.getuid?.() === 0 && process.platform === "linux" && mayMount()

/**
 * Puts one at a folder until the scope ends; says whether it is there.
 *
 * @category resources
 */
export const at = (path: string, kilobytes: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      mkdirSync(path, { recursive: true })
      return mount(path, kilobytes)
    }),
    () => Effect.sync(() => ran("umount", path))
  )
