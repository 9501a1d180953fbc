/** What only a watcher asks of a final text: a step announced in passing, and whether there is a word for a failure. */
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { matchesAny } from "../../ground/text/Text.ts"

/** "…, and now I'll write the tests": a step in the second half of a sentence. */
const stepWithin =
  /[,;:—–]\s(?:(?:and|so|but|now|next|then|also)\s){0,3}(?:i'll|i will|i am going to|i'm going to|i (?:now |still )?need to|let me|let's)\s(?:now |next |then |also ){0,2}[a-z]{3,}/i

/** No step, or one that waits for something: a condition, the user, another day. */
const waiting: ReadonlyArray<RegExp> = [
  /\b(?:if|once|when(?:ever)?|after|unless|until|as soon as|in case|you|your|please|would|could|should|later|future|tomorrow|otherwise)\b/i,
  /\b(?:i'll|i will|let me)\s(?:now |just )?(?:not|know|wait|pause|hold|stop|leave|be|keep|remember|assume|explain|summari[sz]e|list|describe|never|always|stand|report|have|get back)\b/i
]

/** A clause that tells something; an order there is a request to the user. */
const telling =
  /^(?:i|i'\w+|we|it|it's|they|the|this|that|there|all|both|each|my|our|[A-Z]\w{1,20}ed|\S{1,40} (?:is|are|was|were|has|have|works?|pass(?:es)?|fails?))\s/i

/**
 * Whether the last sentence ends by announcing a step of the agent's own, though it does not begin with it; `unsure`
 * where the step may wait for something that the user is told to do.
 */
export const announcesWithin = (prose: Prose): "yes" | "unsure" | "no" => {
  const last = prose.last.slice(0, 400)
  const step = prose.endsInCode || matchesAny(waiting, last) ? null : stepWithin.exec(last)
  if (step === null) return "no"
  const before = last.slice(0, step.index).replace(/^(?:good|great|perfect|ok(?:ay)?|done|so|now)[,.!]?\s/i, "")
  return telling.test(before) && !/[,;:—–]/.test(before) ? "yes" : "unsure"
}

/** In whatever way: what excuses may be wide. */
const failure: ReadonlyArray<RegExp> = [
  /\b(?:fail\w*|error\w*|broken?|crash\w*|timed? ?out|exit\w*|warning|conflict\w*|denied|refused|missing|skipp\w*|unable|instead|not found)\b/i,
  /\b(?:(?:could|did|does|is|was|ca|wo)n't|(?:could|did|does|is|was|can) ?not)\b/i,
  /\bno (?:\w+ ){0,3}(?:found|match\w{0,3}|left|results?|uses?|such)\b/i
]

/** Whether the text has a word for a failure. */
export const speaksOfFailure = (prose: Prose): boolean => matchesAny(failure, prose.said.flat().join("\n").slice(-6000))
