/**
 * What the working copy says: its scripts, its own commands, its test folders, its instructions and its branch.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Effect from "effect/Effect"
import * as Files from "./repoFiles.ts"
import * as Load from "./repoLoad.ts"
import * as read from "./signals.ts"

/**
 * Scripts by name, as their files have them. A recipe of several commands has one on each line, and each must succeed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Scripts {
  readonly npm: Readonly<Record<string, string>>
  readonly make: Readonly<Record<string, string>>
  readonly just: Readonly<Record<string, string>>
  readonly mise: Readonly<Record<string, string>>
  readonly task: Readonly<Record<string, string>>
  readonly python: Readonly<Record<string, string>>
  readonly composer: Readonly<Record<string, string>>
  readonly deno: Readonly<Record<string, string>>
}

/**
 * @since 0.1.0
 * @category models
 */
export type InstructedGate = "tests" | "build" | "typecheck" | "lint" | "pr" | "ci"

/**
 * @since 0.1.0
 * @category models
 */
export interface RepoSignals {
  readonly scripts: Scripts
  /** The repository's own test command, as a person types it. */
  readonly testCommand: string | null
  readonly buildCommand: string | null
  readonly lintCommand: string | null
  readonly typecheckCommand: string | null
  readonly testFolders: ReadonlyArray<string>
  /** Extensions of the source files that the test command covers, as in `.ts`. */
  readonly covers: ReadonlyArray<string>
  /** Gates that the project's instructions demand in so many words. */
  readonly instructedGates: ReadonlyArray<InstructedGate>
  readonly defaultBranch: string | null
  readonly branch: string | null
}

/**
 * What is known of a working copy of which nothing is known.
 *
 * @since 0.1.0
 * @category constructors
 */
export const empty: RepoSignals = read.empty

/**
 * Reads file contents by path relative to the working copy; a folder is a path that ends in `/`. A file that cannot be
 * understood says nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromFiles: (files: Readonly<Record<string, string>>) => RepoSignals = read.fromFiles

/**
 * Reads the few files that matter from a folder and from the root of its repository. Files over 256 KB and links that
 * lead out of the repository are left out; a folder that does not exist gives `empty`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = (cwd: string): Effect.Effect<RepoSignals, never, FileSystem.FileSystem> => Load.load(cwd)

/**
 * What a gathering wants to know next. Names in `path` are parted by `/`, which Windows takes as well.
 *
 * @since 0.1.0
 * @category gathering
 */
export interface FileRequest {
  readonly want: "list" | "read" | "realPath" | "stat"
  readonly path: string
}

/**
 * Of what a path leads to, links followed. `size` is in bytes.
 *
 * @since 0.1.0
 * @category gathering
 */
export interface FileStat {
  readonly kind: "file" | "folder" | "other"
  readonly size: number
}

/**
 * A folder's names, a file's text, a real path (as the system writes it) or a stat, as was wanted; null if there is
 * none.
 *
 * @since 0.1.0
 * @category gathering
 */
export type FileAnswer = ReadonlyArray<string> | string | FileStat | null

/**
 * A gathering under way: it asks, and returns file contents for `fromFiles`.
 *
 * @since 0.1.0
 * @category gathering
 */
export type Gathering = Generator<FileRequest, Readonly<Record<string, string>>, FileAnswer>

/**
 * Chooses the files that `load` reads, for a program with a file system of its own.
 *
 * @since 0.1.0
 * @category gathering
 */
export const gather: (cwd: string) => Gathering = Files.gather

/**
 * What `load` gives, at once: each question is answered by the caller's file system, which answers null where it fails.
 *
 * @since 0.1.0
 * @category constructors
 */
export const loadSync = (cwd: string, answer: (request: FileRequest) => FileAnswer): RepoSignals => {
  const gathering = gather(cwd)
  let next = gathering.next()
  while (next.done !== true) next = gathering.next(answer(next.value))
  return read.fromFiles(next.value)
}
