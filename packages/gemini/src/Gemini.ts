/** The description of Gemini CLI for the command line. */
import type { Host, HostPlace, Installation } from "@reflexion/core/internal/session/host/Host"
import * as HostFiles from "@reflexion/core/internal/session/host/HostFiles"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as GeminiAgents from "./GeminiAgents.ts"
import * as GeminiSessions from "./GeminiSessions.ts"
import * as GeminiTranscript from "./GeminiTranscript.ts"
import * as Look from "./internal/look.ts"

const userFolder = (where: HostPlace): string => join(HostFiles.userFolder(where, "GEMINI_CLI_HOME", ""), ".gemini")

const installation: Installation = {
  form: "hooks",
  binary: "gemini",
  binaryVariable: null,
  agentVariable: "GEMINI_CLI",
  tried: "0.61.0",
  events: [
    ["AfterAgent", HostFiles.longest],
    ["BeforeAgent", HostFiles.longest],
    ["SessionStart", 10]
  ],
  loopWatch: [],
  timeoutUnit: "ms",
  hookName: "reflexion",
  // If a hook at a prompt ends with another status, Gemini CLI refuses the prompt.
  endsWithZero: true,
  windowsShell: null,
  approves: false,
  runsEach: false,
  tellsOnly: true,
  plainJson: false,
  plugin: null,
  places: (scope, where) => [
    ["json", join(scope === "global" ? userFolder(where) : join(where.root, ".gemini"), "settings.json")]
  ],
  sample: { hook_event_name: "AfterAgent", prompt: "doctor", prompt_response: "Done." },
  words: {
    command: "reflection",
    changes: "~/.gemini/settings.json; with --project, .gemini/settings.json (do not commit it).",
    installed:
      "The hooks take effect in sessions that start from now on. Gemini CLI runs hooks only in folders that you trust. reflexion only tells you about a stop here; it does not nudge the agent.",
    ofProject: null,
    waiting: null,
    stays: null,
    checks: "With Gemini CLI, reflexion has no sandbox for checks, so they run with your rights."
  },
  look: (looked) => Effect.sync(() => Look.look(looked, userFolder(looked.where)))
}

export const host: Host = {
  name: "gemini",
  title: "Gemini CLI",
  resume: (sessionId) => `gemini --resume ${sessionId}`,
  decoder: GeminiTranscript.decoder,
  sessions: {
    ...HostFiles.sessionsOf(({ cwd }, limit) =>
      Effect.flatMap(GeminiSessions.geminiFolder, (geminiFolder) => GeminiSessions.recent({ cwd, geminiFolder, limit }))
    ),
    subagentCalls: GeminiAgents.read,
    keepsAgentsApart: true
  },
  installation,
  model: null
}
