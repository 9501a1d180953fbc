import type { Question } from "../StopSignal.ts"
import { hasOpenFence, isHeading, isListItem, paragraphs, plain, proseLines, sentences, tail } from "./text.ts"

/** The prose of a final text, ready for reading: its paragraphs, and its sentences in order. */
export interface Prose {
  readonly paragraphs: ReadonlyArray<ReadonlyArray<string>>
  readonly closing: ReadonlyArray<string>
  readonly last: string
  readonly endsInCode: boolean
}

/** Reads the last 6,000 characters of a text. */
export const readProse = (text: string): Prose => {
  const end = tail(text, 6000)
  const lines = proseLines(end).filter((line) => !line.trimStart().startsWith(">"))
  const all = paragraphs(lines.filter((line) => !/^\s{0,8}(?:[-=*_─━]\s?){3,}$/.test(line.slice(0, 200))))
  const spoken = all.slice(-6).flatMap((paragraph) => paragraph.flatMap((line) => sentences(plain(line))))
  return {
    paragraphs: all,
    closing: spoken,
    last: spoken[spoken.length - 1] ?? "",
    endsInCode: /(?:```|~~~)\s{0,20}$/.test(end.slice(-40))
  }
}

const offer =
  /\b(?:want me to|would you like(?: me)? to|would you like|(?:should|shall|can|may|could) i\b|ready (?:to|for)\b|is it (?:ok|okay|fine|alright) (?:if|to)|ok(?:ay)? (?:if i|to|for me to)|mind if i|happy (?:for me )?to|let me know if|worth (?:it|doing|adding|a)\b|want (?:a|it|pr|another)\b)/i

/** Leave asked for a plan or a set of findings that the user has yet to agree to. */
const approval =
  /\b(?:go ahead|proceed|(?:this|that|the|my|an?) (?:\w+ )?(?:approach|plan|proposal|design|direction|recommendation|revision|unification|variant)|one of (?:these|them|those)|any of (?:these|them|those)|which of|all (?:three|four|five|of (?:them|these|those))|start implementing|without changing|included|update the (?:full |whole )?(?:summary|plan|design|document|architecture))\b/i

/** An extra that nobody asked for: the work it follows is done. */
const extra =
  /\b(?:as well|also|too|dig deeper|more (?:detail|closely|deeply|info)|in more detail|further|anything else|any (?:specific|other|particular)|follow-?up|next (?:one|pr|item|ticket|issue|step)|file (?:a|an|the) (?:ticket|issue|bug)|create (?:a|an) (?:\w+ )?(?:ticket|issue|commit)|move on|continue with|commit|merge|open a pr|push)\b/i

const choice =
  /\b(?:which\b|what(?:'s| is| are) your|what do you (?:think|prefer|want|say)|what would you (?:like|prefer|rather)|how (?:would|do|should) (?:you|we)|prefer(?:ence|red)?|thoughts|either|your call|up to you|does (?:this|that|it)\b|(?:sound|look)s? (?:good|right|ok)|make sense|agree|are you (?:leaning|thinking|ok|okay|fine)|what's your concern|is (?:the feedback|this what)|should we|do you want (?:to|the|a|any|that|this|it))\b/i

const missing =
  /\b(?:could you (?:share|provide|paste|send|give|tell|clarify|confirm|point)|can you (?:share|provide|paste|send|give|tell|clarify|confirm|point|show)|do you (?:have|know|remember|happen)|what (?:is|are|was|were|kind|type|exactly|version|error|should|database|name|would you like)|where (?:is|are|should|do|does)|who (?:is|should)|when (?:is|should|did)|is there (?:a|an|any)|are there (?:any|other)|did you|have you|please (?:share|provide|paste|clarify|tell|confirm which|specify))\b/i

const consent =
  /\b(?:are you sure|cannot be undone|can't be undone|irreversibl\w{1,4}|permanently|(?:should|shall|can|may|ok to|okay to|want me to|sure (?:you want )?(?:me )?to|like me to|i)\s(?:\w+\s){0,2}(?:delete|drop|destroy|wipe|purge|erase|truncate|overwrite|force[- ]push|reset --hard|discard))\b/i

const alternatives =
  /\b(?:\w+,? or (?:would|should|do|leave|keep|is|are|skip|just|was|were|something|the|a|only|all|both|use|go|stick)\b)|\s(?:oder|ou)\s/i

const kindOf = (text: string, options: boolean): Question["kind"] => {
  if (consent.test(text)) return "risk"
  if (/\banything else\b/i.test(text)) return "extra"
  if (
    /^(?:so |and |but )?(?:should|shall) (?:i|we) (?:use|keep|go with|put|make|name|call|prefer|target)\b.{0,200}\bor\b/i.test(
      text
    )
  )
    return "choice"
  const offers = offer.test(text)
  if (offers && extra.test(text) && !approval.test(text)) return "extra"
  if (choice.test(text) || (offers && approval.test(text))) return "choice"
  if (alternatives.test(text) || (options && !offers)) return "choice"
  if (offers) return options ? "choice" : "offer"
  return missing.test(text) ? "information" : "choice"
}

/** "Should the branch contain:" before a list of options is a question as well. */
const asksByList = (sentence: string, options: number): boolean =>
  options > 1 && /^(?:question:?\s)?(?:should|which|would you|do you|shall)\b.{0,300}:$/i.test(sentence)

const isQuestion = (sentence: string): boolean => /[?？]["')\]*`\s]{0,4}$/.test(sentence.slice(-12))

const unbalanced = (sentence: string, mark: string): boolean => sentence.split(mark).length % 2 === 0

const quoted = (sentence: string): boolean =>
  unbalanced(sentence, "`") ||
  unbalanced(sentence, '"') ||
  /^["'`“]/.test(sentence) ||
  /^\?\s/.test(sentence) ||
  /["“'`][^"“”'`]{2,300}[?？]["”'`]/.test(sentence.slice(-600))

/** A question that the text answers itself in the next breath. */
const answered = (sentence: string, next: string | undefined): boolean =>
  next !== undefined &&
  (/^(?:because\b|(?:yes|no)[.,!:;])/i.test(next) ||
    (/^(?:why|what|how)\b/i.test(sentence) && !/\b(?:you|your|we|i|me)\b/i.test(sentence) && !next.endsWith("?")))

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
          return { text: sentence.slice(0, 300), kind: kindOf(sentence, listed) }
        }
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
  /\b(?:just )?say the word\b|\blet me know if you(?:'d| would) like me to\b|\blet me know if i should\b|\bi can (?:\w+ ){1,6}if you(?:'d| would)? (?:like|want)\b/i

/** An offer that needs no question mark. */
const offeredWithout = (prose: Prose): Question | null => {
  const found = prose.closing.slice(-2).find((sentence) => statedOffer.test(sentence.slice(0, 400)))
  return found === undefined ? null : { text: found.slice(0, 300), kind: extra.test(found) ? "extra" : "offer" }
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

const nextStep =
  /^(?:(?:ok(?:ay)?|great|good|perfect|now|next|first|then|so|alright|right|excellent|and|finally|i see(?: the (?:issue|problem))?)[,.!:;]?\s+){0,3}(?:let me|let's|i'll|i will|i am going to|i'm going to|i need to|i now need to|next i|time to|now i)\s+(?:now\s+|also\s+|next\s+|first\s+|then\s+|quickly\s+|just\s+|need to\s+)?(?!not\b|know\b|stop\b|describe|outline|recap|list\b|wait\b|be (?:here|happy|glad|around|available)|leave|pause|hold|await|let you|summari[sz]e|explain|keep (?:this|that|it) in mind|remember|assume|note|never|always|avoid)\w+/i

/** The user is to do something first; what the agent will do then is no step that it left out. */
const addressed =
  /\b(?:please|reply|send me|once you|when you|after you|let me know|tell me|you(?:'ll)? (?:need|have) to)\b/i

const movingOn =
  /^(?:now\s)?(?:moving on to|continuing with|proceeding (?:to|with)|on to the next|next up:?|starting (?:on|with))\b/i

/** "Running the tests now:" with nothing after it. */
const trailing =
  /^(?:(?:ok(?:ay)?|good|great|now|next|then|first|and)[,.!:]?\s+){0,2}(?:running|rerunning|checking|updating|implementing|writing|adding|fixing|testing|verifying|creating|building|committing|pushing|opening)\b[^.?!]{0,120}(?::|\.\.\.|…)$|^(?:and )?(?:now|next|then)[,:]?\s[^.?!]{1,120}:$/i

const conditional =
  /\b(?:if you|once you|when you|after you|as soon as|unless|would you|let me know|in (?:the )?future|from now on|going forward|next time|whenever)\b/i

/** Whether the text ends by announcing a step of the agent's own that it did not take. */
export const announces = (prose: Prose): boolean => {
  if (prose.endsInCode || prose.closing.slice(-6, -1).some((sentence) => addressed.test(sentence.slice(0, 400))))
    return false
  return (
    (nextStep.test(prose.last.slice(0, 400)) ||
      movingOn.test(prose.last.slice(0, 400)) ||
      trailing.test(prose.last.slice(0, 400))) &&
    !conditional.test(prose.last.slice(0, 600))
  )
}

const awaiting =
  /\b(?:(?:i'll|i will|i am|i'm|now|still|currently) (?:wait|waiting|report back|check back|be notified|follow up|monitor(?:ing)?|watch(?:ing)?|update you)|(?:running|is running|are running|started|launched|working) in the background|waiting (?:for|on) (?:the |it |them |ci|all |both )[^.?!]{0,60}(?:finish|complete|return|done|results?|agents?|ci|build|checks)|while (?:it|that|they|the agents?) runs?|will (?:notify|report|be notified)|once (?:it|they|the \w{1,20}) (?:finish|complete|return|report)(?:es|s)?)\b/i

const yielding =
  /\b(?:please confirm\b|(?:i'll|i will|i'm going to|i can) (?:pause|wait|hold(?: off)?|stop|stand by)\b[^.?!]{0,60}\b(?:you|your|here)\b|(?:check|checking|confirm) with you\b|wait(?:ing)? for (?:you|your)\b|let me know (?:which|what|how|your|when|once|whether|if you(?:'d| would)? (?:like|want|prefer|have|agree|approve))|(?:please )?review (?:it|this|the (?:spec|plan|design|draft|document))\b|awaiting your\b|reply (?:here|with)\b|send me\b|(?:choose|pick) (?:one|between|from|an option)\b|your (?:preference|thoughts|feedback|approval|decision)\b|tell me (?:which|what|how|when|if)\b)/i

/** Whether the text leaves the next word to the user without a question mark. */
export const yields = (prose: Prose): boolean =>
  prose.closing.slice(-5).some((sentence) => yielding.test(sentence.slice(0, 400)))

/** Whether the text says that something is still running that the agent will come back to. */
export const awaits = (prose: Prose): boolean =>
  prose.closing.slice(-3).some((sentence) => awaiting.test(sentence.slice(0, 400)))

/** Whether a text that the host does not call complete, or that ends in the middle of a word, was cut off. */
export const isCutOff = (text: string, completed: boolean | null): boolean => {
  if (completed === false) return true
  const end = text.trimEnd()
  if (end === "" || completed === true) return false
  if (hasOpenFence(end)) return true
  return (
    /[,([{]$/.test(end) ||
    /(?:^|\s)(?:and|the|to|of|with|for|a|an|but|because|which|that|is|are|in|on|by|from)$/i.test(end.slice(-12))
  )
}

const leftovers =
  /^(?:(?:what(?:'s| is) (?:left|remaining|missing)|still (?:to do|todo|missing|open|pending)|(?:remaining|outstanding|unfinished) (?:work|items?|tasks?|steps?|todos?)|not (?:yet )?(?:done|finished|implemented|complete[d]?)|todo|left to do)\b|(?:however|but|note(?: that)?|unfortunately)?[,:]?\s{0,2}i (?:have not|haven't|did not|didn't|was not able to|wasn't able to|could not|couldn't|still (?:need|have) to)\s(?:yet\s|get to\s|manage to\s|finish\s)?(?:\w+\s){0,1}(?:implement\w{0,3}|finish\w{0,2}|complet\w{1,3}|update\w?|fix\w{0,2}|add\w{0,2}|migrate\w?|wire\w?))\b|\bstill (?:needs?|has|have) to be (?:written|implemented|done|added|fixed|finished|completed|migrated|wired|handled)\b|\bi(?:'ve)? left (?:a|an|the) (?:todo|placeholder|stub)\b|\bwith (?:a|an) (?:placeholder|stub) that\b/i

const deferred =
  /\bif you (?:do )?(?:want|need|'d like|would like) (?:the |a |an |to (?:show|see|have|include) )?([\w` -]{3,40}?),? (?:we|i)(?:'d| would|'ll| will)? (?:need|have) to\b/i

/** What the text makes conditional on the user's wish, in the user's words for it. */
export const deferredWork = (prose: Prose): ReadonlyArray<{ readonly what: string; readonly text: string }> =>
  prose.paragraphs
    .slice(-6)
    .flatMap((lines) => lines.flatMap((line) => sentences(plain(line))))
    .flatMap((text) => {
      const what = deferred.exec(text.slice(0, 400))?.[1]
      return what === undefined ? [] : [{ what: what.trim().toLowerCase(), text: text.slice(0, 300) }]
    })

/** What was left out on purpose, or never was to be done, is not left over. */
const intended =
  /\b(?:any|because you|since you|as (?:you )?(?:asked|requested|instructed|agreed|specified|intended)|as per your|per your (?:request|instructions?)|you (?:asked|told|wanted|said)|intentional(?:ly)?|deliberately|on purpose|by design|not (?:needed|necessary|required)|no need)\b|:\s{0,3}(?:none|nothing|n\/a|-)\.?$/i

const participle =
  "(?:implemented|written|done|added|updated|finished|completed|migrated|documented|handled|wired|covered|converted|fixed|supported|connected|validated|replaced|ported|translated)"

const unfinished = new RegExp(
  [
    `\\b(?:not|haven't|hasn't|isn't|aren't)(?: yet)?(?: been)? (?:\\w+ ){0,2}${participle}\\b[^.?!;]{0,40}(?:\\byet\\b|$)`,
    "\\b(?:is|are) still (?:missing|to do|outstanding)\\b",
    `\\b(?:will be|'ll be|gets?) (?:\\w+ ){0,2}${participle} (?:next|later|separately)\\b`,
    "\\b(?:i'll|i will|we'll) (?:\\w+ ){1,6}(?:next|later|afterwards|in a (?:follow-?up|second step))\\b"
  ].join("|"),
  "i"
)

/** Sentences by which something is not there yet; of whose task it is a part, only the task tells. */
export const unfinishedParts = (prose: Prose): ReadonlyArray<string> =>
  prose.paragraphs
    .slice(-8)
    .flatMap((lines) => lines.flatMap((line) => sentences(plain(line))))
    .filter(
      (sentence) =>
        unfinished.test(sentence.slice(0, 400)) && !intended.test(sentence.slice(0, 400)) && !isQuestion(sentence)
    )
    .slice(-5)
    .map((sentence) => sentence.slice(0, 300))

/** Unchecked boxes under a line that says that they are what remains. */
const openBoxes = (prose: Prose): ReadonlyArray<string> => {
  const lines = prose.paragraphs.slice(-6).flat()
  const at = lines.findIndex((line) =>
    /^(?:remaining|still open|todo|to do|left|open|not done(?: yet)?):?$/i.test(plain(line).slice(0, 60))
  )
  if (at < 0) return []
  return lines
    .slice(at + 1)
    .filter((line) => /^\s{0,8}[-*] \[ \]\s/.test(line.slice(0, 20)))
    .map((line) => line.replace(/^\s{0,8}[-*] \[ \]\s/, "").slice(0, 200))
    .slice(0, 5)
}

/** The sentences, headings included, that say of the agent's own work that some is left. */
export const leftWork = (prose: Prose): ReadonlyArray<string> => {
  const said = prose.paragraphs.slice(-8).flatMap((lines) => lines.flatMap((line) => sentences(plain(line))))
  const left = said
    .filter(
      (sentence) =>
        leftovers.test(sentence.slice(0, 400)) && !intended.test(sentence.slice(0, 400)) && !isQuestion(sentence)
    )
    .slice(-5)
  return left.length > 0 ? left : openBoxes(prose)
}

const imperativeRun =
  /^(?:(?:please|now|then|next|you can|you should|you'll need to|you need to|could you|can you|to verify|try|don't forget to|remember to|make sure to)[,:]?\s+){1,3}(?:please\s+)?(?:run|execute|try|restart|rebuild|re-?run|test|start|apply|install)\b/i
const bareRun = /^(?:please\s+|now\s+)?(?:run|execute|rerun|re-run)\s+`/i
const asksForResult =
  /\b(?:let me know|and confirm|tell me|share the (?:output|result)|paste the|report back|confirm (?:that|it|whether|if)|what you see|see if|verify (?:that|it))\b/i

/**
 * A sentence that hands the user something to run. `confirm`: and to report on, which is a check of the agent's work.
 */
export const handsOver = (prose: Prose): { readonly text: string; readonly confirm: boolean } | null => {
  const said = prose.closing.slice(-8)
  const run = said.find(
    (sentence) => imperativeRun.test(sentence.slice(0, 300)) || bareRun.test(sentence.slice(0, 300))
  )
  if (run === undefined) return null
  const confirm = asksForResult.test(said.join(" ").slice(-1500))
  return confirm || needed.test(run.slice(0, 300)) ? { text: run.slice(0, 300), confirm } : null
}

const needed = /\byou(?:'ll| will)? (?:need|have) to\b|\bplease\b|\b(?:don't forget|remember|make sure) to\b/i

const step =
  /^(?:then\s|next,?\s|first,?\s|finally,?\s|now\s|please\s|you (?:can|should|need to|could|will need to)\s(?:now\s|then\s)?)?(?:run|create|add|install|replace|change|open|edit|update|set|remove|delete|modify|put|insert|copy|paste|fix|configure|import|rename|move|append)\b/i

/** Whether the text tells the user how to make the change: steps in the imperative, or code to be pasted. */
export const instructs = (prose: Prose): boolean => {
  const said = prose.paragraphs.flatMap((lines) => lines.map((line) => plain(line)))
  const steps = said.filter((line) => step.test(line.slice(0, 200))).length
  const handed = said.some((line) =>
    /\b(?:you can (?:change|use|add|do|update|replace|implement)|replace (?:the|your|it)|with the (?:code|snippet|following) (?:above|below)|like this)\b/i.test(
      line.slice(0, 400)
    )
  )
  return steps >= 3 || (steps >= 1 && handed)
}

const english =
  /\b(?:the|is|are|and|to|of|in|it|this|that|you|for|with|not|have|was|i|all|done|tests?|now|no|yes|fixed|added|updated)\b/gi
const foreign =
  /\b(?:der|die|das|und|ist|nicht|ich|wurde|alle|soll|que|los|las|una|est|les|des|pas|une|dans|sont|para|está|não|uma|het|een|niet|sono|della|che|och|att|är|nie|jest|się|jak|mit|für|eine|auf|auch|noch|wird|el|con|por|del|pero|le|et|avec|pour|sur|foi|com|il)\b/gi

/** Whether the text can be read as English; a text too short to tell is. */
export const isEnglish = (text: string): boolean => {
  const sample = tail(text, 2000)
  const nonLatin = sample.match(/[\u0370-\u1fff\u3040-\ud7ff]/g)?.length ?? 0
  if (nonLatin > 8 && nonLatin * 4 > sample.replaceAll(/\s/g, "").length) return false
  const ours = sample.match(english)?.length ?? 0
  const accented = sample.match(/[\u00bf\u00a1\u00df-\u00f6\u00f8-\u017f]/g)?.length ?? 0
  const theirs = (sample.match(foreign)?.length ?? 0) + Math.min(3, accented)
  return theirs < 2 || ours >= theirs * 2 || (theirs < 3 && ours >= theirs)
}
