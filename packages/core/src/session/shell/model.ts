/** Types for the parts of a shell command and for what each part does. */

/**
 * Scripts by name, as their files define them. A recipe has one command a line, and each must succeed.
 *
 * @category models
 */
export type Scripts = Readonly<
  Record<"npm" | "make" | "just" | "mise" | "task" | "python" | "composer" | "deno", Readonly<Record<string, string>>>
>

/**
 * The purposes of a command. `pr` and `vcs` come with a more exact class: `gh pr create` has `["pr", "pr_create"]`.
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
 * What exit status 0 of the whole command proves about one simple command in it:
 * - `implied`: the simple command ran and exited 0.
 * - `inverted`: the simple command ran and did not exit 0.
 * - `masked`: the status proves nothing.
 * - `background`: the simple command was started, and nobody waited for its end.
 *
 * @category models
 */
export type Exit = "implied" | "masked" | "inverted" | "background"

/**
 * Where a push goes.
 *
 * @category models
 */
export interface Push {
  readonly remote: string | null
  /** The destination branch. Null for the current branch, or if unknown. */
  readonly branch: string | null
  readonly force: boolean
  readonly delete: boolean
  readonly tags: boolean
}

/** What a command does, independent of its place in the script. */
export interface Facts {
  readonly classes: ReadonlyArray<CommandClass>
  /** A success also proves these: a passed `cargo test` proves the build. A failure proves nothing about the build. */
  readonly alsoProves: ReadonlyArray<CommandClass>
  /** The tool that does the work. For example, "vitest", "pytest", "go test" or "cargo". */
  readonly runner: string | null
  /** True if the command runs only a part of the test suite. */
  readonly filtered: boolean
  /** True if the command only shows help, its version or its plan. Such a command proves nothing. */
  readonly dryRun: boolean
  /** What the script's name promises, but the script does not do. For example, `test` if `npm test` only lints. */
  readonly promises: ReadonlyArray<CommandClass>
  readonly push: Push | null
  /** Absolute, or relative to the folder where the whole command started. `*` for an unknown path. */
  readonly writes: ReadonlyArray<string>
}

/**
 * One program with its words, at the place where the shell would run it.
 *
 * @category models
 */
export interface SimpleCommand extends Facts {
  /** Without wrappers such as `sudo`, `timeout`, `npx` and `bash -c`. An unknown word is null. At most 256 words. */
  readonly words: ReadonlyArray<string | null>
  /** The command as written, on one line. A long text is cut. */
  readonly text: string
  /** The package script or make target that ran the command, as typed. Null if the agent typed the command itself. */
  readonly via: string | null
  readonly exit: Exit
  /** The number of the printed exit status that is about this command, from 1. 0 if there is no such status. */
  readonly echo: number
  /** True if a printed status other than 0 means that this command failed. */
  readonly soleEchoed: boolean
  /** True if a failure of the whole command means that this command failed, because no other part could have failed. */
  readonly soleSuspect: boolean
  /** True if a failure of the whole command means that this command, or an edit before it, failed. */
  readonly besideEdits: boolean
  /** Absolute, or relative to the folder where the whole command started. Null if unknown. */
  readonly dir: string | null
  /** The position in time within the whole command. All members of one pipeline start at the same time. */
  readonly step: number
}

/**
 * The result of the analysis.
 *
 * @category models
 */
export interface ShellAnalysis {
  readonly commands: ReadonlyArray<SimpleCommand>
  /** True if a part cannot be known: `eval`, `$CMD`, a sourced script, a parse error, or too much text. */
  readonly unknown: boolean
}
