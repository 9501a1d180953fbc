/** Reads what the last words of a final text do: ask, wait or break off. A model reads other languages. */
import type { Prose } from "../../base/text/Sentences.ts"
import { hasOpenFence, isHeading, isListItem, matchesAny, plain, sentences } from "../../base/text/Text.ts"
import { isDanger, isOutward, isRisky, needsPerson } from "./HumanAction.ts"

/**
 * A question to the user.
 *
 * @category models
 */
export interface Question {
  readonly text: string
  /**
   * `extra`: about more than was ordered. `offer`: asks permission for the next step. `choice`: the user must decide or
   * give information. `risk`: asks permission for something that cannot be undone or that reaches other people.
   */
  readonly kind: "extra" | "offer" | "choice" | "risk"
}

/**
 * What the agent needs before it continues.
 *
 * @category models
 */
export interface Dependence {
  /** `act`: only a person can do it. `word`: the user's answer, permission or material. `blocked`: an obstacle. */
  readonly kind: "act" | "word" | "blocked"
  readonly text: string
}

const maxSentence = 400
const maxQuoted = 300

const some = (patterns: ReadonlyArray<RegExp>, sentence: string): boolean =>
  matchesAny(patterns, sentence.slice(0, maxSentence))

const offers: ReadonlyArray<RegExp> = [
  /\b(?:should|shall|can|may|could) i\b|\bmind if i\b|\b(?:ok(?:ay)?|fine) (?:for me )?(?:if i|to)\b/i,
  /\b(?:(?:want|like) me to|would you like|happy (?:for me )?to)\b|^want (?!to\b)|\b(?:ready (?:to|for)|worth (?:it|doing|adding))\b/i
]

