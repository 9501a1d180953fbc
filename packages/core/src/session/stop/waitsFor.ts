/**
 * Whose turn it is. What a final text says that the agent goes on after: an act that only the user can do, the user's
 * consent, something that the user has, or what stands in the agent's way.
 */
import { changeClaimed } from "./claims.ts"
import { callsDone } from "./ListedSteps.ts"
import { needsHuman } from "./HumanAction.ts"
import { lazy } from "../../ground/text/Lazy.ts"
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { isRisky } from "./irreversibleActions.ts"

export interface Dependence {
  readonly kind: "act" | "consent" | "word" | "blocked" | "risk"
  readonly text: string
}

const kinds: ReadonlySet<string> = new Set(["consent", "login", "second factor", "captcha", "device"])

const prompts =
  /\b(?:passphrase|sudo|keychain|your (?:pin|password)|enter (?:\w+ ){0,2}code|(?:device|login|browser|system) (?:prompt|dialog|page)|browser (?:window|tab)|your browser|(?:logged|signed) in)\b|\/device\b/i

/** What nobody but a person at a keyboard or a device does. */
export const isPersonal = (text: string): boolean => prompts.test(text) || kinds.has(needsHuman(text) ?? "")

const polite =
  /\b(?:please|need you to|you(?:'d| would) (?:need|have) to|(?:can|could|would|will) you) [a-z]|\b(?:on|at|from) your (?:side|end)\b|^(?:touch|tap|solve|approve|unlock)\b/i

const bidden =
  /(?:^|[,:;] |\byou(?:'ll)? (?:need|have) to |\byou must )(?:(?:now|next|then|first|just|so|and)[,:]? )?(?:run|type|approve|accept|enter|finish|complete|log|sign|open|visit|unlock|confirm|authori[sz]e|authenticate|click|scan|plug)\b|^\w+ (?:\w+ )?login`|\b(?:once|when|after|as soon as|until) (?:you|it)\b/i

/** What the user is then to say, or the agent to do. */
const returns =
  /\b(?:let me know(?! if)|tell me|(?:then|please) (?:say|reply)|(?:then|and|so|that|before|until) i\b|i(?:'ll| will) (?!not\b|leave|be\b|never))/i

/** A look at what is done, or an act for another day. */
const leisurely =
  /^(?:to (?!continue|proceed|go|finish|move)|(?:if|when(?:ever)?|users?)\b)|\bto (?:see|try|test|view|check|verify)\b|\band (?:check|verify|see|look|try|test)\b|\b(?:before|when) (?:\w+ing\b|you (?:deploy|publish|release))|\b(?:later|optionally)\b/i

const isAct = (said: ReadonlyArray<string>, at: number): boolean => {
  const sentence = said[at] ?? ""
  const direct = polite.test(sentence)
  if (leisurely.test(sentence) || !(direct || bidden.test(sentence))) return false
  if (!isPersonal(sentence)) return returns.test(sentence) && isPersonal(said[at - 1] ?? "")
  return direct || returns.test(said.slice(at, at + 3).join(" "))
}

/** The agent says of itself that it acts, or does not, on somebody's leave; or what to reply. */
const consents = lazy(
  () =>
    /\b(?:i(?:'\w+)?|^(?:still |now )?(?:wait|hold|paus|block|stop|ready|await|pending|next)\w*)\b[^?!]{0,200}\b(?:until|unless|without|with|on|upon|after|pending|for|need|await(?:ing)?|given)(?: your| explicit| an?(?= [^.?!]{1,30} from you)) (?:\w+ ){0,2}(?:ok(?:ay)?|yes|approval|consent|confirmation|sign-?off|go(?:-?ahead)?|word|signal|permission|agreement|nod|say-?so|green light|authori[sz]ation)\b(?! (?!to |before |from |for |on |and )\w)|\bi(?:'ll| will|'m| am|'ve| have| won't| can't)\b[^?!]{1,200}\b(?:(?:until|unless|once|when|if|before|as soon as|after) you(?:'ve| have)? (?:explicitly )?(?:say|said|tell|told|object|approv|confirm|agree|give|sign|consent|ok)|(?:when|once|if|until|unless) (?:i(?:'m| am) )?(?:told|asked|instructed|approved)\b)|\bi(?:'ll|'m| will| am|'ve| have)? (?:now |only |going to )?(?:(?:hold(?:ing)?|paus(?:e|ed|ing)|stand(?:ing)?)(?: off| here| by)?(?:[.!]?$| (?:until|before)\b)|stop(?:ped)?(?: here)? (?:until|and wait)\b)|^(?:please |just )?(?:reply|type|answer|respond|say|write|enter) (?:back )?(?:with )?\W?(?!the word)[\w' -]{1,30}?\W{1,2}(?:(?:to|if you) (?:proceed|confirm|continue|go|approve|agree|allow)|if i|(?:and|so|before) i\b)|^(?:please )?(?:confirm(?:[.:]|$)|approve\b)|(?:^|\bplease )(?:confirm|approve) (?:and|before|so|first|which|(?:whether|that|if) i)\b|\byour (?:approval|consent|confirmation|decision|answer|ok(?:ay)?|go-ahead) is (?:\w+ )?(?:needed|required)\b|\bi(?:'d| would) (?:like|want|prefer|need) your (?:ok|approval|consent|go)|\b(?:if|sure) you(?:'re| are) (?:ok(?:ay)?|fine|happy) with\b/i
)

/** Leave for what the task tells the agent to do anyway. */
const ownCheck =
  /\b(?:run|rerun|execute|try|write|verify|check)\b[^.?!]{0,40}\b(?:tests?|suite|lint\w{0,4}|build|checks?|type ?check\w{0,3})\b/i

/** The agent says that it goes on with something that the user has or decides; its leave to do so is no such thing. */
const relies = lazy(
  () =>
    /\bi(?:'ll| will)? (?:\w{3,5} )?need (?:your\b|you to (?!run|try|test|check|verify|review)\w|to know\b|(?!to\b)[^.?!]{1,120} from you(?:r side|r end)?\b|the (?:[\w-]+ ){0,3}[\w-]+(?: from [^.?!]{1,60})?[.!]?$)|(?:\bi(?:'ll| will|'m| am) (?!keep|leave|also)[^.?!]{1,160} |^holding |^(?=[^.?!]{1,200}\bi(?:'ll| will) ))(?:once|when|as soon as|after|until) (?:you(?:'ve| have)? (?!'|confirm|approv|agree|say|want|need|like|are|run|have|review|deploy)\w|i (?:have|hear|get|receive) [^.?!]{0,60}(?:from you|your))|(?:^|\bi(?:'m| am|'ll| will) (?:now |still )?)(?:wait|await|hold|blocked|paused)[^.?!;,]{0,80} (?:you|your)\b|^i(?:'ll| will) wait(?: here)?[.!]?$|\b(?:depends|hinges) on (?:you|your (?:answer|decision|choice|reply|input))\b|^(?:please )?(?:send|share|paste|upload|give|provide|attach|answer|reply)\b[^.?!]{1,160} i(?:'ll| will| can)\b|\b(?:let me know|tell me|please (?:say|specify|clarify|decide|choose|pick)) (?:(?:which (?!tests?\b)|where|who)\b|whether (?:i|to|we|you)\b|what (?:to|i|we|the|you(?:'d| would)? (?:want|prefer|like|need))\b|how (?:to|i|we|you(?:'d| would) (?:like|prefer|want))\b)|(?:^|[,:;] |\b(?:is|but) )your (?:call|pick|choice|decision|turn)(?=[.!]?$|[,:]| (?:on|whether|which|how|what)\b)|^over to you for\b|\bnot sure (?:which|what) [^.?!]{1,40}\byou (?:mean|want)|; (?:put|drop|add|set|paste) [^.?!]{1,100} i'll\b|\b(?:decide|choose|pick)\b[^.?!]{0,20} for you\b|\b(?:yours|not mine) to (?:decide|make|choose)\b|^(?:please )?(?!run|re-?run|test|try|check|verify|review|if|you)[a-z]+ [^?!]{2,160}\b(?:and|then) (?:(?:tell|ping) me|let me know)(?: (?:when|once|after)\b|[.!]?$)/i
)

/** "Need from you: the URL", where it is not said that it is nothing. */
const listsNeeds =
  /^(?:(?:what )?i |still )?need(?:ed)? from you(?:r side|r end)?\b(?!.{0,20}\b(?:nothing|none|no)\b)|^(?:required|missing|wanted|open) from you(?:r side)?\s?:(?!.{0,20}\b(?:nothing|none|no)\b)/i

/** "To continue, please send me the key." */
const toGoOn =
  /^(?:to|before i can|for me to) (?:continue|proceed|go on|finish|move on|complete)\b[^.?!]{0,60}[,:] ?(?:please (?!run|test|try|check|verify|review)|i need|i'd need|send|share|provide|paste)/i

/** "Then paste the address again and I will look at it." */
const handBack =
  /^(?:(?:then|now|after that|afterwards|please)[,:]? ){0,2}(?:re-?)?(?:send|share|paste|post|drop|forward|upload|give|provide|attach|supply)\b[^.?!]{1,160}\b(?:and|then|so) i(?:'ll| will| can)\b/i

/** "Please add the key or point me to it.", and what the agent can do then. */
const pleadsFor =
  /^(?:(?:so|then|now)[,:]? )?please (?!run|re-?run|test|try|check|verify|review|see|note|find|let|feel|be |do |don't|restart|reload)[a-z]+\b/i
const thenI =
  /\b(?:once|when|then|as soon as|after(?:wards)?|with (?:it|that|them))\b[^.?!]{0,120}\bi(?:'ll| will| can)\b/i

/** "If you can give me a shell, I can load them" is no extra where the agent says that it could do nothing. */
const onGiving =
  /^(?:if|once|when|as soon as) you (?:can |could |are able to )?(?:provide|give|grant|share|send|supply|enable|set up|fix|restore|open|point)\b[^.?!]{1,160}\bi(?:'ll| will| can| could)\b/i
const unable = /\bi (?:can't|can ?not|could(?:n't| not)|am (?:unable|not able) to)\b/i

const asksFor = (said: ReadonlyArray<string>, at: number, isOver: boolean): boolean => {
  const sentence = said[at] ?? ""
  if (listsNeeds.test(sentence) || handBack.test(sentence) || toGoOn.test(sentence)) return true
  if (pleadsFor.test(sentence)) return thenI.test(said.slice(at, at + 2).join(" "))
  return !isOver && onGiving.test(sentence) && said.some((other) => unable.test(other))
}

/** What keeps the agent from going on, in its own words; "so I can't check" says nothing of why. */
const blocks = lazy(
  () =>
    /^blocked(?::| (?:by|on|until|because|at)\b| -)|\bi(?:'m| am) (?:still |now |currently )?(?:blocked|stuck)\b|\b(?:i|so it|tests?|suite|specs?|build|linter|checks?|they) (?:can't|can ?not|could(?:n't| not)|(?:am|was) unable to|(?:am|was) not able to|wasn't able to) (?:be )?(?:re-?run|run|execute|continue|proceed|go|get|finish|complete|start|access|reach|connect|install|push|test|verif|check|buil[dt]|deploy|open)\w*(?:[^.?!]{0,160}(?:\b(?:because|without|until|unless|since|as long as)\b|: )|(?<=\bso [^.?!]{1,40})(?<!check))|\bonly you (?:can|have|know)\b|(?:\b(?:tests?|suite|specs?|build|linter|checks?|they)|`[^`]{1,60}`) (?:requires?|needs?) [^.?!]{1,80}\b(?:i (?:don't|do not) have|(?:does not|doesn't) exist|is(?: not|n't) (?:available|running|reachable|installed))\b|\bi need (?!to\b|your\b|you\b)[^.?!]{1,80} to (?:go on|continue|proceed|finish|carry on)\b/i
)

/** Why it would rather ask, even for what it was told to run. */
const harms = /\b(?:because|since|as) (?:it|they|that)(?:'d)?\b|\b(?:live|shared|real)\b/i

/** A step of the agent's own that is yet to come. */
const comes = /\b(?:i(?:'ll| will|'m (?:about|going) to| am (?:about|going) to)|let me)\b|^(?:the )?next\b/i

/** "Please", in whatever language. */
const pleads = /\bbitte\b|\bp[eo]r favore?\b|\bs'il (?:vous|te)\b|\bproszę(?!\w)|пожалуйста|请|ください/i

/** What the end of the text hangs on, if it is the user's: an act before a word, and the last of its kind. */
export const dependence = (prose: Prose, english: boolean): Dependence | null => {
  const all = prose.closing.slice(-6).map((sentence) => sentence.slice(0, 400))
  const said = all.slice(-5)
  const found = (kind: Dependence["kind"], text: string | undefined): Dependence | null =>
    text === undefined ? null : { kind, text: text.slice(0, 300) }
  const last = (pattern: { readonly test: (text: string) => boolean }): string | undefined =>
    said.findLast(
      (sentence) => pattern.test(sentence) && !(ownCheck.test(sentence) && !isRisky(sentence) && !harms.test(sentence))
    )
  const plea = found("word", last(pleads))
  if (!english) return plea
  const isOver = callsDone(prose) || changeClaimed(prose) !== null
  return (
    found("act", said[said.findLastIndex((_, at) => isAct(said, at))]) ??
    found("consent", last(consents())) ??
    found(
      "word",
      said.findLast((sentence, at) => relies().test(sentence) || asksFor(said, at, isOver))
    ) ??
    found(
      "blocked",
      all.findLast((sentence) => blocks().test(sentence))
    ) ??
    found(
      "risk",
      said.slice(-2).find((sentence) => comes.test(sentence) && isRisky(sentence))
    ) ??
    plea
  )
}
