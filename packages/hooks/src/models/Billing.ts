/** How a question to a host's own model would be paid. What cannot be read or understood is no login. */
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import * as Payment from "@reflexion/core/internal/session/host/Payment"
import * as OwnModels from "../config/OwnModels.ts"
import * as Hosts from "./Hosts.ts"

type Env = Readonly<Record<string, string | undefined>>

export const login = "login"

/** `login`, or in words why it would not pay, by the user's files alone: a variable holds for one shell. Never throws. */
export const byFiles = (host: string, env: Env): string => {
  const payment = Hosts.payments[host]
  if (payment === undefined) return `${host} has no login with which reflexion could ask`
  try {
    return payment.byFiles(env) ?? login
  } catch (cause) {
    return `it is not known how ${host} is paid: ${messageOf(cause)}`
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

/** The host's own small model, null where it may not be asked: the user agreed, or said so, and only their login pays. */
export const mayAsk = ({ directories, env, host, said }: BillingQuestion): string | null => {
  if (said === "off" || (said === null && !OwnModels.agreed(directories, host))) return null
  return isLogin(host, env) ? OwnModels.nameOf(host) : null
}
