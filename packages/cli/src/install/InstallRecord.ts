/** Saves a file's text before we change it, so that the change can be undone byte for byte. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import type { UserDirectories } from "@reflexion/hooks/places/UserDirectories"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"

const Kept = Schema.transform(Schema.String, Schema.String, {
  decode: (stored) => Buffer.from(stored, "base64").toString(),
  encode: (text) => Buffer.from(text).toString("base64")
})

const InstallRecord = Schema.Struct({
  version: Schema.Literal(1),
  host: Schema.String,
  file: Schema.String,
  real: Schema.String,
  /** Null if the file did not exist. */
  before: Schema.NullOr(Kept),
  /** The folders that were created for the file, the innermost first. */
  folders: Schema.Array(Schema.String),
  /** The hash of the written text. */
  after: Schema.String,
  commands: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
})

export type InstallRecord = typeof InstallRecord.Type

const Text = Schema.parseJson(InstallRecord, { space: 2 })

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

const folderOf = (directories: UserDirectories): string => join(directories.state, "installed")

const fileOf = (directories: UserDirectories, host: string, real: string): string =>
  join(folderOf(directories), `${host}-${hashOf(real).slice(0, 16)}.json`)

const read = (file: string): InstallRecord | null => {
  const text = PlainFiles.read(file)
  return text === null ? null : Either.getOrNull(Schema.decodeEither(Text)(text))
}

/** If a record cannot be read, only our entries are removed from the file. */
export const find = (directories: UserDirectories, host: string, real: string): InstallRecord | null =>
  read(fileOf(directories, host, real))

export const all = (directories: UserDirectories, host: string): ReadonlyArray<InstallRecord> => {
  const folder = folderOf(directories)
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.startsWith(`${host}-`) && name.endsWith(".json"))
    .flatMap((name) => read(join(folder, name)) ?? [])
}

export const save = (directories: UserDirectories, record: InstallRecord): void =>
  PlainFiles.write(fileOf(directories, record.host, record.real), `${Schema.encodeSync(Text)(record)}\n`)

export const drop = (directories: UserDirectories, host: string, real: string): void =>
  rmSync(fileOf(directories, host, real), { force: true })
