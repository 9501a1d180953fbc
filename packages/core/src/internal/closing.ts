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
  /\b(?:(?:do you |would you |you )?want me to|would you like (?:me )?to|would you like|(?:should|shall|can|may|could) (?:i|we)\b|ready (?:to|for)\b|is it (?:ok|okay|fine|alright) (?:if|to)|ok(?:ay)? (?:if i|to|for me to)|do you want (?:to|the|a|any|that|this)|want (?:a|the|it|that|this|any|pr|to|another)\b|mind if i|happy (?:for me )?to|good to go|proceed\b|go ahead\b|let me know if|worth (?:it|doing|adding|a|changing))/i

const choice =
  /\b(?:which (?:one|of|option|approach|would|do|is|should|way|version)|what(?:'s| is| are) your|what do you (?:think|prefer|want|say)|what would you (?:like|prefer|rather)|how (?:would|do|should) (?:you|we)|prefer(?:ence|red)?|thoughts|either|or (?:would|should|do|leave|keep|is|are|skip|just|was|were|something)|your call|up to you|which\b|does (?:this|that|it) (?:\w+ ){0,4}(?:look|sound|work|make sense|match|capture|seem|feel|align)|(?:sound|look) (?:good|right|ok)|make sense|agree|are you (?:leaning|thinking|ok|okay|fine)|what's your concern|is (?:the feedback|this what))\b/i

const risky =
  /\b(?:are you sure|delete|drop|destroy|overwrite|force[- ]push|irreversibl\w{1,4}|cannot be undone|can't be undone|wipe|purge|reset --hard|production|permanently|remove (?:all|these|those|them)|discard)\b/i

const missing =
  /\b(?:could you (?:share|provide|paste|send|give|tell|clarify|confirm|point)|can you (?:share|provide|paste|send|give|tell|clarify|confirm|point|show)|do you (?:have|know|remember|happen)|what (?:is|are|was|were|kind|type|exactly|version|error|should|database|name)|where (?:is|are|should|do|does)|who (?:is|should)|when (?:is|should|did)|is there (?:a|an|any)|are there (?:any|other)|did you|have you|please (?:share|provide|paste|clarify|tell|confirm which|specify))\b/i

const kindOf = (text: string, options: boolean): Question["kind"] => {
  if (/\bare you sure\b|cannot be undone|can't be undone|irreversibl/i.test(text)) return "risk"
  if (choice.test(text)) return "choice"
  if (options && !offer.test(text)) return "choice"
  if (offer.test(text)) {
    if (risky.test(text)) return "risk"
    return options || /\s(?:or|oder|ou|o)\s/i.test(text) ? "choice" : "offer"
  }
  return missing.test(text) ? "information" : "choice"
}

const isQuestion = (sentence: string): boolean => /[?？]["')\]*`\s]{0,4}$/.test(sentence.slice(-12))

const quoted = (sentence: string): boolean => /^["'`“]/.test(sentence) || /^\?\s/.test(sentence) || sentence.includes("?`")

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
        if (isQuestion(sentence) && !quoted(sentence)) {
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
  return null
}

const asksInList = (lines: ReadonlyArray<string>, row: number): boolean =>
  lines.slice(row).every((line) => isListItem(line) || line.startsWith(" ")) && /\?/.test((lines[lines.length - 1] ?? "").slice(0, 2000))

const hasOptions = (before: ReadonlyArray<ReadonlyArray<string>>): boolean =>
  before.slice(-3).some(
    (paragraph) => paragraph.filter((line) => /^\s{0,8}(?:\*\*)?(?:option\s)?(?:\d{1,2}|[a-d])[.):]/i.test(line.slice(0, 40))).length > 1
  )

const nextStep =
  /^(?:(?:ok(?:ay)?|great|good|perfect|now|next|first|then|so|alright|right|excellent|and|finally|i see(?: the (?:issue|problem))?)[,.!:;]?\s+){0,3}(?:let me|let's|i'll|i will|i am going to|i'm going to|i need to|i now need to|next i|time to|now i)\s+(?:now\s+|also\s+|next\s+|first\s+|then\s+|quickly\s+|just\s+|need to\s+)?(?!know\b|stop\b|wait\b|be (?:here|happy|glad)|leave|pause|hold|await|let you|summari[sz]e|explain|keep (?:this|that|it) in mind|remember|assume|note|never|always|avoid)\w+/i

const conditional = /\b(?:if you|once you|when you|after you|as soon as|unless|would you|let me know|in (?:the )?future|from now on|going forward|next time|whenever)\b/i

/** Whether the text ends by announcing a step of the agent's own that it did not take. */
export const announces = (prose: Prose): boolean => {
  if (prose.endsInCode) return false
  return nextStep.test(prose.last.slice(0, 400)) && !conditional.test(prose.last.slice(0, 600))
}

const awaiting =
  /\b(?:(?:i'll|i will|i am|i'm|now|still|currently) (?:wait|waiting|report back|check back|be notified|follow up|monitor(?:ing)?|watch(?:ing)?|update you)|(?:running|is running|are running|started|launched|working) in the background|waiting (?:for|on) (?:the |it |them |ci|all |both )[^.?!]{0,60}(?:finish|complete|return|done|results?|agents?|ci|build|checks)|while (?:it|that|they|the agents?) runs?|will (?:notify|report|be notified)|once (?:it|they|the \w{1,20}) (?:finish|complete|return|report)(?:es|s)?)\b/i

/** Whether the text says that something is still running that the agent will come back to. */
export const awaits = (prose: Prose): boolean => prose.closing.slice(-3).some((sentence) => awaiting.test(sentence.slice(0, 400)))

/** Whether a text that the host does not call complete, or that ends in the middle of a word, was cut off. */
export const isCutOff = (text: string, completed: boolean | null): boolean => {
  if (completed === false) return true
  const end = text.trimEnd()
  if (end === "" || completed === true) return false
  if (hasOpenFence(end)) return true
  return /[,(\[{]$/.test(end) || /(?:^|\s)(?:and|the|to|of|with|for|a|an|but|because|which|that|is|are|in|on|by|from)$/i.test(end.slice(-12))
}

const leftovers =
  /\b(?:(?:still|yet) (?:to do|needs? to be|need to|left to|to be (?:done|implemented|fixed|added|updated))|(?:remaining|outstanding|unfinished) (?:work|items?|tasks?|steps?|todos?|issues?|tests?|failures?)\b|not (?:yet )?(?:implemented|finished|done|complete[d]?|fixed|migrated|wired)\b|haven't (?:yet )?(?:\w+ ){0,2}(?:implemented|finished|done|updated|run|tested|fixed|added|migrated)|i (?:did not|didn't) (?:get to|finish|complete|implement|manage)|work in progress|partially (?:done|complete[d]?|implemented|fixed)|left (?:undone|unfinished|as (?:a )?todo)|to be continued|will (?:need to|have to) be (?:done|implemented|fixed|finished) (?:later|next))\b/i

/** The sentences, headings included, that say of the agent's own work that some is left. */
export const leftWork = (prose: Prose): ReadonlyArray<string> => {
  const said = prose.paragraphs.slice(-8).flatMap((lines) => lines.flatMap((line) => sentences(plain(line))))
  return said.filter((sentence) => leftovers.test(sentence.slice(0, 400)) && !isQuestion(sentence)).slice(-5)
}

const imperativeRun = /^(?:(?:please|now|then|next|you can|you should|you'll need to|you need to|could you|can you|to verify|try)[,:]?\s+){1,3}(?:please\s+)?(?:run|execute|try|restart|rebuild|re-?run|test|start)\b/i
const bareRun = /^(?:please\s+|now\s+)?(?:run|execute|rerun|re-run)\s+`/i
const asksForResult = /\b(?:let me know|and confirm|tell me|share the (?:output|result)|paste the|report back|confirm (?:that|it|whether|if)|what you see|see if|verify (?:that|it))\b/i

/** A sentence that hands the user something to run and report on, which the agent could have run. */
export const handsOver = (prose: Prose): string | null => {
  const said = prose.closing.slice(-8)
  const run = said.find((sentence) => imperativeRun.test(sentence.slice(0, 300)) || bareRun.test(sentence.slice(0, 300)))
  if (run === undefined) return null
  return asksForResult.test(said.join(" ").slice(-1500)) ? run.slice(0, 300) : null
}

const english = /\b(?:the|is|are|and|to|of|in|it|this|that|you|for|with|not|have|was|i|all|done|tests?|now|no|yes|fixed|added|updated)\b/gi
const foreign =
  /\b(?:der|die|das|und|ist|nicht|ich|wurde|alle|soll|que|los|las|una|est|les|des|pas|une|dans|sont|para|está|não|uma|het|een|niet|sono|della|che|och|att|är|nie|jest|się|jak)\b/gi

/** Whether the text can be read as English; a text too short to tell is. */
export const isEnglish = (text: string): boolean => {
  const sample = tail(text, 2000)
  const nonLatin = sample.match(/[\u0370-\u1fff\u3040-\ud7ff]/g)?.length ?? 0
  if (nonLatin > 8 && nonLatin * 4 > sample.replaceAll(/\s/g, "").length) return false
  const ours = sample.match(english)?.length ?? 0
  const theirs = sample.match(foreign)?.length ?? 0
  return theirs < 3 || ours >= theirs * 2
}
