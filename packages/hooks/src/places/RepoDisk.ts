/** Answers questions about the working copy's files, synchronously. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import type * as RepoSignals from "@reflexion/core/RepoSignals"
import * as FS from "node:fs"

const stat = (path: string): RepoSignals.FileStat => {
  const found = FS.statSync(path)
  return { kind: found.isFile() ? "file" : found.isDirectory() ? "folder" : "other", size: found.size }
}

const maxBytes = 262_144

/** Opens the file without a check before it, because the file could change in between. */
export const answer = ({ path, want }: RepoSignals.FileRequest): RepoSignals.FileAnswer => {
  try {
    if (want === "list") return FS.readdirSync(path)
    if (want === "read") return PlainFiles.read(path, { maxBytes })
    return want === "realPath" ? FS.realpathSync(path) : stat(path)
  } catch {
    return null
  }
}
