/** How the host says that a turn ended: the model's service failed, the answer is empty, or it was cut off. */
import type { Facts } from "../../session/facts/Facts.ts"
import { isRetried } from "../../session/stop/StopSignal.ts"
import { isThanks } from "../../session/task/Intent.ts"
import { inLoop } from "./loops.ts"
import type { Finding, Rule } from "./model.ts"
import { finding } from "./shared.ts"

/** What only the user can settle, or has done. */
const account =
  /\b(?:40[13]|authentication_error|permission_error|run \/login|invalid (?:api key|authentication)|credit balance|billing|payment required|request was aborted)\b/i

/** What was asked is refused as such: asked again it is refused again. */
const refused = /\b(?:400|404|413|422)\b|\binvalid_request_error\b/i

/** There is no such model, or this account may not use it. */
const noModel = [
  /\bmodels?\b[^\n]{0,160}\b(?:(?:not|could not be)[ _]found|(?:does|may|did)(?:n't| not) exist|end of life)/i,
  /\bmodels?\b[^\n]{0,160}\b(?:is|are)(?:n't| not) (?:supported|available|allowed|enabled|accessible|permitted|offered|included|valid|recogni[sz]ed)/i,
  /\bmodels?\b[^\n]{0,160}\b(?:is|was|been) (?:deprecated|retired|decommissioned|discontinued|removed|disabled)/i,
  /\b(?:invalid|unknown|unsupported|unrecogni[sz]ed|no such|not a valid) model\b|model_?not_?found|\b(?:no|not have) access to (?:the |this )?model\b/i,
  /\b(?:plan|subscription)\b[^\n]{0,80}\b(?:does(?:n't| not) include|required?)\b|\brequires? an? [^\n]{0,30}\b(?:plan|subscription)\b/i,
  /\b(?:AccessDenied|DeploymentNotFound|ModelNotFound|ModelNotReady)\w{0,20}|\baccess to the model\b|\bto use (?:the|this) model\b/i,
  /\bupgrade (?:your|the|to)\b[^\n]{0,60}\b(?:plan|subscription|model)\b/i
]

const passes = /\boverloaded\b|\btemporar|\bat capacity\b|\btry again (?:later|in)\b/i

/** Whether the service refuses the account, the model or the question, which no further attempt changes. */
export const refusesForGood = ({ stop }: Pick<Facts, "stop">): boolean => {
  const detail = stop.notice?.detail ?? ""
  return (
    account.test(detail) ||
    refusesModel(detail) ||
    (refused.test(detail) && !/\b(?:overloaded|prompt is too long|context)\b/i.test(detail))
  )
}

/** Whether it is the model that does not exist or may not be used. */
export const refusesModel = (detail: string): boolean =>
  !passes.test(detail) && noModel.some((pattern) => pattern.test(detail))

/** The message in a service's error, without the JSON around it. */
const readable = (detail: string | null): string => {
  const message = /"message"\s{0,3}:\s{0,3}"([^"]{1,200})"/.exec(detail ?? "")?.[1]
  const head = (detail ?? "an API error").split(/[{\n]/)[0]?.trim() ?? ""
  return message === undefined ? (detail ?? "an API error") : `${head} ${message}`.trim()
}

/** A context window that is full is refused again and again. */
const refusals = inLoop("stop/service-error")

const serviceError = (facts: Facts): ReadonlyArray<Finding> =>
  facts.reading.closing === "error" && !isRetried(facts.stop.notice?.detail ?? null) && !refusesForGood(facts)
    ? finding({
        fact: "The model's service failed in the middle of your work.",
        missing: `The model's service failed: ${readable(facts.stop.notice?.detail ?? null)}`,
        action: "Look at what is done so far and go on where you stopped."
      })
    : refusals(facts)

export const stopServiceError: Rule = {
  id: "stop/service-error",
  attended: "push",
  unattended: "push",
  what: "An error of the model's service has ended the turn.",
  why: "The work is not done, nobody decided to stop, and a new attempt mostly goes through.",
  fact: true,
  stuck: true,
  check: serviceError
}

/** Neither a word nor a call came of an order. */
const nothingCame = ({ evidence, stop, task }: Facts): boolean =>
  evidence.calls === 0 && stop.messages === 0 && stop.toolCalls === 0 && task.intent === "act"

/** What runs in the background may have the next word, and so has who kept the prompt from the agent. */
const mayGoOn = ({ stop }: Facts): boolean =>
  stop.unheard === true || stop.background.length > 0 || stop.launched || stop.queued || stop.notice !== null

const emptyAnswer = (facts: Facts): ReadonlyArray<Finding> =>
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
  check: emptyAnswer
}

const cutOff = (facts: Facts): ReadonlyArray<Finding> =>
  facts.reading.closing === "cut_off" && facts.stop.completed === false
    ? finding({
        fact: "Your last message was cut off.",
        missing: "the rest of the final message",
        action: "Go on from where the message was cut off."
      })
    : []

export const stopCutOff: Rule = {
  id: "stop/cut-off",
  attended: "push",
  unattended: "push",
  what: "The host says that the final message was cut off.",
  why: "A limit of the model's output, or a lost connection, has ended the turn and not the work.",
  fact: true,
  check: cutOff
}
