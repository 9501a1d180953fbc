/**
 * The host's own small model, as far as it may be asked at a stop: by what the user agreed to, or said in the session, and
 * only where their login pays.
 */
import * as OwnModels from "../config/OwnModels.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"
import * as Billing from "./Billing.ts"

/** `said`: what the user said in the session; null where they said nothing. */
export interface Asked {
  readonly directories: Pick<UserDirectories, "state">
  readonly env: Readonly<Record<string, string | undefined>>
  readonly host: string
  readonly said: "on" | "off" | null
}

/** Its name, null where it may not be asked. Nothing but the user's word is read where they did not agree. */
export const inForce = ({ directories, env, host, said }: Asked): string | null => {
  if (said === "off") return null
  if (said === null && !OwnModels.agreed(directories, host)) return null
  return Billing.isLogin(host, env) ? OwnModels.nameOf(host) : null
}
