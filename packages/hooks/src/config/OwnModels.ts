/**
 * Whether the user lets reflexion ask a host's own small model: one file in their own state, for a workspace is not trusted.
 * What nobody said is no.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as PlainFiles from "@reflexion/node/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import type { UserDirectories } from "../places/UserDirectories.ts"

type Directories = Pick<UserDirectories, "state">

/**
 * What the user said of a host, and when, as ISO 8601.
 *
 * @category models
 */
export interface Said {
  readonly asked: boolean
  readonly at: string
}

/**
 * By the host's name.
 *
 * @category models
 */
export interface OwnModels {
  readonly hosts: Readonly<Record<string, Said>>
}

/**
 * The name of a host's own small model.
 *
 * @category names
 */
export const nameOf = (host: string): string => `${host}/small`

export const fileOf = ({ state }: Directories): string => Path.join(state, "own-models.json")

/** A few hosts are shorter. */
const maxBytes = 64 * 1024

const version = 1

const damaged = (file: string, what: string): Error =>
  new Error(`${file} is damaged (${what}): remove it, and no model of a host's own is asked until you say so again`)

/** By hand as `say` does it by itself: what is in the folder stays the user's. */
const refuseFolder = (file: string): void => {
  if (FS.lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new Error(
      `${file} is a folder in the place of a file, and no model of a host's own is asked: move the folder away, as by \`mv "${file}" "${file}.folder"\``
    )
}

const parsed = (file: string, text: string): Json.Json => {
  try {
    return Json.object(JSON.parse(text))
  } catch {
    throw damaged(file, "no JSON")
  }
}

const saidOf = (file: string, host: string, value: unknown): Said => {
  const { asked, at } = Json.object(value)
  if (typeof asked !== "boolean" || typeof at !== "string")
    throw damaged(file, `hosts.${host} needs "asked", true or false, and "at", a time`)
  return { asked, at }
}

/**
 * What was said, null where nothing was. Throws for a damaged file, a link, and what is no plain file, too large or
 * unreadable.
 *
 * @category reading
 */
export const read = (directories: Directories): OwnModels | null => {
  const file = fileOf(directories)
  refuseFolder(file)
  const text = PlainFiles.read(file, { maxBytes })
  if (text === null) return null
  const value = parsed(file, text)
  if (value["version"] !== version) throw damaged(file, `"version" has to be ${version}`)
  const { hosts } = value
  if (!Json.isObject(hosts)) throw damaged(file, '"hosts" is no object')
  return {
    hosts: Object.fromEntries(Object.entries(hosts).map(([host, said]) => [host, saidOf(file, host, said)]))
  }
}

/**
 * Whether the user agreed for a host; not where the file cannot be read.
 *
 * @category reading
 */
export const agreed = (directories: Directories, host: string): boolean => {
  try {
    const hosts = read(directories)?.hosts ?? {}
    return Object.hasOwn(hosts, host) && hosts[host]?.asked === true
  } catch {
    return false
  }
}

const offerOf = ({ state }: Directories, host: string): string => Path.join(state, `own-model-offered-${host}`)

/**
 * Whether the user is to be told, now and never again, that they could agree: nothing was said of the host, and no process
 * has told them yet. Where that cannot be kept they are not told at all.
 *
 * @category writing
 */
export const mayOffer = (directories: Directories, host: string): boolean => {
  try {
    if (Object.hasOwn(read(directories)?.hosts ?? {}, host)) return false
    PlainFiles.makeFolder(directories.state)
    FS.closeSync(FS.openSync(offerOf(directories, host), "wx", 0o600))
    return true
  } catch {
    return false
  }
}

const write = (directories: Directories, hosts: OwnModels["hosts"]): void =>
  PlainFiles.write(fileOf(directories), `${JSON.stringify({ version, hosts }, null, 2)}\n`)

/**
 * Moves a folder out of the file's place, which has to be done before anything is kept there.
 *
 * @category writing
 */
export const makeRoom = (directories: Directories): void => {
  PlainFiles.moveFolder(fileOf(directories))
}

/**
 * Keeps what the user said of a host. Throws what `read` throws but for a folder, which is moved away: what others said is
 * not lost.
 *
 * @category writing
 */
export const say = (directories: Directories, host: string, asked: boolean, at: string): void => {
  makeRoom(directories)
  write(directories, { ...read(directories)?.hosts, [host]: { asked, at } })
}

/**
 * Forgets what was said of a host, and that it was offered; the file goes with the last one. Throws what `read` throws.
 *
 * @category writing
 */
export const forget = (directories: Directories, host: string): void => {
  FS.rmSync(offerOf(directories, host), { force: true })
  const known = read(directories)
  if (known === null) return
  const left = Object.entries(known.hosts).filter(([name]) => name !== host)
  if (left.length === 0) FS.rmSync(fileOf(directories), { force: true })
  else write(directories, Object.fromEntries(left))
}
