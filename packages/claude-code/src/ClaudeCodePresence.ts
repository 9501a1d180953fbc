/**
 * What a running Claude Code says of itself in `sessions/<pid>.json` of its folder: it rests, works, or has a dialog open.
 * Seen with 2.1.330: a prompt, a menu, a rewind, `/clear` and Esc in a turn each change the time; a draft and Esc at rest do
 * not; the file goes when Claude Code ends.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as HostFiles from "@reflexion/core/internal/session/host/HostFiles"
import { join } from "node:path"

type Env = Readonly<Record<string, string | undefined>>

export interface Presence {
  readonly sessionId: string
  /** `idle`, `busy` or `waiting`, in the host's words. */
  readonly status: string
  /** Since when, in ms since the epoch. */
  readonly since: number
}

const fileOf = (env: Env): string | null => {
  const pid = env["CLAUDE_PID"] ?? ""
  const folder = env["CLAUDE_CONFIG_DIR"] || join(HostFiles.homeOf(env), ".claude")
  return /^\d{1,10}$/.test(pid) ? join(folder, "sessions", `${pid}.json`) : null
}

/** Of the Claude Code that started this process; null where it says nothing. Never throws. */
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
    // It is written in place, and half of it may be there.
    return null
  }
}

/** Whether a person sits before its screen, where what comes later reaches them. */
export const isAtScreen = (env: Env): boolean => env["CLAUDE_CODE_SESSION_ATTENDED"] === "1" && read(env) !== null

/** The rest after a stop, which begins with the first moment at which Claude Code is seen idle. */
export interface Rest {
  /** Looks, and says why the rest is over; null while it lasts, or while the turn is still ending. */
  readonly over: () => string | null
  /** Whether it had begun when somebody looked last. */
  readonly hasBegun: () => boolean
}

/** Watches the rest of a session by what Claude Code says of itself. */
export const rest = (sessionId: string, look: () => Presence | null): Rest => {
  let begun: number | null = null
  const over = (): string | null => {
    const found = look() ?? look()
    if (found === null) return "Claude Code has ended, or says nothing of itself"
    if (found.sessionId !== sessionId) return "the user went on to another session"
    if (begun === null && found.status === "idle") begun = found.since
    if (begun === null || (found.status === "idle" && found.since === begun)) return null
    return "the user went on meanwhile"
  }
  return { over, hasBegun: () => begun !== null }
}
