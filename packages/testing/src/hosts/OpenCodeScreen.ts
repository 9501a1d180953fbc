/**
 * OpenCode's own screen, in a terminal of tmux that nobody looks at: what its user types there, and what is to be seen.
 */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { openCodeBinary } from "../sandbox/HostBinaries.ts"
import { eventually, HostFault, orFault } from "../contract/HostContract.ts"
import * as OpenCodeHost from "./OpenCodeHost.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"

export interface Screen {
  /** Everything that is to be seen now. */
  readonly shown: Effect.Effect<string, HostFault>
  /** Waits until something is to be seen, and gives the whole screen with it. */
  readonly shows: (what: RegExp) => Effect.Effect<string, HostFault>
  /** The same of what stands in the corner. */
  readonly tells: (what: RegExp) => Effect.Effect<string, HostFault>
  readonly press: (key: "Enter" | "Escape") => Effect.Effect<void, HostFault>
  /** Types a line, and presses Enter once it is there. */
  readonly say: (line: string) => Effect.Effect<void, HostFault>
}

const size = { columns: 102, rows: 32 }

const missing =
  "OpenCode's screen is tried in tmux, which is not there. Debian: apt-get install -y --no-install-recommends tmux"

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

/**
 * What a screen tells in its corner, over what is below it; empty for nothing.
 *
 * @category accessors
 */
export const corner = (screen: string): string =>
  screen
    .split("\n")
    .flatMap((line) => /┃ {2}(\S[^┃]*?) *┃$/.exec(line)?.[1] ?? [])
    .join(" ")

/** Until the host has ended, for it writes into the sandbox as long as it is there. */
const end = (sandbox: Sandbox.Sandbox, pid: string) =>
  tmux(sandbox, "kill-server").pipe(
    Effect.zipRight(
      Sandbox.execute(sandbox, "sh", "-c", `kill -9 ${pid} 2>/dev/null; kill -0 ${pid} 2>/dev/null; echo $?`)
    ),
    Effect.repeat({ until: (gone) => gone.trim() !== "0", schedule: Schedule.spaced("50 millis") }),
    Effect.ignore
  )

/**
 * Begins OpenCode on a screen; it ends with the scope.
 *
 * @category constructors
 */
export const open = Effect.fn("OpenCodeScreen.open")(function* (options: OpenCodeHost.Options) {
  const { sandbox } = options
  yield* OpenCodeHost.prepare(options)
  const context = yield* Effect.context<CommandExecutor.CommandExecutor>()
  const ask = (...words: ReadonlyArray<string>) => Effect.provide(tmux(sandbox, ...words), context)
  const env = { ...sandbox.env, ...OpenCodeHost.environment(options), TERM: "xterm-256color" }
  const host = ["env", "-i", ...Object.entries(env).map(([key, value]) => `${key}=${value}`)]
  const begin = ["new-session", "-d", "-x", String(size.columns), "-y", String(size.rows), "-c", sandbox.workspace]
  yield* Effect.acquireRelease(ask(...begin, "-P", "-F", "#{pane_pid}", ...host, yield* openCodeBinary), (pid) =>
    Effect.provide(end(sandbox, pid.trim()), context)
  )
  const shown = ask("capture-pane", "-p")
  const seen = (name: string, accept: (screen: string) => boolean) =>
    eventually(
      name,
      Effect.map(shown, (screen) => (accept(screen) ? screen : null))
    ).pipe(Effect.tapError(() => Effect.flatMap(shown, Effect.logInfo)))
  const shows = (what: RegExp) => seen(`${what} on the screen`, (screen) => what.test(screen))
  const press = (key: "Enter" | "Escape") => Effect.asVoid(ask("send-keys", key))
  const screen: Screen = {
    shown,
    shows,
    tells: (what) => seen(`${what} in the corner`, (all) => what.test(corner(all))),
    press,
    say: (line) =>
      ask("send-keys", "-l", line).pipe(
        Effect.zipRight(seen(`what is typed: ${line}`, (all) => all.replaceAll(/[\s┃]+/g, " ").includes(line))),
        Effect.zipRight(press("Enter"))
      )
  }
  yield* shows(/Ask anything/)
  return screen
}, orFault("OpenCode's screen could not be opened"))
