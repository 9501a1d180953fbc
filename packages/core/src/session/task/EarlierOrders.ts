/** What the message before ordered and still stands: the next one begins with an addition to it. */
import type { Evidence } from "../evidence/Evidence.ts"
import { isOrder } from "./Intent.ts"
import type { TaskContext } from "./model.ts"

const opens =
  /^\W{0,3}(?:(?:oh|btw|by the way|ok(?:ay)?|and|great|good|thanks|nice|yes|please)[,.!]?\s){0,3}(?:also|additionally|plus|in addition|on top of that|one more thing|another thing|while you're at it)\b/i

/** A question beside the work orders nothing more of it. */
const adds = (text: string): boolean => {
  const opening = opens.exec(text.slice(0, 200).replaceAll("’", "'"))?.[0]
  return opening !== undefined && isOrder(text.slice(opening.length).replace(/^[,.:;\s–—-]{1,8}/, ""))
}

/** Whatever came of it: who ran a check has answered the order to run it. */
const isAnswered = (gate: string, { since }: TaskContext, { runs }: Evidence): boolean =>
  runs.some((run) => run.gate === gate && run.turn >= since && run.result !== "unknown")

/**
 * The task of a turn that has just begun, with the orders that the message before it gave and nothing came of.
 *
 * @category folds
 */
export const keep = (task: TaskContext, before: TaskContext, evidence: Evidence): TaskContext => {
  if (before.turn < 0 || task.since === before.since || !adds(task.message)) return task
  const isNew = (gate: string): boolean => !task.forbids.includes(gate) && !task.asks.some((ask) => ask.gate === gate)
  const asks = before.asks.filter(({ gate }) => isNew(gate) && !isAnswered(gate, before, evidence))
  const forbids = before.forbids.filter(isNew)
  return asks.length + forbids.length === 0
    ? task
    : { ...task, asks: [...task.asks, ...asks].slice(-24), forbids: [...task.forbids, ...forbids] }
}
