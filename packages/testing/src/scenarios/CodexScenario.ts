/**
 * What makes a recorded Codex session: the project, what the user does, what the model says, and how the last turn is
 * to be judged.
 */
import * as Effect from "effect/Effect"
import type { ExpectedVerdict } from "./ClaudeCodeScenario.ts"
import * as CodexHost from "../hosts/CodexHost.ts"
import type { ModelRequest } from "../servers/ModelScript.ts"
import { everyAnswerScripted } from "./PlayedScenario.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import { type Block, type Script, ScriptedResponses } from "../servers/ScriptedResponses.ts"

export { act, say } from "../servers/ModelScript.ts"

export interface CodexScenario {
  readonly name: string
  /** What a reader should look at, in one sentence. */
  readonly description: string
  readonly expected: ExpectedVerdict
  readonly project: Sandbox.Project
  readonly steps: ReadonlyArray<CodexHost.Step>
  readonly session?: Pick<CodexHost.SessionOptions, "args" | "config" | "env" | "model">
  readonly hooks?: (sandbox: Sandbox.Sandbox) => Readonly<Record<string, unknown>>
  /** What is kept: the session's record, or what the host prints, which has no prompt. */
  readonly kept: "rollout" | "stream"
  /** The model's side, for a workspace at this path. */
  readonly script: (workspace: string) => Script
}

export const shell = (cmd: string, options?: { readonly yieldAfterMillis: number }): Block => ({
  tool: "exec_command",
  input: { cmd, ...(options === undefined ? {} : { yield_time_ms: options.yieldAfterMillis }) }
})

/**
 * A look at the process that goes on, whose number the last tool output tells.
 *
 * @category constructors
 */
export const poll = ({ lastOutput }: ModelRequest): Block => ({
  tool: "write_stdin",
  input: { session_id: Number(/session ID (\d{1,12})/.exec(lastOutput)?.[1] ?? 0), chars: "", yield_time_ms: 10_000 }
})

/**
 * The patch that replaces one line by another.
 *
 * @category constructors
 */
export const replaceLine = (file: string, before: string, after: string): string =>
  [
    "*** Begin Patch",
    `*** Update File: ${file}`,
    "@@",
    `-${before}`,
    ...after.split("\n").map((line) => `+${line}`),
    "*** End Patch"
  ].join("\n")

export const patch = (source: string): Block => ({ tool: "apply_patch", source })

/**
 * A script of a model that calls its tools from code.
 *
 * @category constructors
 */
export const code = (...lines: ReadonlyArray<string>): Block => ({ tool: "exec", source: lines.join("\n") })

export const plan = (steps: Readonly<Record<string, "pending" | "in_progress" | "completed">>): Block => ({
  tool: "update_plan",
  input: { plan: Object.entries(steps).map(([step, status]) => ({ step, status })) }
})

/**
 * Plays a scenario in a sandbox that stands until the scope closes.
 *
 * @category constructors
 */
export const play = Effect.fn("CodexScenario.play")(function* (scenario: CodexScenario) {
  const sandbox = yield* Sandbox.make({ name: "shop", project: scenario.project })
  const script = scenario.script(sandbox.workspace)
  const session = yield* CodexHost.run({
    sandbox,
    steps: scenario.steps,
    ...(scenario.hooks === undefined ? {} : { hooks: scenario.hooks(sandbox) }),
    ...scenario.session
  }).pipe(
    Effect.tap(
      everyAnswerScripted({
        scenario: scenario.name,
        turns: script.turns.length,
        whole: scenario.steps.every((step) => step.interruptAfter === undefined && step.killAfter === undefined),
        requests: Effect.flatMap(ScriptedResponses, (server) => server.requests)
      })
    ),
    Effect.provide(ScriptedResponses.layer(script))
  )
  return { sandbox, session }
})
