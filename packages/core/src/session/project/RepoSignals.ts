/** What the working copy says: its scripts, its own commands, its test folders, its instructions and its branch. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Effect from "effect/Effect"
import * as Files from "./repoFiles.ts"
import * as Load from "./repoLoad.ts"
import * as read from "./signals.ts"
import type { FileAnswer, FileRequest, Gathering, RepoSignals } from "./model.ts"

export type { FileAnswer, FileRequest, FileStat, Gathering, InstructedGate, RepoSignals } from "./model.ts"
export type { Scripts } from "../shell/model.ts"

/**
 * What is known of a working copy of which nothing is known.
 *
 * @category constructors
 */
export const empty: RepoSignals = read.empty

/**
 * Reads file contents by path relative to the working copy; a folder is a path that ends in `/`. A file that cannot be
 * understood says nothing.
 *
 * @category constructors
 */
export const fromFiles: (files: Readonly<Record<string, string>>) => RepoSignals = read.fromFiles

/**
 * Reads the few files that matter from a folder and from the root of its repository. Files over 256 KB and links that
 * lead out of the repository are left out; a folder that does not exist gives `empty`.
 *
 * @category constructors
 */
export const load = (cwd: string): Effect.Effect<RepoSignals, never, FileSystem.FileSystem> => Load.load(cwd)

/**
 * Chooses the files that `load` reads, for a program with a file system of its own.
 *
 * @category gathering
 */
export const gather: (cwd: string) => Gathering = Files.gather

/**
 * What `load` gives, at once: each question is answered by the caller's file system, which answers null where it fails.
 *
 * @category constructors
 */
export const loadSync = (cwd: string, answer: (request: FileRequest) => FileAnswer): RepoSignals =>
  read.fromFiles(Files.gatherSync(cwd, answer))
