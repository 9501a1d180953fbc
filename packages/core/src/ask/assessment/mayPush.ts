/** The facts of a stop that speak against a push, whatever a model says: it is the user's turn, or nobody's. */
import { asksFirst } from "../../session/task/Intent.ts"
import * as StandingOrders from "../../session/task/StandingOrders.ts"
import type { Verdict } from "../../judge/verdict/Verdict.ts"
import { isFeedback } from "../../session/task/OwnFeedback.ts"
import type { Shown } from "./citations.ts"
import type { Turn } from "./TurnRecord.ts"

/** The user wants to be asked before each step, and is. */
const isAsked = ({ known: { reading, task } }: Turn): boolean =>
  reading.closing === "question" && (asksFirst(task.message) || StandingOrders.wantAsking(task.standing))

/**
 * Whether the record leaves the next word to the agent: no dialogue is open, and its last words wait for no act of a person,
 * no consent to what cannot be undone, and nothing that the user forbade or wants to be asked.
 */
export const isAgents = (turn: Turn): boolean => {
  const { reading, stop, task } = turn.known
  return !(
    stop.asked !== null ||
    stop.refused !== null ||
    stop.notice?.kind === "permission_asked" ||
    reading.question?.kind === "risk" ||
    reading.dependsOn?.kind === "act" ||
    reading.dependsOn?.kind === "risk" ||
    isAsked(turn) ||
    (reading.question !== null && StandingOrders.forbid(task.standing, reading.question.text))
  )
}

const pushes = ({ findings }: Verdict): boolean => findings.some(({ level }) => level === "push")

/** Whether evidence leaves something to be said: it was done by the agent's word, waits for one, or a rule only tells. */
export const isOpen = (turn: Turn): boolean => {
  const { verdict } = turn.judged
  if (verdict.status === "complete" || verdict.status === "abstained") return true
  if (verdict.status !== "waiting_for_user" && verdict.status !== "incomplete") return false
  return !pushes(verdict) && isAgents(turn)
}

/** What the agent was told since the user's last message. */
const reminders = ({ entries }: Turn): ReadonlyArray<string> =>
  entries
    .slice(entries.findLastIndex(({ event }) => event.type === "user_message" && !event.synthetic) + 1)
    .flatMap(({ event }) => (event.type === "user_message" && isFeedback(event) ? [event.text] : []))

/** How a model's push begins. */
const begins = "It seems that"

/**
 * What is new of the things that are to be said: none of them twice, and once a model has had the agent sent on for one
 * message, only what is cited. Nothing is null.
 */
export const fresh = (turn: Turn, found: ReadonlyArray<Shown>, otherwise: Shown): ReadonlyArray<Shown> | null => {
  const told = reminders(turn)
  const news = found.filter(({ key }) => !told.some((text) => text.includes(key)))
  if (news.length > 0) return news
  return found.length > 0 || told.some((text) => text.includes(begins)) ? null : [otherwise]
}
