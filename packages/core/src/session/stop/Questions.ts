import type { Prose } from "../../ground/text/AgentSentences.ts"
import { danger, isRisky, outward } from "./irreversibleActions.ts"
import { isHeading, isListItem, plain, sentences } from "../../ground/text/Text.ts"
import type { Question } from "./model.ts"

const offer =
  /\b(?:want me to|would you like(?: me)? to|would you like|(?:should|shall|can|may|could) i\b|ready (?:to|for)\b|is it (?:ok(?:ay)?|fine|alright) (?:if|to)|ok(?:ay)? (?:if i|to|for me to)|mind if i|happy (?:for me )?to|let me know if|worth (?:it|doing|adding|a)\b|want (?:a|it|pr|another)\b)/i

/** Leave asked for a plan or a set of findings that the user has yet to agree to. */
const approval =
  /\b(?:go ahead|proceed|(?:this|that|the|my|an?) (?:\w+ )?(?:approach|plan|proposal|design|direction|recommendation)|one of (?:these|them|those)|any of (?:these|them|those)|which of|all (?:three|four|five|of (?:them|these|those))|start implementing|update the (?:plan|design))\b/i

/** An extra that nobody asked for: the work it follows is done. */
const extra =
  /\b(?:as well|also|too|dig deeper|more (?:detail|closely|deeply|info)|in more detail|further|anything else|any (?:specific|other|particular)|follow-?up|next (?:one|pr|item|ticket|issue|step)|file (?:a|an|the) (?:ticket|issue|bug)|create (?:a|an) (?:\w+ )?(?:ticket|issue|commit)|move on|continue with|commit|merge|open a pr|push)\b/i

