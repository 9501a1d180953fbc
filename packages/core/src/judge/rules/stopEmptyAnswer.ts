/** The agent ends with an empty message. */
import { isThanks } from "../../session/task/Intent.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding, Rule } from "./model.ts"
import { finding } from "./shared.ts"

/** Neither a word nor a call came of an order. */
const nothingCame = ({ evidence, stop, task }: Facts): boolean =>
  evidence.calls === 0 && stop.messages === 0 && stop.toolCalls === 0 && task.intent === "act"

/** What runs in the background may have the next word, and so has who kept the prompt from the agent. */
const mayGoOn = ({ stop }: Facts): boolean =>
  stop.unheard === true || stop.background.length > 0 || stop.launched || stop.queued || stop.notice !== null

const check = (facts: Facts): ReadonlyArray<Finding> =>
  facts.reading.closing === "silent" &&
  !isThanks(facts.task.message) &&
  (facts.stop.blank || nothingCame(facts)) &&
  !mayGoOn(facts)
    ? finding({
        fact: "Your last message is empty.",
        missing: "The agent's answer is empty.",
        action: "Go on with the task, or say what you did and what is left.",
        // A model that answers a reminder with nothing is not reminded of that again.
        ...(facts.reminded && { most: "tell" as const })
      })
    : []

export const stopEmptyAnswer: Rule = {
  id: "stop/empty-answer",
  attended: "push",
  unattended: "push",
  what: "The agent's last message has not a word in it, or neither a word nor a call came of an order.",
  why: "Some models end a turn so by accident; nobody can tell whether the work is done.",
  fact: true,
  stuck: true,
  check
}
