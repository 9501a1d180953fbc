/** Small files in the user's state folder that keep values by name. A damaged file is reported and left unchanged. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonScan from "@reflexion/core/internal/base/json/JsonScan"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import type { UserDirectories } from "../places/UserDirectories.ts"

export type Directories = Pick<UserDirectories, "state">

export interface Kind<A> {
  readonly file: string
  readonly key: string
  /** Null if the value is invalid. */
  readonly read: (value: unknown) => A | null
  /** Tells the user what to do or expect after a damaged file is removed. */
  readonly remedy: string
}

/** All functions but `fileOf` may throw: if the file is damaged, a link, not a plain file, too large or unreadable. */
export interface NamedStore<A> {
  readonly fileOf: (directories: Directories) => string
  readonly read: (directories: Directories) => ReadonlyMap<string, A>
  readonly keep: (directories: Directories, name: string, value: A) => void
  /** Removes the name. Removes the file if no name is left. True if the file had the name. */
  readonly forget: (directories: Directories, name: string) => boolean
}

const version = 1

export const make = <A>({ file: fileName, key, read: valueOf, remedy }: Kind<A>): NamedStore<A> => {
  const fileOf = ({ state }: Directories): string => Path.join(state, fileName)
  const read = (directories: Directories): ReadonlyMap<string, A> => {
    const file = fileOf(directories)
    const text = PlainFiles.read(file)
    if (text === null) return new Map()
    const damaged = (what: string) => new Error(`${file} is damaged (${what}): remove it, and ${remedy}`)
    const given = Json.object(JsonScan.parse(text))
    const named = given[key]
    if (given["version"] !== version || !Json.isObject(named))
      throw damaged(`no object with "version": ${version} and "${key}"`)
    return new Map(
      Object.entries(named).map(([name, value]) => {
        const found = valueOf(value)
        if (found === null) throw damaged(`${key}.${name.slice(0, 100)}`)
        return [name, found] as const
      })
    )
  }
  /** Uses a lock, so that no change of another process between reading and writing is lost. */
  const change = (directories: Directories, work: (kept: Map<string, A>) => unknown): void => {
    const file = fileOf(directories)
    FileLock.within(`${file}.lock`, 500, () => {
      const kept = new Map(read(directories))
      work(kept)
      const named = Object.fromEntries([...kept].toSorted(([one], [other]) => (one < other ? -1 : 1)))
      if (kept.size === 0) FS.rmSync(file, { force: true })
      else PlainFiles.write(file, `${JSON.stringify({ version, [key]: named }, null, 2)}\n`)
    })
  }
  return {
    fileOf,
    read,
    keep: (directories, name, value) => change(directories, (kept) => kept.set(name, value)),
    forget: (directories, name) => {
      // If the file lacks the name, no folder is created for a lock.
      if (!read(directories).has(name)) return false
      change(directories, (kept) => kept.delete(name))
      return true
    }
  }
}
