/**
 * Whether the user's state can be written. A hook that cannot keep its state and its log does not push, and has nowhere to
 * say so.
 */
import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { explain } from "./FileProblem.ts"

/** An empty file has room on a disk that is full. */
const page = new Uint8Array(4096)

const tryFolder = (folder: string): void => {
  // Named as what is put in place is, so that a failure is told of the log.
  const file = join(folder, `.log.jsonl.${process.pid}.0`)
  try {
    writeFileSync(file, page, { mode: 0o600 })
  } finally {
    rmSync(file, { force: true })
  }
}

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

/** Leaves no folder behind that was not there. */
const attempt = (folder: string): void => {
  const there = nearest(folder)
  if (!statSync(there).isDirectory()) throw new Error(`${there}: it is no folder`)
  if (there === folder) tryFolder(folder)
  else accessSync(there, constants.W_OK)
}

/**
 * Why nothing can be written in a folder, or where it would be made; null where it can.
 *
 * @category reading
 */
export const problemOf = (folder: string): string | null => {
  try {
    attempt(folder)
    return null
  } catch (cause) {
    return explain(cause, folder).problem
  }
}
