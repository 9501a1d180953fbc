/** What a message wants: something done, a question answered, an idea discussed. */
import type { Intent } from "./model.ts"
import { guarded } from "../../ground/text/Guarded.ts"
import { spoken } from "../../ground/text/UserSentences.ts"

const failureLines: ReadonlyArray<RegExp> = [
  /^\s{0,40}--- FAIL: /,
  /^FAIL\s+\S/,
  /^\s{0,40}(?:✕|✗|×|●)\s\S/,
  /^=+ .{0,80}\b\d{1,6} failed\b/,
  /^FAILED \S{1,200}::/,
  /^test result: FAILED/,
  /^\s{0,40}Tests:\s{1,10}\d{1,6} failed/
]

/** Each of the lines has one of these marks. */
const failureMark = /fail|[✕✗×●]/i

/** Whether the message carries the output of a failing test run. */
export const hasFailureReport = (text: string): boolean =>
  failureMark.test(text.slice(0, 20_000)) &&
  text
    .slice(0, 20_000)
    .split("\n")
    .some((line) => failureLines.some((pattern) => pattern.test(line.slice(0, 400))))

const continuation =
  /^(?:(?:ok(?:ay)?|yes|yes to (?:all|both)|y|👍|yep|yeah|yup|sure|please|go|right|good|great|perfect|sounds good|thanks|cool|fine)[,.!\s]{0,3}){0,4}(?:(?:please\s)?(?:continue|go on|go ahead|proceed|carry on|keep going|do (?:it|that|this|these|so)|go for it|resume|try again|retry|let'?s do (?:it|that|this)|next|finish (?:it|up))(?:\s(?:please|then|now|with (?:it|that|this)|again))?)?[.!\s]{0,3}$/i

const failureWanted = guarded(
  "fail|red test|tdd|first|implementation|reproduc|n't fix|not fix",
  () =>
    /(?:\b(?:write|add|create|make|produce|with|want|need|have|first) (?:me )?(?:an?|one|some|the)?\s?(?:\w{1,20} ){0,2}(?:failing|red) tests?\b|\b(?:failing|red) tests? (?:first|that|which|for|to)\b|\btests? (?:that|which) fails?\b|\btdd\b|\btests?\b[^.?!]{0,40}\bfirst\b|\bimplementation (?:comes|follows|is for) (?:later|after|next)|(?:^|\b(?:please|then|and|first|just|only|you|to)\s)reproduce\b|\b(?:write|add|create|make|give me|with) (?:an?|the) (?:\w{1,20} ){0,2}reproduc(?:tion|er|ing)\b|\b(?:don't|do not) fix\b)/i
)

const described = /\b(?:steps|how|able|unable|way|hard|possible|easy) to reproduce\b/i

const goingOn = guarded(
  "keep |stop|until|work through",
  () =>
    /\b(?:keep going|keep working|don't stop|do not stop|without stopping|until (?:it(?:'s| is)|everything(?:'s| is)|you(?:'re| are)|all(?: of (?:it|them))?(?: is| are)?)?\s?(?:done|finished|complete[d]?)|work through (?:all|the whole|the entire))\b/i
)

/** "Until all items of the plan are done" */
const untilAll = guarded(
  "until",
  () => /\buntil (?:all|every|each) [^.?!]{1,60} (?:is|are) (?:done|finished|completed?|ticked|checked|closed)\b/i
)

/** Whether the agent is told not to stop before everything is done. */
export const wantsAll = (text: string): boolean => {
  const said = spoken(text).join(" ").slice(0, 2000)
  return goingOn.test(said) || untilAll.test(said)
}

/** Whether the message wants a test that fails, as a reproduction or as the first step of test-driven work. */
export const wantsFailure = (text: string): boolean =>
  spoken(text).some((sentence) => failureWanted.test(sentence.slice(0, 400)) && !described.test(sentence.slice(0, 400)))

const onlyThanks = /^(?:[a-z]{1,12}[,.!]{0,3}\s)?(?:(?:many )?thanks|thank you)[.!\s]{0,3}$/i

/** Whether a message only tells the agent to go on with what was being done. */
export const isContinuation = (text: string): boolean => {
  const trimmed = text.trim()
  return (
    trimmed !== "" &&
    trimmed.length <= 60 &&
    !onlyThanks.test(trimmed) &&
    continuation.test(trimmed.replaceAll("’", "'"))
  )
}

const verbs = {
  code: "fix|implement|refactor|rename|remove|delete|replace|update|change|add|create|write|build|make|convert|migrate|move|extract|split|merge|simplify|optimi[sz]e|improve|extend|support|handle|use|revert|undo|apply|adjust|set up|setup|wire|integrate|clean|address|resolve|correct|rewrite|introduce|drop|enable|disable|bump|upgrade|downgrade|install|generate|format|inline|unify|deduplicate|port|expose|hide|put|debug|reproduce|patch|tweak|do (?:it|this|that|these|both|all|so|the|option|\\d)|turn|switch|append|insert|finish|complete|continue|start|try|translate|configure|parse|validate|log|print|show|store|save|persist|reject|allow|prevent|raise|throw|catch|render|display|sort|filter|load|send|cache|limit|require|connect|group|track|record|skip|ignore|keep|document|reduce|increase|speed up|shorten|adapt|redesign|rework|reorganise|reorganize|localise|localize|hook up|plug in|swap|copy|duplicate|download|mock|stub|benchmark|instrument|annotate|sanitise|sanitize|escape|encrypt|paginate|throttle|debounce|retry|get\\b[^.?!]{0,60}\\b(?:pass(?:ing)?|green|(?:to )?(?:work(?:ing)?|compile|build))",
  ops: "commit|push|rebase|release|deploy|publish|tag|cherry-pick|squash|stash|checkout|check out|run|rerun|execute|open|close|merge|pull|fetch|ship"
}

export const imperative = new RegExp(
  `^(?:(?:please|now|then|also|ok(?:ay)?|so|and|next|first|great|yes|yeah|no|nope|nah|good|cool|perfect|right|hey|hi|just|actually|but|alright|thanks|again|finally)[,.!:]?\\s+){0,4}(?:(?:can|could|would|will) (?:you|we)(?: please| also| just| maybe| now| then){0,2}\\s+|let'?s\\s+(?:also\\s+|just\\s+|now\\s+|first\\s+)?|i(?:'d| would) like (?:you )?to\\s+|i (?:want|need) (?:you )?to\\s+|you (?:should|need to|must|can|have to)\\s+|we (?:should|need to|must|have to)\\s+|go ahead and\\s+|try (?:to\\s+|and\\s+))?(?:also\\s+|just\\s+|now\\s+|please\\s+|help me\\s+|quickly\\s+|simply\\s+)?(?:(?:find|locate|track down|identify|diagnose|investigate|figure out|look into|check)\\b[^.?!]{0,60}\\band\\s+)?(?:${verbs.code}|${verbs.ops})\\b`,
  "i"
)

/** What every later imperative begins with: few sentences have it, and the whole expression is long. */
const laterOpening = /[,;:]\s(?:just|please|then|so|instead)\s/i

/** "… , just fix the import" */
const imperativeLater = guarded(
  ",|;|:&just|please|then|so|instead",
  () =>
    new RegExp(
      `[,;:]\\s(?:just|please|then|so|instead)\\s(?:please\\s|go (?:ahead )?and\\s)?(?:${verbs.code}|${verbs.ops})\\b`,
      "i"
    )
)

const ordersLater = (sentence: string): boolean => laterOpening.test(sentence) && imperativeLater.test(sentence)

const askingVerbs = guarded(
  "can|could|would",
  () =>
    /\b(?:can|could|would) (?:you|we) (?:please |also |just |maybe |quickly )?(?:check|explain|tell|look|review|show|describe|summari[sz]e|investigate|find out|figure out|analy[sz]e|list|compare|walk me|give me|help me understand|see|read|verify|confirm|think)\b/i
)

const asking =
  /^(?:(?:ok(?:ay)?|so|and|but|hm+|well|also|now|wait|ah|oh|actually|btw|question|interesting)[,.!:]?\s+){0,3}(?:what|why|how|when|where|who|which|is|are|was|were|do|does|did|has|have|should|isn't|aren't|doesn't|don't (?:you|we|they|i)|explain|describe|review|investigate|research|analy[sz]e|compare|summari[sz]e|tell me|look|check|find out|figure out|list|any|wondering|i wonder|can this|could this|would this|can we|could we|would it|will)\b/i

/** Nothing is to be changed yet, whatever else the message says. */
const discussing = guarded(
  "before |me |what |opinion|thought|your take|your recommendation|you think|discuss|brainstorm|propos|suggestion|idea|some option|me option|plan|design|n't |dont |not |just |no code|without |read-only|read only|research",
  () =>
    /\b(?:before (?:doing|you do|making|changing|implementing|coding|touching) any|what (?:do|would|should) (?:you|we)|your (?:opinion|thoughts?|take|suggestions?|recommendation)|(?:let me know|tell me) what you think|(?:show|tell|give) me (?:[\w'-]+ ){1,6}first\b(?!,? (?:and )?then\b)|let'?s discuss|brainstorm|propose|proposal|suggestions? first|give me (?:some )?(?:options|suggestions|ideas)|any (?:ideas|thoughts|suggestions)|thoughts\?|(?:make|write|create|draft|outline|come up with) (?:a|the|me a) plan|plan (?:it|this|how|out)|design (?:a|the) approach|(?:don'?t|do not) (?:write|change|edit|implement|touch) (?:any |the )?(?:code|files?|anything)\b(?!\s(?:else|other|that|in|under|outside|of|from|unless|except|beyond|besides|related))|just (?:research|investigate|analy[sz]e|explain|answer|look|explore|review)|no code|without (?:changing|editing|writing) (?:any |the )?code|(?:^|[(.,:;]\s?|this is |stay |keep (?:it|this) |strictly )read[- ]only|research only)\b/i
)

/** Thinking aloud: a discussion only where nothing is told to be done. */
const musing = guarded(
  "thinking|wondering|i think|i feel|i guess|maybe we",
  () => /\b(?:i(?:'m| am) (?:thinking|wondering)|i think|i feel|i guess|wondering|maybe we)\b/i
)

const docsWords =
  /\b(?:readme|docs?|documentation|changelog|comments?|adr|markdown|wiki|guide|tutorial|typos?|wording|docstrings?|jsdoc)\b/i
const codeWords =
  /\b(?:bug|code|function|method|class|module|api|endpoint|tests?|refactor|implement|feature|error|exception|crash|regression|compile|build|type|component|handler|parser|query|schema|migration|cli|command|flag|option|hook|lint|ci|race|leak|performance|issue|stack ?trace|panic|null|undefined|server|database|query|button|form|login|route|request|response|script|service|config(?:uration)?|logger|logging|cache|index|variable|field|column|table|json|csv|sql|html|css|package|dependency|import|export|repo(?:sitory)?|branch|app|page|widget|dialog|screen|client|session|token|upload|download|endpoint)s?\b|\b[\w/-]{1,60}\.(?:ts|tsx|js|jsx|py|go|rs|java|kt|rb|php|cs|c|cpp|h|swift|ex|vue|sh)\b|`[^`]{2,80}`/i
const opsWords =
  /^(?:\W{0,3}(?:please|now|then|ok|and|yes|great)[,.]?\s){0,3}(?:(?:can|could) you (?:please )?|let'?s )?(?:commit|push|rebase|release|deploy|publish|tag|cherry-pick|squash|merge|pull|checkout|check out|ship)\b(?!\s(?:notes?|messages?|conflicts?|scripts?|history|hash|notifications?|buttons?)\b)/i

/** What is done to commits rather than to code. */
const commitWords = /\b(?:into|in) (?:\w+ ){0,3}commits?\b|\b(?:squash|amend|reorder|reword|cherry-pick)\b/i

const intentOf = (said: ReadonlyArray<string>, whole: string): Intent => {
  if (discussing.test(whole)) return "discuss"
  const acts = said.some(
    (sentence) =>
      (imperative.test(sentence.slice(0, 400)) || ordersLater(sentence.slice(0, 400))) &&
      !askingVerbs.test(sentence.slice(0, 400))
  )
  const asks = said.some(
    (sentence) =>
      asking.test(sentence.slice(0, 400)) ||
      askingVerbs.test(sentence.slice(0, 400)) ||
      sentence.trimEnd().endsWith("?")
  )
  if (acts) return "act"
  if (musing.test(whole)) return "discuss"
  return asks ? "ask" : "unknown"
}

const changes =
  /\b(?:fix|make|get|implement|add|update|change|refactor|remove|delete|rename|write|create|upgrade|migrate|replace|convert|resolve|clean up|address|correct|improve|rewrite|set up|install|ensure|push|commit|open|merge|deploy)\b/i
const unchanged =
  /\bis (?:now )?open\b|\b(?:don't|do not|dont|never|without|no need to) (?:\w+ ){0,2}(?:fix|chang|touch|edit|modif|make|updat)\w{0,4}\b[^.?!]{0,30}/gi

const asksReport =
  /\b(?:run|rerun|re-run|execute|list|show|report|tell|check|verify|see|count|print|paste|give|find|enumerate|summari[sz]e|how many|what|which|whether)\b/i

/** Whether a message wants nothing changed: whatever is run, its report is the answer. */
export const wantsReportOnly = (text: string): boolean => {
  const said = spoken(text)
  return (
    said.some((sentence) => asksReport.test(sentence.slice(0, 600))) &&
    !said.some((sentence) => changes.test(sentence.slice(0, 600).replaceAll(unchanged, " ")))
  )
}

/** Whether the message is an order throughout: it begins or ends with one, asks nothing and muses about nothing. */
export const isOrder = (text: string): boolean => {
  const said = spoken(text)
  const ends = [said[0] ?? "", said[said.length - 1] ?? ""]
  return (
    ends.some((sentence) => imperative.test(sentence.slice(0, 400))) &&
    !said.some(
      (sentence) =>
        sentence.trimEnd().endsWith("?") ||
        /\b(?:can|could|should|would|may) (?:we|i|it|this)\b/i.test(sentence.slice(0, 400))
    ) &&
    !musing.test(said.join(" ").slice(0, 2000)) &&
    !discussing.test(said.join(" ").slice(0, 2000))
  )
}

/** What a message wants, by its first and last sentences rather than by what it quotes. */
export const readIntent = (
  text: string
): { readonly intent: Intent; readonly about: "code" | "docs" | "ops" | "unknown" } => {
  const said = spoken(text)
  const whole = said.join(" ").slice(0, 2000)
  const about = said.some(
    (sentence) => opsWords.test(sentence.slice(0, 200)) || commitWords.test(sentence.slice(0, 200))
  )
    ? "ops"
    : docsWords.test(whole) && !codeWords.test(whole)
      ? "docs"
      : codeWords.test(text.slice(0, 2000))
        ? "code"
        : docsWords.test(whole)
          ? "docs"
          : "unknown"
  return { intent: intentOf(said, whole), about }
}

const asked =
  "\\b(?<!(?:n't|not|never|without|need to) )(?:(?:ask|consult)(?:ing)? me|(?:check|confirm|clear|run|go)(?:ing)?(?: \\w+){0,2} (?:with|by|past) me|(?:get|await|need|seek|(?:wait|ask)(?:ing)? for)(?: \\w+)? (?:approval|permission|confirmation|ok(?:ay)?|consent|go-ahead|sign-?off))\\b"
const step = "(?:before|prior to) (?!(?:you )?(?:deploy|push|merg|releas|publish))"

const askedFirst = guarded(
  "before|prior|first|each|every|any",
  () =>
    new RegExp(
      `${asked}[^?!\\n]{0,60}\\b(?:${step}|first\\b|(?:at|for|with) (?:each|every|any)\\b)|\\b${step}[^?!\\n]{0,60}${asked}`,
      "i"
    )
)

/** Whether the agent is told to ask before it changes anything. */
export const asksFirst = (text: string): boolean => askedFirst.test(text.slice(0, 4000))
