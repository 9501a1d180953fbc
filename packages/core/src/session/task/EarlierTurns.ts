/**
 * The turns before the running one, in short: what was asked, what was done and the agent's last words. A later message
 * ("2", "OK", "the other bit") is about them, and an order of theirs may still be open. Bounded: at most some 6 kB.
 */
import * as Schema from "effect/Schema"
import { redact } from "../../base/redaction/Redaction.ts"
import { oneLine, tail } from "../../base/text/Text.ts"

/**
 * One of them; its texts are redacted. `edits`, `calls` and `commits` count what was done in it.
 *
 * @category models
 */
export const EarlierTurn = Schema.Struct({
  turn: Schema.Number,
  asked: Schema.String,
  said: Schema.String,
  edits: Schema.Number,
  calls: Schema.Number,
  commits: Schema.Number,
  interrupted: Schema.Boolean
})

export type EarlierTurn = typeof EarlierTurn.Type

const most = 8
const limits = { asked: 900, said: 1100 }

const shortened = (one: EarlierTurn): EarlierTurn => ({
  ...one,
  asked: oneLine(one.asked, 200),
  said: oneLine(tail(one.said, 120), 120)
})

/** Both ends of a text. */
const ends = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit / 2)} … ${text.slice(-limit / 2)}`

/** With the turn that has just ended behind the others: of all but the last two little is kept. */
export const after = (before: ReadonlyArray<EarlierTurn>, ended: EarlierTurn): ReadonlyArray<EarlierTurn> => {
  const last = { ...ended, asked: ends(redact(ended.asked), limits.asked), said: tail(redact(ended.said), limits.said) }
  const all = [...before, last].slice(-most)
  return [...all.slice(0, -2).map(shortened), ...all.slice(-2)]
}
