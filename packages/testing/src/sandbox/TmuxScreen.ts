/** A program's own screen, in a terminal of tmux that nobody looks at: what its user types there, and what is to be seen. */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { eventually, HostFault, orFault } from "../contract/HostContract.ts"
import * as Sandbox from "./Sandbox.ts"

export type Key = "Enter" | "Escape" | "Up"

export interface Screen {
  /** The number of the program's process. */
  readonly pid: number
  /** Everything that is to be seen now. */
  readonly shown: Effect.Effect<string, HostFault>
  /** Waits until the screen is as wanted, and gives it. */
  readonly seen: (name: string, accept: (screen: string) => boolean) => Effect.Effect<string, HostFault>
  readonly press: (key: Key) => Effect.Effect<void, HostFault>
  /** Types into the line, and waits until it is to be seen there. */
  readonly type: (line: string) => Effect.Effect<void, HostFault>
}

const size = { columns: 102, rows: 32 }

const missing =
  "A host's screen is tried in tmux, which is not there. Debian: apt-get install -y --no-install-recommends tmux"

/** What the terminal's program prints; without the program, `env` ends with 127. */
const tmux = (sandbox: Sandbox.Sandbox, ...words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const argv = ["tmux", "-u", "-f", "/dev/null", "-S", `${sandbox.root}/terminal`, ...words]
    const running = yield* Command.start(Sandbox.command(sandbox, {}, argv))
    const texts = [running.stdout, running.stderr].map((bytes) => Stream.mkString(Stream.decodeText(bytes)))
    const [[output = "", errors = ""], exitCode] = yield* Effect.all([
      Effect.all(texts, { concurrency: 2 }),
      running.exitCode
    ])
    if (exitCode === 127) return yield* new HostFault({ detail: missing })
    return exitCode === 0 ? output : yield* new HostFault({ detail: `tmux ${words[0]}: ${errors}` })
  }).pipe(Effect.scoped, orFault("the terminal could not be asked"))

/** Until the program has ended, for it writes into the sandbox as long as it is there. */
const end = (sandbox: Sandbox.Sandbox, pid: string) =>
  tmux(sandbox, "kill-server").pipe(
    Effect.ignore,
    Effect.zipRight(
      Sandbox.execute(sandbox, "sh", "-c", `kill -9 ${pid} 2>/dev/null; kill -0 ${pid} 2>/dev/null; echo $?`)
    ),
    Effect.repeat({ until: (gone) => gone.trim() !== "0", schedule: Schedule.spaced("50 millis") }),
    Effect.ignore
  )

/**
 * Begins a program on a screen, in the sandbox's workspace; it ends with the scope.
 *
 * @category constructors
 */
export const open = Effect.fn("TmuxScreen.open")(function* (
  sandbox: Sandbox.Sandbox,
  env: Readonly<Record<string, string>>,
  argv: ReadonlyArray<string>
) {
  const context = yield* Effect.context<CommandExecutor.CommandExecutor>()
  const ask = (...words: ReadonlyArray<string>) => Effect.provide(tmux(sandbox, ...words), context)
  const known = { ...sandbox.env, ...env, TERM: "xterm-256color" }
  const host = ["env", "-i", ...Object.entries(known).map(([key, value]) => `${key}=${value}`), ...argv]
  const begin = ["new-session", "-d", "-x", String(size.columns), "-y", String(size.rows), "-c", sandbox.workspace]
  const pid = yield* Effect.acquireRelease(ask(...begin, "-P", "-F", "#{pane_pid}", ...host), (pid) =>
    Effect.provide(end(sandbox, pid.trim()), context)
  )
  const shown = ask("capture-pane", "-p")
  const seen = (name: string, accept: (screen: string) => boolean) =>
    eventually(
      name,
      Effect.map(shown, (screen) => (accept(screen) ? screen : null))
    ).pipe(Effect.tapError(() => Effect.flatMap(shown, Effect.logInfo)))
  const screen: Screen = {
    pid: Number(pid.trim()),
    shown,
    seen,
    press: (key) => Effect.asVoid(ask("send-keys", key)),
    type: (line) =>
      ask("send-keys", "-l", line).pipe(
        Effect.zipRight(seen(`what is typed: ${line}`, (all) => all.replaceAll(/[\s┃│]+/g, " ").includes(line))),
        Effect.asVoid
      )
  }
  return screen
}, orFault("the screen could not be opened"))
