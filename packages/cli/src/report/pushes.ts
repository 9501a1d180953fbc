/** What pushes achieved, and which of them may have been wrong. Pure: it goes by the stops of a report alone. */
import type { Gate } from "@reflexion/core/Verdict"
import type { Effect, Push, Stop } from "./model.ts"

/** A push is doubted where what speaks against it weighs so much. */
const leastDoubt = 2

const isOpen = ({ required, result }: Gate): boolean => required && result !== "passed" && result !== "not_required"

/** Stops of the same session and turn that came later, in their order. */
const afterIn = (stops: ReadonlyArray<Stop>, push: Stop): ReadonlyArray<Stop> =>
  stops.filter(
    (one) =>
      one.origin === push.origin && one.sessionId === push.sessionId && one.turn === push.turn && isLater(one, push)
  )

const isLater = (one: Stop, push: Stop): boolean => one.at !== null && push.at !== null && one.at > push.at

const resultIn = (stop: Stop | undefined, gate: string) => stop?.gates.find((one) => one.gate === gate)?.result ?? null

const effectOf = (next: Stop | undefined, gates: Push["gates"]): Effect => {
  if (next === undefined) return "unknown"
  const passed = gates.filter(({ after }) => after === "passed").length
  if (gates.length > 0 && passed === gates.length) return "green"
  if (gates.length === 0 && next.status === "complete") return "green"
  const moved = passed > 0 || gates.some(({ after, before }) => after !== null && after !== before)
  return moved || next.progress?.followed === "some" || next.progress?.followed === "all" ? "some" : "nothing"
}

type Doubt = readonly [weight: number, why: string]

/** What a push rests on: a run that failed is no matter of words. */
const onRuns = ({ contradictions, gates }: Stop): boolean =>
  contradictions.length > 0 || gates.some((gate) => isOpen(gate) && gate.evidence.length > 0)

const doubtsOf = (
  push: Stop,
  { effect, later, spokeFirst, stopped }: { readonly effect: Effect; readonly later: ReadonlyArray<Stop> } & Spoke
): ReadonlyArray<Doubt> => {
  const [next] = later
  const unmoved = push.gates.every(({ gate, result }) => (resultIn(next, gate) ?? result) === result)
  const contented = next !== undefined && (next.outcome === "complete" || next.outcome === "waiting") && unmoved
  return [
    ...(contented
      ? [
          [
            3,
            `the next review found nothing to push for (${next.status.replaceAll("_", " ")}), with the same gates`
          ] as const
        ]
      : []),
    ...(stopped ? [[3, "you switched reflexion off in this session within ten minutes"] as const] : []),
    ...(effect === "nothing" ? [[1, "nothing moved after it"] as const] : []),
    ...(spokeFirst ? [[1, "you went on with something else before the agent stopped again"] as const] : []),
    ...(onRuns(push) ? [] : [[1, "it rests on what the agent said, and on no run"] as const]),
    ...(push.source === "model" || push.source === "cross_review"
      ? [[1, `it was not evidence that decided, but ${push.source === "model" ? "a model" : "reviewers"}`] as const]
      : []),
    ...(push.confidence < 0.7 ? [[1, `its confidence was ${Math.round(push.confidence * 100)} %`] as const] : [])
  ]
}

interface Spoke {
  /** The user's next message came before the agent stopped again. */
  readonly spokeFirst: boolean
  /** The user switched reflexion off soon after. */
  readonly stopped: boolean
}

/** When the user switched reflexion off in a session, in epoch ms. */
export interface SwitchedOff {
  readonly sessionId: string
  readonly at: number
}

const soon = 600_000

const pushOf = (stops: ReadonlyArray<Stop>, push: Stop, off: ReadonlyArray<SwitchedOff>): Push => {
  const later = afterIn(stops, push)
  const gates = push.gates.filter(isOpen).map(({ gate, result }) => ({
    gate,
    before: result,
    after: resultIn(later[0], gate)
  }))
  const effect = effectOf(later[0], gates)
  const doubts = doubtsOf(push, {
    effect,
    later,
    spokeFirst:
      later.length === 0 &&
      stops.some((one) => one.origin === push.origin && one.sessionId === push.sessionId && one.turn > push.turn),
    stopped: off.some(
      ({ at, sessionId }) => sessionId === push.sessionId && push.at !== null && at >= push.at && at - push.at <= soon
    )
  })
  const doubt = doubts.reduce((sum, [weight]) => sum + weight, 0)
  return {
    stop: push.id,
    effect,
    gates,
    ended: later.at(-1)?.status ?? null,
    doubts: doubt >= leastDoubt ? doubts.map(([, why]) => why) : [],
    doubt: doubt >= leastDoubt ? doubt : 0
  }
}

/**
 * Every push among stops that stand in the order of their times: the most doubtful first, else the newest.
 *
 * @category queries
 */
export const of = (stops: ReadonlyArray<Stop>, off: ReadonlyArray<SwitchedOff>): ReadonlyArray<Push> =>
  stops
    .filter(({ pushed }) => pushed)
    .map((push) => pushOf(stops, push, off))
    .toReversed()
    .toSorted((one, other) => other.doubt - one.doubt)

interface Counts {
  green: number
  open: number
  unknown: number
}

const total = ({ green, open, unknown }: Counts): number => green + open + unknown

/**
 * What became of each gate that pushes found open.
 *
 * @category queries
 */
export const byGate = (
  pushes: ReadonlyArray<Push>
): ReadonlyArray<{
  readonly gate: string
  readonly green: number
  readonly open: number
  readonly unknown: number
}> => {
  const found = new Map<string, Counts>()
  for (const { after, gate } of pushes.flatMap(({ gates }) => gates)) {
    const counts = found.get(gate) ?? { green: 0, open: 0, unknown: 0 }
    counts[after === null ? "unknown" : after === "passed" ? "green" : "open"] += 1
    found.set(gate, counts)
  }
  return [...found]
    .map(([gate, counts]) => ({ gate, ...counts }))
    .toSorted((one, other) => total(other) - total(one) || (one.gate < other.gate ? -1 : 1))
    .slice(0, 12)
}
