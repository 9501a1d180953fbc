/** Claude Code's own screen in a terminal of tmux: types text and reads the screen. */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Crypto from "node:crypto"
import { eventually, HostFault, orFault } from "../contract/HostContract.ts"
import { claudeCodeBinary } from "../sandbox/HostBinaries.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import type { Turn } from "../servers/ModelScript.ts"
import * as ScriptedAnthropic from "../servers/ScriptedAnthropic.ts"
import { offline } from "./ClaudeCodeContract.ts"

export interface Options {
  readonly sandbox: Sandbox.Sandbox
  readonly turns: ReadonlyArray<Turn<ScriptedAnthropic.Block>>
}

const key = "test-key-of-no-worth-0123456789"

/** Settings that answer the questions of the host's first start. */
const settled = (sandbox: Sandbox.Sandbox) =>
  JSON.stringify({
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [sandbox.workspace]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } }
  })

const missing =
  "A host's screen is tried in tmux, which is not installed. Debian: apt-get install -y --no-install-recommends tmux"

/** If tmux is missing, `env` exits with 127. */
export const tmux = (sandbox: Sandbox.Sandbox, ...words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const argv = ["tmux", "-u", "-f", "/dev/null", "-S", `${sandbox.root}/terminal`, ...words]
    const running = yield* Command.start(Sandbox.command(sandbox, {}, argv))
    const read = (bytes: typeof running.stdout) => Stream.mkString(Stream.decodeText(bytes))
    const all = [read(running.stdout), read(running.stderr), running.exitCode] as const
    const [output, errors, exitCode] = yield* Effect.all(all, { concurrency: 3 })
    if (exitCode === 127) return yield* new HostFault({ detail: missing })
    return exitCode === 0 ? output : yield* new HostFault({ detail: `tmux ${words[0]}: ${errors}` })
  }).pipe(Effect.scoped, orFault("the terminal could not be asked"))

/** Waits for the program's end, because the program writes into the sandbox until then. */
export const end = (sandbox: Sandbox.Sandbox, pid: string) =>
  tmux(sandbox, "kill-server").pipe(
    Effect.ignore,
    Effect.zipRight(
      Sandbox.execute(sandbox, "sh", "-c", `kill -9 ${pid} 2>/dev/null; kill -0 ${pid} 2>/dev/null; echo $?`)
    ),
    Effect.repeat({ until: (gone) => gone.trim() !== "0", schedule: Schedule.spaced("50 millis") }),
    Effect.ignore
  )

const tools = ["--tools", "Bash,Edit,Read,Write", "--allowedTools", "Bash,Edit,Read,Write"]

export const open = Effect.fn("ClaudeCodeScreen.open")(function* ({ sandbox, turns }: Options) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.writeFileString(`${sandbox.home}/.claude.json`, settled(sandbox))
  const { requests, url } = yield* ScriptedAnthropic.make({ turns })
  const sessionId = Crypto.randomUUID()
  const context = yield* Effect.context<CommandExecutor.CommandExecutor>()
  const ask = (...words: ReadonlyArray<string>) => Effect.provide(tmux(sandbox, ...words), context)
  const known = { ...sandbox.env, ...offline(url), ANTHROPIC_API_KEY: key, TERM: "xterm-256color" }
  const env = Object.entries(known).map(([name, value]) => `${name}=${value}`)
  const host = ["env", "-i", ...env, yield* claudeCodeBinary, "--session-id", sessionId, ...tools]
  const begin = ["new-session", "-d", "-x", "102", "-y", "32", "-c", sandbox.workspace, "-P", "-F", "#{pane_pid}"]
  yield* Effect.acquireRelease(ask(...begin, ...host, "--permission-mode", "default"), (pid) =>
    Effect.provide(end(sandbox, pid.trim()), context)
  )
  const shown = ask("capture-pane", "-p")
  const seen = (name: string, accept: (screen: string) => boolean) =>
    eventually(
      name,
      Effect.map(shown, (screen) => (accept(screen) ? screen : null))
    ).pipe(Effect.tapError(() => Effect.flatMap(shown, Effect.logInfo)))
  const shows = (what: RegExp) => seen(`${what} on the screen`, (all) => what.test(all))
  const press = (name: "Enter" | "Escape" | "Up") => Effect.asVoid(ask("send-keys", name))
  /** Waits until the screen shows the line. */
  const type = (line: string) =>
    Effect.zipRight(
      ask("send-keys", "-l", line),
      seen(`what is typed: ${line}`, (all) => all.replaceAll(/[\s┃│]+/g, " ").includes(line))
    )
  yield* shows(/^ ?[❯>]/m)
  const say = (line: string) => Effect.zipRight(type(line), press("Enter"))
  return { press, requests, say, sessionId, shows, type }
}, orFault("Claude Code's screen could not be opened"))
