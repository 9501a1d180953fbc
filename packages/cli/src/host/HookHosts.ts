/** The hosts that reflexion can be installed for: with hooks, at which events, or with a plugin; and in which files. */
import * as ClaudeCodeTodos from "@reflexion/claude-code/ClaudeCodeTodos"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { isAbsolute, join, relative, resolve, sep } from "node:path"

type Env = Readonly<Record<string, string | undefined>>

/**
 * `global`: for everything that the user does with the host. `project`: for one project, on this machine.
 *
 * @category models
 */
export type Scope = "global" | "project"

export const scopes: ReadonlyArray<Scope> = ["global", "project"]

/**
 * What a file has: hooks as JSON or as TOML, the text that makes `/reflection` known to the host, or a list of plugins.
 *
 * @category models
 */
export type Kind = "json" | "toml" | "command" | "plugins"

/**
 * The files of one scope that the host reads. Of those with a list of plugins, any will do: the best one comes first.
 *
 * @category models
 */
export type Places = ReadonlyArray<readonly [kind: Kind, file: string]>

/**
 * An event, and after how many seconds the host is to give up on the hook. `only`: for which tools, and the word by which
 * the hook knows that it is told of no others; without it, of all.
 *
 * @category models
 */
export type HookEvent = readonly [
  event: string,
  timeout: number,
  only?: { readonly tools: ReadonlyArray<string>; readonly word: string }
]

/**
 * `root` is that of the project which `cwd` belongs to.
 *
 * @category models
 */
export interface Where {
  readonly env: Env
  readonly cwd: string
  readonly root: string
}

export interface HookHost {
  readonly name: "claude-code" | "codex" | "opencode"
  readonly title: string
  /** What is installed. */
  readonly form: "hooks" | "plugin"
  readonly binary: string
  /** The version that it was tried with: the one that the host tests pin. */
  readonly tried: string
  readonly events: ReadonlyArray<HookEvent>
  /** Events that are asked for with `--loop-watch`, in place of those of the same name. */
  readonly loopWatch: ReadonlyArray<HookEvent>
  /** The shell to name beside a command on Windows, where the host would take a POSIX one otherwise. */
  readonly windowsShell?: string
  /** Whether the user approves a hook together with the line that is shown while it runs. */
  readonly approvesLine: boolean
  /** How `/reflection` is typed there. */
  readonly command: string
  readonly places: (scope: Scope, where: Where) => Places
}

/** Checks and models take minutes, and evidence a moment; at a prompt only `/reflection verify` takes that long. */
const longest = 600

/** A subagent's stop and a compaction are no stop of the task: a hook there would cost a process and say nothing. */
const common: ReadonlyArray<HookEvent> = [
  ["Stop", longest],
  ["UserPromptSubmit", longest],
  ["SessionStart", 10]
]

export const homeOf = (env: Env): string => env["HOME"] || env["USERPROFILE"] || homedir()

const userFolder = ({ cwd, env }: Where, variable: string, name: string): string => {
  const given = env[variable]
  return given === undefined || given === "" ? join(homeOf(env), name) : resolve(cwd, given)
}

/** A project's file names paths of this machine: it is the one that Claude Code keeps out of git. */
const claudeCode: HookHost = {
  name: "claude-code",
  title: "Claude Code",
  form: "hooks",
  binary: "claude",
  tried: "2.1.330",
  events: [...common, ["PostToolUse", 10, { tools: ClaudeCodeTodos.tools, word: "TodoList" }]],
  loopWatch: [["PostToolUse", 10]],
  windowsShell: "powershell",
  approvesLine: false,
  command: "/reflection",
  places: (scope, where) => {
    const folder = scope === "global" ? userFolder(where, "CLAUDE_CONFIG_DIR", ".claude") : join(where.root, ".claude")
    return [
      ["json", join(folder, scope === "global" ? "settings.json" : "settings.local.json")],
      ["command", join(folder, "commands", "reflection.md")]
    ]
  }
}

const codex: HookHost = {
  name: "codex",
  title: "Codex",
  form: "hooks",
  binary: "codex",
  tried: "0.169.0",
  events: [...common, ["Interrupt", 3]],
  loopWatch: [],
  // Its hash of an approved hook is over `statusMessage` as well.
  approvesLine: true,
  // A command that it does not know, Codex refuses before any hook sees it.
  command: "reflection",
  places: (scope, where) => {
    const folder = scope === "global" ? userFolder(where, "CODEX_HOME", ".codex") : join(where.root, ".codex")
    return [
      ["json", join(folder, "hooks.json")],
      ["toml", join(folder, "config.toml")]
    ]
  }
}

/** The specification: a relative path in this variable is to be ignored. */
const configFolder = (env: Env): string => {
  const given = env["XDG_CONFIG_HOME"]
  return given !== undefined && isAbsolute(given) ? given : join(homeOf(env), ".config")
}

const openCodeNames = ["opencode.jsonc", "opencode.json"]

/** Those that are there come first, in the order of the folders; then where a new one goes. */
const openCodeFiles = (folders: ReadonlyArray<string>, fresh: string, more: ReadonlyArray<string> = []): Places => {
  const files = [...folders.flatMap((folder) => openCodeNames.map((name) => join(folder, name))), ...more]
  const there = files.filter((file) => existsSync(file))
  return [...new Set([...there, join(fresh, "opencode.json"), ...files])].map((file) => ["plugins", file])
}

/** From a folder up to the project's root, which is not among them. */
const below = (root: string, cwd: string): ReadonlyArray<string> => {
  const steps = relative(root, cwd).split(sep)
  return steps[0] === "" || steps[0] === ".." || isAbsolute(steps.join(sep))
    ? []
    : steps.map((_, index) => join(root, ...steps.slice(0, index + 1))).toReversed()
}

/** A folder `.opencode` is not made: OpenCode would fill it with packages from the registry at its next start. */
const openCode: HookHost = {
  name: "opencode",
  title: "OpenCode",
  form: "plugin",
  binary: "opencode",
  tried: "1.18.33",
  events: [],
  loopWatch: [],
  approvesLine: false,
  command: "/reflection",
  places: (scope, { cwd, env, root }) => {
    if (scope === "project") {
      const folders = [root, ...below(root, cwd)].flatMap((folder) => [join(folder, ".opencode"), folder])
      return openCodeFiles(folders, folders.slice(0, 2).find((folder) => existsSync(folder)) ?? root)
    }
    const folder = join(configFolder(env), "opencode")
    return openCodeFiles([folder, join(homeOf(env), ".opencode")], folder, [join(folder, "config.json")])
  }
}

export const all: ReadonlyArray<HookHost> = [claudeCode, codex, openCode]

export const names: ReadonlyArray<string> = all.map(({ name }) => name)

/**
 * What the hook is told of an event, which need not be the event's own name.
 *
 * @category accessors
 */
export const wordOf = ([event, , only]: HookEvent): string => only?.word ?? event

/**
 * Words that a command of ours may have: those that are installed, and events that the hook answers with nothing.
 *
 * @category hosts
 */
export const knownEvents: ReadonlyArray<string> = [
  ...all.flatMap(({ events, loopWatch }) => [...events, ...loopWatch].map(wordOf)),
  "SubagentStop",
  "PreCompact",
  "PostCompact"
]