const choice =
  /\b(?:which\b|what(?:'s| is| are) your|what do you (?:think|prefer|want|say)|what would you (?:like|prefer|rather)|how (?:would|do|should) (?:you|we)|prefer(?:ence|red)?|thoughts|either|your call|up to you|does (?:this|that|it)\b|(?:sound|look)s? (?:good|right|ok)|make sense|agree|are you (?:leaning|thinking|ok|okay|fine)|what's your concern|is (?:the feedback|this what)|should we|do you want (?:to|the|a|any|that|this|it))\b/i

const missing =
  /\b(?:(?:could|can) you (?:share|provide|paste|send|give|tell|clarify|confirm|point|show)|do you (?:have|know|remember|happen)|what (?:is|are|was|were|kind|type|exactly|version|error|should|database|name|would you like)|where (?:is|are|should|do|does)|who (?:is|should)|when (?:is|should|did)|is there (?:a|an|any)|are there (?:any|other)|did you|have you|please (?:share|provide|paste|clarify|tell|confirm which|specify))\b/i

const consent =
  /\b(?:are you sure|permanently|(?:should|shall|can|may|ok to|okay to|want me to|sure (?:you want )?(?:me )?to|like me to|i)\s(?:\w+\s){0,2}(?:delete|drop|destroy|wipe|purge|erase|truncate|overwrite|force[- ]push|reset --hard|discard))\b/i

/** Leave for no more than to go on: what with stands before it. */
const goesOn = /\b(?:proceed|continue|go (?:ahead|on))(?: anyway| with (?:it|this|that))?\W{1,3}$/i

/** The step that the agent is about to take, not what it found. */
const intends =
  /^(?:(?:but|note)[,:]? )?(?:this|that|it|i'll|i will|the (?:\w+ )?(?:step|fix|change|migration|upgrade|rename|command))\b(?! was)/i

/** A bare "Shall I?" as well asks for what stands before it. */
const isRiskyStep = (text: string, before: string): boolean =>
  isRisky(text) || ((goesOn.test(text) || bare.test(text)) && intends.test(before) && danger.test(before))

/** "Shall I?", "Approve?" */
export const bare = /^(?:so,? )?(?:(?:shall|should|may|can) i|approved?|ok(?:ay)?|deal)\W{1,3}(?:\[?y\/n\]?)?$/i

const alternatives =
  /\b(?:\w+,? or (?:would|should|do|leave|keep|is|are|skip|just|was|were|something|the|a|only|all|both|use|go|stick)\b)|\s(?:oder|ou)\s/i

/** "Which branch shall I push to?", "Before I go on: what should it be called?" */
export const wh =
  /^(?:[^?]{0,60}[:,] |so |and |but |also )?(?:which|what(?! (?:else|do you think|about))|where|who|when|how (?:should|do you|would you|many|much|long|often))\b/i

/** "…, half up or half even?", not "…, or do you want to?", which is a word on whether to go on. */
const either =
  /\b(?:(?:should|shall) (?:i|we|it|this|that|they)\b[^?]{3,200}|do you want me to\b[^?,]{3,200})\bor (?!(?:others?|not|would|do|does|did|should|shall|is|are|was|were|leave|skip|just|something|anything|later|so|more|wait|if|stop|both|all|only)\b)/i

const kindOf = (text: string, options: boolean, before: string): Question["kind"] => {
  const offers = offer.test(text)
  if (consent.test(text) || isRiskyStep(text.slice(0, 400), before.slice(0, 400)) || (offers && outward.test(text)))
    return "risk"
  if (/^(?:is there )?anything else\b/i.test(text)) return "extra"
  if (wh.test(text)) return missing.test(text) && !choice.test(text) ? "information" : "choice"
  if (either.test(text)) return "choice"
  if (offers && extra.test(text) && !approval.test(text)) return "extra"
  if (choice.test(text) || (offers && approval.test(text))) return "choice"
  if (alternatives.test(text) || (options && !offers)) return "choice"
  if (offers) return options ? "choice" : "offer"
  return missing.test(text) ? "information" : "choice"
}

/** "Should the branch contain:" before a list of options is a question as well. */
const asksByList = (sentence: string, options: number): boolean =>
  options > 1 && /^(?:question:?\s)?(?:should|which|would you|do you|shall)\b.{0,300}:$/i.test(sentence)

/** "Pick one:", "Choose between A and B.", "Reply with 1 or 2.", and before a list "Let me know which you prefer:" */
const choosing =
  /^(?:(?:so|now|please)[,:]? )?(?:(?:pick|choose|select) (?:one\b|between|from (?:these|the following)|an? (?:option|number)|which|either|what)|decide between|(?:reply|respond|answer) with (?:\W?[a-d1-9]\b|the (?:number|letter))|say \W?[a-d1-9]\W? |(?:let me know|tell me) (?:which|what|how)\b[^.?!]*:$)/i

/** "You can answer with the option's letter", where the options stand before it. */
const answersBy =
  /^(?:you (?:can|may) |please |just )?(?:reply|respond|answer) (?:with|by) (?:giving |naming |choosing )?(?:(?:the|your|an?) )?(?:option|letter|number|choice|name of (?:the|an) option)\b/i

/** "Please choose A, B or C." */
const lettered = /^(?:please |now )?(?:pick|choose|select) \W?[a-d1-9]\W?(?:,| or |\/)/i

/** What a user of the program chooses is none of the agent's business. */
const inProgram = /\b(?:in|from|under) (?:the (?!following)|your )\w|\bto (?:see|try|test)\b/i

const chooses = (sentence: string): boolean =>
  answersBy.test(sentence) || lettered.test(sentence) || (choosing.test(sentence) && !inProgram.test(sentence))

/** Whether a sentence ends as a question. */
export const isQuestion = (sentence: string): boolean => /[?？]["')\]*`\s]{0,4}$/.test(sentence.slice(-12))

const unbalanced = (sentence: string, mark: string): boolean => sentence.split(mark).length % 2 === 0

const quoted = (sentence: string): boolean =>
  unbalanced(sentence, "`") ||
  unbalanced(sentence, '"') ||
  /^["'`“]/.test(sentence) ||
  /^\?\s/.test(sentence) ||
  /["“'`][^"“”'`]{2,300}[?？]["”'`]/.test(sentence.slice(-600))

/** What the agent does not know it cannot have answered. */
const unknown =
  /n't\b|\b(?:not|no|nothing|nowhere|neither|missing|unknown|unclear|undefined|silent|ambiguous|contradicts?|depends)\b/i

/** A question that the text answers itself in the next breath. */
const answered = (sentence: string, next: string | undefined): boolean =>
  next !== undefined &&
  (/^(?:because\b|(?:yes|no)[.,!:;])/i.test(next) ||
    (/^(?:why|what|how)\b/i.test(sentence) &&
      !/\b(?:you|your|we|i|me|should|shall)\b/i.test(sentence) &&
      !/[?]$/.test(next) &&
      !unknown.test(next)))

/**
 * The question that ends a text. One that is followed by more than a closing remark or a list of options is not put
 * to the user; a quoted one, or one inside a list of facts, is somebody else's.
 */
export const findQuestion = (prose: Prose): Question | null => {
  const last = prose.paragraphs.slice(-4)
  let after = 0
  let options = 0
  for (let at = last.length - 1; at >= 0; at--) {
    const lines = last[at] ?? []
    for (let row = lines.length - 1; row >= 0; row--) {
      const line = lines[row] ?? ""
      const said = sentences(plain(line))
      for (let index = said.length - 1; index >= 0; index--) {
        const sentence = said[index] ?? ""
        if (isHeading(line) && after > 0) return null
        if (
          (isQuestion(sentence) || asksByList(sentence, options)) &&
          !quoted(sentence) &&
          !answered(sentence, said[index + 1])
        ) {
          const item = isListItem(line) && !offer.test(sentence)
          if (item && !asksInList(lines, row)) return null
          const listed = options > 1 || hasOptions(last.slice(0, at + 1))
          const before = said[index - 1] ?? sentences(plain(lines[row - 1] ?? last[at - 1]?.at(-1) ?? "")).at(-1)
          return { text: sentence.slice(0, 300), kind: kindOf(sentence, listed, before ?? "") }
        }
        if (!isListItem(line) && !quoted(sentence) && chooses(sentence.slice(0, 300)))
          return { text: sentence.slice(0, 300), kind: "choice" }
        if (isListItem(line)) continue
        after += 1
      }
      if (isListItem(line)) options += 1
      if (after > 2 || isHeading(line)) return null
    }
  }
  return offeredWithout(prose)
}

const statedOffer =
  /^ready to \w+\b[^.?!]{0,60}\b(?:when|whenever|once|if) you\b|\b(?:just )?say the word\b|\blet me know if you(?:'d| would) like me to\b|\blet me know if (?:i should|you(?:'d| would)? (?:like|want)(?: me)? to)\b|\bi can (?:\w+ ){1,6}if you(?:'d| would)? (?:like|want)\b/i

/** What is offered for the asking, in whatever words. */
const forTheAsking =
  /\bsay the word\b|\b(?:tell me|say so|let me know|ping me) and i(?:'ll| will| can)\b|\b(?:happy|glad|ready) to\b[^.?!]{1,160}\b(?:if|when(?:ever)?|once) you\b|\bif you(?:'d| would)? (?:like|want|wish)\b[^.?!]{0,40}\bi(?:'ll| will| can| could)\b|\bi(?:'ll| will| can| could)\b[^.?!]{1,160}\b(?:if|when(?:ever)?) you(?:'d| would)? (?:like|want|wish|say so)\b/i

/** What the last sentence offers to do, with the one before where it only says "it"; no extra. */
export const offered = ({ closing, last }: Prose): string | null => {
  if (!forTheAsking.test(last.slice(0, 300)) || extra.test(last.slice(0, 300))) return null
  return /\b(?:it|that|this|so)\b/i.test(last) ? `${closing.at(-2) ?? ""} ${last}` : last
}

/** An offer that needs no question mark. */
const offeredWithout = (prose: Prose): Question | null => {
  const found = prose.closing
    .slice(-2)
    .map((sentence) => sentence.slice(0, 300))
    .find((sentence) => statedOffer.test(sentence))
  if (found === undefined) return null
  return { text: found, kind: outward.test(found) ? "risk" : extra.test(found) ? "extra" : "offer" }
}

const asksInList = (lines: ReadonlyArray<string>, row: number): boolean =>
  lines.slice(row).every((line) => isListItem(line) || line.startsWith(" ")) &&
  /\?/.test((lines[lines.length - 1] ?? "").slice(0, 2000))

const hasOptions = (before: ReadonlyArray<ReadonlyArray<string>>): boolean =>
  before
    .slice(-3)
    .some(
      (paragraph) =>
        paragraph.filter((line) => /^\s{0,8}(?:\*\*)?(?:option\s)?(?:\d{1,2}|[a-d])[.):]/i.test(line.slice(0, 40)))
          .length > 1
    )
