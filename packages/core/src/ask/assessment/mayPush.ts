/** The facts of a stop that speak against a push, whatever a model says: it is the user's turn, or nobody's. */
import type { Verdict } from "../../judge/verdict/Verdict.ts"
import { isAgents } from "../../judge/verdict/LeftOpen.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import type { Shown } from "./citations.ts"
import type { Turn } from "./TurnRecord.ts"

const pushes = ({ findings }: Verdict): boolean => findings.some(({ level }) => level === "push")

/** Whether evidence leaves something to be said: it was done by the agent's word, waits for one, or a rule only tells. */
export const isOpen = (turn: Turn): boolean => {
  const { verdict } = turn.judged
  if (verdict.status === "complete" || verdict.status === "abstained") return true
  if (verdict.status !== "waiting_for_user" && verdict.status !== "incomplete") return false
  return !pushes(verdict) && isAgents(turn.known)
}

/** What the agent was told since the user's last message. */
const reminders = ({ entries }: Turn): ReadonlyArray<string> =>
  entries
    .slice(entries.findLastIndex(({ event }) => event.type === "user_message" && !event.synthetic) + 1)
    .flatMap(({ event }) => (event.type === "user_message" && isFeedback(event) ? [event.text] : []))

/** How a model's push begins. */
const begins = "It seems that"

/** Whether a model has had the agent sent on since the user's last message: it does so once. */
export const isTold = (turn: Turn): boolean => reminders(turn).some((text) => text.includes(begins))

/**
 * What is new of the things that are to be said: none of them twice, and nothing once a model has had the agent sent on
 * for one message. Nothing is null.
 */
export const fresh = (turn: Turn, found: ReadonlyArray<Shown>, otherwise: Shown): ReadonlyArray<Shown> | null => {
  if (isTold(turn)) return null
  const told = reminders(turn)
  const news = found.filter(({ key }) => !told.some((text) => text.includes(key)))
  return news.length > 0 ? news : found.length > 0 ? null : [otherwise]
}
