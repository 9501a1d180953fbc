/** Finds out who wrote the lessons of a memory. Other people's lessons are used only if the user trusts them. */
import type { Reflection } from "@reflexion/core/Reflection"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Checksum from "../places/Checksum.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

/** A hash of the whole content of a lesson. */
export const fingerprint = (one: Reflection): string => {
  const { actionItems, analysis, attemptNumber, category, confidence, createdAt, id, subtaskId, suggestion } = one
  const said = [id, one.taskId, subtaskId, attemptNumber, category, analysis, suggestion, actionItems, confidence]
  return Checksum.sha256(JSON.stringify([...said, createdAt, one.tags]), "base64url").slice(0, 22)
}

/** `root` must have no symbolic links. */
export const files = (
  { state }: UserDirectories,
  root: string
): { readonly own: string; readonly trusted: string } => ({
  own: Path.join(state, "lessons", "own"),
  trusted: Path.join(state, "lessons", `${ReviewLesson.projectOf(root)}.trusted`)
})

const maxBytes = 64 * 1024 * 1024

/** A list that cannot be read counts as empty. */
const listed = (file: string): ReadonlySet<string> => {
  try {
    return new Set((PlainFiles.read(file, { maxBytes }) ?? "").split("\n"))
  } catch {
    return new Set()
  }
}

export const own = (directories: UserDirectories, reflections: ReadonlyArray<Reflection>): void => {
  if (reflections.length === 0) return
  PlainFiles.appendLine(files(directories, "").own, reflections.map(fingerprint).join("\n"))
}

/** Keeps the lessons that the user wrote or trusts. Never throws. */
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

/** Replaces the earlier list of trusted lessons. */
export const trust = (directories: UserDirectories, root: string, reflections: ReadonlyArray<Reflection>): void =>
  PlainFiles.write(files(directories, root).trusted, reflections.map((one) => `${fingerprint(one)}\n`).join(""))

export const untrust = (directories: UserDirectories, root: string): boolean => {
  const was = isTrusted(directories, root)
  FS.rmSync(files(directories, root).trusted, { force: true })
  return was
}
