/**
 * What a file of the user's was before it was changed: a record for each, in the user's state. It undoes the
 * change to the byte.
 */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import type { UserDirectories } from "@reflexion/hooks/places/UserDirectories"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"

/**
 * `before` is the file's bytes in base64, null where there was none; `folders` those that were made for it, the
 * innermost first; `after` the hash of what was written, `commands` our commands in it.
 */
export const InstallRecord = Schema.Struct({
  version: Schema.Literal(1),
  host: Schema.String,
  file: Schema.String,
  real: Schema.String,
  before: Schema.NullOr(Schema.String),
  folders: Schema.Array(Schema.String),
  after: Schema.String,
  commands: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
})

export type InstallRecord = typeof InstallRecord.Type

const Text = Schema.parseJson(InstallRecord, { space: 2 })

export const hashOf = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex")

const folderOf = (directories: UserDirectories): string => join(directories.state, "installed")

const fileOf = (directories: UserDirectories, { host, real }: Pick<InstallRecord, "host" | "real">): string =>
  join(folderOf(directories), `${host}-${hashOf(real).slice(0, 16)}.json`)

const read = (file: string): InstallRecord | null => {
  const text = PlainFiles.read(file)
  return text === null ? null : Either.getOrNull(Schema.decodeEither(Text)(text))
}

/** Null where there is none, or none that can be understood: the file is then undone entry by entry. */
export const find = (directories: UserDirectories, host: string, real: string): InstallRecord | null =>
  read(fileOf(directories, { host, real }))

/** The records of a host. */
export const all = (directories: UserDirectories, host: string): ReadonlyArray<InstallRecord> => {
  const folder = folderOf(directories)
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name.startsWith(`${host}-`) && name.endsWith(".json"))
    .flatMap((name) => read(join(folder, name)) ?? [])
}

export const save = (directories: UserDirectories, record: InstallRecord): void =>
  PlainFiles.write(fileOf(directories, record), `${Schema.encodeSync(Text)(record)}\n`)

export const drop = (directories: UserDirectories, host: string, real: string): void =>
  rmSync(fileOf(directories, { host, real }), { force: true })
