/** A fold that begins with a prompt, also where the record has none: some hosts' records leave it out. */
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import type { SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import type { Fold } from "./SessionReading.ts"

/**
 * The task that was given, as the message that it would have been.
 *
 * @category constructors
 */
export const promptOf = (task: string): TranscriptEvent => ({
  type: "user_message",
  id: null,
  at: null,
  text: task,
  synthetic: false
})

/**
 * Folds what the record has, and beside it the same behind the task that was given, until a prompt is found: then the
 * record speaks for itself. `make` makes a fold at its beginning.
 *
 * @category constructors
 */
export const make = <A>(task: string | null, make: () => Fold<A>): Fold<A> => {
  const own = make()
  if (task === null) return own
  let given: Fold<A> | null = null
  let isPrompted = false

  const push = (events: ReadonlyArray<TranscriptEvent>, session: SessionInfo): void => {
    own.push(events, session)
    isPrompted ||= events.some((event) => TaskContext.beginsTurn(-1, event))
    if (isPrompted) {
      given = null
      return
    }
    if (given === null) {
      given = make()
      given.push([promptOf(task)], session)
    }
    given.push(events, session)
  }

  return { push, end: (session) => (given ?? own).end(session) }
}
