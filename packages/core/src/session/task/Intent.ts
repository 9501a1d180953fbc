/** What a message wants: something done, a question answered, an idea discussed. */
import type { Intent } from "./model.ts"
import { isImperative, withoutOpening } from "./Imperative.ts"
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { spoken } from "../../ground/text/UserSentences.ts"

export { imperative } from "./Imperative.ts"

export { ownSentences } from "./ownSentences.ts"

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

const assents =
  /^(?:(?:ok(?:ay)?|yes(?: to (?:all|both))?|y|👍|yep|yeah|yup|sure|please|go(?! (?:on|ahead|for))|right|good|great|perfect|sounds good|thanks|cool|fine)(?!\w)[,.!\s]{0,3}){1,4}/iu

const continues =
  /^(?:continue|go on|go ahead|proceed|carry on|keep going|do (?:it|that|this|these|so)|go for it|resume|try again|retry|let's do (?:it|that|this)|next|finish (?:it|up))/i

const tail = /^(?: (?:please|then|now|with (?:it|that|this)|again))?[.!\s]{0,3}$/i

/**
 * Whether a message only thanks.
 *
 * @category predicates
 */
export const isThanks = (text: string): boolean => onlyThanks.test(text.slice(0, 80).trim())

const onlyThanks = /^(?:[a-z]{1,12}[,.!]{0,3}\s)?(?:(?:many )?thanks|thank you)[.!\s]{0,3}$/i

/** Whether a message only tells the agent to go on with what was being done. */
export const isContinuation = (text: string): boolean => {
  const said = text.trim().replaceAll("’", "'")
  if (said === "" || said.length > 60 || onlyThanks.test(said)) return false
  const rest = said.replace(assents, "")
  return rest === "" || (continues.test(rest) && tail.test(rest.replace(continues, "")))
}

const goingOn: ReadonlyArray<Row> = [
  row(
    "keep |stop|work through",
    /\b(?:keep (?:going|working)|(?:don't|do not) stop|without stopping|work through (?:all|the whole|the entire))\b/i,
    "keep going",
    "keep it"
  ),
  row(
    "until",
    /\buntil (?:(?:it|everything|you|all(?: of (?:it|them))?)(?:'s|'re| is| are)? )?(?:done|finished|completed?)\b/i,
    "until everything is done",
    "until it is green"
  ),
  row(
    "until",
    /\buntil (?:all|every|each) [^.?!]{1,60} (?:is|are) (?:done|finished|completed?|ticked|checked|closed)\b/i,
    "until all items of the plan are done",
    "until all of it passes"
  )
]

/** Whether the agent is told not to stop before everything is done. */
export const wantsAll = (text: string): boolean => takes(goingOn, spoken(text).join(" ").slice(0, 2000))

const failing: ReadonlyArray<Row> = [
  row(
    "failing|red test",
    /\b(?:write|add|create|make|want|need|first) (?:me )?(?:(?:an?|one|some|the) )?(?:\w{1,20} ){0,2}(?:failing|red) tests?\b|\b(?:failing|red) tests? first\b/i,
    "Write a failing test for this.",
    "Fix the failing test."
  ),
  row(
    "test|tdd",
    /\btests? (?:(?:that|which) )?fails? (?:without|before|until|on|first)\b|\btdd\b|\btests?\b[^.?!]{0,40}\bfirst\b/i,
    "Add a test that fails without the fix.",
    "The test fails."
  ),
  row(
    "reproduc",
    /(?:^|\b(?:please|then|and|first|just|only|you) )reproduce\b|\b(?:write|add|create|make) (?:an?|the) (?:\w{1,20} ){0,2}reproduc(?:tion|er|ing)\b/i,
    "Reproduce the bug with a test.",
    "Steps to reproduce: open the page."
  ),
  row("fix", /\b(?:don't|do not) fix\b/i, "Don't fix it, only add a test.", "Fix it.")
]

/** Whether the message wants a test that fails, as a reproduction or as the first step of test-driven work. */
export const wantsFailure = (text: string): boolean =>
  spoken(text).some((sentence) => takes(failing, sentence.slice(0, 400)))

/** "…, just fix the import" */
const later = /[,;:]\s(?=(?:just|please|then|so|instead)\s)/i

const acts = (sentence: string): boolean =>
  isImperative(sentence) || sentence.slice(0, 400).split(later).slice(1).some(isImperative)

const questions =
  /^(?:what|why|how|when|where|who|which|any|i wonder|wondering|(?:is|are|was|were|do|does|did|has|have|should|isn't|aren't|doesn't)(?= \w)|(?:can|could|would|will) (?:it|this|that))\b/i

/** What these order is an answer. */
const answers =
  /^(?:analy[sz]e|check|compare|describe|explain|figure out|find out|investigate|list|look|research|review|summari[sz]e|tell me|show me|give me|think|understand)\b/i

const fillers =
  /^(?:(?:ok(?:ay)?|so|and|but|hm+|well|also|now|wait|ah|oh|actually|btw|question|interesting)[,.!:]?\s+){1,3}/i

const asks = (sentence: string): boolean =>
  sentence.trimEnd().endsWith("?") ||
  questions.test(sentence.slice(0, 400).replace(fillers, "")) ||
  sentence
    .slice(0, 400)
    .split(/\b(?=(?:can|could|would) you )/i)
    .some((part) => answers.test(withoutOpening(part)))

/** Nothing is to be changed yet, whatever else the message says. */
const discussing: ReadonlyArray<Row> = [
  row(
    "before",
    /\bbefore (?:doing|you do|making|changing|implementing|coding|touching) any/i,
    "before making any change",
    "before any change"
  ),
  row(
    "what |opinion|thought|your take|suggestion|recommendation|any ideas",
    /\bwhat (?:do|would|should) (?:you|we)\b|\byour (?:opinion|thoughts?|take|suggestions?|recommendation)\b|\bwhat you think\b|\bany (?:ideas|thoughts|suggestions)\b|\bthoughts\?/i,
    "What do you think?",
    "What does it do?"
  ),
  row(
    "discuss|brainstorm|propos|suggestions first|me ",
    /\b(?:let'?s discuss|brainstorm|propose|proposal|suggestions first|give me (?:some )?(?:options|suggestions|ideas))\b/i,
    "Give me options for the cache",
    "Add an option"
  ),
  row(
    "me &first",
    /\b(?:show|tell|give) me (?:[\w'-]+ ){1,6}first\b(?!,? (?:and )?then\b)/i,
    "show me the diff first",
    "show me the diff first, then push"
  ),
  row(
    "plan|design",
    /\b(?:make|write|create|draft|outline|come up with) (?:a|the|me a) plan\b|\bplan (?:it|this|how|out)\b|\bdesign (?:a|the) approach\b/i,
    "Make a plan for the migration",
    "Implement the plan"
  ),
  row(
    "n't|not|dont",
    /\b(?:don'?t|do not) (?:write|change|edit|implement|touch) (?:any |the )?(?:code|files?|anything)\b(?! (?:else|other|that|in|under|outside|of|from|unless|except|beyond|besides|related))/i,
    "Don't write code yet",
    "Don't change anything else"
  ),
  row(
    "just |no code|without |research",
    /\bjust (?:research|investigate|analy[sz]e|explain|answer|look|explore|review)\b|\bno code\b|\bwithout (?:changing|editing|writing) (?:any |the )?code\b|\bresearch only\b/i,
    "just research, no code",
    "just fix it"
  ),
  row(
    "read-only|read only",
    /(?:^|[(.,:;] ?|this is |stay |keep (?:it|this) |strictly )read[- ]only\b/i,
    "This is read-only.",
    "Add a read-only flag"
  )
]

/** Thinking aloud: a discussion only where nothing is told to be done. */
const musing = /\b(?:i(?:'m| am) (?:thinking|wondering)|i think|i feel|i guess|wondering|maybe we)\b/i

const intentOf = (said: ReadonlyArray<string>, whole: string): Intent => {
  if (takes(discussing, whole)) return "discuss"
  if (said.some(acts)) return "act"
  if (musing.test(whole)) return "discuss"
  return said.some(asks) ? "ask" : "unknown"
}

const docsWords =
  /\b(?:readme|docs?|documentation|changelog|comments?|adr|markdown|wiki|guide|tutorial|typos?|wording|docstrings?|jsdoc)\b/i

/** A file of code, or a code span. */
const codeSign = /\b[\w/-]{1,60}\.(?:ts|tsx|js|jsx|py|go|rs|java|kt|rb|php|cs|c|cpp|h|swift|ex|vue|sh)\b|`[^`]{2,80}`/i

const codeWords: ReadonlySet<string> = new Set(
  (
    "api app branch bug build button cache ci class cli client code column command compile component config configuration crash css csv database dependency dialog " +
    "endpoint error exception export feature field flag form function handler hook html implement import index issue json leak lint logger logging login method " +
    "migration module null option package page panic parser performance query race refactor regression repo repository request response route schema screen script " +
    "server service session sql table test token type undefined upload variable widget"
  ).split(" ")
)

const isAboutCode = (text: string): boolean =>
  codeSign.test(text) ||
  (text.toLowerCase().match(/[a-z]{2,20}/g) ?? []).some(
    (word) => codeWords.has(word) || codeWords.has(word.replace(/s$/, ""))
  )

/** What is done to a repository rather than to code. */
const opsWords =
  /^(?:commit|push|rebase|release|deploy|publish|tag|cherry-pick|squash|merge|pull|checkout|check out|ship)\b(?! (?:notes?|messages?|conflicts?|scripts?|history|hash|notifications?|buttons?)\b)/i

const commitWords = /\b(?:into|in) (?:\w+ ){0,3}commits?\b|\b(?:squash|amend|reorder|reword|cherry-pick)\b/i

/** A service by its name alone: what restarts when is code. */
const opsOrder =
  /^(?:restart|reboot|reload) (?:the )?[\w.@-]{1,40}(?: (?:service|server|daemon|container|pod|machine|box|host))?[.!]?$/i

/** Programs that run services and machines. */
const opsPrograms =
  /^(?:(?:run|execute|do) )?`?(?:sudo )?(?:systemctl|service|rc-service|launchctl|pm2|docker(?:-compose)?|podman|crontab) /i

/** Programs that run what others host. */
const hostingPrograms =
  /^(?:(?:run|execute|do) )?`?(?:kubectl|helm|terraform|tofu|pulumi|ansible(?:-playbook)?|aws|gcloud|az|flyctl|heroku|vercel|netlify|nomad) /i

const isAboutOps = (sentence: string): boolean =>
  [opsOrder, opsPrograms, hostingPrograms].some((words) => words.test(withoutOpening(sentence.slice(0, 200)).trim())) ||
  opsWords.test(withoutOpening(sentence.slice(0, 200))) ||
  commitWords.test(sentence.slice(0, 200))

/** What a message wants, by its first and last sentences rather than by what it quotes. */
export const readIntent = (
  text: string
): { readonly intent: Intent; readonly about: "code" | "docs" | "ops" | "unknown" } => {
  const said = spoken(text)
  const whole = said.join(" ").slice(0, 2000)
  const docs = docsWords.test(whole)
  const about = said.some(isAboutOps)
    ? "ops"
    : docs && !isAboutCode(whole)
      ? "docs"
      : isAboutCode(text.slice(0, 2000))
        ? "code"
        : docs
          ? "docs"
          : "unknown"
  return { intent: intentOf(said, whole), about }
}

const changing: ReadonlyArray<Row> = [
  row(
    "fix|get|chang|remov|delet|replac|convert|resolv|clean up|address|correct|improv|ensure|update|migrat|renam|upgrad",
    /\b(?:fix|get|update|change|remove|delete|rename|upgrade|migrate|replace|convert|resolve|clean up|address|correct|improve|ensure)\b/i,
    "fix the parser",
    "list what was fixed"
  ),
  row(
    "make|implement|add|refactor|writ|creat|install|set up",
    /\b(?:make|implement|add|refactor|(?:re)?write|create|set up|install)\b/i,
    "add a flag",
    "list what was added"
  ),
  row("push|commit|open|merge|deploy", /\b(?:push|commit|open|merge|deploy)\b/i, "push it", "what was pushed")
]

const unchanged =
  /\bis (?:now )?open\b|\b(?:don't|do not|dont|never|without|no need to) (?:\w+ ){0,2}(?:fix|chang|touch|edit|modif|make|updat)\w{0,4}\b[^.?!]{0,30}/gi

const asksReport =
  /\b(?:(?:re-?)?run|execute|list|show|report|tell|check|verify|see|count|print|paste|give|find|enumerate|summari[sz]e|how many|what|which|whether)\b/i

/** Whether a message wants nothing changed: whatever is run, its report is the answer. */
export const wantsReportOnly = (text: string): boolean => {
  const said = spoken(text).map((sentence) => sentence.slice(0, 600))
  return (
    said.some((sentence) => asksReport.test(sentence)) &&
    !said.some((sentence) => takes(changing, sentence.replaceAll(unchanged, " ")))
  )
}

/** Whether the message is an order throughout: it begins or ends with one, asks nothing and muses about nothing. */
export const isOrder = (text: string): boolean => {
  const said = spoken(text)
  const whole = said.join(" ").slice(0, 2000)
  return (
    [said[0] ?? "", said[said.length - 1] ?? ""].some(isImperative) &&
    !said.some(
      (sentence) =>
        sentence.trimEnd().endsWith("?") ||
        /\b(?:can|could|should|would|may) (?:we|i|it|this)\b/i.test(sentence.slice(0, 400))
    ) &&
    !musing.test(whole) &&
    !takes(discussing, whole)
  )
}

const askingFirst: ReadonlyArray<Row> = [
  row(
    "me&before|prior|first|each|every",
    /(?<!(?:n't|not|never|without|need to) )\b(?:ask|consult|(?:check|confirm|clear|run)(?: \w+){0,2} (?:with|by)) me\b[^?!\n]{0,60}\b(?:before(?! (?:you )?(?:deploy|push|merg))|prior|first|each|every)\b/i,
    "ask me before each step",
    "don't ask me before each step"
  ),
  row(
    "before|prior&me",
    /\b(?:before|prior to) (?!(?:you )?(?:deploy|push|merg|releas|publish))[^?!\n]{0,60}\b(?:ask|consult|(?:check|confirm|clear)(?: \w+){0,2} with) me\b/i,
    "before every change, check with me",
    "before you deploy, ask me"
  ),
  row(
    "approval|permission|confirmation|ok|consent|go-ahead|sign",
    /\b(?:get|await|need|seek|(?:wait|ask)(?:ing)? for)(?: \w+)? (?:approval|permission|confirmation|ok(?:ay)?|consent|go-ahead|sign-?off)\b[^?!\n]{0,60}\b(?:before|prior to|first|each|every)\b/i,
    "wait for my approval before each step",
    "the approval came before"
  ),
  row(
    "before|prior&approval|permission|confirmation|ok|consent|go-ahead|sign",
    /\b(?:before|prior to) [^?!\n]{0,60}\b(?:get|await|seek|(?:wait|ask) for)(?: \w+)? (?:approval|permission|confirmation|ok(?:ay)?|consent|go-ahead|sign-?off)\b/i,
    "before each change, wait for my ok",
    "before that it was ok"
  )
]

/** Whether the agent is told to ask before it changes anything. */
export const asksFirst = (text: string): boolean => takes(askingFirst, text.slice(0, 4000))
