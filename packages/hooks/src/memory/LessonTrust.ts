/** Whose lessons a memory has: the user's own are known by fingerprints in their state, others' are believed once trusted. */
import type { Reflection } from "@reflexion/core/Reflection"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Checksum from "../places/Checksum.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

/** What tells a lesson from one that says or means anything else. */
export const fingerprint = (one: Reflection): string => {
  const { actionItems, analysis, attemptNumber, category, confidence, createdAt, id, subtaskId, suggestion } = one
  const said = [id, one.taskId, subtaskId, attemptNumber, category, analysis, suggestion, actionItems, confidence]
  return Checksum.sha256(JSON.stringify([...said, createdAt, one.tags]), "base64url").slice(0, 22)
}

/** `own` is of all projects, for a lesson is the user's wherever it is read; `root` is without symbolic links. */
export const files = (
  { state }: UserDirectories,
  root: string
): { readonly own: string; readonly trusted: string } => ({
  own: Path.join(state, "lessons", "own"),
  trusted: Path.join(state, "lessons", `${ReviewLesson.projectOf(root)}.trusted`)
})

const maxBytes = 64 * 1024 * 1024

/** What cannot be read is nobody's. */
const listed = (file: string): ReadonlySet<string> => {
  try {
    return new Set((PlainFiles.read(file, { maxBytes }) ?? "").split("\n"))
  } catch {
    return new Set()
  }
}

/** Notes lessons as the user's own, as they are kept. Throws what the file system throws. */
export const own = (directories: UserDirectories, reflections: ReadonlyArray<Reflection>): void => {
  if (reflections.length === 0) return
  PlainFiles.appendLine(files(directories, "").own, reflections.map(fingerprint).join("\n"))
}

/** Those that are the user's own, or that the user trusted. Never throws. */
export const known = (
  directories: UserDirectories,
  root: string,
  reflections: ReadonlyArray<Reflection>
): ReadonlyArray<Reflection> => {
  const lists = Object.values(files(directories, root)).map(listed)
  return reflections.filter((one) => {
    const name = fingerprint(one)
    return lists.some((list) => list.has(name))
  })
}

export const isTrusted = (directories: UserDirectories, root: string): boolean =>
  FS.existsSync(files(directories, root).trusted)

/** Trusts lessons as they are now, instead of those that were trusted before. Throws what the file system throws. */
export const trust = (directories: UserDirectories, root: string, reflections: ReadonlyArray<Reflection>): void =>
  PlainFiles.write(files(directories, root).trusted, reflections.map((one) => `${fingerprint(one)}\n`).join(""))

export const untrust = (directories: UserDirectories, root: string): boolean => {
  const was = isTrusted(directories, root)
  FS.rmSync(files(directories, root).trusted, { force: true })
  return was
}
