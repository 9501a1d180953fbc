/**
 * What the last sentences of a final text do, in English: announce a step, hand work over, ask, or end in the middle.
 */
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { hasOpenFence, plain } from "../../ground/text/Text.ts"

/** A step of the agent's own; what it is to be comes behind. */
const opening = row(
  "let me|let's|i'll|i will|going to|need to",
  /^(?:(?:ok(?:ay)?|great|good|perfect|now|next|first|then|so|and)[,.!:]? ){0,3}(?:let me|let's|i'll|i will|i am going to|i'm going to|i (?:now )?need to) (?:(?:now|also|next|first|then|just) )?/i,
  "Perfect! Now let's implement it",
  "The loader will do it"
).pattern

/** Nothing is done by it, or it is done by being said. */
const idle =
  /^(?:not|know|stop|describe|outline|recap|list|wait|be|leave|pause|hold|await|let|summari[sz]e|explain|keep|remember|assume|note|never|always|avoid|need)\b/i

const announcements: ReadonlyArray<Row> = [
  row(
    "moving on|continuing|proceeding|next up|starting",
    /^(?:now )?(?:moving on to|continuing with|proceeding (?:to|with)|next up\b|starting (?:on|with))/i,
    "Moving on to the parser.",
    "The moving parts are gone."
  ),
  row(
    "now|next|then|ing ",
    /^(?:(?:now|next|then)[,:]? |(?:running|checking|updating|implementing|writing|adding|fixing|testing|creating|building) ).{1,200}(?::|\.\.\.|…)$/i,
    "Running the tests now:",
    "Running the tests takes a minute."
  )
]

/** The user is to do something first; what the agent will do then is no step that it left out. */
const addressed = row(
  "please|reply|send me|tell me|let me know|you",
  /\b(?:please|reply|(?:send|tell) me|let me know|(?:if|once|when|after|would) you|you(?:'ll)? (?:need|have) to)\b/i,
  "I'll merge it once you agree.",
  "I'll merge it."
).pattern

const conditional = row(
  "if|once|when|unless|until|as soon as|future|from now on|forward|next time",
  /\b(?:if|once|when(?:ever)?|unless|until|as soon as|in (?:the )?future|from now on|going forward|next time)\b/i,
  "From now on I'll ask",
  "Now I'll ask"
).pattern

/** "Continuing." adds nothing to the step that was announced before it. */
const onlyGoesOn =
  /^(?:now )?(?:continuing|proceeding|going on|moving on|carrying on|on it|let's go|here (?:we|i) go)(?: now| with (?:it|that|this|them))?\W{0,3}$/i

const lastStep = ({ closing, last }: Prose): string => (onlyGoesOn.test(last) ? (closing.at(-2) ?? last) : last)

const opensStep = (sentence: string): boolean => {
  const found = opening.exec(sentence)
  return found !== null && /^\w/.test(sentence.slice(found[0].length)) && !idle.test(sentence.slice(found[0].length))
}

/** Whether the text ends by announcing a step of the agent's own that it did not take. */
export const announces = (prose: Prose): boolean => {
  const last = lastStep(prose).slice(0, 400)
  if (prose.endsInCode || conditional.test(last)) return false
  if ([...prose.closing.slice(-6, -1), last].some((sentence) => addressed.test(sentence.slice(0, 400)))) return false
  return opensStep(last) || takes(announcements, last)
}

/** The agent itself waits or comes back. */
const returning: ReadonlyArray<Row> = [
  row(
    "i'll|i will",
    /\bi(?:'ll| will) (?:report|post|share|send) (?:you )?(?:the|its|all) (?:\w+ ){0,3}(?:results?|numbers|outcome|output)\b/i,
    "I'll report the result when it is through.",
    "I'll add the result column."
  ),
  row(
    "i'll|i will|i'm|i am",
    /\bi(?:'ll| will|'m| am) (?:now |still |currently )?(?:wait(?:ing)?(?= for (?!you)|[.!…]|$)|report back|check (?:back|again)|be notified|follow up)\b/i,
    "I'll report back",
    "I'll wait for you."
  ),
  row(
    "monitor|watch",
    /\bi(?:'ll| will|'m| am) (?:now |still )?(?:monitor|watch)(?:ing)? (?:it|the (?:run|build|job|pipeline|logs?))\b/i,
    "I'm watching the build.",
    "With this change I'm watching the parent folder."
  ),
  row(
    "waiting for|waiting on",
    /^(?:now |still )?waiting (?:for|on) (?!you)(?!.{0,40}\b(?:review|approv|team|maintainer|owner|admin|merge|feedback|reply|respon|confirm))/i,
    "Waiting for test results...",
    "Waiting for the review."
  )
]

const awaiting: ReadonlyArray<Row> = [
  ...returning,
  row(
    "i'll|i will|i'm|i am|still",
    /\b(?:i(?:'ll| will|'m| am)|still) (?:now |still |currently )?(?:wait\w*|check on|monitor\w*|watch\w*)\b/i,
    "Still monitoring the deployment.",
    "I'll fix it"
  ),
  row(
    "in the background",
    /\b(?:running|runs|started|launched|working) in the background\b/i,
    "It is running in the background",
    "The background is blue"
  ),
  row(
    "waiting|while|once|when|after|as soon as|until",
    /\b(?:waiting (?:for|on)|while|once|when|after|as soon as|until) [^.?!]{1,60}\b(?:finish\w*|complet\w*|returns?|reports?|runs?|done|ready|exits?|over|through|results?|in)\b/i,
    "when all three agents are in",
    "when you like"
  )
]

const lastSaid = ({ closing }: Prose, rows: ReadonlyArray<Row>): boolean =>
  closing.slice(-3).some((sentence) => takes(rows, sentence.slice(0, 400)))

/** Whether the text says that something is still running, be it in passing. */
export const awaits = (prose: Prose): boolean => lastSaid(prose, awaiting)

/** Whether the agent says that it waits for something, or comes back to it. */
export const comesBack = (prose: Prose): boolean => lastSaid(prose, returning)

/** Whether the last word of the text is that the agent comes back to what it started. */
export const promises = ({ last }: Prose): boolean =>
  /\bi(?:'ll| will)\b/i.test(last.slice(0, 400)) && takes(awaiting, last.slice(0, 400))

const yielding: ReadonlyArray<Row> = [
  row(
    "let me know|tell me|reply|send me|choose|pick",
    /\b(?:(?:let me know|tell me) (?:which|what|how|your|when|once|whether|if you(?:'d| would)? (?:like|want|prefer|agree))|reply (?:here|with)|send me|(?:choose|pick) (?:one|between|from))\b/i,
    "Let me know which you prefer.",
    "Let me know if anything is unclear."
  ),
  row(
    "your|you|review",
    /\b(?:your (?:preference|thoughts|feedback|approval|decision)|awaiting your|wait(?:ing)? for you|(?:check|confirm)(?:ing)? with you|review (?:it|this|the (?:spec|plan|design|draft|document)))\b/i,
    "Waiting for your approval.",
    "Your tests pass."
  )
]

/** Whether the text leaves the next word to the user without a question mark. */
export const yields = (prose: Prose): boolean =>
  prose.closing.slice(-5).some((sentence) => takes(yielding, sentence.slice(0, 400)))

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
const openEnds: ReadonlyArray<RegExp> = [
  /(?:^|\s)(?:and|or|but|nor|(?<!just )because|although|whether|unless|the|an?|my|your|its|their|our|every|into|than|whose|such as|as well as|so that(?: (?:it|they|we|you))?)$/,
  /\s(?:(?:and|but) then|means that|(?:still|also|now|then|which|that) (?:needs?|has|have) to|the (?:new|old|same|following|next|first|last|other|current|existing))$/,
  /\n\s{0,8}[-*]$/
]

/** Whether a text breaks off in English, though the host may call it whole. */
export const endsOpen = (text: string): boolean => {
  const end = text.trimEnd().slice(-400)
  return hasOpenFence(text)
    ? /[,([{=+]$|\([^)\n]*$/.test(end)
    : openEnds.some((pattern) => pattern.test(end.slice(-40)))
}

const toRun: ReadonlyArray<Row> = [
  row(
    "run|execute|try|restart|rebuild|test|start|apply|install",
    /^(?:(?:please|now|then|next|you (?:can|should)|you(?:'ll)? need to|can you|to verify|don't forget to|make sure to)[,:]? ){1,3}(?:run|execute|try|restart|rebuild|re-?run|test|start|apply|install)\b/i,
    "Now run the migration.",
    "It runs the migration."
  ),
  row("run |execute ", /^(?:re-?)?(?:run|execute) `/i, "Run `npm test`.", "It runs `npm test`.")
]

/** The user is to tell how it went: then it is a check of the agent's work. */
const wantsResult = row(
  "let me know|confirm|tell me|share|paste|report back|see|verify",
  /\b(?:let me know|tell me|confirm (?:that|it|whether|if)|and confirm|(?:share|paste) the|report back|what you see|see if|verify (?:that|it))\b/i,
  "and tell me what it prints",
  "It prints a line."
).pattern

const mustRun = row(
  "please|you|forget|remember|make sure",
  /\bplease\b|\byou(?:'ll| will)? (?:need|have) to\b|\b(?:don't forget|remember|make sure) to\b/i,
  "You need to run it.",
  "You can run it."
).pattern

/**
 * A sentence that hands the user something to run. `confirm`: and to report on, which is a check of the agent's work.
 */
export const handsOver = (prose: Prose): { readonly text: string; readonly confirm: boolean } | null => {
  const said = prose.closing.slice(-8)
  const run = said.find((sentence) => takes(toRun, sentence.slice(0, 300)))?.slice(0, 300)
  if (run === undefined) return null
  const confirm = wantsResult.test(said.join(" ").slice(-1500))
  return confirm || mustRun.test(run) ? { text: run, confirm } : null
}

const step = row(
  "run|create|add|install|replace|change|open|edit|update|set|remove|delete|copy|import|rename|move|use",
  /^(?:(?:then|next,?|first,?|now|please|you (?:can|should|need to)|to \w+ (?:it|this),) )?(?:run|create|add|install|replace|change|open|edit|update|set|remove|delete|copy|import|rename|move|use)\b/i,
  "Then replace the call.",
  "It replaces the call."
).pattern

const handed = row(
  "you can|replace |with the |like this|to ",
  /\b(?:you can (?:change|use|add|do|update|replace)|replace (?:the|your|it)|with the code (?:above|below)|like this)\b|^to (?:fix|add|enable|create|make|implement|set up) [^.?!]{1,80}[,:]/i,
  "To add a page:",
  "To be added."
).pattern

const prevented = /\b(?:can't|cannot|could(?:n't| not)|unable|read-only|denied|not allowed)\b/i

/** Whether the text tells the user how to make the change, in steps in the imperative, and not that it could not be made. */
export const instructs = (prose: Prose): boolean => {
  const said = prose.paragraphs.flatMap((lines) => lines.map((line) => plain(line).slice(0, 400)))
  const steps = said.filter((line) => step.test(line.slice(0, 200))).length
  const isTold = steps >= 3 || (steps > 0 && said.some((line) => handed.test(line)))
  return isTold && !said.some((line) => prevented.test(line))
}
