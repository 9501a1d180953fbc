/** Types for the parts of a shell command and for what each part does. */

/**
 * Scripts by name, as their files define them. A recipe with several commands has one command on each line. Each line
 * must succeed.
 *
 * @category models
 */
export type Scripts = Readonly<
  Record<"npm" | "make" | "just" | "mise" | "task" | "python" | "composer" | "deno", Readonly<Record<string, string>>>
>

/**
 * The purposes of a command. A command with `pr` or `vcs` also has a more exact class. For example, `gh pr create` has
 * `["pr", "pr_create"]`, and `git push` has `["vcs", "push"]`.
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
  /**
   * Classes that a success of the command proves too. For example, a passed `cargo test` also proves that the build
   * works. Its failure proves nothing about the build.
   */
  readonly alsoProves: ReadonlyArray<CommandClass>
  /** The tool that does the work. For example, "vitest", "pytest", "go test" or "cargo". */
  readonly runner: string | null
  /** True if the command runs only a part of the test suite. */
  readonly filtered: boolean
  /** True if the command only shows help, its version or its plan. Such a command proves nothing. */
  readonly dryRun: boolean
  /**
   * Classes that the name of the script promises, although the script does not do such work. For example, an `npm test`
   * that only lints.
   */
  readonly promises: ReadonlyArray<CommandClass>
  /** Where the command pushes. Null if it does not push. */
  readonly push: Push | null
  /**
   * Paths that the command writes: absolute, or relative to the folder where the whole command started. An unknown path
   * is `*`.
   */
  readonly writes: ReadonlyArray<string>
}

/**
 * One program with its words, at the place where the shell would run it.
 *
 * @category models
 */
export interface SimpleCommand extends Facts {
  /**
   * The words without wrappers such as `sudo`, `timeout`, `npx` and `bash -c`. An unknown word is null. At most 256
   * words.
   */
  readonly words: ReadonlyArray<string | null>
  /** The command as written, on one line. A long text is cut. */
  readonly text: string
  /** The package script or make target that ran the command, as typed. Null if the agent typed the command itself. */
  readonly via: string | null
  readonly exit: Exit
  /**
   * The whole command may print several exit statuses. This is the number, from 1, of the status that this command
   * influenced. 0 if no printed status is about this command.
   */
  readonly echo: number
  /** True if a printed status other than 0 means that this command failed. */
  readonly soleEchoed: boolean
  /** True if a failure of the whole command means that this command failed, because no other part could have failed. */
  readonly soleSuspect: boolean
  /** True if a failure of the whole command means that this command, or an edit before it, failed. */
  readonly besideEdits: boolean
  /**
   * The folder that the command runs in: absolute, or relative to the folder where the whole command started. Null if
   * unknown.
   */
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
  /**
   * True if a part of the command cannot be known. For example, `eval`, `$CMD`, a sourced script, a parse error, or a
   * command that is too long.
   */
  readonly unknown: boolean
}
