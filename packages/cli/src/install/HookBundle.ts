/** The files of the hooks. They come with this command line. Hosts run copies, one for each version. */
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import type { UserDirectories } from "@reflexion/hooks/places/UserDirectories"
import * as Array from "effect/Array"
import * as Option from "effect/Option"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { CliFailure } from "../process/CliError.ts"
import type { Host } from "../host/Hosts.ts"

export interface HookBundle {
  /** The version and a part of the hash of the contents. */
  readonly id: string
  readonly files: ReadonlyArray<readonly [name: string, bytes: Buffer]>
}

/** The file that a host runs at its events (`hooks`) or loads (`plugin`). */
export const entries = { hooks: "hook.cjs", plugin: "server.js" } as const

/** `folder` is the folder with the host's copies. */
export const isEntry = (file: string, folder: string, form: keyof typeof entries): boolean => {
  const id = basename(dirname(file))
  return /^[0-9A-Za-z][0-9A-Za-z.+-]{0,100}$/u.test(id) && file === join(folder, id, entries[form])
}

const filesIn = (folder: string): HookBundle["files"] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((found) => (found.isFile() ? [found.name] : []))
    .toSorted()
    .map((name) => [name, readFileSync(join(folder, name))] as const)

const hashOf = (files: HookBundle["files"]): string => {
  const hash = createHash("sha256")
  for (const [name, bytes] of files) hash.update(`${name}\0${bytes.length}\0`).update(bytes)
  return hash.digest("hex").slice(0, 8)
}

const contentsOf = Option.liftThrowable(filesIn)

/** Throws if this build has no such bundle. */
export const shipped = (folder: string, host: Host, version: string): HookBundle => {
  const { form, plugin } = host.installation
  const own = join(folder, plugin?.bundle ?? host.name)
  const file = join(own, entries[form])
  if (!existsSync(file)) {
    const what = form === "plugin" ? "plugin" : "hook"
    throw new CliFailure({ problem: `${file} is missing: this build of reflexion has no ${what} for ${host.title}` })
  }
  const files = filesIn(own)
  return { id: `${version}-${hashOf(files)}`, files }
}

/** A command that names a file in this folder is ours. */
export const rootFolder = (directories: UserDirectories): string => join(directories.data, "hooks")

export const hostFolder = (directories: UserDirectories, host: Host): string => join(rootFolder(directories), host.name)

export const folderOf = (directories: UserDirectories, host: Host, id: string): string =>
  join(hostFolder(directories, host), id)

export const isWhole = (folder: string): boolean =>
  Option.exists(contentsOf(folder), (files) => folder.endsWith(`-${hashOf(files)}`))

/** A damaged copy is replaced. Returns true if it wrote files. */
export const copy = (directories: UserDirectories, host: Host, bundle: HookBundle): boolean => {
  const folder = folderOf(directories, host, bundle.id)
  if (isWhole(folder)) {
    const now = new Date()
    utimesSync(folder, now, now)
    return false
  }
  rmSync(folder, { recursive: true, force: true })
  for (const [name, bytes] of bundle.files) PlainFiles.write(join(folder, name), bytes, { mode: 0o644 })
  return true
}

/** Open sessions can call a removed hook. This file reads its input, so that the host's pipe does not break. */
const silent = `// Removed. Sessions that were open may still call this file.
process.stdin.on("error", () => {}).on("end", () => process.exit(0)).resume();
setTimeout(() => process.exit(0), 300);
`

const isSilent = (folder: string): boolean =>
  Option.exists(
    contentsOf(folder),
    ([first, ...more]) => more.length === 0 && first?.[0] === entries.hooks && first[1].toString() === silent
  )

/** In ms. No session is open longer than this. */
const silentMs = 30 * 86_400_000

const retire = (folder: string, { installation: { form } }: Host): void => {
  rmSync(folder, { recursive: true, force: true })
  // An open session has already loaded its plugin and does not read the file again.
  if (form === "hooks") PlainFiles.write(join(folder, entries.hooks), silent, { mode: 0o644 })
}

const names = (text: string, id: string): boolean => text.includes(`/${id}/`) || text.includes(`\\${id}\\`)

/** Removes the copies that no text names, except the `keep` newest. Hooks are replaced by `silent` for a month. */
export const prune = (
  directories: UserDirectories,
  host: Host,
  options: { readonly texts: ReadonlyArray<string>; readonly keep: number; readonly now: number }
): ReadonlyArray<string> => {
  const parent = hostFolder(directories, host)
  if (!existsSync(parent)) return []
  const all = readdirSync(parent).filter((name) => statSync(join(parent, name)).isDirectory())
  const written = new Map(all.map((id) => [id, statSync(join(parent, id)).mtimeMs]))
  const at = (id: string): number => written.get(id) ?? 0
  const [ids, quiet] = Array.partition(all, (id) => isSilent(join(parent, id)))
  for (const id of quiet)
    if (options.now - at(id) > silentMs) rmSync(join(parent, id), { recursive: true, force: true })
  const newest = ids.toSorted((a, b) => at(b) - at(a)).slice(0, options.keep)
  const gone = ids.filter((id) => !newest.includes(id) && !options.texts.some((text) => names(text, id)))
  for (const id of gone) retire(join(parent, id), host)
  if (readdirSync(parent).length === 0) rmSync(parent, { recursive: true, force: true })
  return gone.map((id) => join(parent, id))
}

/** Compiled code and cached configuration are made again when needed. */
export const clearCache = ({ cache }: UserDirectories): void => {
  for (const name of ["code", "config"]) rmSync(join(cache, name), { recursive: true, force: true })
  if (existsSync(cache) && readdirSync(cache).length === 0) rmdirSync(cache)
}
