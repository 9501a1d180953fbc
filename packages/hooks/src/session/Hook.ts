/** What every handler of a hook process has at hand. */
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import * as DecisionFile from "@reflexion/core/internal/review/records/DecisionFile"
import type { ReviewAction } from "@reflexion/core/internal/review/machine/ReviewState"
import type { Judged } from "@reflexion/core/JudgeService"
import * as DecisionLog from "./DecisionLog.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as SessionFile from "./SessionFile.ts"
import * as Settings from "../config/Settings.ts"
import type { RecordDecoder } from "./RecordDecoder.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

/** `over`: why it is over, null while it lasts; `hasBegun`: whether the host was seen at rest yet. */
export interface Rest {
  readonly over: () => string | null
  readonly hasBegun: () => boolean
}

/**
 * The host's own part of a hook. `build` identifies the program's content.
 *
 * @category models
 */
export interface Hook<S> {
  readonly host: string
  readonly build: string
  /** What the user types before `stop`, `start` and `status`, with a slash where the host knows commands of others. */
  readonly command: string
  readonly decoder: RecordDecoder<S>
  /** How much of a stop this process answers: all of it, what takes a moment, or what that left for later. */
  readonly part: "all" | "now" | "later"
  /** The rest after a session's stop, where a person sits before the host's screen and can be reached later; else null. */
  readonly rest?: (sessionId: string) => Rest | null
  /** Whether only calls that change a todo list are reported; else every one is, if any. */
  readonly watches?: "todos"
  /** What the agent is told where a session begins, beside what the memory has. */
  readonly began?: (hook: Hook<S>, event: HookEvent, answer: HookAnswer) => HookAnswer
  readonly directories: UserDirectories.UserDirectories
  readonly env: Readonly<Record<string, string | undefined>>
  readonly settle: Settings.Options["settle"]
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** When the process began, in ms since the epoch. */
  readonly begun: number
  /** When the process must have answered, in ms since the epoch. */
  readonly deadline: number
}

export const keyOf = <S>(hook: Hook<S>, event: HookEvent): SessionFile.Key => ({
  directories: hook.directories,
  host: hook.host,
  sessionId: event.sessionId,
  build: hook.build
})

const longest = 2000

/**
 * Changes what is saved of a session, waiting for a review that is under way. Throws where it cannot be saved.
 *
 * @category accessors
 */
export const update = <S>(
  hook: Hook<S>,
  event: HookEvent,
  change: (session: SessionFile.Session) => SessionFile.Session
): SessionFile.Session => {
  const key = keyOf(hook, event)
  const patience = Math.min(longest, hook.deadline - hook.now())
  const release = SessionFile.lockWithin(key, patience, hook.now)
  if (release === null) throw new Error("another review of this session is under way")
  try {
    const { seen, session } = SessionFile.load(key)
    const after = change(session)
    if (after !== session) SessionFile.save(key, after, seen)
    return after
  } finally {
    release()
  }
}

/**
 * The configuration in a project. `own`: the host's own model, for an event at which one may be asked.
 *
 * @category accessors
 */
export const settingsOf = <S>(hook: Hook<S>, root: string, own: string | null = null): Settings.Settled =>
  Settings.load({ directories: hook.directories, env: hook.env, root, own, build: hook.build, settle: hook.settle })

const write = <S>({ directories, env }: Hook<S>, decide: () => Decision.Decision): void => {
  try {
    const decision = decide()
    DecisionLog.tell(env, decision)
    DecisionFile.append(UserDirectories.logFile(directories), decision)
  } catch {
    // There is nowhere left to say it.
  }
}

/** Where and when something is decided. */
const place = <S>(hook: Hook<S>, event: HookEvent, since: number) => ({
  at: new Date(hook.now()).toISOString(),
  host: hook.host,
  sessionId: event.sessionId,
  directory: event.cwd,
  event: event.name,
  maxAttempts: null,
  durationMs: hook.now() - since
})

/**
 * Writes to the decision log what no review is behind. A log that cannot be written costs the user nothing.
 *
 * @category logging
 */
export const log = <S>(
  hook: Hook<S>,
  event: HookEvent,
  said: Pick<Decision.Decision, "decision" | "reason"> & { readonly directory?: string },
  since: number
): void => write(hook, () => ({ ...place(hook, event, since), status: null, severity: null, attempt: null, ...said }))

/**
 * Says nothing, and in the log why.
 *
 * @category logging
 */
export const abstain = <S>(hook: Hook<S>, event: HookEvent, reason: string, since: number): HookAnswer => {
  log(hook, event, { decision: "abstain", reason }, since)
  return nothing
}

/**
 * Writes to it what the state machine wants recorded.
 *
 * @category logging
 */
export const logAll = <S>(
  hook: Hook<S>,
  event: HookEvent,
  actions: ReadonlyArray<ReviewAction>,
  { judged, since, ...more }: Of
): void => {
  const where = () => ({ ...place(hook, event, since), ...more })
  for (const action of actions) if (action._tag === "Record") write(hook, () => Decision.of(action, where(), judged))
}

interface Of {
  readonly judged: Judged | null
  readonly since: number
  readonly directory: string | null
  readonly maxAttempts: number | null
}

export { messageOf } from "@reflexion/core/internal/base/text/Text"