/** An offer without a question mark. */
const stated: ReadonlyArray<RegExp> = [
  /\bsay the word\b|\blet me know if (?:i should|you(?:'d| would)? (?:like|want)(?: me)? to)\b|^ready to \w+\b[^.?!]{0,60}\b(?:when|once|if) you\b/i,
  /\b(?:i(?:'ll| will| can)|(?:happy|glad) to)\b[^.?!]{1,160}\b(?:if|when(?:ever)?) you(?:'d| would)? (?:like|want|wish)\b/i,
  /^if you (?:like|want|wish)\b[^.?!]{0,40} i(?:'ll| will| can)\b|\b(?:tell me|say so|let me know) and i(?:'ll| will| can)\b/i
]

const extras: ReadonlyArray<RegExp> = [
  /\b(?:as well|also|too|further|anything else|more|any (?:specific|other)|deeper|follow-?up)\b/i,
  /\b(?:commit|merge|push|open (?:a|the) pr|want an? (?:draft )?(?:pr|pull request|merge request)\b|next (?:one|pr|item|ticket|issue|step)|(?:file|create) an? (?:\w+ )?(?:ticket|issue)|move on)\b/i
]

/** A plan, or results, that the user must agree to first. */
const plans =
  /\b(?:go ahead|proceed|(?:approach|plan|proposal|design|direction|recommendation)|of (?:these|them|those))\b/i

const consents =
  /\bare you sure\b|\b(?:should|shall|can|may|me to|ok(?:ay)? to) (?:\w+ ){0,2}(?:delete|drop|destroy|wipe|purge|erase|overwrite|discard)\b/i

/** "Shall I?" or "Shall I proceed?": the sentence before says what the agent would do. */
const bare =
  /^(?:so,? )?(?:(?:shall|should|may|can) i(?: (?:proceed|continue|go (?:ahead|on)))?|approved?|ok(?:ay)?)\W{1,3}$/i

/** A question with a question word. For example, "Which branch?" or "Before I go on: what should it be called?" */
const wh =
  /^(?:[^?]{0,60}[:,] |so |and |but |also )?(?:which|what(?! (?:else|do you think|about))|where|who|when|how (?:should|do you|would you|many|much|long|often))\b/i

/** A choice between options without a question mark. */
const picks =
  /^(?:(?:so|now|please)[,:]? )?(?:(?:pick|choose|select|decide) (?:one\b|between|which|what|option)|(?:let me know|tell me) (?:which|what|how)\b.{0,160}:$)/i

const kindOf = (text: string, before: string, options: boolean): Question["kind"] => {
  const isOffer = some(offers, text)
  if (consents.test(text) || isRisky(text) || (bare.test(text) && isDanger(before)) || (isOffer && isOutward(text)))
    return "risk"
  if (/^(?:is there )?anything else\b/i.test(text)) return "extra"
  if (!isOffer || wh.test(text) || plans.test(text)) return "choice"
  if (some(extras, text)) return "extra"
  return options || /\bor (?!not\b|so\b|skip\b|leave\b|stop\b)/i.test(text) ? "choice" : "offer"
}

/** True if quotation marks open but do not close. The sentence is then a quotation. */
const isQuoted = (sentence: string): boolean =>
  ["`", '"'].some((mark) => sentence.split(mark).length % 2 === 0) ||
  /^["'`“]|["“'`][^"“”'`]{2,300}[?？]["”'`]/.test(sentence.slice(-600))

/** True for a question in any script. In Greek, the question mark is a semicolon. */
const isQuestion = (sentence: string): boolean =>
  /(?:[?？؟\u037e]|(?<=[\u0370-\u03ff\u1f00-\u1fff]);)["')\]*`\s]{0,4}$/.test(sentence.slice(-12)) &&
  !isQuoted(sentence)

/** If more sentences follow a question, the question no longer waits for an answer. */
const maxAfter = 2

/** True if the text itself answers the question. A question to the user contains a word such as "you" or "I". */
const isAnswered = (question: string, next: string | undefined): boolean =>
  next !== undefined &&
  (/^(?:because\b|(?:yes|no)[.,!:;])/i.test(next) ||
    (/^(?:why|what|how)\b/i.test(question) && !/\b(?:you|your|we|i|me|should|shall)\b/i.test(question)))

/** Options or a closing remark may follow the question. Null if the text ends in another way. */
export const findQuestion = (prose: Prose): Question | null => {
  const lines = prose.paragraphs.slice(-4).flat()
  let after = 0
  let options = 0
  for (const [at, line] of [...lines.entries()].toReversed()) {
    if (isHeading(line)) return null
    const said = sentences(plain(line))
    const found = said.findLastIndex((sentence) => isQuestion(sentence) || picks.test(sentence.slice(0, maxQuoted)))
    const text = said[found]
    const before = said[found - 1] ?? sentences(plain(lines[at - 1] ?? "")).at(-1) ?? ""
    // A question in a list does not count, unless the text ends with the list.
    const behind = after + said.length - 1 - found
    if (
      text !== undefined &&
      behind <= maxAfter &&
      !isAnswered(text, said[found + 1]) &&
      (!isListItem(line) || after === 0)
    )
      return { text: text.slice(0, maxQuoted), kind: kindOf(text.slice(0, maxSentence), before, options > 1) }
    if (isListItem(line)) options += 1
    else after += said.length
    if (after > maxAfter) break
  }
  const offered = prose.closing.slice(-2).find((sentence) => some(stated, sentence))
  if (offered === undefined) return null
  const kind = isOutward(offered) ? "risk" : "extra"
  return { text: offered.slice(0, maxQuoted), kind }
}

/** The agent needs the user's answer, permission or material first. */
const words: ReadonlyArray<RegExp> = [
  /(?:^|\bi(?:'m| am|'ll| will|'ve|) (?:now |still )?)(?:await|wait|hold|paus|stop)\w*\b[^.?!;]{0,80} you(?:r|'ve)?\b/i,
  /\bneeds? (?:your\b|you to (?!run|try|test|check|verify|review))|^(?!no)[^.?!]{0,80}\bneed(?:ed|s)?\b[^.?!]{0,60} from you\b|\bi need to know\b/i,
  /\b(?:let me know|tell me) (?:which|where|who|whether|once|when|(?:what|how) (?:to|you))\b|\breply (?:here|with)\b/i,
  /(?:^|[,:;-] |\b(?:is|but|that's) )(?:your (?:call|choice|pick|decision|turn|approval|answer)|up to you)\b/i,
  /(?:^|\bplease )(?:confirm|approve|decide|specify|clarify|choose|pick)\b(?! (?:that )?(?:it|the)\b)/i,
  /\bplease (?:re-?)?(?:send|share|paste|provide|upload|attach|give|add|put|set|grant|open|start|reply|answer|say|point)\b/i,
  /\bi(?:'ll| will| can)\b[^.?!]{1,160}\b(?:once|when|after|as soon as) you(?:'ve)? (?!want|like|need|wish|run|deploy|review)\w/i,
  /^(?:once|when|after|as soon as) you(?:'ve)? (?!want|like|need|run|deploy)[^.?!]{1,160}\bi(?:'ll| will| can)\b/i,
  /\b(?:without|pending|for) (?:your|(?:an )?explicit) (?:approval|consent|confirmation|permission|go[- ]ahead|sign-off|ok(?:ay)?|word)\b/i,
  /\bbitte\b|\bpor favor\b|\bs'il (?:vous|te)\b|ください|请/i
]

const bids =
  /\b(?:please|(?:can|could|will) you|need you to|you(?:'d| would) (?:need|have) to|(?:once|when|after|until) you|on your (?:side|end)|over to you)\b/i

/** Something for another day, or only a look at the result. */
const leisure = /^(?:if|whenever)\b|\bto (?:see|try|test|view|check|verify)\b|\bbefore (?:you|\w+ing)\b/i

const blocks: ReadonlyArray<RegExp> = [
  /^blocked(?: by| on| until|:)|\bi(?:'m| am) (?:still |now |currently )?(?:blocked|stuck)\b|\bonly you (?:can|have|know)\b/i,
  /\b(?:i|tests?|suite) (?:can|could|am|was) ?(?:'t|n't|not|unable to) (?:be )?(?:run|continue|proceed|finish|start|reach|push|build)\b[^.?!]{0,99}\b(?:because|without|until|since|here)\b/i,
  /\bso (?:i|it|they|the tests?) (?:can|could|am|was) ?(?:'t|n't|not|unable to) (?:be )?(?:re)?(?:run|continue|proceed|finish|start|push|build|test|install)\b/i,
  /\b(?:requires?|needs?) [^.?!]{1,80}\b(?:i (?:don't|do not) have|(?:does not|doesn't) exist|is(?: not|n't) (?:available|running|reachable|installed))\b/i
]

const isAct = (sentence: string): boolean =>
  !leisure.test(sentence) && (some(words, sentence) || bids.test(sentence)) && needsPerson(sentence)

/** `act` comes first, then `word`, then `blocked`. The last sentence of each kind counts. Null if nothing is needed. */
export const dependence = (prose: Prose): Dependence | null => {
  const said = prose.closing.slice(-6).map((sentence) => sentence.slice(0, maxSentence))
  const last = (kind: Dependence["kind"], is: (sentence: string) => boolean): Dependence | null => {
    const text = said.findLast(is)
    return text === undefined ? null : { kind, text: text.slice(0, maxQuoted) }
  }
  return (
    last("act", isAct) ??
    last("word", (sentence) => some(words, sentence)) ??
    last("blocked", (sentence) => some(blocks, sentence))
  )
}

/** The agent says that something is still running, or that the agent will come back. */
const awaiting: ReadonlyArray<RegExp> = [
  /\b(?:i(?:'ll| will|'m| am)|still) (?:now |still |currently )?(?:wait\w*|check (?:on|back)|monitor\w*|watch\w*|report back|be notified|follow up)\b/i,
  /\b(?:running|runs|started|launched|working) in the background\b|^(?:now |still )?waiting (?:for|on) (?!you)/i,
  /\b(?:waiting (?:for|on)|while|once|when|after|as soon as|until) [^.?!]{1,60}\b(?:finish\w*|complet\w*|returns?|reports?|done|ready|exits?|results?)\b/i
]

export const awaits = ({ closing }: Prose): boolean => closing.slice(-6).some((sentence) => some(awaiting, sentence))

export const promises = ({ last }: Prose): boolean => /\bi(?:'ll| will)\b/i.test(last) && some(awaiting, last)

const openEnd =
  /[,:([{]$|(?:^|\s)(?:and|or|but|the|an?|my|your|its|to|of|with|for|because|which|that|into|than|so that)$|\n\s{0,8}[-*]$/i

/** True if a text was cut off. The host's report decides. Without a report, the end of the text decides. */
export const isCutOff = (text: string, completed: boolean | null): boolean => {
  if (completed !== null) return !completed
  const end = text.trimEnd()
  return end !== "" && (hasOpenFence(end) || openEnd.test(end.slice(-40)))
}
