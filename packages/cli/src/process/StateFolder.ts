/** Whether the user's state can be written. A hook that cannot keep its state sends no agent on, and has nowhere to say so. */
import { accessSync, constants, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { explain } from "./FileProblem.ts"

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

/** Leaves nothing behind. An empty file would have room on a disk that is full. */
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

/** Why nothing can be written in the folder of the state or in those of its sessions; null where it can. */
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
