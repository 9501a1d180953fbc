/**
 * A session of which the process knows nothing is read and folded while its agent works, so that its first stop costs what
 * is new, as every other does.
 */
import * as Effect from "effect/Effect"
import { AgentHost } from "./AgentHost.ts"
import { JudgeService } from "../../ask/tiers/JudgeService.ts"

/** So many events are folded before the host has its turn. */
const slice = 64

const limit = "1 minute"

/** What comes of it only the judge keeps. Whatever goes wrong, the stop is reviewed as if nobody had read ahead. */
export const readAhead = Effect.fnUntraced(
  function* (sessionId: string) {
    const host = yield* AgentHost
    const judge = yield* JudgeService
    const past = host.past === undefined ? null : yield* host.past(sessionId)
    if (past === null) return
    for (let end = 0; end < past.events.length;) {
      yield* Effect.sleep(0)
      end += slice
      yield* judge.review({ ...past, events: past.events.slice(0, end) }, { attempt: 1, evidence: true })
    }
  },
  Effect.timeoutOption(limit),
  Effect.catchAllCause((cause) => Effect.logDebug("a session was not read ahead", cause)),
  Effect.asVoid
)
