/**
 * What a shell command does: every simple command in it, what it is for, and what the exit status of the whole says
 * about it. Parsed with a real shell parser; what cannot be known is reported as unknown, never as absent.
 *
 * @since 0.1.0
 */
import * as shellAnalysis from "./analysis.ts"
import type * as RepoSignals from "../project/RepoSignals.ts"

/**
 * `pr` and `vcs` stand beside their finer classes: `gh pr create` is `["pr", "pr_create"]`, `git push` `["vcs", "push"]`.
 *
 * @since 0.1.0
 * @category models
 */
export type CommandClass =
  | "test"
  | "build"
  | "typecheck"
  | "lint"
  | "format"
  | "install"
  | "write"
  | "read"
  | "search"
  | "commit"
  | "push"
  | "vcs"
  | "pr_create"
  | "pr_view"
  | "pr_checks"
  | "pr_merge"
  | "pr"
  | "ci"
  | "deploy"
  | "process"
  | "other"
  | "unknown"

/**
 * What exit status 0 of the whole command says about one simple command in it. `implied`: it ran and exited 0.
 * `inverted`: it ran and did not exit 0. `masked`: nothing. `background`: it was only started. `none`: it never ran.
 *
 * @since 0.1.0
 * @category models
 */
export type Exit = "implied" | "masked" | "inverted" | "background" | "none"

/**
 * Where a push goes. `branch` is the destination branch, null for the current one or one that cannot be known.
 *
 * @since 0.1.0
 * @category models
 */
export interface Push {
  readonly remote: string | null
  readonly branch: string | null
  readonly force: boolean
  readonly delete: boolean
  readonly tags: boolean
}

/**
 * @since 0.1.0
 * @category models
 */
export interface SimpleCommand {
  /** The words after unwrapping `sudo`, `timeout`, `npx`, `bash -c` and the like; null stands for a word that cannot be known. At most 256. */
  readonly words: ReadonlyArray<string | null>
  /** The command as written, on one line, clipped. */
  readonly text: string
  /** The package script, make target or the like that ran it, as typed; null when it was typed itself. */
  readonly via: string | null
  readonly classes: ReadonlyArray<CommandClass>
  /** What its success proves besides: `cargo test` proves a build too, though its failure says nothing about the build. */
  readonly alsoProves: ReadonlyArray<CommandClass>
  /** The tool that does the work: "vitest", "pytest", "go test", "cargo" and so on. */
  readonly runner: string | null
  readonly exit: Exit
  /** A later `echo $?` or the like prints its exit status, so the output may tell what the exit status does not. */
  readonly echoesStatus: boolean
  /** A whole exit status other than 0 means that this command failed: nothing else in it could have. */
  readonly soleSuspect: boolean
  /** A test run of a part of the suite. */
  readonly filtered: boolean
  /** It only shows help, a version or what it would do, and proves nothing. */
  readonly dryRun: boolean
  readonly push: Push | null
  /** Paths it writes, relative to where the whole command started unless absolute; `*` where the path cannot be known. */
  readonly writes: ReadonlyArray<string>
}

/**
 * `unknown`: something in the command cannot be known (`eval`, `$CMD`, a sourced script, a parse error, too long).
 * `truncated`: only the first part was read.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShellAnalysis {
  readonly commands: ReadonlyArray<SimpleCommand>
  readonly unknown: boolean
  readonly truncated: boolean
}

/**
 * Longest command that is analysed whole, in characters.
 *
 * @since 0.1.0
 * @category limits
 */
export const maxLength: number = shellAnalysis.maxLength

/**
 * Every simple command that the shell would run, in order. `scripts` resolves `npm test`, `make check` and the like to
 * what they run; without it their names decide. Total: it never throws, and its work is bounded.
 *
 * @since 0.1.0
 * @category analysis
 */
export const analyze: (command: string, scripts?: RepoSignals.Scripts) => ShellAnalysis = shellAnalysis.analyze
