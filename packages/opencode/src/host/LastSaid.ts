/** What was said in the user's place last, as the record tells that was just read: the host need not be asked again. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Last } from "./Prompting.ts"

interface Service {
  /** Null where no record of the session is kept; as old as the last look at it. */
  readonly of: (sessionId: string) => Last | null
  /** Null forgets it. */
  readonly note: (sessionId: string, last: Last | null) => void
}

const make = (): Service => {
  const known = new Map<string, Last>()
  return {
    of: (sessionId) => known.get(sessionId) ?? null,
    note: (sessionId, last) => void (last === null ? known.delete(sessionId) : known.set(sessionId, last))
  }
}

/** Without a layer nothing is kept. */
export class LastSaid extends Context.Reference<LastSaid>()("@reflexion/opencode/LastSaid", {
  defaultValue: (): Service => ({ of: () => null, note: () => undefined })
}) {
  static readonly Live: Layer.Layer<LastSaid> = Layer.sync(LastSaid, make)
}
