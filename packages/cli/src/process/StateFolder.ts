/** Checks whether the user's state can be written. A hook cannot report this, because it cannot save its state. */
import { accessSync, constants, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { explain } from "./FileProblem.ts"

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

/** The test file is not empty, because an empty file can be written even on a full disk. */
const attempt = (folder: string): void => {
  const there = nearest(folder)
  if (!statSync(there).isDirectory()) throw new Error(`${there} is a file where a folder is needed: move it away`)
  if (there !== folder) return accessSync(there, constants.W_OK)
  const file = join(folder, `.log.jsonl.${process.pid}.0`)
  try {
    writeFileSync(file, new Uint8Array(4096), { mode: 0o600 })
  } finally {
    rmSync(file, { force: true })
  }
}

/** Says why the state folder or a folder of its sessions cannot be written, or null. */
export const problemOf = (state: string): string | null => {
  const sessions = join(state, "sessions")
  try {
    for (const folder of [state, sessions]) attempt(folder)
    if (existsSync(sessions)) for (const host of readdirSync(sessions)) attempt(join(sessions, host))
    return null
  } catch (cause) {
    return explain(cause, state).problem
  }
}
