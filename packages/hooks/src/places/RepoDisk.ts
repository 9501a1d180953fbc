/** The working copy's files, answered synchronously. */
import type * as RepoSignals from "@reflexion/core/RepoSignals"
import * as FS from "node:fs"

const stat = (path: string): RepoSignals.FileStat => {
  const found = FS.statSync(path)
  return { kind: found.isFile() ? "file" : found.isDirectory() ? "folder" : "other", size: found.size }
}

const look = ({ path, want }: RepoSignals.FileRequest): RepoSignals.FileAnswer => {
  switch (want) {
    case "list":
      return FS.readdirSync(path)
    case "read":
      return FS.readFileSync(path, "utf8")
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
