/** What the hooks need of each host besides its own program: one place for a new one. Each list is bundled where it is used alone. */
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
  // It asks within the session, by what pays for that: the user agrees to this where they agree.
  opencode: { variables: [], byFiles: () => null }
}

/** The program that asks a host's models; null where they are asked within the host alone. */
export const models: ByHost<HostModel.HostAccount | null> = {
  "claude-code": ClaudeCodeModel.own,
  codex: CodexModel.own,
  opencode: null
}

/** The sandbox of those that have one for commands of others, by the program that starts it. */
export const sandboxes: ByHost<Pick<typeof CodexSandbox, "leavingNothing" | "placeIn"> & { readonly program: string }> =
  {
    codex: { program: "codex", ...CodexSandbox }
  }
