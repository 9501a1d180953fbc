/**
 * Codex as a host: its hooks' payloads as events, its rollouts as transcripts, and what a Stop hook prints as the way to
 * make it go on. A session that Codex keeps no rollout of (`--ephemeral`) is not reviewed.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { AgentHost } from "@reflexion/core/AgentHost"
import * as HookedHost from "@reflexion/core/HookedHost"
import type * as Layer from "effect/Layer"
import * as CodexAgents from "./CodexAgents.ts"
import * as CodexTranscript from "./CodexTranscript.ts"

/** Codex takes an answer with a key that it does not know for a failure. */
const encode = ({ feedback, notice }: HookedHost.Said): object => ({
  ...(feedback !== null && { decision: "block", reason: feedback }),
  ...(notice !== "" && { systemMessage: notice })
})

const adapter: HookedHost.Adapter = {
  name: "codex",
  kinds: { Stop: "stop", UserPromptSubmit: "work", PostToolUse: "work", Interrupt: "interrupt" },
  // Neither is in a payload of Codex: the rollout has both.
  plan: () => null,
  background: () => null,
  decoder: CodexTranscript.decoder,
  subagentCalls: CodexAgents.read,
  encode
}

/**
 * For `TurnReview.run`, with the `HookInbox` that takes what Codex tells its hooks: `Stop`, and where they are installed as
 * well `UserPromptSubmit` and `Interrupt`.
 *
 * @category layers
 */
export const layer: (
  options?: HookedHost.Options
) => Layer.Layer<AgentHost | HookedHost.HookInbox, never, FileSystem.FileSystem | Path.Path> = (options) =>
  HookedHost.layer(adapter, options)
