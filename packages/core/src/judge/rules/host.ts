/**
 * Rules for turns that the host reports as ended early: the model's service failed, or the answer is empty or cut off.
 */
import type { Facts } from "../../session/facts/Facts.ts"
import { isRetried } from "../../session/stop/StopSignal.ts"
import { isThanks } from "../../session/task/Intent.ts"
import { type Finding, rule } from "./model.ts"

/** Errors that only the user can solve, for example a login or billing error. */
const account =
  /\b(?:40[13]|authentication_error|permission_error|run \/login|invalid (?:api key|authentication)|credit balance|billing|payment required|request was aborted)\b/i

/** Errors in the request itself. The same request would fail again. */
const refused = /\b(?:400|404|413|422)\b|\binvalid_request_error\b/i

/** Errors that say that the model does not exist or that this account may not use it. */
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

/** True if the service says that the model does not exist or may not be used. */
const refusesModel = (detail: string): boolean =>
  !passes.test(detail) && noModel.some((pattern) => pattern.test(detail))

/** True if the service refuses the account, the model or the request. A new attempt would not help. */
export const refusesForGood = ({ stop }: Pick<Facts, "stop">): boolean => {
  const detail = stop.notice?.detail ?? ""
  return (
    account.test(detail) ||
    refusesModel(detail) ||
    (refused.test(detail) && !/\b(?:overloaded|prompt is too long|context)\b/i.test(detail))
  )
}

/** Returns the message inside a service's error, without the JSON around it. */
const readable = (detail: string | null): string => {
  const message = /"message"\s{0,3}:\s{0,3}"([^"]{1,200})"/.exec(detail ?? "")?.[1]
  const head = (detail ?? "an API error").split(/[{\n]/)[0]?.trim() ?? ""
  return message === undefined ? (detail ?? "an API error") : `${head} ${message}`.trim()
}

interface Failure extends Finding {
  readonly detail: string | null
}

export const hostFailed = rule({
  id: "host/failed",
  attended: "nudge",
  unattended: "nudge",
  what: "An error of the model's service ended the turn.",
  why: "The work is not done, nobody decided to stop, and a new attempt usually succeeds.",
  check: (facts): ReadonlyArray<Failure> => {
    const detail = facts.stop.notice?.detail ?? null
    return facts.reading.closing === "error" && !isRetried(detail) && !refusesForGood(facts)
      ? [{ severity: "LOW", stands: true, detail }]
      : []
  },
  say: ({ detail }) => ({
    agent: "The model's service failed in the middle of your work.",
    user: `The model's service failed: ${readable(detail)}`,
    next: "Check what is done so far and continue where you stopped."
  })
})

export const hostLimit = rule({
  id: "host/limit",
  attended: "off",
  unattended: "nudge",
  what: "No user is present, and the usage limit that stopped the agent is over. Needs `continueAfterLimit`.",
  why: "The work is not done, nobody decided to stop, and nothing prevents the agent from going on now.",
  check: (facts) =>
    facts.reading.closing === "limited" && facts.resumes && !isRetried(facts.stop.notice?.detail ?? null)
      ? [{ severity: "LOW", stands: true }]
      : [],
  say: () => ({
    agent: "A usage limit stopped you in the middle of your work. The limit is over now.",
    user: "A usage limit stopped the agent, and the limit is over now.",
    next: "Check what is done so far and continue where you stopped."
  })
})

/** True if the last message is empty, or if the agent did and said nothing after an order. */
const isEmpty = ({ evidence, reading, stop, task }: Facts): boolean =>
  reading.closing === "silent" &&
  !isThanks(task.message) &&
  (stop.blank || (evidence.calls === 0 && stop.messages === 0 && stop.toolCalls === 0 && task.intent === "act")) &&
  // Background work may still report. If the prompt never reached the agent, the agent need not answer.
  !(stop.unheard === true || stop.background.length > 0 || stop.launched || stop.queued || stop.notice !== null)

export const hostCutOff = rule({
  id: "host/cut-off",
  attended: "nudge",
  unattended: "nudge",
  what: "The host says that the final message was cut off, or the message is empty.",
  why: "An output limit, a lost connection or a fault of the model ended the turn. The work may not be done.",
  check: (facts) => {
    const isCut = facts.reading.closing === "cut_off" && facts.stop.completed === false
    if (!isCut && !isEmpty(facts)) return []
    // A model that answers a reminder with an empty message is not reminded again.
    return [{ severity: "LOW", stands: isCut || !facts.reminded, isCut }]
  },
  say: ({ isCut }) =>
    isCut
      ? {
          agent: "Your last message was cut off.",
          user: "the rest of the final message",
          next: "Continue where the message was cut off."
        }
      : {
          agent: "Your last message is empty.",
          user: "The agent's answer is empty.",
          next: "Continue the task, or say what you did and what is left."
        }
})
