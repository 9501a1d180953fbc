/** Which questions to a model were put for which decision. Pure. */
import type { AskLine } from "@reflexion/core/internal/model/calls/AskLog"
import * as AskedLine from "@reflexion/core/internal/review/tiers/AskedLine"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"

/** What a stop may come to; a question is put for nothing else. */
const ofStops: ReadonlySet<Decision["decision"]> = new Set(["push", "notice", "none", "abstain", "failure"])

/** Clocks of two processes, and a line that is written a moment later. */
const slackMs = 2000

/** A decision this long after a question is not what came of it. */
const patienceMs = 600_000

/**
 * Each question goes to the next decision of its session. Those that none follows, as of a stop that was interrupted, belong
 * to none.
 *
 * @category queries
 */
export const byDecision = (
  decisions: ReadonlyArray<Decision>,
  questions: ReadonlyArray<AskLine>
): ReadonlyMap<Decision, ReadonlyArray<AskLine>> => {
  const found = new Map<Decision, Array<AskLine>>()
  for (const question of questions) {
    const from = Date.parse(question.at)
    const next = decisions.find(({ at, decision, durationMs, sessionId }) => {
      const end = Date.parse(at) + (durationMs ?? 0) + slackMs
      return (
        sessionId === question.session &&
        ofStops.has(decision) &&
        end >= from + question.ms &&
        Date.parse(at) - from < patienceMs
      )
    })
    if (next !== undefined) found.set(next, [...(found.get(next) ?? []), question])
  }
  return found
}

/**
 * What was asked for a decision, to stand behind its reason; empty where nothing was.
 *
 * @category rendering
 */
export const said = (questions: ReadonlyArray<AskLine>): string =>
  questions.map((question) => ` [${AskedLine.describe({ end: question.end, question })}]`).join("")
