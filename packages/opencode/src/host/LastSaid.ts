/** What was said in the user's place last, as the record tells that was just read: the host need not be asked again. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Last } from "./Prompting.ts"

interface Service {
  /** Null where no record of the session is kept; as old as the last look at it. */
  readonly of: (sessionId: string) => Last | null
  readonly note: (sessionId: string, last: Last) => void
  readonly forget: (sessionId: string) => void
}

const make = (): Service => {
  const known = new Map<string, Last>()
  return {
    of: (sessionId) => known.get(sessionId) ?? null,
    note: (sessionId, last) => void known.set(sessionId, last),
    forget: (sessionId) => void known.delete(sessionId)
  }
}

/** Without a layer nothing is kept. */
export class LastSaid extends Context.Reference<LastSaid>()("@reflexion/opencode/LastSaid", {
  defaultValue: (): Service => ({ of: () => null, note: () => undefined, forget: () => undefined })
}) {
  static readonly Live: Layer.Layer<LastSaid> = Layer.sync(LastSaid, make)
}
