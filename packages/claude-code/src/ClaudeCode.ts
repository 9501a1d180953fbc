/** The description of Claude Code for the command line. */
import * as HostFiles from "@reflexion/core/internal/session/host/HostFiles"
import type { Host, Installation, InstallScope, Places, HostPlace } from "@reflexion/core/internal/session/host/Host"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as ClaudeCodeSessions from "./ClaudeCodeSessions.ts"
import * as ClaudeCodeSidechains from "./ClaudeCodeSidechains.ts"
import * as ClaudeCodeTodos from "./ClaudeCodeTodos.ts"
import * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"
import * as Settings from "./internal/settings.ts"

/** Claude Code keeps the project's file out of git. The file names paths of this machine. */
const places = (scope: InstallScope, where: HostPlace): Places => {
  const folder =
    scope === "global" ? HostFiles.userFolder(where, "CLAUDE_CONFIG_DIR", ".claude") : join(where.root, ".claude")
  return [
    ["json", join(folder, scope === "global" ? "settings.json" : "settings.local.json")],
    ["command", join(folder, "commands", "reflection.md")]
  ]
}

/** The user sees this line when the agent is woken. */
const wakes = { summary: "reflexion looked again: there is more to do", message: "From reflexion:" }

const installation: Installation = {
  form: "hooks",
  binary: "claude",
  binaryVariable: null,
  agentVariable: "CLAUDECODE",
  tried: "2.1.330",
  events: [
    ["Stop", HostFiles.longest, { word: "StopNow" }],
    ["Stop", HostFiles.longest, { word: "StopLater", wakes }],
    ...HostFiles.commonEvents.slice(1),
    ["PostToolUse", 10, { word: "TodoList", tools: ClaudeCodeTodos.tools }]
  ],
  loopWatch: [["PostToolUse", 10]],
  windowsShell: "powershell",
  approves: false,
  runsEach: false,
  tellsOnly: false,
  plainJson: true,
  plugin: null,
  places,
  sample: { prompt_id: "doctor", background_tasks: [], session_crons: [] },
  words: {
    command: "/reflection",
    changes: "~/.claude/settings.json; with --project, .claude/settings.local.json (do not commit it).",
    installed: "The hooks take effect in sessions that start from now on.",
    ofProject: null,
    waiting: null,
    stays: null,
    checks: "With Claude Code, checks run with your rights: Claude Code has no sandbox for them."
  },
  look: (looked) =>
    Effect.sync(() => Settings.look(looked, places("global", looked.where), places("project", looked.where)))
}

export const host: Host = {
  name: "claude-code",
  title: "Claude Code",
  resume: (sessionId) => `claude --resume ${sessionId}`,
  decoder: ClaudeCodeTranscript.decoder,
  sessions: {
    ...HostFiles.sessionsOf(({ cwd }, limit) =>
      Effect.flatMap(ClaudeCodeSessions.configDirectory, (configDirectory) =>
        ClaudeCodeSessions.recent({ cwd, configDirectory, limit })
      )
    ),
    subagentCalls: ClaudeCodeSidechains.read,
    keepsAgentsApart: true
  },
  installation,
  model: {
    title: "Claude Haiku",
    program: "claude -p",
    paid: HostFiles.plan,
    tries: "run `claude -p hello --model haiku` to see the error"
  }
}
