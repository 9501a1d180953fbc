/** What a final text says of steps that are still to come, and where it breaks off. */
import { guarded } from "../../ground/text/Guarded.ts"
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { itemsBelow, othersHead } from "../../session/stop/ListedSteps.ts"
import { isHeading, isListItem, plain } from "../../ground/text/Text.ts"

/** Words after which a sentence has to go on. */
const dangling =
  /(?:^|\s)(?:and|or|but|nor|because|although|whether|while|unless|the|an?|my|your|its|their|our|every|to|of|with|for|from|into|onto|between|without|using|via|by|at|than|that|which|whose|where|when|if|is|are|was|were|be|been|has|have|will|would|should|could|can|must|so that|such as|as well as|the (?:new|old|same|following|next|first|last|other|current|existing|correct|actual|main))$/i

/** Where a text ends in the middle of a sentence, whatever the host says of it. */
export const breaksOff = (prose: Prose): boolean => {
  if (prose.endsInCode) return false
  const line = prose.paragraphs.at(-1)?.at(-1)?.trimEnd() ?? ""
  return dangling.test(line.slice(-40)) || /[,([{–—]$/.test(line.slice(-4))
}

const ended = /[.!?:;…。！？)\]"'`*_|]$/u

/** A last line of prose without an end, in a text whose other sentences have one. */
export const lacksEnd = (prose: Prose): boolean => {
  const line = prose.paragraphs.at(-1)?.at(-1)?.trimEnd() ?? ""
  if (prose.endsInCode || line === "" || isListItem(line) || isHeading(line) || ended.test(line.slice(-2))) return false
  if (!/\s[a-z]{2,20}$/.test(line.slice(-24))) return false
  const others = prose.closing.slice(0, -1)
  return (
    plain(line).split(/\s+/).length >= 5 && others.length > 0 && others.every((other) => /[.!?:…)`"*]$/u.test(other))
  )
}

/** "The parser is fixed, and now I'll write the tests": a step that is announced in the second half of a sentence. */
const stepWithin = guarded(
  "i'll|i will|i am going to|i'm going to|need to|let me|let's",
  () =>
    /(?:[,;:—–]|\b(?:and|so|but))\s(?:(?:and|so|but|now|next|then|first|also)\s){0,3}(?:i'll|i will|i am going to|i'm going to|i (?:now |still )?need to|let me|let's)\s(?:now |next |then |also |first |just |quickly ){0,2}(?!not\b|know\b|wait|pause|hold|stop|leave|be\b|let\b|keep|remember|assume|explain|summari[sz]e|list\b|describe|happily|gladly|never|always|stand|report|continue to|have\b|get back)[a-z]{3,}/i
)

const notOwn =
  /\b(?:if|once|when|whenever|after|unless|until|as soon as|you|your|please|would|could|should|later|future|tomorrow|otherwise|in case)\b/i

/** "The parser", "I", "`parse`", "Extended", "Tests pass": how a clause begins that tells something. */
const telling =
  /^(?:(?:good|great|ok(?:ay)?|now|so|then|and|but|next|first|well|yes|right|perfect)\s){0,3}(?:i|i'\w+|we|we'\w+|it|it's|they|the|an?|this|that|that's|these|those|there|here|all|both|each|every\w*|no|nothing|my|our|its|with|\d+|`\S{1,80}`?|[a-z]+(?<!e)ed|done|written|built|found|\S{1,40} (?:is|are|was|were|has|have|works?|pass(?:es)?|fails?))(?:\s|$)/i

const onlyOpens =
  /^(?:(?:good|great|perfect|excellent|ok(?:ay)?|al(?:l )?right|right|now|next|then|first|second|also|finally|lastly|so|and|but|done|well|yes|with that)[\s,.!:;—–]{0,4}){0,4}$/i

/** "renew it", "fill in the form": a bare verb and what it is to be done to. */
const bidding =
  /^(?:(?:now|so|then|and|but|just|first|please)\s){0,3}(?!(?:i|we|it|they|the|an?|this|that|which|who|all|both|with|for|from|to|of|in|on|at|by|as|than|not|only|also|still|even|after|before|while|when|where|because|since|how|what|why|is|are|was|were|has|have|had|can|could|will|would|[a-z]+(?:s|ed|ing|ly))\s)[a-z]{2,20} (?:it|them|the|an?|that|this|these|those|me|my|us|your|in|up|on|out|into|#?\d+)(?:\s|$)/i

/** Whether what stands before such a step tells something: an order there is a request to the user. */
const tellsBefore = (before: string): boolean => {
  if (onlyOpens.test(before.trim())) return true
  const parts = before
    .split(/[,;:—–]|\s(?:and|so|but|then)\s/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const [first = "", ...rest] = parts.filter((part, index) => index > 0 || parts.length === 1 || part.includes(" "))
  return telling.test(first) && !rest.some((part) => bidding.test(part))
}

/**
 * Whether the last sentence ends by announcing a step of the agent's own, though it does not begin with it; `unsure`
 * where the step may wait for something that the user is told to do.
 */
export const announcesWithin = (prose: Prose): "yes" | "unsure" | "no" => {
  const last = prose.last.slice(0, 400)
  const step = prose.endsInCode || notOwn.test(last) ? null : stepWithin.exec(last)
  if (step === null) return "no"
  return tellsBefore(last.slice(0, step.index)) ? "yes" : "unsure"
}

const planHead = guarded(
  "plan|approach|strategy|what i|steps i",
  () =>
    /(?:^|\b(?:here's|here is|this is|below is|my|the|a|our|detailed|implementation|refactoring|migration|proposed|step-by-step)\s)(?:plan|approach|strategy|what i(?:'ll| will| plan to|'m going to| am going to| would) do|(?:the )?steps i(?:'ll| will) take)\b[^.!?]{0,80}:?$/i
)

/** "To add it, I will:" before a list. */
const intends =
  /^(?:to [^.:!?]{3,120}, )?i(?:'ll| will|'m going to| am going to| need to| plan to| intend to)\b[^.!?]{0,80}:$/i

const isPlanHead = (line: string): boolean => planHead.test(line) || intends.test(line)

/** A word to whoever reads the plan, or a condition on it. */
const holding =
  /\b(?:you\w*|approv\w+|confirm\w*|agree\w*|feedback|thoughts|objections?|comments?|corrections?|review\w*|sign-?off|green light|go-ahead|permission|ready|if|once|unless|until|pending|before i|say|type|reply|tell me|let me (?:know|hear)|wait\w*|hold\w*|stop here|pause)\b|["“”?]/i

const holdingBefore = /\b(?:for (?:your )?(?:approval|review|feedback)|if you|once you|when you|unless|before i)\b/i

/** Whether a text is a plan of the agent's own steps; one that is `held` may wait for a word of the user's. */
export const readPlan = (prose: Prose): "plain" | "held" | null => {
  const lines = prose.paragraphs.flat()
  const at = lines.findIndex((line) => isPlanHead(plain(line).slice(0, 200)))
  if (at < 0) return null
  const below = lines.slice(at + 1)
  const items = itemsBelow(below)
  const rest = below.filter((line) => !isListItem(line) && !line.startsWith(" ") && !isHeading(line))
  if (items.length < 2) return null
  const before = lines.slice(0, at + 1).join(" ")
  const held = holding.test(rest.join(" ").slice(0, 2000)) || holdingBefore.test(before.slice(-1000))
  if (held) return "held"
  return rest.length <= 3 && !othersHead.test(rest.join(" ").slice(0, 600)) ? "plain" : null
}

const needs =
  /\b(?:i need you to|(?:i|we) (?:still )?need (?:your|access to|the (?:password|credentials|key|token|url|address|name|file|log)s?)\b|please (?:provide|give me|share|send|connect|log ?in|grant|enable|plug|approve|unlock)\b|wait(?:ing)? (?:for|on) (?:you|your)\b|once you(?:'ve| have| are|'re)?\b|let me know (?:when|once)\b|when you(?:'ve| have|'re| are)\b|as soon as you\b)/i

/** Whether the text says at its end that it cannot go on without an act of the user's. */
export const needsUser = (prose: Prose): boolean =>
  prose.closing.slice(-4).some((sentence) => needs.test(sentence.slice(0, 400)))

const admits =
  /\b(?:fail(?:s|ed|ing|ure)?|error(?:s|ed)?|could(?:n't| not)|can(?:not|'t)|unable|did(?:n't| not)|does(?:n't| not)|is(?:n't| not)|not found|missing|denied|refused|broken?|crash(?:es|ed)?|timed? ?out|exit(?:ed|s)?|warning|conflict(?:s|ed)?|instead|skipp?(?:ed|ing)|no (?:\w+ ){0,3}(?:found|match\w{0,3}|left|results?|uses?|such))\b/i

/** Whether the text has a word for a failure, in whatever way. */
export const speaksOfFailure = (prose: Prose): boolean => admits.test(prose.said.flat().join("\n").slice(-6000))
