/**
 * The session to judge when none is named: the newest of the current directory among the hosts that are installed.
 *
 * @since 0.1.0
 */
import * as ClaudeCodeSessions from "@reflexion/claude-code/ClaudeCodeSessions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import { CliProcess } from "./CliProcess.ts"
import { SessionError } from "./CliError.ts"
import type { JudgeRequest } from "./JudgeRequest.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Found {
  readonly file: string
  readonly host: string
  readonly directory: string
}

/**
 * @since 0.1.0
 * @category programs
 */
export const find = Effect.fn("NewestSession.find")(function* (request: JudgeRequest) {
  const { cwd, env } = yield* CliProcess
  const directory = request.cwd === null ? cwd : resolve(cwd, request.cwd)
  const found = yield* ClaudeCodeSessions.newest({ cwd: directory, env })
  if (Option.isSome(found)) return { file: found.value, host: "claude-code", directory } satisfies Found
  return yield* new SessionError({ file: directory, reason: "missing", problem: "has no session of claude-code" })
})
