/** Whether the user trusts what a workspace brings along: a fingerprint of its files, void as soon as one of them changes. */
import { lazy } from "@reflexion/core/internal/base/text/Lazy"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Checksum from "../places/Checksum.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import type { UserDirectories } from "../places/UserDirectories.ts"
import * as KeptByName from "./KeptByName.ts"

/** A project's configuration, relative to its root. */
export const configuration = ".reflection/config.json"

/** What a model is told to look at, the first before the second. */
const guidance: ReadonlyArray<string> = [".reflection.md", "reflection.md"]

/** The files of a workspace that have no full effect until they are trusted, relative to its root. */
export const files: ReadonlyArray<string> = [configuration, ...guidance]

/** `changed`: it was trusted as it was before. */
export type Status = "trusted" | "untrusted" | "changed"

export const rootOf: (directory: string) => string = ProjectRoot.of

/** A workspace is not trusted: no link of its own is followed. */
const readFile = (root: string, name: string): string | null => {
  const file = Path.join(root, name)
  const folder = Path.dirname(file)
  if (FS.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error(`${folder} is a symbolic link, which is not followed here`)
  const bound = name === configuration ? { maxBytes: ReflexionConfig.maxLength } : {}
  return PlainFiles.read(file, { ...bound, ofWorkspace: true })
}

/** `trusted` is the fingerprint that the user trusts, with the files that lay next to it, null where they do not. */
export interface Configuration {
  readonly file: string
  readonly text: string
  readonly trusted: string | null
}

/** What a project brings along. Each file is read at most once, so that the text that is used is the text that was hashed. */
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

  /** Of the project with this root, which links may lead to; nothing is read yet. */
  static readonly at = (directories: UserDirectories, root: string): Workspace => new Workspace(directories, root)

  #text(name: string): string | null {
    return this.#texts.get(name)?.() ?? null
  }

  /** The files that are there, with their texts. Throws for a link and for what is no plain file, too large or unreadable. */
  get contents(): ReadonlyArray<readonly [name: string, text: string]> {
    return files.flatMap((name) => {
      const text = this.#text(name)
      return text === null ? [] : [[name, text] as const]
    })
  }

  /** One hash over their names and texts. Throws what `contents` throws. */
  get fingerprint(): string {
    return Checksum.sha256(this.contents.map((content) => JSON.stringify(content)).join(""))
  }

  /** Never throws: what cannot be read is not trusted. */
  get status(): Status {
    return this.#status()
  }

  /** Null where there is none, and then nothing else is read. Throws where it cannot be read. */
  get configuration(): Configuration | null {
    const text = this.#text(configuration)
    if (text === null) return null
    const trusted = this.status === "trusted" ? this.fingerprint : null
    return { file: Path.join(this.root, configuration), text, trusted }
  }

  /** What the user wants a model to look at, the first file before the second; null where they do not trust the project. */
  get guidance(): ReadonlyArray<string> | null {
    return this.status === "trusted" ? guidance.flatMap((name) => this.#text(name) ?? []) : null
  }
}

/** Fingerprints by root. */
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

/** Trusts a project's files as they were read. Throws where one of them, or the state, cannot be read or written. */
export const trust = (directories: UserDirectories, workspace: Workspace): void =>
  kept.keep(directories, workspace.root, workspace.fingerprint)

/** Says whether anything was taken back. Throws where the state cannot be read or written. */
export const untrust = (directories: UserDirectories, root: string): boolean =>
  kept.forget(directories, ProjectRoot.real(root))
