/**
 * Whether the user's state can be written. A hook that cannot keep its state and its log does not push, and has
 * nowhere to say so.
 */
import * as Hosts from "../host/Hosts.ts"
import { accessSync, constants, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
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

/** Where the hooks of each host keep what they know of a session. */
const below = (state: string): ReadonlyArray<string> => {
  const sessions = join(state, "sessions")
  if (!existsSync(sessions)) return []
  const hosts = statSync(sessions).isDirectory() ? readdirSync(sessions).filter((name) => known.has(name)) : []
  return [sessions, ...hosts.map((host) => join(sessions, host))]
}

const known: ReadonlySet<string> = new Set(Hosts.names)

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

/** Leaves no folder behind that was not there. */
const attempt = (folder: string): void => {
  const there = nearest(folder)
  if (!statSync(there).isDirectory()) throw new Error(`${there} is a file where a folder is needed: move it away`)
  if (there === folder) tryFolder(folder)
  else accessSync(there, constants.W_OK)
}

/**
 * Why nothing can be written in the folder of the state or in those of its sessions, or where it would be made; null
 * where it can.
 */
export const problemOf = (folder: string): string | null => {
  try {
    for (const one of [folder, ...below(folder)]) attempt(one)
    return null
  } catch (cause) {
    return explain(cause, folder).problem
  }
}
