/**
 * What the last sentences of a final text do, in English: announce a step, hand work over, leave work, ask, or end in the
 * middle.
 */
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { hasOpenFence, plain } from "../../ground/text/Text.ts"

const nextStep =
  /^(?:(?:ok(?:ay)?|great|good|perfect|now|next|first|then|so|alright|right|excellent|and|finally|i see(?: the (?:issue|problem))?)[,.!:;]?\s+){0,3}(?:let me|let's|i'll|i will|i am going to|i'm going to|i need to|i now need to|next i|time to|now i)\s+(?:now\s+|also\s+|next\s+|first\s+|then\s+|quickly\s+|just\s+|need to\s+)?(?!not\b|know\b|stop\b|describe|outline|recap|list\b|wait\b|be (?:here|happy|glad|around|available)|leave|pause|hold|await|let you|summari[sz]e|explain|keep (?:this|that|it) in mind|remember|assume|note|never|always|avoid|need (?!to\b))\w+/i

/** The user is to do something first; what the agent will do then is no step that it left out. */
const addressed =
  /\b(?:please|reply|send me|(?:once|when|after) you|let me know|tell me|you(?:'ll)? (?:need|have) to)\b/i

const movingOn =
  /^(?:now\s)?(?:moving on to|continuing with|proceeding (?:to|with)|on to the (?:next|second|third|last|final|other|remaining)|next up:?|starting (?:on|with))\b/i

/** "Running the tests now:" with nothing after it. */
const trailing =
  /^(?:(?:ok(?:ay)?|good|great|now|next|then|first|and)[,.!:]?\s+){0,2}(?:running|rerunning|checking|updating|implementing|writing|adding|fixing|testing|verifying|creating|building|committing|pushing|opening)\b[^.?!]{0,120}(?::|\.\.\.|…)$|^(?:and )?(?:now|next|then)[,:]?\s[^.?!]{1,120}:$/i

/** "Now writing the third." and "Writing the third now.", which say what is done next and not how the work behaves now. */
const underWay =
  /^(?=now\b|[^.?!]{1,120}\bnow\.?$)(?:now )?(?:implementing|updating|writing|adding|fixing|creating|converting|migrating|porting) (?:the|all|both|those|these) (?![^.?!]{0,120}\b(?:if|when|instead|before|rather|only|once|on|from)\b)[^.?!]{1,120}\.?$/i

const conditional =
  /\b(?:if you|once you|when you|after you|as soon as|unless|would you|let me know|in (?:the )?future|from now on|going forward|next time|whenever)\b/i

/** "Continuing." adds nothing to the step that was announced before it. */
const onlyGoesOn =
  /^(?:now )?(?:continuing|proceeding|going on|moving on|carrying on|starting|on it|let's go|here (?:we|i) go)(?: now| right away| with (?:it|that|this|these|them|those))?\W{0,3}$/i

const lastStep = ({ closing, last }: Prose): string => (onlyGoesOn.test(last) ? (closing.at(-2) ?? last) : last)

/** Whether the text ends by announcing a step of the agent's own that it did not take. */
export const announces = (prose: Prose): boolean => {
  const last = lastStep(prose).slice(0, 400)
  if (prose.endsInCode || prose.closing.slice(-6, -1).some((sentence) => addressed.test(sentence.slice(0, 400))))
    return false
  return (
    [nextStep, movingOn, trailing, underWay].some((pattern) => pattern.test(last)) &&
    !conditional.test(lastStep(prose).slice(0, 600))
  )
}

const awaiting =
  /\b(?:(?:i'll|i will|i am|i'm|now|still|currently) (?:wait|waiting|report back|check (?:back|on|again)|be notified|follow up|monitor(?:ing)?|watch(?:ing)?|update you)|(?:running|is running|are running|started|launched|working) in the background|waiting (?:for|on) (?:the |it |them |ci|all |both )[^.?!]{0,60}(?:finish|complete|return|done|results?|agents?|ci|build|checks)|while (?:it|that|they|the agents?) runs?|will (?:notify|report|be notified)|(?:once|when|after|as soon as) (?:it|th(?:ey|at|is)|(?:the|both|all) (?:[\w-]{1,20} ){0,2}?[\w-]{1,20})(?:'(?:s|re|ve)| is| are| has| have)? (?:finish|complet|return|report|done|end|exit|over|through|ready|in(?!\w))\w*)\b/i

/** Whether the last word of the text is that the agent comes back to what it started. */
export const promises = ({ last }: Prose): boolean =>
  /\bi(?:'ll| will)\b/i.test(last.slice(0, 400)) && awaiting.test(last.slice(0, 400))

const yielding =
  /\b(?:(?:check|checking|confirm) with you|let me know (?:which|what|how|your|when|once|whether|if you(?:'d| would)? (?:like|want|prefer|have|agree))|review (?:it|this|the (?:spec|plan|design|draft|document))|reply (?:here|with)|send me|(?:choose|pick) (?:one|between|from)|awaiting your|wait(?:ing)? for you|your (?:preference|thoughts|feedback|approval|decision)|tell me (?:which|what|how|when|if))\b/i

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

/** Words that no sentence ends with; whoever is called whole may end with "to" or "is". */
const openEnd =
  /(?:^|\s)(?:and|or|but|nor|(?<!just )because|although|whether|unless|the|an?|my|your|its|their|our|every|into|onto|between|than|whose|such as|as well as|so that(?: (?:it|they|we|you))?|(?:and|but) then|means that|(?:still|also|now|then|which|that) (?:needs?|has|have) to|the (?:new|old|same|following|next|first|last|other|current|existing|correct|actual|main))$|\n\s{0,8}[-*]$/

/** Whether a text breaks off in English, though the host may call it whole. */
export const endsOpen = (text: string): boolean => {
  const end = text.trimEnd().slice(-400)
  return hasOpenFence(text) ? /[,([{=+]$|\([^)\n]*$/.test(end) : openEnd.test(end.slice(-40))
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
  /^(?:then\s|next,?\s|first,?\s|finally,?\s|now\s|please\s|you (?:can|should|need to|could|will need to)\s(?:now\s|then\s)?)?(?:run|create|add|install|replace|change|open|edit|update|set|remove|delete|modify|put|insert|copy|paste|fix|configure|import|rename|move|append|wrap|call|use)\b/i

/** "The fix is to swap the two": told, whatever is shown below it. */
const remedy =
  /(?:^|[.:] )(?:to (?:fix|solve|resolve) (?:it|this|that),|the (?:fix|solution) is to |you (?:can|could|should) (?:fix|solve|resolve) (?:it|this|that)\b|here(?:'s| is) the (?:corrected|fixed) (?:version|code|function)\b)/i

const prevented =
  /\b(?:already|can't|cannot|can not|couldn't|could not|unable|read-only|denied|not (?:a bug|able|allowed)|have to|has to|nothing to|either)\b/i

/** Whether the text tells the user how to make the change: steps in the imperative, or code to be pasted. */
export const instructs = (prose: Prose): boolean => {
  const said = prose.paragraphs.flatMap((lines) => lines.map((line) => plain(line)))
  const steps = said.filter((line) => step.test(line.slice(0, 200))).length
  const handed = said.some((line) =>
    /\b(?:you can (?:change|use|add|do|update|replace|implement)|replace (?:the|your|it)|with the (?:code|snippet|following) (?:above|below)|like this)\b/i.test(
      line.slice(0, 400)
    )
  )
  const howTo =
    /^to (?:add|set up|implement|enable|fix|create|make|support|use|build|configure|get)\b[^.?!]{1,200}(?:[:,]|$)/i.test(
      said[0]?.slice(0, 300) ?? ""
    )
  return (
    steps >= 3 ||
    (steps >= 1 && (handed || howTo)) ||
    (said.some((line) => remedy.test(line.slice(0, 400))) && !said.some((line) => prevented.test(line.slice(0, 400))))
  )
}
