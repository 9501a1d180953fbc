/** The description of Codex for the command line. */
import type { Host, Installation } from "@reflexion/core/internal/session/host/Host"
import * as HostFiles from "@reflexion/core/internal/session/host/HostFiles"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as CodexAgents from "./CodexAgents.ts"
import * as CodexSessions from "./CodexSessions.ts"
import * as CodexTodos from "./CodexTodos.ts"
import * as CodexTranscript from "./CodexTranscript.ts"
import * as Approval from "./internal/approval.ts"

const installation: Installation = {
  form: "hooks",
  binary: "codex",
  binaryVariable: null,
  agentVariable: "CODEX_THREAD_ID",
  tried: "0.169.0",
  events: [
    ...HostFiles.commonEvents,
    ["Interrupt", 3],
    ["PostToolUse", 10, { word: "TodoList", tools: CodexTodos.tools }]
  ],
  loopWatch: [],
  windowsShell: null,
  // Codex hashes an approved hook, including its `statusMessage`.
  approves: true,
  runsEach: true,
  tellsOnly: false,
  plainJson: false,
  plugin: null,
  places: (scope, where) => {
    const folder = scope === "global" ? HostFiles.userFolder(where, "CODEX_HOME", ".codex") : join(where.root, ".codex")
    return [["json", join(folder, "hooks.json")]]
  },
  sample: { turn_id: "doctor", model: "doctor" },
  words: {
    // Codex refuses an unknown slash command before any hook runs.
    command: "reflection",
    changes: "~/.codex/hooks.json; with --project, .codex/hooks.json.",
    installed:
      "The hooks are not active yet: Codex runs a hook only after you approve it. Start codex and trust reflexion's hooks when it asks; /hooks shows them later. After an upgrade, Codex asks again. If config.toml has hooks too, Codex reads both files and says so when it starts.",
    ofProject: "Codex reads the hooks of a project only if you trust the project in Codex as well.",
    waiting: "Codex runs a hook only after you approve it.",
    stays:
      "Your approvals stay in Codex's own config.toml, under [hooks.state]. Without the hooks, these approvals have no effect.",
    checks: "With Codex, checks run only in Codex's own sandbox. If the sandbox does not work, the checks do not run."
  },
  look: Approval.look
}

export const host: Host = {
  name: "codex",
  title: "Codex",
  resume: (sessionId) => `codex resume ${sessionId}`,
  decoder: CodexTranscript.decoder,
  sessions: {
    ...HostFiles.sessionsOf(({ cwd, unpack }, limit) =>
      Effect.flatMap(CodexSessions.codexHome, (codexHome) => CodexSessions.recent({ cwd, codexHome, limit, unpack }))
    ),
    subagentCalls: CodexAgents.read,
    keepsAgentsApart: true
  },
  installation,
  model: {
    title: "gpt-6-luna",
    program: "codex exec",
    paid: HostFiles.plan,
    tries: "run `codex exec hello` to see the error"
  }
}
