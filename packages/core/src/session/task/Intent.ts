/** Finds out if a message wants a change or an answer, or only tells the agent to continue or to stop. */
import { matchesAny } from "../../base/text/Text.ts"
import { clauses, spoken } from "../../base/text/Sentences.ts"
import type { TaskContext } from "./model.ts"
import { ownSentences } from "./OwnSentences.ts"

const openings =
  "please now then also so and next first great yes yeah nope good just actually but thanks again finally question task note always lgtm"

const lead = new RegExp(
  `^(?:${openings.replaceAll(" ", "|")}|ok(?:ay)?|looks good|(?:your )?(?:task|job)(?=:)|no(?=[,.!:]| (?:wait|stop|just|please)\\b))(?:[,.!:] ?| )\\s{0,3}`,
  "i"
)
const polite =
  /^(?:(?:can|could|would|will) (?:you|we)|let'?s|(?:you|we) (?:should|need to|must|have to)|i(?:'d| would)? (?:like|want|need|expect)(?: you)? to|go (?:ahead )?and|remember to) /i
const charged = /^your (?:job|task) (?:is|will be) to /i

/** Removes polite words at the start of a sentence. For example, "can you please also fix it" becomes "fix it". */
export const withoutOpening = (sentence: string): string => {
  let rest = sentence.slice(0, 400).trimStart()
  for (let last = ""; last !== rest;)
    [last, rest] = [rest, rest.replace(lead, "").replace(polite, "").replace(charged, "")]
  return rest
}

/** Verbs that order something even without an object. `noVerbs` are words that are never verbs. */
const verbs: ReadonlySet<string> = new Set(
  (
    "adapt add address adjust allow annotate append apply benchmark build bump cache carry catch change checkout cherry-pick clean close combine commit complete configure " +
    "connect continue convert copy correct create debounce debug deduplicate delete deploy disable do document downgrade download drop duplicate enable encrypt ensure escape " +
    "expose extend extract fetch filter finish fix follow force force-push format generate get git go group handle hide ignore implement improve include increase inline " +
    "insert install instrument integrate introduce keep let limit load localise localize log make merge migrate mock move normalise normalize open optimise optimize paginate " +
    "parse patch persist plug polish port prepare prevent print publish pull push put raise rebase rebuild recompile record redesign reduce refactor reject release remove " +
    "rename render reorganise reorganize replace reproduce require resolve restore retry revert rework rewrite rollback sanitise sanitize save send set setup ship shorten " +
    "simplify skip sort speed split squash start stash store stub style submit support swap switch tag throttle throw tidy track translate try turn tweak undo unify update " +
    "upgrade use wire wrap write"
  ).split(" ")
)
const noVerbs: ReadonlySet<string> = new Set(
  (
    "ah we they he she it you as at because before after by can could does did for from got had has have how if in is are like may of on one only over should since than that there to until was while " +
    "what when where which who why will wish with within without would about not all both"
  ).split(" ")
)
const withObject =
  /^[a-z-]{2,20} (?:the|an?|this|that|these|those|every|each|all|our|my|its|it|them|down|up|out|off|back)\b/i

/** Orders to run something. Such an order asks for a report, unless a later part of the sentence orders a change. */
const running = /^(?:(?:re-?)?run|execute|test|verify)\b/i
const answering: ReadonlyArray<RegExp> = [
  /^(?:analy[sz]e|answer|check(?! out)|compare|describe|explain|find|figure out|investigate)\b/i,
  /^(?:link|list|look|research|review|summari[sz]e|take a look|tell|(?:show|give|get) me|wait (?:for|until)|watch)\b/i
]

