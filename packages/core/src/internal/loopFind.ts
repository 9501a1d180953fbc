/** Reads the loops that a session is in out of the state of the fold. */
import type { Loop, LoopPattern, Loops } from "../Loops.ts"
import * as Rounds from "./loopRounds.ts"
import type { Entry, Streak } from "./loopsSchema.ts"

const callOf = ({ summary, tool }: Entry): Loop["calls"][number] => ({ tool, summary })

const idsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  entries.flatMap(({ id }) => (id === null ? [] : [id]))

const patternOf = (round: ReadonlyArray<Entry>): LoopPattern => {
  if (round.length > 1) return round.length === 2 ? "alternation" : "cycle"
  return round[0]?.failed === true ? "failing_call" : "same_result"
}

const rounds = ({ recent, runs }: Loops): ReadonlyArray<Loop> => {
  const found = Rounds.roundsOf(runs, recent)
  if (found === null) return []
  const round = recent.slice(-found.period)
  const callIds = idsOf(recent.slice(-found.period * found.count))
  return [{ pattern: patternOf(round), ...found, calls: round.map(callOf), callIds }]
}

const minErrors = 8

/** The same error whatever is asked: what answers is broken, or is not there. */
const errors = ({ errors, recent }: Loops): ReadonlyArray<Loop> =>
  errors.count < minErrors
    ? []
    : [
        {
          pattern: "failing_call",
          period: 1,
          count: errors.count,
          calls: recent.slice(-1).map(callOf),
          callIds: idsOf(recent.slice(-errors.count))
        }
      ]

const action = ({ recent }: Loops): ReadonlyArray<Loop> => {
  const often = Rounds.repeated(recent)
  if (often.length === 0) return []
  return [
    {
      pattern: "action",
      period: often.length,
      count: Math.max(...often.map((group) => group.length)),
      calls: often.slice(0, Rounds.maxPeriod).flatMap((group) => group.slice(-1).map(callOf)),
      callIds: idsOf(often.flat())
    }
  ]
}

const spoken = (pattern: "monologue" | "context_error", tool: string, { count, text }: Streak): Loop => ({
  pattern,
  period: 1,
  count,
  calls: [{ tool, summary: text }],
  callIds: []
})

const minMessages = 3

const monologue = ({ chant, words }: Loops): ReadonlyArray<Loop> => {
  if (chant.count > 0) return [spoken("monologue", "message", chant)]
  return words.count >= minMessages ? [spoken("monologue", "message", words)] : []
}

const minRefusals = 3

const contextError = ({ context }: Loops): ReadonlyArray<Loop> =>
  context.count >= minRefusals ? [spoken("context_error", "host", context)] : []

const minLooks = 8
const maxWriteShare = 0.1

const planning = ({ calls, looks, recent, writes }: Loops): ReadonlyArray<Loop> => {
  if (looks < minLooks || writes >= calls * maxWriteShare) return []
  const looked = recent.filter(({ kind }) => kind === "look").slice(-looks)
  return [{ pattern: "planning", period: 1, count: looks, calls: looked.slice(-3).map(callOf), callIds: idsOf(looked) }]
}

/** The loops at the end of what was folded, the gravest first. */
export const findLoops = (state: Loops, coding: boolean): ReadonlyArray<Loop> => {
  const same = rounds(state)
  return [
    ...contextError(state),
    ...(same.some(({ pattern }) => pattern === "failing_call") ? same : [...errors(state), ...same]),
    ...action(state),
    ...monologue(state),
    ...(coding ? planning(state) : [])
  ]
}
