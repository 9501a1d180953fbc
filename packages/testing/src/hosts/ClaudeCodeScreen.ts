/** Claude Code's own screen, as a person has it: what is typed there, and what is to be seen. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Crypto from "node:crypto"
import { eventually, type HostFault, orFault } from "../contract/HostContract.ts"
import { claudeCodeBinary } from "../sandbox/HostBinaries.ts"
import type { Sandbox } from "../sandbox/Sandbox.ts"
import * as TmuxScreen from "../sandbox/TmuxScreen.ts"
import type { Rule, Turn } from "../servers/ModelScript.ts"
import * as ScriptedAnthropic from "../servers/ScriptedAnthropic.ts"
import { offline } from "./ClaudeCodeHost.ts"

type Block = ScriptedAnthropic.Block

export interface Options {
  readonly sandbox: Sandbox
  readonly turns: ReadonlyArray<Turn<Block>>
  readonly rules?: ReadonlyArray<Rule<Block>>
  readonly env?: Readonly<Record<string, string>>
  readonly args?: ReadonlyArray<string>
}

export interface Screen extends TmuxScreen.Screen {
  readonly sessionId: string
  readonly requests: (typeof ScriptedAnthropic.ScriptedAnthropic)["Service"]["requests"]
  readonly shows: (what: RegExp) => Effect.Effect<string, HostFault>
  /** Types a line, and presses Enter once it is there. */
  readonly say: (line: string) => Effect.Effect<void, HostFault>
}

const key = "test-key-of-no-worth-0123456789"

/** What the host asks at its first start, answered. */
const settled = (sandbox: Sandbox) =>
  JSON.stringify({
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [sandbox.workspace]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } }
  })

/**
 * Begins Claude Code on a screen; it ends with the scope.
 *
 * @category constructors
 */
export const open = Effect.fn("ClaudeCodeScreen.open")(function* (options: Options) {
  const { sandbox } = options
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* fs.writeFileString(path.join(sandbox.home, ".claude.json"), settled(sandbox))
  const server = yield* ScriptedAnthropic.make({ turns: options.turns, rules: options.rules ?? [] })
  const sessionId = Crypto.randomUUID()
  const env = { ...offline(server.url), ANTHROPIC_API_KEY: key, ...options.env }
  const tools = [
    "--tools",
    "Bash,Edit,Read,Write",
    "--allowedTools",
    "Bash,Edit,Read,Write",
    "--permission-mode",
    "default"
  ]
  const argv = [yield* claudeCodeBinary, "--session-id", sessionId, ...tools, ...(options.args ?? [])]
  const screen = yield* TmuxScreen.open(sandbox, env, argv)
  const shows = (what: RegExp) => screen.seen(`${what} on the screen`, (all) => what.test(all))
  yield* shows(/^ ?[❯>]/m)
  return {
    ...screen,
    sessionId,
    shows,
    requests: server.requests,
    say: (line) => Effect.zipRight(screen.type(line), screen.press("Enter"))
  } satisfies Screen
}, orFault("Claude Code's screen could not be opened"))

/** Waits until the model was asked so many times. */
export const asked = ({ requests }: Screen, count: number) =>
  eventually(
    `request ${count}`,
    Effect.map(requests, (all) => {
      const turns = all.filter(({ answeredBy }) => answeredBy.startsWith("turn "))
      return turns.length >= count ? turns : null
    })
  )
