/** Gemini CLI with a scripted model: one prompt without a screen, or a session on a screen in tmux. */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Process from "node:process"
import { eventually, orFault } from "../contract/HostContract.ts"
import { geminiBinary } from "../sandbox/HostBinaries.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import { broken, defect } from "../sandbox/ShopProject.ts"
import * as ScriptedGemini from "../servers/ScriptedGemini.ts"
import * as Screen from "./ClaudeCodeScreen.ts"

type Reply = ScriptedGemini.Reply

export const say = (text: string): Reply => ({ content: [{ text }] })

export const shell = (command: string): Reply => ({ content: [{ tool: "run_shell_command", input: { command } }] })

const change = { file_path: "src/cart.js", instruction: "Fix it", old_string: defect.before, new_string: defect.after }

export const fix: Reply = { content: [{ tool: "replace", input: change }] }

export const claim = say("`discounted` takes a percentage now, and all 3 tests pass.")

export const half: Reply = { content: [{ text: "Half of an answer" }, { hangs: true }] }

export const refused: Reply = { status: 400, error: "Not now." }

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

const prepared = Effect.fnUntraced(function* (turns: ReadonlyArray<Reply>) {
  const { requests, url } = yield* ScriptedGemini.make({ turns })
  const env = { GEMINI_API_KEY: "test", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "true" }
  const words = ["--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"]
  return { requests, env, argv: [Process.execPath, yield* geminiBinary, ...words] }
})

export const ask = Effect.fnUntraced(function* (made: Sandbox.Sandbox, turns: ReadonlyArray<Reply>, prompt: string) {
  const { argv, env } = yield* prepared(turns)
  return yield* Command.string(Sandbox.command(made, env, [...argv, "-p", prompt]))
}, orFault("Gemini CLI could not be asked"))

export const open = Effect.fnUntraced(function* (made: Sandbox.Sandbox, turns: ReadonlyArray<Reply>, prompt: string) {
  const { argv, env, requests } = yield* prepared(turns)
  const context = yield* Effect.context<CommandExecutor.CommandExecutor>()
  const tmux = (...words: ReadonlyArray<string>) => Effect.provide(Screen.tmux(made, ...words), context)
  const known = Object.entries({ ...made.env, ...env, TERM: "xterm-256color" })
  const host = ["env", "-i", ...known.map(([name, value]) => `${name}=${value}`), ...argv, "-i", prompt]
  const begin = ["new-session", "-d", "-x", "120", "-y", "40", "-c", made.workspace, "-P", "-F", "#{pane_pid}"]
  yield* Effect.acquireRelease(tmux(...begin, ...host), (pid) => Effect.provide(Screen.end(made, pid.trim()), context))
  const shown = tmux("capture-pane", "-p")
  const shows = (what: RegExp) =>
    eventually(
      `${what} on the screen`,
      Effect.map(shown, (screen) => (what.test(screen) ? screen : null))
    ).pipe(Effect.tapError(() => Effect.flatMap(shown, Effect.logInfo)))
  return { requests, shows, escape: tmux("send-keys", "Escape") }
}, orFault("Gemini CLI's screen could not be opened"))
