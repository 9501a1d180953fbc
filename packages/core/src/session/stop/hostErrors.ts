/** Recognises a service's error that some hosts print as if the agent had written it. */

const services: ReadonlyArray<RegExp> = [
  /^(?:api error|(?:internal )?server error|(?:error: )?overloaded_error|error: overloaded)/i,
  /^error: (?=[45]\d\d\b)/i,
  /^(?:there's an issue with the selected model|(?:invalid|unknown|unsupported) model(?: name)?|model not found)/i,
  /^request (?:timed out|failed)/i
]

const limits: ReadonlyArray<RegExp> = [
  /^you(?:'ve| have) (?:hit|reached|exceeded) your (?:[\w-]+ ){0,3}(?:limits?|quota)/i,
  /^(?:(?:api )?error:? ?)?(?:\d{3} )?(?:[\w-]+ ){0,2}(?:usage|rate|session|weekly|5-hour) limit(?: (?:reached|exceeded|hit))?/i,
  /^(?:api error:? ?)?(?:\d{3} )?(?:rate limited|too many requests|quota exceeded|prompt is too long(?! for)|context (?:window|length) (?:is |has been )?(?:exceeded|full))/i
]

/** True if a host says that a prompt never reached the agent. */
export const isRefusal = (text: string): boolean =>
  /^\s{0,4}(?:operation|prompt|request|message) (?:was )?(?:stopped|blocked|cancell?ed|rejected|denied)\b/i.test(
    text.slice(0, 200)
  )

const retries =
  /\bretrying\b|\bre-?connecting\b|\btrying again\b|\bwill (?:be )?(?:retr(?:y|ied)|tr(?:y|ied) again)\b|^request failed\b[^\n]{0,60}\battempt\b/i

/** Says that a retry is planned. For example, "Waiting 12 seconds before retry 2" or "backing off for 8s". */
const scheduled = /\bretry (?:attempt |#){0,2}\d{1,3}\b(?! (?:has )?failed)|\bback(?:ing)?[ -]?off\b[^\n]{0,20}\d/i

const attempts = /\battempt (\d{1,3})(?: of |\/)(\d{1,3})\b/i

const gaveUp =
  /\b(?:gave|giving|given) up\b|\bexhausted\b|\bretry limit\b|\bno more (?:retries|attempts)\b|\bafter \d{1,3} (?:\w{1,10} )?(?:attempts|retries|tries)\b|\b(?:stopped|not) retrying\b/i

/** True if the host says that the request will be tried again. Then the turn has not ended. */
export const isRetried = (detail: string | null): boolean => {
  const said = (detail ?? "").slice(0, 600)
  const [, attempt, most] = attempts.exec(said) ?? []
  return (
    !gaveUp.test(said) &&
    (retries.test(said) || scheduled.test(said) || (attempt !== undefined && Number(attempt) < Number(most)))
  )
}

/** What follows the phrase in an error: the end, a number, a body, a time or a reason. An agent's sentence goes on. */
const end =
  /^\s{0,3}(?:$|[[:({·∙|]|[.,;—-](?:\s|$)|\d{3}\b|(?:resets?|please|try|retry|after|until|for|with|by|on|while|due|in \d)\b)/i

/** Words of the agent. Only the agent says "I", and a service does not report about tests. */
const own = /(?:^|[\s"(])(?:I|I'(?:ll|ve|m|d)|[Ll]et me|tests?)(?=[\s,.:]|$)/

const maxError = 500

/** Null if the agent wrote the text. If the host counts output tokens, the agent's own text has some. */
export const hostError = (text: string, outputTokens: number | null): "rate_limited" | "api_error" | null => {
  const said = text.trim().slice(0, 600).replaceAll("’", "'")
  if (said.length > maxError || (outputTokens ?? 0) > 0 || own.test(said)) return null
  const isOne = (pattern: RegExp): boolean => {
    const found = pattern.exec(said)
    return found !== null && end.test(said.slice(found[0].length))
  }
  if (limits.some(isOne)) return "rate_limited"
  return services.some(isOne) ? "api_error" : null
}
