/** Whether the user trusts the files of a workspace. Trust is a fingerprint, so it ends when a file changes. */
import { lazy } from "@reflexion/core/internal/base/text/Lazy"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Checksum from "../places/Checksum.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import type { UserDirectories } from "../places/UserDirectories.ts"
import * as KeptByName from "./KeptByName.ts"

export const configuration = ".reflection/config.json"

/** These files have the user's advice for the judging model, in this order. */
const guidance: ReadonlyArray<string> = [".reflection.md", "reflection.md"]

/** If the user does not trust these files, they have a limited effect. */
export const files: ReadonlyArray<string> = [configuration, ...guidance]

/** "changed": the user trusted an earlier version of the files. */
export type Status = "trusted" | "untrusted" | "changed"

export const rootOf: (directory: string) => string = ProjectRoot.of

/** Never follows a link in the workspace, because the workspace is not trusted. */
const readFile = (root: string, name: string): string | null => {
  const file = Path.join(root, name)
  const folder = Path.dirname(file)
  if (FS.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error(`${folder} is a symbolic link, which reflexion does not follow`)
  const bound = name === configuration ? { maxBytes: ReflexionConfig.maxLength } : {}
  return PlainFiles.read(file, { ...bound, ofWorkspace: true })
}

export interface Configuration {
  readonly file: string
  readonly text: string
  /** The fingerprint of all workspace files, if the user trusts them. */
  readonly trusted: string | null
}

/** Each file is read at most once. So the text in use is the same as the text in the fingerprint. */
export class Workspace {
  readonly root: string
  readonly #directories: UserDirectories
  readonly #texts: ReadonlyMap<string, () => string | null>
  readonly #status = lazy(() => statusOf(this.#directories, this))

  private constructor(directories: UserDirectories, root: string) {
    this.root = ProjectRoot.real(root)
    this.#directories = directories
    this.#texts = new Map(files.map((name) => [name, lazy(() => readFile(this.root, name))]))
  }

  /** Resolves links in the path. Files are read later. */
  static readonly at = (directories: UserDirectories, root: string): Workspace => new Workspace(directories, root)

  #text(name: string): string | null {
    return this.#texts.get(name)?.() ?? null
  }

  /** Throws if a file is a link, not a plain file, too large or unreadable. */
  get contents(): ReadonlyArray<readonly [name: string, text: string]> {
    return files.flatMap((name) => {
      const text = this.#text(name)
      return text === null ? [] : [[name, text] as const]
    })
  }

  /** Throws like `contents`. */
  get fingerprint(): string {
    return Checksum.sha256(this.contents.map((content) => JSON.stringify(content)).join(""))
  }

  /** Never throws: a file that cannot be read is not trusted. */
  get status(): Status {
    return this.#status()
  }

  /** If there is no configuration file, no other file is read. Throws if the file cannot be read. */
  get configuration(): Configuration | null {
    const text = this.#text(configuration)
    if (text === null) return null
    const trusted = this.status === "trusted" ? this.fingerprint : null
    return { file: Path.join(this.root, configuration), text, trusted }
  }

  /** Null if the user does not trust the project. */
  get guidance(): ReadonlyArray<string> | null {
    return this.status === "trusted" ? guidance.flatMap((name) => this.#text(name) ?? []) : null
  }
}

const kept = KeptByName.make({
  file: "trust.json",
  key: "roots",
  read: (value) => (typeof value === "string" ? value : null),
  remedy: "trust again what you trusted"
})

const statusOf = (directories: UserDirectories, workspace: Workspace): Status => {
  let known: string | undefined
  try {
    known = kept.read(directories).get(workspace.root)
    if (known === undefined) return "untrusted"
    return known === workspace.fingerprint ? "trusted" : "changed"
  } catch {
    return known === undefined ? "untrusted" : "changed"
  }
}

/** Throws if a file or the state cannot be read or written. */
export const trust = (directories: UserDirectories, workspace: Workspace): void =>
  kept.keep(directories, workspace.root, workspace.fingerprint)

/** True if the project was trusted. Throws if the state cannot be read or written. */
export const untrust = (directories: UserDirectories, root: string): boolean =>
  kept.forget(directories, ProjectRoot.real(root))
