/** What a shell command is made of and what it does. */
import type { Statement, SyntaxNode } from "unbash"

/**
 * Scripts by name, as their files have them. A recipe of several commands has one on each line, and each must succeed.
 *
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
 * `pr` and `vcs` stand beside their finer classes: `gh pr create` is `["pr", "pr_create"]`, `git push` `["vcs", "push"]`.
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
 * `inverted`: it ran and did not exit 0. `masked`: nothing. `background`: it was only started. `none`: it never ran.
 *
 * @category models
 */
export type Exit = "implied" | "masked" | "inverted" | "background" | "none"

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
  /** Which of the statuses that the whole command prints is the one that it had a part in, from 1; 0 for none. */
  readonly echo: number
  /** A printed status other than 0 means that this command failed. */
  readonly soleEchoed: boolean
  /** A whole exit status other than 0 means that this command failed: nothing else in it could have. */
  readonly soleSuspect: boolean
  /** A whole exit status other than 0 means that this command failed, or an edit before it. */
  readonly besideEdits: boolean
  /** A test run of a part of the suite. */
  readonly filtered: boolean
  /** It only shows help, a version or what it would do, and proves nothing. */
  readonly dryRun: boolean
  /** What its script is called after and does nothing of: `npm test` that only lints, or says that there are no tests. */
  readonly promises: ReadonlyArray<CommandClass>
  /** Where there is no script of that name it runs nothing, and succeeds. */
  readonly ifPresent: boolean
  /** The folder it runs in, relative to where the whole command started unless absolute; null when it cannot be known. */
  readonly dir: string | null
  readonly push: Push | null
  /** Paths it writes, relative to where the whole command started unless absolute; `*` where the path cannot be known. */
  readonly writes: ReadonlyArray<string>
  /** When it runs, within the whole command: what is in one pipeline runs at once. */
  readonly step: number
}

/**
 * `unknown`: something in the command cannot be known (`eval`, `$CMD`, a sourced script, a parse error, too long).
 * `truncated`: only the first part was read.
 *
 * @category models
 */
export interface ShellAnalysis {
  readonly commands: ReadonlyArray<SimpleCommand>
  readonly unknown: boolean
  readonly truncated: boolean
}

/** `echoed` behaves as `implied` on the way down and ends as `masked` with `echoesStatus`. */
export type Context = Exit | "echoed"

/** What a node's failure would mean: null, it cannot fail; else each clause names commands of which one failed. */
export type Fails = ReadonlyArray<ReadonlyArray<Leaf>> | null

export interface Leaf {
  words: ReadonlyArray<string | null>
  text: string
  via: string | null
  classes: ReadonlyArray<CommandClass>
  alsoProves: ReadonlyArray<CommandClass>
  runner: string | null
  exit: Exit
  echoesStatus: boolean
  echo: number
  soleEchoed: boolean
  soleSuspect: boolean
  besideEdits: boolean
  filtered: boolean
  dryRun: boolean
  promises: ReadonlyArray<CommandClass>
  ifPresent: boolean
  dir: string | null
  push: Push | null
  writes: ReadonlyArray<string>
  step: number
}

/** One word of a command: its value where it can be known, and how to show it where not. */
export interface Arg {
  readonly value: string | null
  readonly text: string
  /** Its values in turn, in a loop over known words. */
  readonly values?: ReadonlyArray<string>
}

export interface Definition {
  readonly name: string
  readonly body: SyntaxNode
  readonly source: string
  /** Defined in a branch: a call may not find it. */
  readonly uncertain: boolean
}

/** What a shell process has set, shared by all that runs in it. */
export interface Shell {
  errexit: boolean
  pipefail: boolean
  /** In a condition, where `set -e` has no effect. */
  tested: boolean
  /** Where it runs, relative to the start unless absolute; null when it cannot be known. */
  dir: string | null
  /** In a branch or a loop: what is set there may not be set. */
  uncertain: boolean
  /** Behind `&&` or `||`: an option set there may not be set. */
  chained: boolean
  /** It may have ended with status 0 before now. */
  mayHaveSucceeded: boolean
  /** It may have ended with another status than 0, and not because of a command that is counted. */
  mayHaveFailed: boolean
}

export interface Scope {
  readonly shell: Shell
  readonly vars: Map<string, string | null>
  /** Variables of the loops around, with the words they go over. */
  readonly loops: ReadonlyMap<string, ReadonlyArray<string>>
  readonly functions: Map<string, Definition>
  /** Functions and scripts being run, so that none runs itself for ever. */
  readonly calling: ReadonlyArray<Definition>
  readonly active: ReadonlyArray<string>
  readonly via: string | null
  readonly depth: number
  readonly source: string
}

/** A command as the walk found it. `input` is null when nothing is fed to it. */
export interface Run {
  readonly args: ReadonlyArray<Arg>
  readonly text: string
  readonly writes: ReadonlyArray<string>
  readonly input: string | null
  /** Wrappers taken off so far. */
  readonly layers?: number
}

/** The parts of the walk that call one another, and what it gathers. */
export interface Walk {
  readonly leaves: Array<Leaf>
  readonly defined: Set<Definition>
  readonly called: Set<Definition>
  readonly scripts: Scripts
  unknown: boolean
  truncated: boolean
  budget: number
  /** Statuses that were printed so far. */
  echoes: number
  /** The step of the next command. */
  step: number
  readonly script: (source: string, context: Context, scope: Scope) => Fails
  readonly run: (run: Run, context: Context, scope: Scope) => Fails
  readonly node: (node: SyntaxNode, context: Context, scope: Scope) => Fails
  readonly list: (statements: ReadonlyArray<Statement>, context: Context, scope: Scope) => Fails
}

/** What a command is, apart from where it stands. */
export interface Facts {
  readonly classes: ReadonlyArray<CommandClass>
  readonly alsoProves: ReadonlyArray<CommandClass>
  readonly runner: string | null
  readonly filtered: boolean
  readonly dryRun: boolean
  readonly promises: ReadonlyArray<CommandClass>
  readonly ifPresent: boolean
  readonly push: Push | null
  readonly writes: ReadonlyArray<string>
}
