/**
 * Whether the user trusts what a workspace brings along: a fingerprint of its files in the user's own state, void as soon
 * as one of them changes.
 *
 * @since 0.1.0
 */
import * as Json from "@reflexion/core/Json"
import * as Crypto from "node:crypto"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as ProjectRoot from "./internal/projectRoot.ts"
import * as PlainFiles from "@reflexion/node/PlainFiles"
import type { UserDirectories } from "./UserDirectories.ts"

/**
 * The files of a workspace that have no full effect until they are trusted, relative to its root.
 *
 * @since 0.1.0
 * @category constants
 */
export const files: ReadonlyArray<string> = [".reflection/config.json", ".reflection.md", "reflection.md"]

/**
 * `changed`: it was trusted as it was before.
 *
 * @since 0.1.0
 * @category models
 */
export type Status = "trusted" | "untrusted" | "changed"

const real = (path: string): string => {
  try {
    return FS.realpathSync(path)
  } catch {
    return Path.resolve(path)
  }
}

/**
 * The root of the project that a folder belongs to, without symbolic links: the nearest folder that has `.git`, else the
 * folder itself.
 *
 * @since 0.1.0
 * @category accessors
 */
export const rootOf: (directory: string) => string = ProjectRoot.of

const isLink = (path: string): boolean => FS.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

const readFile = (root: string, name: string): string | null => {
  const folder = Path.dirname(Path.join(root, name))
  if (isLink(folder)) throw new Error(`${folder} is a symbolic link, which is not followed here`)
  return PlainFiles.read(Path.join(root, name))
}

/**
 * The files of `files` that a root has, with their texts. Throws for a symbolic link and for what is no plain file, too
 * large or unreadable.
 *
 * @since 0.1.0
 * @category reading
 */
export const contents = (root: string): ReadonlyArray<readonly [name: string, text: string]> =>
  files.flatMap((name) => {
    const text = readFile(root, name)
    return text === null ? [] : [[name, text] as const]
  })

/**
 * One hash over the names and contents of a root's files. Throws what `contents` throws.
 *
 * @since 0.1.0
 * @category reading
 */
export const fingerprint = (root: string): string => {
  const hash = Crypto.createHash("sha256")
  for (const [name, text] of contents(root)) hash.update(JSON.stringify([name, text]))
  return hash.digest("hex")
}

const stateFile = (directories: UserDirectories): string => Path.join(directories.state, "trust.json")

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Fingerprints by root. Throws where the file is there and cannot be understood: it must not be overwritten then. */
const load = (directories: UserDirectories): ReadonlyMap<string, string> => {
  const file = stateFile(directories)
  const text = PlainFiles.read(file)
  if (text === null) return new Map()
  const value = parsed(text)
  if (!Json.isObject(value) || !Json.isObject(value["roots"]))
    throw new Error(`${file} is damaged: remove it, then trust anew`)
  return new Map(
    Object.entries(value["roots"]).flatMap(([root, hash]) => (typeof hash === "string" ? [[root, hash] as const] : []))
  )
}

const save = (directories: UserDirectories, roots: ReadonlyMap<string, string>): void =>
  PlainFiles.write(
    stateFile(directories),
    `${JSON.stringify({ version: 1, roots: Object.fromEntries(roots) }, null, 2)}\n`
  )

/**
 * Never throws: what cannot be read is not trusted.
 *
 * @since 0.1.0
 * @category reading
 */
export const status = (directories: UserDirectories, root: string): Status => {
  let known: string | undefined
  try {
    known = load(directories).get(real(root))
    if (known === undefined) return "untrusted"
    return known === fingerprint(real(root)) ? "trusted" : "changed"
  } catch {
    return known === undefined ? "untrusted" : "changed"
  }
}

/**
 * Trusts a root's files as they are now. Throws where one of them, or the state, cannot be read or written.
 *
 * @since 0.1.0
 * @category writing
 */
export const trust = (directories: UserDirectories, root: string): void =>
  save(directories, new Map(load(directories)).set(real(root), fingerprint(real(root))))

/**
 * Says whether anything was taken back. Throws where the state cannot be read or written.
 *
 * @since 0.1.0
 * @category writing
 */
export const untrust = (directories: UserDirectories, root: string): boolean => {
  const roots = new Map(load(directories))
  if (!roots.delete(real(root))) return false
  save(directories, roots)
  return true
}
