/** What a shell command is made of and what it does. */

/**
 * Scripts by name, as their files have them. A recipe of several commands has one on each line, and each must succeed.
 *
 * @category models
 */
export type Scripts = Readonly<
  Record<"npm" | "make" | "just" | "mise" | "task" | "python" | "composer" | "deno", Readonly<Record<string, string>>>
>

/**
 * `pr` and `vcs` stand next to their finer classes: `gh pr create` is `["pr", "pr_create"]`, `git push` `["vcs", "push"]`.
 *
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
 * `inverted`: it ran and did not exit 0. `masked`: nothing. `background`: it was only started.
 *
 * @category models
 */
export type Exit = "implied" | "masked" | "inverted" | "background"

/**
 * Where a push goes. `branch` is the destination branch, null for the current one or one that cannot be known.
 *
 * @category models
 */
export interface Push {
  readonly remote: string | null
  readonly branch: string | null
  readonly force: boolean
  readonly delete: boolean
  readonly tags: boolean
}

/** What a command is, apart from where it stands. */
export interface Facts {
  readonly classes: ReadonlyArray<CommandClass>
  /** What its success proves besides: `cargo test` proves a build too, though its failure says nothing about the build. */
  readonly alsoProves: ReadonlyArray<CommandClass>
  /** The tool that does the work: "vitest", "pytest", "go test", "cargo" and so on. */
  readonly runner: string | null
  /** A test run of a part of the suite. */
  readonly filtered: boolean
  /** It only shows help, a version or what it would do, and proves nothing. */
  readonly dryRun: boolean
  /** What its script is called after and does nothing of: `npm test` that only lints, or says that there are no tests. */
  readonly promises: ReadonlyArray<CommandClass>
  readonly push: Push | null
  /** Paths it writes, relative to where the whole command started unless absolute; `*` where the path cannot be known. */
  readonly writes: ReadonlyArray<string>
}

/**
 * One program with its words, where the shell would run it.
 *
 * @category models
 */
export interface SimpleCommand extends Facts {
  /** The words after unwrapping `sudo`, `timeout`, `npx`, `bash -c` and the like; null stands for a word that cannot be known. At most 256. */
  readonly words: ReadonlyArray<string | null>
  /** The command as written, on one line, clipped. */
  readonly text: string
  /** The package script, make target or the like that ran it, as typed; null when it was typed itself. */
  readonly via: string | null
  readonly exit: Exit
  /** Which of the statuses that the whole command prints is the one that it had a part in, from 1; 0 for none. */
  readonly echo: number
  /** A printed status other than 0 means that this command failed. */
  readonly soleEchoed: boolean
  /** A whole exit status other than 0 means that this command failed: nothing else in it could have. */
  readonly soleSuspect: boolean
  /** A whole exit status other than 0 means that this command failed, or an edit before it. */
  readonly besideEdits: boolean
  /** The folder it runs in, relative to where the whole command started unless absolute; null when it cannot be known. */
  readonly dir: string | null
  /** When it runs, within the whole command: what is in one pipeline runs at once. */
  readonly step: number
}

/**
 * `unknown`: something in the command cannot be known (`eval`, `$CMD`, a sourced script, a parse error, too long).
 *
 * @category models
 */
export interface ShellAnalysis {
  readonly commands: ReadonlyArray<SimpleCommand>
  readonly unknown: boolean
}
