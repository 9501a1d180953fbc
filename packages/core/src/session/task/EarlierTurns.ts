/** A short record of earlier turns, at most about 6 kB. A later message such as "2" or "OK" refers to these turns. */
import * as Schema from "effect/Schema"
import { redact } from "../../base/redaction/Redaction.ts"
import { oneLine, tail } from "../../base/text/Text.ts"

/**
 * One earlier turn.
 *
 * @category models
 */
export const EarlierTurn = Schema.Struct({
  turn: Schema.Number,
  /** The user's message, redacted. */
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

const ends = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit / 2)} … ${text.slice(-limit / 2)}`

/** Adds the turn that has just ended. All turns except the last two are shortened. */
export const after = (before: ReadonlyArray<EarlierTurn>, ended: EarlierTurn): ReadonlyArray<EarlierTurn> => {
  const last = { ...ended, asked: ends(redact(ended.asked), limits.asked), said: tail(redact(ended.said), limits.said) }
  const all = [...before, last].slice(-most)
  return [...all.slice(0, -2).map(shortened), ...all.slice(-2)]
}
