/**
 * The watch over an agent at work: who hangs sends no event, so somebody has to look. It looks when a silence can have
 * become too long, and reports the same one again only when it has lasted twice as long.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type Activity, AgentHost } from "./AgentHost.ts"
import { type Happening, now } from "./work.ts"

/** `stall`: the silence in ms that is too long; `owed`: a word of ours, and how long its answer may take. */
export interface Watch {
  readonly stall: number
  readonly owed: { readonly since: number; readonly within: number } | null
}

interface Reported {
  readonly sign: number
  readonly since: number
  readonly silent: number
}

/** A host that did not answer may do so later. */
const unknown = "unknown" as const

const activityOf = Effect.fnUntraced(function* (sessionId: string) {
  const host = yield* AgentHost
  return yield* host.activity(sessionId).pipe(
    Effect.disconnect,
    Effect.timeout("10 seconds"),
    Effect.orElseSucceed((): typeof unknown => unknown)
  )
})

interface Silence {
  readonly since: number
  readonly due: number
}

/** Since when nothing came of the agent, and how long that may last; null while it is at rest. */
const silenceOf = (activity: Activity, { owed, stall }: Watch, reported: Reported | null): Silence | null => {
  const { lastSign, state } = activity
  if (reported !== null && reported.sign === lastSign)
    return { since: reported.since, due: Math.max(stall, 2 * reported.silent) }
  if (owed !== null && lastSign <= owed.since) return { since: owed.since, due: owed.within }
  return state === "idle" ? null : { since: lastSign, due: stall }
}

const look = (
  sessionId: string,
  given: Watch,
  options: { readonly reported: Reported | null; readonly report: Report }
): Effect.Effect<void, never, AgentHost> =>
  Effect.gen(function* () {
    const activity = yield* activityOf(sessionId)
    if (activity === unknown) {
      yield* Effect.sleep(Duration.millis(given.stall))
      return yield* look(sessionId, given, options)
    }
    const silence = activity === null ? null : silenceOf(activity, given, options.reported)
    if (activity === null || silence === null) return
    const at = yield* now
    const silent = activity.state === "waiting" ? 0 : at - silence.since
    if (silent < silence.due) {
      yield* Effect.sleep(Duration.millis(silence.due - silent))
      return yield* look(sessionId, given, options)
    }
    yield* options.report({ name: "silence", event: { _tag: "Silence", since: activity.lastSign, at } })
    const reported = { sign: activity.lastSign, since: silence.since, silent: Math.max(silent, 1) }
    if (activity.state === "idle") return
    yield* Effect.sleep(Duration.millis(Math.max(given.stall, 2 * reported.silent) - reported.silent))
    yield* look(sessionId, given, { ...options, reported })
  })

type Report = (happening: Happening) => Effect.Effect<unknown>

/** Looks, first when a silence can be too long, until the agent is at rest or the host cannot tell what it is at. */
export const watch = (sessionId: string, given: Watch, report: Report): Effect.Effect<void, never, AgentHost> =>
  Effect.zipRight(
    Effect.sleep(Duration.millis(given.owed?.within ?? given.stall)),
    look(sessionId, given, { reported: null, report })
  )
