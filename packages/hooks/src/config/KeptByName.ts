/**
 * What the user said, tried or trusts, by names: a small file of JSON in their own state, for a workspace is not trusted. One that is
 * damaged is told of and left as it is.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import type { UserDirectories } from "../places/UserDirectories.ts"

export type Directories = Pick<UserDirectories, "state">

/**
 * `key` is what the names stand under in the file; `read` gives null for what is no such value; `remedy` says what follows
 * where the file is removed.
 */
export interface Kind<A> {
  readonly file: string
  readonly key: string
  readonly read: (value: unknown) => A | null
  readonly remedy: string
}

const version = 1

const parsed = (text: string): Json.Json => {
  try {
    return Json.object(JSON.parse(text))
  } catch {
    return {}
  }
}

export const fileOf = ({ state }: Directories, { file }: Kind<unknown>): string => Path.join(state, file)

/** Throws for a damaged file, a link, and what is no plain file, too large or unreadable. */
export const read = <A>(directories: Directories, kind: Kind<A>): ReadonlyMap<string, A> => {
  const file = fileOf(directories, kind)
  const text = PlainFiles.read(file)
  if (text === null) return new Map()
  const damaged = (what: string) => new Error(`${file} is damaged (${what}): remove it, and ${kind.remedy}`)
  const given = parsed(text)
  const named = given[kind.key]
  if (given["version"] !== version || !Json.isObject(named))
    throw damaged(`no object with "version": ${version} and "${kind.key}"`)
  return new Map(
    Object.entries(named).map(([name, value]) => {
      const found = kind.read(value)
      if (found === null) throw damaged(`${kind.key}.${name.slice(0, 100)}`)
      return [name, found] as const
    })
  )
}

const write = <A>(directories: Directories, kind: Kind<A>, kept: ReadonlyMap<string, A>): void => {
  const named = Object.fromEntries([...kept].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  PlainFiles.write(fileOf(directories, kind), `${JSON.stringify({ version, [kind.key]: named }, null, 2)}\n`)
}

/** What another process keeps between the reading and the writing would be lost. */
const alone = <A, B>(directories: Directories, kind: Kind<A>, work: () => B): B =>
  FileLock.within(`${fileOf(directories, kind)}.lock`, 500, work)

/** Throws what `read` throws, and `FileLock.Busy`. */
export const keep = <A>(directories: Directories, kind: Kind<A>, name: string, value: A): void =>
  alone(directories, kind, () => write(directories, kind, new Map([...read(directories, kind), [name, value]])))

/** Says whether there was anything; the file goes with the last. Throws what `keep` throws. */
export const forget = <A>(directories: Directories, kind: Kind<A>, name: string): boolean => {
  // Where there is nothing no folder is made for a lock.
  if (!read(directories, kind).has(name)) return false
  return alone(directories, kind, () => {
    const kept = new Map(read(directories, kind))
    if (!kept.delete(name)) return false
    if (kept.size === 0) FS.rmSync(fileOf(directories, kind), { force: true })
    else write(directories, kind, kept)
    return true
  })
}
