/** The service's error where some hosts print it: in the agent's place, though it is no word of the agent's. */
import { guarded } from "../../ground/text/Guarded.ts"

/** After the phrase an error ends, gives its number or body, or says when or why; an agent's sentence goes on. */
const end = String.raw`(?=\s{0,3}(?:$|[[:({·∙|]|[.,;—-](?:\s|$)|\d{3}\b|(?:resets?|please|try|retry|after|until|for|with|by|on|while|due|in \d)\b))`

const service = guarded(
  "error|timed out|failed|overloaded",
  () =>
    new RegExp(
      String.raw`^(?:error: [45]\d\d\b|(?:api error|error: (?:overloaded(?:_error)?|rate limit(?:ed| reached| exceeded)?)|request (?:timed out|failed)|(?:internal )?server error|overloaded_error)${end})`,
      "i"
    )
)

const limit = guarded(
  "limit|quota|too many|too long|exceeded|full",
  () =>
    new RegExp(
      String.raw`^(?:you(?:'ve| have) (?:hit|reached|exceeded) your (?:[\w-]+ ){0,3}(?:limits?|quota)|(?:[\w-]+ ){0,2}(?:usage|rate|session|weekly|5-hour) limit (?:reached|exceeded|hit)|rate limited|quota exceeded|(?:api error:? ?)?(?:\d{3} )?(?:rate limit(?: (?:reached|exceeded))?|too many requests)|(?:api error:? ?)?prompt is too long(?! for)|context (?:window|length) (?:is |has been )?(?:exceeded|full))${end}`,
      "i"
    )
)

/** Nobody but the agent says "I", and a service reports nothing of any work. */
const own = /(?:^|[\s"(])(?:I|I'(?:ll|ve|m|d)|[Ll]et me|tests?)(?=[\s,.:]|$)/

const maxError = 500

/**
 * What a text in the agent's place says of the service; null for a word of the agent's own, which has tokens where the
 * host counts them.
 */
export const hostError = (text: string, outputTokens: number | null): "rate_limited" | "api_error" | null => {
  const said = text.trim().slice(0, 600).replaceAll("’", "'")
  if (said.length > maxError || (outputTokens ?? 0) > 0 || own.test(said)) return null
  if (limit.test(said)) return "rate_limited"
  return service.test(said) ? "api_error" : null
}
