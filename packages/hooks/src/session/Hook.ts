/** The values that every handler of a hook process can use. */
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

/** The host's idle time after a stop, while it waits for the user. */
export interface Rest {
  /** Why the idle time is over. Null while it lasts. */
  readonly over: () => string | null
  readonly hasBegun: () => boolean
}

export interface Adapter<S> {
  readonly host: string
  /** The word that the user types before `stop`. It has a slash if the host lets other programs define commands. */
  readonly command: string
  readonly decoder: RecordDecoder<S>
  /** Null if no person at the screen would see a later message. */
  readonly rest?: (sessionId: string) => Rest | null
  /** Undefined if agents of this host get no reminders about their todo list. */
  readonly todos?: {
    readonly tools: ReadonlyArray<string>
    readonly step: typeof ClaudeCodeTodos.step
  }
  /** True if the hook never nudges and only informs the user. A new host starts like this. */
  readonly tellsOnly?: true
  /** "todos": the hook gets only calls that change a todo list. */
  readonly watches?: "todos"
}

export interface Hook<S> extends Adapter<S> {
  readonly build: string
  readonly settle: Settings.Options["settle"]
  /** The part of a stop that this process handles. `later` runs after the turn. */
  readonly part: "all" | "now" | "later"
  readonly directories: UserDirectories.UserDirectories
  readonly env: Readonly<Record<string, string | undefined>>
  /** In ms since the epoch. */
  readonly now: () => number
  /** In ms since the epoch. */
  readonly begun: number
  /** In ms since the epoch. */
  readonly deadline: number
}

export const keyOf = <S>(hook: Hook<S>, event: HookEvent): SessionFile.Key => ({
  directories: hook.directories,
  host: hook.host,
  sessionId: event.sessionId,
  build: hook.build
})

/** The reason if another process has the session's lock. */
export const busy = "another review of this session is under way"

/** Waits for a running review. Throws if the session cannot be saved. */
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

/** `own` is the host's own model, for events at which it may be asked. */
export const settingsOf = <S>(hook: Hook<S>, root: string, own: string | null = null): Settings.EffectiveConfig =>
  Settings.load({ directories: hook.directories, env: hook.env, root, own, build: hook.build, settle: hook.settle })

const write = <S>({ directories, env }: Hook<S>, decide: () => Decision.Decision): void => {
  try {
    const decision = decide()
    DecisionFile.append(UserDirectories.logFile(directories), decision)
    if (env["REFLECTION_DEBUG"] === "1") FS.writeSync(2, `reflexion: ${Decision.encode(decision).trimEnd()}\n`)
  } catch {
    // There is no other place to report this.
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
