/** The working copy's files, answered synchronously. */
import type * as RepoSignals from "@reflexion/core/RepoSignals"
import * as FS from "node:fs"

const stat = (path: string): RepoSignals.FileStat => {
  const found = FS.statSync(path)
  return { kind: found.isFile() ? "file" : found.isDirectory() ? "folder" : "other", size: found.size }
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = FS.constants

// Without O_NONBLOCK a pipe that took the file's place would be waited for. Windows has neither flag.
const careful = O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0)

/** No file that is wanted is longer; what has grown since it was looked at is left. */
const mostBytes = 262_144

const textOf = (descriptor: number): string | null => {
  const found = FS.fstatSync(descriptor)
  if (!found.isFile() || found.size > mostBytes) return null
  const bytes = Buffer.alloc(mostBytes + 1)
  let length = 0
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = FS.readSync(descriptor, bytes, length, bytes.length - length, null)
  return length > mostBytes ? null : bytes.toString("utf8", 0, length)
}

/** What was looked at may be another thing by now: only what was opened counts. */
const read = (path: string): string | null => {
  const descriptor = FS.openSync(path, careful)
  try {
    return textOf(descriptor)
  } finally {
    FS.closeSync(descriptor)
  }
}

const look = ({ path, want }: RepoSignals.FileRequest): RepoSignals.FileAnswer => {
  switch (want) {
    case "list":
      return FS.readdirSync(path)
    case "read":
      return read(path)
    case "realPath":
      return FS.realpathSync(path)
    case "stat":
      return stat(path)
  }
}

/** Null for what is not there or cannot be read. */
export const answer = (request: RepoSignals.FileRequest): RepoSignals.FileAnswer => {
  try {
    return look(request)
  } catch {
    return null
  }
}
