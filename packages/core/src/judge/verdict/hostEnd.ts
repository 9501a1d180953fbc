/** What the host says of the stop, which no finding outweighs: there is no task, somebody ended it, or it goes on. */
import { isRetried } from "../../session/stop/StopSignal.ts"
import { isHalted } from "../../session/task/TaskContext.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { type Found, refusesForGood, refusesModel } from "../rules/Rules.ts"
import type { Outcome } from "./model.ts"
import * as Outcomes from "./outcomes.ts"

/** What a rule found that takes the agent for stuck; null where none did. */
export const stuckBy = (found: ReadonlyArray<Found>): Outcome | null => {
  const first = found.find(({ rule, stands }) => rule.stuck === true && stands)
  return first === undefined ? null : Outcomes.stuck(first.missing, [first])
}

/** The model's service failed: a new attempt may help, unless it is refused as such. */
const failedService = (facts: Facts, found: ReadonlyArray<Found>): Outcome => {
  const detail = facts.stop.notice?.detail ?? "an API error"
  if (!refusesForGood(facts)) return stuckBy(found) ?? Outcomes.stuck(`The model's service failed: ${detail}`)
  const reason = `The model's service refuses it: ${detail}`
  return { ...Outcomes.onlyHuman([detail]), kind: "stuck", reason, confidence: 0.9 }
}

const retried = (detail: string | null): Outcome =>
  Outcomes.working(`A request failed, and the host makes it again: ${detail ?? "an API error"}`)

const silent = ({ evidence }: Facts): Outcome => ({
  ...Outcomes.abstained("The turn ends without a closing word of the agent: it cannot be told how it stopped."),
  kind: evidence.calls > 0 ? "working" : "aborted",
  confidence: 0.3
})

/** The end as the host has it, null where that leaves it to what was found. */
export const hostEnd = (facts: Facts, found: ReadonlyArray<Found>): Outcome | null => {
  const { reading, stop, task } = facts
  if (task.turn < 0)
    return { ...Outcomes.abstained("There is no task: no message of a user was found."), confidence: 0.2 }
  if (isHalted(task) && reading.closing !== "aborted") return Outcomes.aborted("The user told the agent to stop.")
  const detail = stop.notice?.detail ?? null
  switch (reading.closing) {
    case "aborted":
      return Outcomes.aborted("The user interrupted the agent.")
    case "open_call":
      return Outcomes.working(`A tool call is still running (${stop.pending[0]?.tool ?? "tool"}).`)
    case "awaits":
      return Outcomes.working("Background work is still running.")
    case "error":
      return isRetried(detail) ? retried(detail) : failedService(facts, found)
    case "limited":
      if (isRetried(detail)) return retried(detail)
      return refusesModel(detail ?? "")
        ? failedService(facts, found)
        : Outcomes.stuck(`A usage limit stopped the agent: ${stop.notice?.detail ?? "rate limited"}`)
    case "silent":
      return stuckBy(found) ?? silent(facts)
    default:
      return null
  }
}
