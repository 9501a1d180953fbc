import * as fs from "node:fs"
import { dirname, join } from "node:path"
import type { FileAnswer, FileRequest } from "../../src/session/project/RepoSignals.ts"

const statOf = (path: string): FileAnswer => {
  const stat = fs.statSync(path)
  return { kind: stat.isFile() ? "file" : stat.isDirectory() ? "folder" : "other", size: stat.size }
}

const ask = ({ path, want }: FileRequest): FileAnswer => {
  switch (want) {
    case "list":
      return fs.readdirSync(path)
    case "read":
      return fs.readFileSync(path, "utf8")
    case "realPath":
      return fs.realpathSync(path)
    case "stat":
      return statOf(path)
  }
}

/** Answers a request for a file from the disk at once, as a hook does. */
export const answer = (request: FileRequest): FileAnswer => {
  try {
    return ask(request)
  } catch {
    return null
  }
}

export const writeAll = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(folder, name)), { recursive: true })
    fs.writeFileSync(join(folder, name), text)
  }
}
