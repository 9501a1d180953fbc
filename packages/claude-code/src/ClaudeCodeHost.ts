/**
 * Claude Code as a host: its hooks' payloads as events, its transcripts, and what a Stop hook prints as the way to make it go
 * on. Claude Code tells no hook of an interruption: the transcript has it.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { AgentHost } from "@reflexion/core/AgentHost"
import * as HookedHost from "@reflexion/core/HookedHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import type * as Layer from "effect/Layer"
import * as ClaudeCodeSidechains from "./ClaudeCodeSidechains.ts"
import * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"

const ended = new Set(["completed", "failed", "error", "killed", "stopped", "cancelled", "idle"])

/** Running tasks, and wake-ups that the agent set for itself: a schedule that recurs waits for nothing. */
const background = (payload: Json.Json): number =>
  Json.list(payload["background_tasks"]).filter((task) => !ended.has(Json.text(Json.object(task)["status"]))).length +
  Json.list(payload["session_crons"]).filter((cron) => Json.object(cron)["recurring"] === false).length

/** A block would reach the model twice and look like a failure of the hook. */
const encode = ({ feedback, notice }: HookedHost.Said): object => ({
  ...(feedback !== null && { hookSpecificOutput: { hookEventName: "Stop", additionalContext: feedback } }),
  ...(notice !== "" && { systemMessage: notice })
})

const adapter: HookedHost.Adapter = {
  name: "claude-code",
  kinds: { Stop: "stop", StopFailure: "failure", UserPromptSubmit: "work", PostToolUse: "work" },
  plan: (payload) => payload["permission_mode"] === "plan",
  background,
  decoder: ClaudeCodeTranscript.decoder,
  subagentCalls: ClaudeCodeSidechains.read,
  encode
}

/**
 * For `TurnReview.run`, with the `HookInbox` that takes what Claude Code tells its hooks: `Stop`, and where they are
 * installed as well `UserPromptSubmit` and `StopFailure`.
 *
 * @category layers
 */
export const layer: (
  options?: HookedHost.Options
) => Layer.Layer<AgentHost | HookedHost.HookInbox, never, FileSystem.FileSystem | Path.Path> = (options) =>
  HookedHost.layer(adapter, options)
