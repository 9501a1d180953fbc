/**
 * Everything that the hooks need from each host besides its own program. A new host is added here. Each list is bundled
 * only where it is used.
 */
import * as ClaudeCodeModel from "@reflexion/claude-code/ClaudeCodeModel"
import * as ClaudeCodePayment from "@reflexion/claude-code/ClaudeCodePayment"
import * as CodexModel from "@reflexion/codex/CodexModel"
import * as CodexPayment from "@reflexion/codex/CodexPayment"
import * as CodexSandbox from "@reflexion/codex/CodexSandbox"
import type * as HostModel from "@reflexion/core/internal/model/calls/HostModel"
import type * as Payment from "@reflexion/core/internal/session/host/Payment"

type ByHost<A> = Readonly<Record<string, A>>

export const payments: ByHost<Payment.Payment> = {
  "claude-code": ClaudeCodePayment.payment,
  codex: CodexPayment.payment,
  // OpenCode and Kilo ask within the session, and the session's account pays. The user's consent covers this.
  opencode: { variables: [], byFiles: () => null },
  kilo: { variables: [], byFiles: () => null }
}

/** The program that asks a host's models. Null if only the host itself can ask them. */
export const models: ByHost<HostModel.HostAccount | null> = {
  "claude-code": ClaudeCodeModel.own,
  codex: CodexModel.own,
  opencode: null,
  kilo: null
}

/** The hosts with a sandbox for other programs' commands, and the program that starts it. */
export const sandboxes: ByHost<Pick<typeof CodexSandbox, "leavingNothing" | "placeIn"> & { readonly program: string }> =
  {
    codex: { program: "codex", ...CodexSandbox }
  }
