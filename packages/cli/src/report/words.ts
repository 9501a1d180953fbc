/** The words of a report: how the stops of agents are sorted, and what each sort is called. */
import type { Verdict } from "@reflexion/core/Verdict"
import * as Schema from "effect/Schema"

/**
 * How a stop ended for whoever watches: done, sent on, left to its user, not judged, or open and left alone.
 *
 * @category models
 */
export const Outcome = Schema.Literal("complete", "pushed", "waiting", "abstained", "left")

export type Outcome = typeof Outcome.Type

/**
 * What the user was told; names of later versions are shown as they are.
 *
 * @category models
 */
export const NoticeKind = Schema.String

/**
 * In the order in which they are shown.
 *
 * @category constants
 */
export const outcomes: ReadonlyArray<Outcome> = Outcome.literals

export const outcomeNames: Readonly<Record<Outcome, string>> = {
  complete: "complete",
  pushed: "pushed",
  waiting: "waits for you",
  abstained: "abstained",
  left: "open, not pushed"
}

export const tierNames = {
  evidence: "evidence alone",
  checks: "with checks",
  model: "with a model",
  cross_review: "with reviewers"
} as const

export const effectNames = {
  green: "turned green",
  some: "got further",
  nothing: "moved nothing",
  unknown: "no stop after it"
} as const

/**
 * Sorts a stop by its verdict and whether the agent was sent on.
 *
 * @category constructors
 */
export const outcomeOf = (
  { status }: Pick<Verdict, "status">,
  { abstained, pushed }: { readonly pushed: boolean; readonly abstained: boolean }
): Outcome => {
  if (pushed) return "pushed"
  if (abstained || status === "abstained") return "abstained"
  if (status === "complete") return "complete"
  return status === "waiting_for_user" || status === "needs_human" ? "waiting" : "left"
}

/**
 * Counts of each outcome, all there.
 *
 * @category constructors
 */
export const counted = (found: ReadonlyArray<Outcome>): Readonly<Record<Outcome, number>> => {
  const counts = { complete: 0, pushed: 0, waiting: 0, abstained: 0, left: 0 }
  for (const one of found) counts[one] += 1
  return counts
}

/**
 * Why attempts with reflections cannot be compared with those without.
 *
 * @category words
 */
export const notAlike =
  "The two are not alike: tasks that have reflections failed before, and of those without, hooks keep no task that was done at its first stop."
