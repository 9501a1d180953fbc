/** What the hooks need from each host, apart from its hook program. A bundle contains only the lists that it uses. */
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
  // OpenCode and Kilo ask within the session, whose account pays. The user's consent covers this.
  opencode: { variables: [], byFiles: () => null },
  kilo: { variables: [], byFiles: () => null }
}

/** Null if only the host itself can ask its models. */
export const models: ByHost<HostModel.HostAccount | null> = {
  "claude-code": ClaudeCodeModel.own,
  codex: CodexModel.own,
  opencode: null,
  kilo: null
}

/** The hosts whose sandbox can run our commands, and the program that starts the sandbox. */
export const sandboxes: ByHost<Pick<typeof CodexSandbox, "leavingNothing" | "placeIn"> & { readonly program: string }> =
  {
    codex: { program: "codex", ...CodexSandbox }
  }
