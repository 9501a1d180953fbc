/** The model's service failed in the middle of the work. */
import type { Facts } from "../../session/facts/Facts.ts"
import { isRetried } from "../../session/stop/StopSignal.ts"
import { inLoop } from "./inLoop.ts"
import type { Finding, Rule } from "./model.ts"
import { finding } from "./shared.ts"

/** What only the user can mend, or has done. */
const account =
  /\b(?:40[13]|authentication_error|permission_error|run \/login|invalid (?:api key|authentication)|credit balance|billing|payment required|request was aborted)\b/i

/** What was asked is refused as such: asked again it is refused again. */
const refused = /\b(?:400|404|413|422)\b|\binvalid_request_error\b/i

/** There is no such model, or this account may not use it. */
const noModel = [
  /\bmodels?\b[^\n]{0,160}\b(?:not[ _]found|(?:does|may|did)(?:n't| not) exist)/i,
  /\bmodels?\b[^\n]{0,160}\b(?:is|are)(?:n't| not) (?:supported|available|allowed|enabled|accessible|permitted|offered|included|valid|recogni[sz]ed)/i,
  /\bmodels?\b[^\n]{0,160}\b(?:is|was|been) (?:deprecated|retired|decommissioned|discontinued|removed|disabled)/i,
  /\b(?:invalid|unknown|unsupported|unrecogni[sz]ed|no such|not a valid) model\b|model_?not_?found|\b(?:no|not have) access to (?:the |this )?model\b/i,
  /\b(?:plan|subscription)\b[^\n]{0,80}\b(?:does(?:n't| not) include|required?)\b|\brequires? an? [^\n]{0,30}\b(?:plan|subscription)\b/i,
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

const check = (facts: Facts): ReadonlyArray<Finding> =>
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
  check
}
