/** How a question to a host's own model would be paid. What cannot be read or understood is no login. */
import * as ClaudeCodePayment from "@reflexion/claude-code/ClaudeCodePayment"
import * as CodexPayment from "@reflexion/codex/CodexPayment"
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import * as Payment from "@reflexion/core/internal/session/host/Payment"

type Env = Readonly<Record<string, string | undefined>>

/** What is said where the user's login pays. */
export const login = "login"

const hosts: ReadonlyMap<string, Payment.Payment> = new Map([
  ["claude-code", ClaudeCodePayment.payment],
  ["codex", CodexPayment.payment],
  // It asks within the session, by what pays for that: the user agrees to this where they agree.
  ["opencode", { variables: [], byFiles: () => null }]
])

/**
 * `login`, or in words why the login there would not pay; `env` counts as far as the user's files alone tell, for a variable
 * against it holds for one shell. Never throws.
 */
export const byFiles = (host: string, env: Env): string => {
  const payment = hosts.get(host)
  if (payment === undefined) return `${host} has no login by which reflexion could ask`
  try {
    return payment.byFiles(env) ?? login
  } catch (cause) {
    return `it is not known how ${host} is paid: ${messageOf(cause)}`
  }
}

/** The same with what the variables say. */
export const of = (host: string, env: Env): string =>
  Payment.byVariables(hosts.get(host)?.variables ?? [], env) ?? byFiles(host, env)

/** Whether the user's login there would pay. */
export const isLogin = (host: string, env: Env): boolean => of(host, env) === login
