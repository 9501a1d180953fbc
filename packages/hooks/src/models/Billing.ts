/** How a question to a host's own model would be paid. If this is unclear, we assume that the login does not pay. */
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import * as Payment from "@reflexion/core/internal/session/host/Payment"
import * as OwnModels from "../config/OwnModels.ts"
import * as Hosts from "./Hosts.ts"

type Env = Readonly<Record<string, string | undefined>>

export const login = "login"

/** Returns `login`, or why it would not pay. Ignores variables: they may be set in one shell only. Never throws. */
export const byFiles = (host: string, env: Env): string => {
  const payment = Hosts.payments[host]
  if (payment === undefined) return `${host} has no login that reflexion could use`
  try {
    return payment.byFiles(env) ?? login
  } catch (cause) {
    return `it is unknown how ${host} is paid: ${messageOf(cause)}`
  }
}

export const of = (host: string, env: Env): string =>
  Payment.byVariables(Hosts.payments[host]?.variables ?? [], env) ?? byFiles(host, env)

export const isLogin = (host: string, env: Env): boolean => of(host, env) === login

export interface BillingQuestion {
  readonly directories: OwnModels.Directories
  readonly env: Env
  readonly host: string
  readonly said: "on" | "off" | null
}

/** Null if reflexion may not ask the host's small model. The user must agree, and the user's login must pay. */
export const mayAsk = ({ directories, env, host, said }: BillingQuestion): string | null => {
  if (said === "off" || (said === null && !OwnModels.agreed(directories, host))) return null
  return isLogin(host, env) ? OwnModels.nameOf(host) : null
}
