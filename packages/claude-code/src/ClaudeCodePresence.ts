/**
 * Reads the state that a running Claude Code writes to `sessions/<pid>.json`: idle, busy, or waiting in a dialog. In
 * 2.1.330, the state's time changes at a prompt, a menu, a rewind, `/clear`, and Esc during a turn. A draft, or Esc
 * while idle, does not change it.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as HostFiles from "@reflexion/core/internal/session/host/HostFiles"
import { join } from "node:path"

type Env = Readonly<Record<string, string | undefined>>

export interface Presence {
  readonly sessionId: string
  readonly status: string
  /** When this status began, in ms since the epoch. */
  readonly since: number
}

const fileOf = (env: Env): string | null => {
  const pid = env["CLAUDE_PID"] ?? ""
  const folder = env["CLAUDE_CONFIG_DIR"] || join(HostFiles.homeOf(env), ".claude")
  return /^\d{1,10}$/.test(pid) ? join(folder, "sessions", `${pid}.json`) : null
}

/** Reads the state of the Claude Code that started this process. Never throws. */
export const read = (env: Env): Presence | null => {
  const file = fileOf(env)
  if (file === null) return null
  try {
    const found = Json.object(JSON.parse(PlainFiles.read(file, { follow: true }) ?? "null"))
    const [sessionId, status, since] = [
      Json.string(found["sessionId"]),
      Json.string(found["status"]),
      Json.number(found["statusUpdatedAt"])
    ]
    return sessionId === null || status === null || since === null ? null : { sessionId, status, since }
  } catch {
    // Claude Code writes the file in place, so it may be incomplete at this moment.
    return null
  }
}

/** True if a person is at this session's screen and will see later messages. */
export const isAtScreen = (env: Env): boolean => env["CLAUDE_CODE_SESSION_ATTENDED"] === "1" && read(env) !== null

/** The idle time. It begins when Claude Code is first seen idle. */
export interface Rest {
  /** Reads the state and says why the idle time is over. Null if it lasts or has not begun. */
  readonly over: () => string | null
  /** True if the idle time had begun when the state was last read. */
  readonly hasBegun: () => boolean
}

export const rest = (sessionId: string, look: () => Presence | null): Rest => {
  let begun: number | null = null
  const over = (): string | null => {
    const found = look() ?? look()
    if (found === null) return "Claude Code has ended, or its state is unknown"
    if (found.sessionId !== sessionId) return "the user has moved to another session"
    if (begun === null && found.status === "idle") begun = found.since
    if (begun === null || (found.status === "idle" && found.since === begun)) return null
    return "the user has continued in the meantime"
  }
  return { over, hasBegun: () => begun !== null }
}
