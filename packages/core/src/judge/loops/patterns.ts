/** Reads the loops that a session is in out of the state of the fold. */
import type { Entry, Loop, LoopPattern, Loops, Streak } from "./model.ts"
import { actionsOf } from "./action.ts"
import * as Words from "./repeatedWords.ts"
import * as Rounds from "./rounds.ts"

const callOf = ({ summary, tool }: Entry): Loop["calls"][number] => ({ tool, summary })

const idsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  entries.flatMap(({ id }) => (id === null ? [] : [id]))

const patternOf = (round: ReadonlyArray<Entry>): LoopPattern => {
  if (round.length > 1) return "cycle"
  return round[0]?.failed === true ? "failing_call" : "same_result"
}

const rounds = ({ recent, runs }: Loops): ReadonlyArray<Loop> => {
  const found = Rounds.roundsOf(runs, recent)
  if (found === null) return []
  const round = recent.slice(-found.period)
  const callIds = idsOf(recent.slice(-found.period * found.count))
  return [{ pattern: patternOf(round), ...found, calls: round.map(callOf), callIds }]
}

/** The last call, so many times over. */
const again = (recent: ReadonlyArray<Entry>, count: number): ReadonlyArray<Loop> => {
  const last = recent.slice(-1)
  return [{ pattern: patternOf(last), period: 1, count, calls: last.map(callOf), callIds: idsOf(recent.slice(-count)) }]
}

const minErrors = 8

/** The same error whatever is asked: what answers is broken, or is not there. */
const errors = ({ errors: { count }, recent }: Loops): ReadonlyArray<Loop> =>
  count < minErrors ? [] : again(recent, count)

const minNear = 5

/** The same result of calls that differ only in what was made up for them. */
const near = ({ near: { count }, recent }: Loops): ReadonlyArray<Loop> => (count < minNear ? [] : again(recent, count))

const action = ({ recent, waits }: Loops): ReadonlyArray<Loop> => {
  const often = actionsOf(recent, waits)
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

const spoken = (
  pattern: "monologue" | "context_error",
  tool: string,
  { count, text }: Pick<Streak, "count" | "text">
): Loop => ({
  pattern,
  period: 1,
  count,
  calls: [{ tool, summary: text }],
  callIds: []
})

const monologue = ({ chant, spoken: last }: Loops): ReadonlyArray<Loop> => {
  if (chant.count > 0) return [spoken("monologue", "message", chant)]
  const count = Words.repeatedly(last)
  return count === 0 ? [] : [spoken("monologue", "message", { count, text: last.text })]
}

const minRefusals = 3

/** A word of the agent's between them is one answer that went through, and no way out. */
const contextError = ({ context, refusals }: Loops): ReadonlyArray<Loop> => {
  if (context.count >= minRefusals) return [spoken("context_error", "host", context)]
  return refusals > minRefusals && context.count > 0
    ? [spoken("context_error", "host", { ...context, count: refusals })]
    : []
}

/** Looking around and next to nothing else, which is counted by what is on record of the turn. */
export const planning = (looks: number): Loop => ({
  pattern: "planning",
  period: 1,
  count: looks,
  calls: [],
  callIds: []
})

const isSame = ({ pattern, period }: Loop): boolean => period === 1 && pattern !== "action"

/** The loops at the end of what was folded, the gravest first. */
export const findLoops = (state: Loops): ReadonlyArray<Loop> => {
  const found = rounds(state)
  const same = found.some(isSame) ? found : [...near(state), ...found]
  return [
    ...contextError(state),
    ...(same.some(({ pattern }) => pattern === "failing_call") ? same : [...errors(state), ...same]),
    ...action(state),
    ...monologue(state)
  ]
}
