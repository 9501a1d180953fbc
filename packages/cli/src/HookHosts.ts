/**
 * The hosts that hooks can be installed for: at which events, and in which files.
 *
 * @since 0.1.0
 */
import { homedir } from "node:os"
import { join, resolve } from "node:path"

type Env = Readonly<Record<string, string | undefined>>

/**
 * `global`: for everything that the user does with the host. `project`: for one project, on this machine.
 *
 * @since 0.1.0
 * @category models
 */
export type Scope = "global" | "project"

/**
 * @since 0.1.0
 * @category models
 */
export const scopes: ReadonlyArray<Scope> = ["global", "project"]

/**
 * The files of one scope: `json` for the hooks, `toml` where the host reads hooks there too, `command` for the text that
 * makes `/reflection` known to the host, where it needs one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Places {
  readonly json: string
  readonly toml: string | null
  readonly command: string | null
}

/**
 * An event, and after how many seconds the host is to give up on the hook.
 *
 * @since 0.1.0
 * @category models
 */
export type HookEvent = readonly [event: string, timeout: number]

/**
 * `root` is that of the project which `cwd` belongs to.
 *
 * @since 0.1.0
 * @category models
 */
export interface Where {
  readonly env: Env
  readonly cwd: string
  readonly root: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface HookHost {
  readonly name: "claude-code" | "codex"
  readonly title: string
  readonly binary: string
  readonly events: ReadonlyArray<HookEvent>
  /** Events that are asked for with `--loop-watch`. */
  readonly loopWatch: ReadonlyArray<HookEvent>
  /** How `/reflection` is typed there. */
  readonly command: string
  readonly places: (scope: Scope, where: Where) => Places
}

/** A subagent's stop and a compaction are no stop of the task: a hook there would cost a process and say nothing. */
const common: ReadonlyArray<HookEvent> = [
  ["Stop", 30],
  ["UserPromptSubmit", 10],
  ["SessionStart", 10]
]

/**
 * @since 0.1.0
 * @category accessors
 */
export const homeOf = (env: Env): string => env["HOME"] || env["USERPROFILE"] || homedir()

const userFolder = ({ cwd, env }: Where, variable: string, name: string): string => {
  const given = env[variable]
  return given === undefined || given === "" ? join(homeOf(env), name) : resolve(cwd, given)
}

/** A project's file names paths of this machine: it is the one that Claude Code keeps out of git. */
const claudeCode: HookHost = {
  name: "claude-code",
  title: "Claude Code",
  binary: "claude",
  events: common,
  loopWatch: [["PostToolUse", 10]],
  command: "/reflection",
  places: (scope, where) => {
    const folder = scope === "global" ? userFolder(where, "CLAUDE_CONFIG_DIR", ".claude") : join(where.root, ".claude")
    return {
      json: join(folder, scope === "global" ? "settings.json" : "settings.local.json"),
      toml: null,
      command: join(folder, "commands", "reflection.md")
    }
  }
}

const codex: HookHost = {
  name: "codex",
  title: "Codex",
  binary: "codex",
  events: [...common, ["Interrupt", 3]],
  loopWatch: [],
  // A command that it does not know, Codex refuses before any hook sees it.
  command: "reflection",
  places: (scope, where) => {
    const folder = scope === "global" ? userFolder(where, "CODEX_HOME", ".codex") : join(where.root, ".codex")
    return { json: join(folder, "hooks.json"), toml: join(folder, "config.toml"), command: null }
  }
}

/**
 * @since 0.1.0
 * @category hosts
 */
export const all: ReadonlyArray<HookHost> = [claudeCode, codex]

/**
 * @since 0.1.0
 * @category hosts
 */
export const names: ReadonlyArray<string> = all.map(({ name }) => name)

/**
 * Events that a command of ours may name: those that are installed, and those that the hook answers with nothing.
 *
 * @since 0.1.0
 * @category hosts
 */
export const knownEvents: ReadonlyArray<string> = [
  ...all.flatMap(({ events, loopWatch }) => [...events, ...loopWatch].map(([event]) => event)),
  "SubagentStop",
  "PreCompact",
  "PostCompact"
]
