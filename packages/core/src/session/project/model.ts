/** What is known of a working copy, and the files that have to be read to know it. */
import type { CheckGate, GateName } from "../gates/GateTable.ts"
import type { Scripts } from "../shell/model.ts"

export type InstructedGate = Exclude<GateName, "push">

export interface RepoSignals {
  readonly scripts: Scripts
  /** The repository's own test command, as a person types it. */
  readonly testCommand: string | null
  readonly buildCommand: string | null
  readonly lintCommand: string | null
  readonly typecheckCommand: string | null
  /** Which file says so of each of these commands. */
  readonly commandFiles: Readonly<Partial<Record<CheckGate, string>>>
  readonly testFolders: ReadonlyArray<string>
  /** Extensions of the source files that the test command covers, as in `.ts`. */
  readonly covers: ReadonlyArray<string>
  /** Gates that the project's instructions demand in so many words. */
  /** The project's instructions forbid to push straight to the default branch. */
  readonly protectsDefault: boolean
  readonly instructedGates: ReadonlyArray<InstructedGate>
  /** Whether git knows a remote; null where its configuration was not read, as in a linked work tree. */
  readonly remote: boolean | null
  /** Whether a CI service is configured in the working copy. */
  readonly ciFiles: boolean
  readonly defaultBranch: string | null
  readonly branch: string | null
}

/**
 * What a gathering wants to know next. Names in `path` are parted by `/`, which Windows takes as well.
 *
 * @category gathering
 */
export interface FileRequest {
  readonly want: "list" | "read" | "realPath" | "stat"
  readonly path: string
}

/**
 * Of what a path leads to, links followed. `size` is in bytes.
 *
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
 * @category gathering
 */
export type FileAnswer = ReadonlyArray<string> | string | FileStat | null

/**
 * A gathering under way: it asks, and returns file contents for `fromFiles`.
 *
 * @category gathering
 */
export type Gathering = Generator<FileRequest, Readonly<Record<string, string>>, FileAnswer>
