/** What every handler of a hook process has at hand. */
import type * as ClaudeCodeTodos from "@reflexion/claude-code/ClaudeCodeTodos"
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import * as DecisionFile from "@reflexion/core/internal/review/records/DecisionFile"
import type { ReviewAction } from "@reflexion/core/internal/review/machine/ReviewState"
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import type { Judged } from "@reflexion/core/JudgeService"
import * as FS from "node:fs"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as SessionFile from "./SessionFile.ts"
import * as Settings from "../config/Settings.ts"
import type { RecordDecoder } from "./RecordTail.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

/** `over`: why it is over, null while it lasts; `hasBegun`: whether the host was seen at rest yet. */
export interface Rest {
  readonly over: () => string | null
  readonly hasBegun: () => boolean
}

/** What a host's adapter brings. */
export interface Adapter<S> {
  readonly host: string
  /** What the user types before `stop`, `start` and `status`, with a slash where the host knows commands of others. */
  readonly command: string
  readonly decoder: RecordDecoder<S>
  /** The rest after a session's stop, where a person sits before the host's screen and can be reached later; else null. */
  readonly rest?: (sessionId: string) => Rest | null
  /** The host's tools for a todo list, where its agent is told of it. */
  readonly todos?: {
    readonly tools: ReadonlyArray<string>
    readonly step: typeof ClaudeCodeTodos.step
  }
  /** Whether only calls that change a todo list are reported; else every one is, if any. */
  readonly watches?: "todos"
}

export interface Hook<S> extends Adapter<S> {
  /** Identifies the program's content. */
  readonly build: string
  readonly settle: Settings.Options["settle"]
  /** How much of a stop this process answers: all of it, what takes a moment, or what that left for later. */
  readonly part: "all" | "now" | "later"
  readonly directories: UserDirectories.UserDirectories
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since the epoch, as are the others: when the process began, and when it must have answered. */
  readonly now: () => number
  readonly begun: number
  readonly deadline: number
}

export const keyOf = <S>(hook: Hook<S>, event: HookEvent): SessionFile.Key => ({
  directories: hook.directories,
  host: hook.host,
  sessionId: event.sessionId,
  build: hook.build
})

/** Why nothing is done where another process has the session's lock. */
export const busy = "another review of this session is under way"

/** Changes what is saved of a session, waiting for a review that is under way. Throws where it cannot be saved. */
export const update = <S>(
  hook: Hook<S>,
  event: HookEvent,
  change: (session: SessionFile.Session) => SessionFile.Session
): SessionFile.Session => {
  const key = keyOf(hook, event)
  const changed = SessionFile.locked(key, Math.min(2000, hook.deadline - hook.now()), () => {
    const { session } = SessionFile.load(key)
    const after = change(session)
    if (after !== session) SessionFile.save(key, after)
    return after
  })
  if (changed === null) throw new Error(busy)
  return changed
}

/** The configuration in a project. `own`: the host's own model, for an event at which one may be asked. */
export const settingsOf = <S>(hook: Hook<S>, root: string, own: string | null = null): Settings.EffectiveConfig =>
  Settings.load({ directories: hook.directories, env: hook.env, root, own, build: hook.build, settle: hook.settle })

/** A log that cannot be written costs the user nothing. */
const write = <S>({ directories, env }: Hook<S>, decide: () => Decision.Decision): void => {
  try {
    const decision = decide()
    DecisionFile.append(UserDirectories.logFile(directories), decision)
    if (env["REFLECTION_DEBUG"] === "1") FS.writeSync(2, `reflexion: ${Decision.encode(decision).trimEnd()}\n`)
  } catch {
    // There is nowhere left to say it.
  }
}

const place = <S>(hook: Hook<S>, event: HookEvent, since: number) => ({
  at: new Date(hook.now()).toISOString(),
  host: hook.host,
  sessionId: event.sessionId,
  directory: event.cwd,
  event: event.name,
  maxAttempts: null,
  durationMs: hook.now() - since
})

export const log = <S>(
  hook: Hook<S>,
  event: HookEvent,
  said: Pick<Decision.Decision, "decision" | "reason"> & { readonly directory?: string },
  since = hook.now()
): void => write(hook, () => ({ ...place(hook, event, since), status: null, severity: null, attempt: null, ...said }))

export const abstain = <S>(hook: Hook<S>, event: HookEvent, reason: string, since: number): HookAnswer => {
  log(hook, event, { decision: "abstain", reason }, since)
  return nothing
}

/** What `work` gives; where it fails, the log says so, and what comes of it is `otherwise`. */
export const orLogged = <S, A>(
  hook: Hook<S>,
  event: HookEvent,
  { directory, what }: { readonly what?: string; readonly directory?: string },
  work: () => A,
  otherwise: A
): A => {
  const since = hook.now()
  try {
    return work()
  } catch (cause) {
    const reason = what === undefined ? messageOf(cause) : `${what}: ${messageOf(cause)}`
    log(hook, event, { decision: "failure", reason, ...(directory !== undefined && { directory }) }, since)
    return otherwise
  }
}

interface Of {
  readonly judged: Judged | null
  readonly since: number
  readonly directory: string | null
  readonly maxAttempts: number | null
}

export const logAll = <S>(
  hook: Hook<S>,
  event: HookEvent,
  actions: ReadonlyArray<ReviewAction>,
  { judged, since, ...more }: Of
): void => {
  const where = () => ({ ...place(hook, event, since), ...more })
  for (const action of actions) if (action._tag === "Record") write(hook, () => Decision.of(action, where(), judged))
}

export { messageOf }
