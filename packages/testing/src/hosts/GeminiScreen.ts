/** Gemini CLI with a scripted model: one prompt without a screen, or a session on a screen in tmux. */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Process from "node:process"
import { eventually, orFault } from "../contract/HostContract.ts"
import * as World from "../contract/HostContractWorld.ts"
import { geminiBinary } from "../sandbox/HostBinaries.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import { broken, defect } from "../sandbox/ShopProject.ts"
import type { Turn } from "../servers/ModelScript.ts"
import * as ScriptedGemini from "../servers/ScriptedGemini.ts"
import * as Screen from "./ClaudeCodeScreen.ts"

type Content = Turn<ScriptedGemini.Block>

export const say = (text: string): Content => ({ content: [{ text }] })

export const shell = (command: string): Content => ({ content: [{ tool: "run_shell_command", input: { command } }] })

export const fix = ({ workspace }: Sandbox.Sandbox): Content => {
  const input = { file_path: `${workspace}/src/cart.js`, instruction: "Fix it" }
  return { content: [{ tool: "replace", input: { ...input, old_string: defect.before, new_string: defect.after } }] }
}

/** The user's own settings, with a comment. */
export const settings = `{
  // Mine.
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
  "privacy": { "usageStatisticsEnabled": false }
}
`

export const settingsFile = ({ home }: Sandbox.Sandbox): string => `${home}/.gemini/settings.json`

export const sandbox = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const made = yield* Sandbox.make({ name: "shop", project: broken })
  yield* fs.makeDirectory(`${made.home}/.gemini`)
  yield* fs.writeFileString(settingsFile(made), settings)
  return made
})

const prepared = Effect.fnUntraced(function* (turns: ReadonlyArray<Content>) {
  const { requests, url } = yield* ScriptedGemini.make({ turns })
  const env = { GEMINI_API_KEY: "test", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "true" }
  const words = ["--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"]
  return { requests, env, argv: [Process.execPath, yield* geminiBinary, ...words] }
})

/** Returns the answer to one prompt without a screen. */
export const ask = Effect.fn("GeminiScreen.ask")(function* (
  made: Sandbox.Sandbox,
  turns: ReadonlyArray<Content>,
  prompt: string
) {
  const { argv, env } = yield* prepared(turns)
  return yield* Command.string(Sandbox.command(made, env, [...argv, "-p", prompt]))
}, orFault("Gemini CLI could not be asked"))

/** Starts a session on a screen with its first prompt. It ends with the scope. */
export const open = Effect.fn("GeminiScreen.open")(function* (
  made: Sandbox.Sandbox,
  turns: ReadonlyArray<Content>,
  prompt: string
) {
  const { argv, env, requests } = yield* prepared(turns)
  const context = yield* Effect.context<CommandExecutor.CommandExecutor | FileSystem.FileSystem>()
  const known = Object.entries({ ...made.env, ...env, TERM: "xterm-256color" })
  const host = ["env", "-i", ...known.map(([name, value]) => `${name}=${value}`), ...argv, "-i", prompt]
  const begin = ["new-session", "-d", "-x", "120", "-y", "40", "-c", made.workspace, "-P", "-F", "#{pane_pid}"]
  yield* Effect.acquireRelease(Screen.tmux(made, ...begin, ...host), (pid) =>
    Effect.provide(Screen.end(made, pid.trim()), context)
  )
  /** Waits until the screen shows a text. */
  const shows = (what: RegExp) => {
    const shown = Screen.tmux(made, "capture-pane", "-p")
    const found = Effect.map(shown, (screen) => (what.test(screen) ? screen : null))
    return eventually(`${what} on the screen`, found).pipe(
      Effect.tapError(() => Effect.flatMap(shown, Effect.logInfo)),
      Effect.provide(context)
    )
  }
  const escape = Effect.provide(Screen.tmux(made, "send-keys", "Escape"), context)
  return { requests, shows, escape }
}, orFault("Gemini CLI's screen could not be opened"))

/** Returns the text of all records. */
export const record = ({ home }: Sandbox.Sandbox) =>
  Effect.gen(function* () {
    const files = (yield* World.filesBelow(`${home}/.gemini/tmp`, ".jsonl")).filter((file) => file.includes("/chats/"))
    return Object.values((yield* World.records(null, files)).agents).join("")
  })
