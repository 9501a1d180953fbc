/** The description of GitHub's Copilot CLI for the command line. */
import type { Host, Installation } from "@reflexion/core/internal/session/host/Host"
import * as HostFiles from "@reflexion/core/internal/session/host/HostFiles"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { basename, dirname, join } from "node:path"
import * as CopilotSessions from "./CopilotSessions.ts"
import * as CopilotTranscript from "./CopilotTranscript.ts"

const installation: Installation = {
  form: "hooks",
  binary: "copilot",
  binaryVariable: null,
  agentVariable: "COPILOT_AGENT_SESSION_ID",
  tried: "1.0.102",
  events: HostFiles.commonEvents,
  loopWatch: [],
  windowsShell: null,
  approves: false,
  runsEach: true,
  tellsOnly: true,
  plainJson: false,
  plugin: null,
  // Copilot reads each file in `hooks`, so the user's files stay untouched. Claude Code's event names work too.
  places: (scope, where) => [
    scope === "global"
      ? ["json", join(HostFiles.userFolder(where, "COPILOT_HOME", ".copilot"), "hooks", "reflexion.json")]
      : ["json", join(where.root, ".github", "copilot", "settings.local.json")]
  ],
  sample: { stop_reason: "end_turn", stop_hook_active: false },
  words: {
    // Copilot refuses an unknown slash command before any hook runs.
    command: "reflection",
    changes: "~/.copilot/hooks/reflexion.json; with --project, .github/copilot/settings.local.json (do not commit it).",
    installed:
      "The hooks take effect in sessions that start from now on. They only tell you, and never nudge the agent.",
    ofProject: "Copilot reads the hooks of a project only if you trust the folder.",
    waiting: null,
    stays: null,
    checks: "With Copilot, checks run with your rights, like the agent's own commands there."
  },
  look: () => Effect.succeed({ itself: [], more: [] })
}

const found = HostFiles.sessionsOf(({ cwd }, limit) =>
  Effect.flatMap(CopilotSessions.copilotHome, (copilotHome) => CopilotSessions.recent({ cwd, copilotHome, limit }))
)

export const host: Host = {
  name: "copilot",
  title: "Copilot CLI",
  resume: (sessionId) => `copilot --resume=${sessionId}`,
  decoder: CopilotTranscript.decoder,
  sessions: {
    ...found,
    // Every record has the same file name. Its folder is named after the session.
    recent: (place, most) =>
      Effect.map(found.recent(place, most), (all) =>
        all.map(Either.map((one) => ({ ...one, name: basename(dirname(one.file)) })))
      ),
    subagentCalls: () => Effect.succeed([]),
    keepsAgentsApart: false
  },
  installation,
  model: null
}