/** True if the first verb orders a change, or a verb after an order to look: "find the cause and fix it". */
export const isChange = (sentence: string): boolean => {
  const head = withoutOpening(sentence)
  if (running.test(head) || matchesAny(answering, head))
    return [...head.matchAll(/(?:,| and| then) (?:then )?(\w+)/g)].some(({ 1: word = "" }) => verbs.has(word))
  const first = /^[a-z-]+(?![\w(]|\.\w)/i.exec(head)?.[0].toLowerCase() ?? ""
  if (verbs.has(first)) return !/^(?:do (?:we|you|i|they|not)|let (?:me|us|you))\b/i.test(head)
  return withObject.test(head) && !noVerbs.has(first) && !/(?:ed|ing|ly)$/.test(first)
}

export const isImperative = (sentence: string): boolean => isChange(sentence) || running.test(withoutOpening(sentence))

/** True if a part of the sentence orders a change. For example, "Don't touch the rest, just fix the import". */
const changes = (sentence: string): boolean => sentence.split(/[,;:]\s(?=(?:just|please|then|so)\s)/i).some(isChange)

const asking =
  /[?？]\s*$|^(?:what|why|how|when|where|who|which|any|wondering|i(?:'m)? (?:wonder(?:ing)?|thinking)|(?:is|are|was|do|does|did|has|have|should|can|could|would) (?!you|we|not)\w)/i

/** Words that do not start an order. If the second word is in `toldOf`, the first word is a subject. */
const noOrder: ReadonlySet<string> = new Set(
  (
    "again against although always any anyone between codex claude current despite during each either every everybody everyone few here hello hey hi his her instead its just like " +
    "many maybe me most my nobody no now often our people perhaps some somebody someone sometimes still their them these this those though today tomorrow under unless us user via " +
    "whatever whenever whether yesterday your"
  ).split(" ")
)
const toldOf =
  "hooks i we you they he she to of when where while if because after before runs shows fails failed builds uses says said gets got makes calls needs wants takes lets returns creates opens commits pushes checks saves loads works seems looks allows supports requires triggers deploys keeps crashes crashed throws breaks broke hangs displays sends reads writes passed finished started went"

const told = new RegExp(`^\\S+ (?:${toldOf.replaceAll(" ", "|")})\\b`, "i")
const stated =
  /^\S+ (?:\w+ )?(?:is|are|was|were|has|have|had|will|would|should|can|cannot|could|must|may|might|does|did|do|am|\w+n't)\b/i

/** True if a sentence starts like an order, with any verb. Its later parts may then be orders too. */
export const beginsAsOrder = (sentence: string): boolean => {
  const head = withoutOpening(sentence)
  const first = /^[a-z-]{2,20}(?= )/i.exec(head)?.[0].toLowerCase() ?? ""
  const isVerb = first !== "" && !noVerbs.has(first) && !noOrder.has(first) && !/(?:ed|ing|ly|tion|[^su]s)$/.test(first)
  return isVerb && !told.test(head) && !stated.test(head)
}

/** The user wants a plan or an answer, and no change yet. */
const plans: ReadonlyArray<RegExp> = [
  /\b(?:make|write|create|draft|outline|come up with) (?:a|the|me a) plan\b|\bplan (?:it|this|how|out)\b|\bwhat (?:do|would|should) (?:you|we)\b|\b(?:let'?s discuss|brainstorm|propose)\b/i,
  /\b(?:don'?t|do not) (?:write|change|edit|implement|touch)(?: (?:any |the )?(?:code|files?|anything|it))?(?: yet| for now)?(?=[.,;!]|$)|\bno code\b|\bresearch only\b/i,
  /\bjust (?:research|investigate|analy[sz]e|explain|answer|look|review)\b|\bgive me (?:some )?(?:options|ideas)\b|(?:^|[.,:;] ?|this is |stay )read[- ]only\b/i
]

/** Words that show what the work is about if no edit shows it. */
const ops =
  /^(?:git |gh )?(?:commit|push|rebase|release|deploy|publish|tag|squash|merge|pull|check ?out|ship|restart|systemctl)\b(?! (?:notes?|messages?|conflicts?)\b)/i
const docs = /\b(?:readme|docs?|documentation|changelog|adr|wiki|guide|tutorial|typos?|wording)\b/i

/** `ask`: a plan is wanted, or the message asks and orders no change. `act`: it orders a change and asks nothing. */
export const readIntent = (text: string): Pick<TaskContext, "about" | "intent"> => {
  const own = ownSentences(text)
  const said = (own.length > 0 ? own : spoken(text)).map((sentence) => sentence.slice(0, 400))
  const isAsked = said.some((one) => asking.test(one.replace(lead, "")) && !changes(one))
  const isToAnswer = said.some((one) => matchesAny(answering, withoutOpening(one)) || running.test(withoutOpening(one)))
  const isOrdered = said.some(changes)
  const isPlan = matchesAny(plans, said.join("\n").slice(0, 2000))
  const about = said.some((one) => ops.test(withoutOpening(one)))
    ? "ops"
    : docs.test(said.join("\n"))
      ? "docs"
      : "unknown"
  if (isPlan || (!isOrdered && (isAsked || isToAnswer))) return { intent: "ask", about }
  return { intent: isOrdered && !isAsked ? "act" : "unknown", about }
}

const failure =
  /\b(?:failing|red) tests? first\b|\b(?:write|add|create) (?:an? )?(?:\w{1,20} ){0,2}(?:failing|red) test\b|\btests? (?:that )?fails? without\b|\btdd\b|\breproduce the\b|\b(?:don't|do not) fix\b/i

export const wantsFailure = (text: string): boolean => failure.test(spoken(text).join(" ").slice(0, 4000))

const leave =
  /(?<!(?:n't|not|never|need to) )\b(?:ask|consult|(?:check|confirm) with) me\b|\b(?:wait for|get|need) (?:my |your )?(?:approval|permission|confirmation|ok(?:ay)?|go-ahead)\b/i

const unasked = /\b(?:no need to|don't(?: have to| need to)?|do not|needn't|stop|without) ask(?:ing)?\b/i

/** True if the agent must ask before each step from this message on. `before` is the value before this message. */
export const wantsAsking = (text: string, before: boolean): boolean =>
  leave.test(text.slice(0, 4000)) || (before && !unasked.test(text.slice(0, 4000)))

const thanks = /^(?:[a-z]{1,12}[,.!]{0,3}\s)?(?:(?:many )?thanks|thank you)[.!\s]{0,3}$/i

export const isThanks = (text: string): boolean => thanks.test(text.slice(0, 80).trim())

const assent =
  /^(?:(?:ok(?:ay)?|yes(?: to (?:all|both))?|y|👍|yep|yeah|yup|sure|please|go(?! (?:on|ahead|for))|right|good|great|perfect|sounds good|thanks|cool|fine)(?!\w)[,.!\s]{0,3}){1,4}/iu
const goOn =
  /^(?:continue|go on|go ahead|proceed|carry on|keep going|(?:let's )?do (?:it|that|this)|go for it|resume|try again|retry|next|finish (?:it|up))(?: (?:please|then|now|with (?:it|that)))?[.!\s]{0,3}$/i

export const isContinuation = (text: string): boolean => {
  const said = text.trim().replaceAll("’", "'")
  const rest = said.replace(assent, "")
  return said !== "" && said.length <= 60 && !thanks.test(said) && (rest === "" || goOn.test(rest))
}

const halt =
  /^(?:stop|halt|abort|cancel|pause|wait|hold(?: on)?|hang on|not now|never ?mind|forget|that's enough|(?:we )?continue (?:later|tomorrow))$/i
const behind = /(?: (?:it|that|this|here|a|for|now|please|today|moment|minute|sec)){1,4}$/i

export const isHalt = (text: string): boolean => {
  const all = text.length > 300 ? [] : clauses(text).filter((one) => !/^(?:ok(?:ay)?|no|hey|sorry|thanks?)$/i.test(one))
  const [first = "", ...more] = all.map(withoutOpening)
  const isBare = halt.test(first) || halt.test(first.replace(behind, ""))
  return isBare && !more.some((one) => isImperative(one) || /\b(?:but|must|need|also|not)\b/i.test(one))
}
