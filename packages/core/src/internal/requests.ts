import * as ShellCommand from "../ShellCommand.ts"
import type { Ask, Intent } from "../TaskContext.ts"
import { plain, proseLines, sentences } from "./text.ts"

/**
 * The sentences in which a person speaks: fenced code, quotes, logs and the middle of a long paste are left out, so
 * that a pasted review or a program's output asks for nothing.
 */
export const spoken = (text: string): ReadonlyArray<string> => {
  const lines = proseLines(text.length > 20_000 ? `${text.slice(0, 10_000)}\n${text.slice(-10_000)}` : text).filter(
    (line) => line.trim() !== "" && !isPasted(line)
  )
  const own = withoutQuotation(lines)
  const kept = own.length > 24 ? [...own.slice(0, 8), ...own.slice(-4)] : own
  return kept.flatMap((line) => sentences(plain(line))).slice(0, 60)
}

const introducesQuotation =
  /\b(?:tweet|comments?|feedback|reviews?|messages?|email|post|issues?|errors?|output|logs?|text|paragraph|article|quote[ds]?|says?|said|wrote|writes|reported|reports|got|getting|see(?:s|ing)?|saw|showed|shows|noticed)\b[^:]{0,60}:$/i

/** What follows "I got this feedback:" is somebody else's, up to a short last line of the person's own. */
const withoutQuotation = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = lines.findIndex((line) => introducesQuotation.test(line.trimEnd().slice(-400)))
  if (at < 0 || at === lines.length - 1) return lines
  const last = lines[lines.length - 1] ?? ""
  const own =
    at + 2 < lines.length &&
    last.length < 200 &&
    /^(?:can|could|please|fix|let's|what|is|do|should|would|address)\b/i.test(last.trim())
  return own ? [...lines.slice(0, at + 1), last] : lines.slice(0, at + 1)
}

const pasted: ReadonlyArray<RegExp> = [
  /^\s{0,8}>/,
  /^\s{0,40}(?:at\s\S|File "|Traceback|---\s(?:FAIL|PASS)|===\s(?:RUN|FAIL)|FAIL\b|ok\s{2}|PASS\b|ERROR\b|WARN\b|INFO\b|error(?:\[\w{1,10}\])?:|warning:)/,
  /^\s{0,40}(?:time=|level=|\d{4}-\d{2}-\d{2}[T ]\d{2}:|\[\d{2}:\d{2})/,
  /^\s{0,40}[\w./-]{1,200}:\d{1,6}(?::\d{1,6})?:/,
  /^\s{0,40}[❯$%#>]\s/,
  /^\s{0,20}[|+✓✗✔✘×│├└]/,
  /^(?:diff --git|index [0-9a-f]{6}|@@ |[+-]{3} [ab]\/)/
]

const isPasted = (line: string): boolean => pasted.some((pattern) => pattern.test(line.slice(0, 400)))

const bounded = (pattern: string): RegExp => new RegExp(pattern, "i")

const checks: Readonly<Record<string, string>> = {
  tests:
    "(?:only |just |unit |integration |e2e |end-to-end |regression |whole |full |entire |existing |failing |broken |new |go |npm |all |the |these |those |our |of |my )*(?:tests?|test[ -]suite|suite|specs?|test:[\\w:-]{1,30}|pytest|jest|vitest|go test)",
  build: "(?:the |a |our |full |project |production |release )*(?:build|compilation|compile)",
  typecheck: "(?:the |all |any |our )*(?:type[ -]?check(?:er|ing|s)?|type errors?|typescript errors?|tsc|mypy|pyright)",
  lint: "(?:the |all |any |our |go |eslint )*(?:lint(?:er|ers|ing|s)?|lint(?:er|ing)? (?:errors?|issues?|warnings?|failures?)|eslint|golangci-lint|ruff|clippy)",
  ci: "(?:the |our |gh |github |all )*(?:ci|pipelines?|github actions|gh actions|pr checks|status checks|workflow run)"
}

const runVerbs = "(?:run|rerun|re-run|execute|launch|try|use|start)"
const fixVerbs = "(?:fix|repair|resolve|address|unbreak|solve|correct|get rid of|clean up|handle|sort out)"
const sureVerbs = "(?:make sure|ensure|verify|confirm|check|validate|see|make|get|keep|be sure)"
const passing = "(?:pass(?:es|ed|ing)?|green|succeeds?|works?|clean|ok|go(?:es)? through|runs?|happy|compil(?:es|ing))"

const anyCheck = `(?:${Object.values(checks).join("|")})`

/** "The test data", "the build script" and "the CI badge" name a file or a thing on the screen, not a check. */
const notThing =
  "(?!\\s{1,2}(?:data|helpers?|fixtures?|folders?|director(?:y|ies)|config\\w{0,9}|badges?|names?|labels?|buttons?|pages?|tabs?|generators?|utils?|files?)\\b)"
const notTool =
  "(?!\\s{1,2}(?:scripts?|commands?|targets?|setup|rules?|plugins?|templates?|dependenc(?:y|ies)|docs|documentation)\\b)"

const askPatterns: ReadonlyArray<{ readonly gate: string; readonly how: Ask["how"]; readonly pattern: RegExp }> =
  Object.entries(checks).flatMap(([gate, noun]) => [
    {
      gate,
      how: "run" as const,
      pattern: bounded(
        `\\b${runVerbs}\\s+(?:${anyCheck}(?:,|,? and)\\s+){0,3}${noun}\\b(?![-/.\\w]{0,3}(?:file|case|data|helper))${notThing}`
      )
    },
    {
      gate,
      how: "fix" as const,
      pattern: bounded(
        `\\b${fixVerbs}\\s+(?:(?!(?:without|before|by|after|instead|not|run|rerun|re-run|execute|make|ensure|verify|confirm|check|add|write|update|commit|push|so|that|until|when|if|because)\\b)[\\w-]{1,20}\\s+){0,3}${noun}\\b${notThing}${notTool}`
      )
    },
    {
      gate,
      how: "run" as const,
      pattern: bounded(`\\b${sureVerbs}\\b[^.?!]{0,40}\\b${noun}\\b[^.?!]{0,30}\\b${passing}\\b`)
    },
    {
      gate,
      how: "run" as const,
      pattern: bounded(
        `\\b${noun}\\b\\s+(?:must|have to|has to|should|shall|need to|needs to)(?: all| still| also)? (?:be )?${passing}\\b`
      )
    },
    {
      gate,
      how: "fix" as const,
      pattern: bounded(
        `\\b${noun}\\b\\s+(?:is|are|still|now|is still|are still|keeps?|keep|just)?\\s{0,2}(?:fail(?:s|ing|ed)?|broken|red)\\b`
      )
    }
  ])

const otherAsks: ReadonlyArray<{ readonly gate: string; readonly how: Ask["how"]; readonly pattern: RegExp }> = [
  {
    gate: "build",
    how: "run",
    pattern:
      /\b(?:make sure|ensure|verify|check|confirm)\b[^.?!]{0,40}\b(?:it|this|that|everything|the \w{1,20})\s(?:still\s|also\s)?(?:builds|compiles)\b/i
  },
  {
    gate: "tests",
    how: "run",
    pattern:
      /\b(?:verify|check|confirm|validate)\b(?:\s\w{1,15}){0,3}\s(?:with|using|by running|against)\s(?:the\s|our\s|all\s|full\s){0,3}(?:tests?|test[ -]suite|suite|specs?)\b/i
  },
  {
    gate: "build",
    how: "run",
    pattern:
      /(?:^|\b(?:and|then|please|,)\s)(?:build|compile)\s(?:it|this|that|everything|the (?:project|app|code|repo))\b/i
  },
  {
    gate: "tests",
    how: "run",
    pattern: /\bgive\s(?:it|the|all|our|those)\b[^.?!]{0,30}\b(?:tests?|suite|specs?)\b[^.?!]{0,10}\b(?:run|go|spin)\b/i
  },
  {
    gate: "tests",
    how: "run",
    pattern: /(?:^|,\s|\b(?:and|then)\s)test(?:\s(?:it|this|that|everything|them|again|afterwards)\b|,|[.!]?$)/i
  },
  {
    gate: "commit",
    how: "run",
    pattern:
      /(?:^|[,;.]\s|\b(?:and|then|please|now|also|just|to|you)\s)commit(?:\s(?:it|this|that|them|the|your|these|all|everything|changes?|and|with|as|in|to)\b|[.!,]?$)(?!\s(?:message|hash|history|log|sha|id)\b)/i
  },
  {
    gate: "tests",
    how: "run",
    pattern:
      /\b(?:write|add|create|update|extend)\b[^.?!]{0,60}\btests?\b[^.?!]{0,60}\b(?:and|then) (?:run|execute) (?:them|it all)\b/i
  },
  { gate: "build", how: "run", pattern: /(?:^|\b(?:and|then|please|,)\s)(?:rebuild|recompile)\b/i },
  {
    gate: "pr",
    how: "run",
    pattern:
      /(?<!\b(?:the|an|our|my|your|this|that|any|each|every|all|existing|of)\s)\b(?:open|create|make|raise|submit|file|put up|send|prepare|cut)\s(?:[\w-]{1,15}\s){0,4}(?:pr|pull[ -]request|mr|merge[ -]request)\b(?!-|\s(?:description|body|title|comment|template|summary|review|text))/i
  },
  {
    gate: "push",
    how: "run",
    pattern:
      /(?:^|[,;.]\s|\b(?:and|then|please|now|also|just|to|you|commit|&)\s)(?:(?:git|force)[ -])?push(?![^.?!,;]{0,60}\b(?:into|onto|down)\b)(?:\s(?:it|this|that|them|up|your|my|all|changes|again|everything|origin|branch)\b|\sto\s(?!(?:the |an? )?(?:queue|list|array|stack|registry|channel|topic|production|prod)\b|(?:both|all|each|every|either)\b)|\sthe\s(?:[\w-]{1,20}\s){0,2}(?:branch(?:es)?|changes?|commits?|fix(?:es)?|code|work|updates?|tags?)\b|\s(?:and|then)\s(?:then\s)?(?:open|create|make|raise|submit|send|wait|watch|check|tell|let|merge|report|give)\b|[.!,]?$)/i
  },
  {
    gate: "ci",
    how: "run",
    pattern: /\b(?:wait (?:for|until)|watch|monitor)\s(?:[\w-]{1,12}\s){0,3}(?:ci|checks|pipeline|workflow|actions)\b/i
  }
]

const startsWithVerb = new RegExp(`^(?:${runVerbs}|${sureVerbs})\\b`, "i")

const negated =
  /\b(?:don't|do not|dont|never|without|no need to|needn't|not need to|don't need to|shouldn't|skip|avoid|stop|instead of|rather than|before you|before we|before|not to|not yet|didn't|did not|have you|did you|haven't|wasn't|why)\b[^.?!,;]{0,60}$/i

const forbidding =
  /\b(?:don't|do not|dont|never|without|no need to|not need to|don't need to|skip|avoid|needn't)\b(?:(?!\b(?:and|but|then)\b)[^.?!,;]){0,60}$/i

/** "Run the tests" is asked of the agent at the head of a clause, not in "users who run the tests". */
const runs =
  /(?:^|[,;:.!?(]\s{0,2}|\b(?:and|then|please|also|now|just|again|first|finally|let's|afterwards|always|(?:can|could|would|will) (?:you|we)|(?:^|you|we) (?:must|should))\s|&\s{0,2}|(?:want|need|like|have|sure|try|remember|forget|you|us|ready)(?:\s(?:you|us))?\sto\s)$/i

const hypothetical =
  /^(?:to (?:run|execute|build|test|lint|check)\b|you can (?:run|use|test|build)\b|if|when|whenever|after|once|in case|unless|maybe|perhaps|should we|what if|would it|why|how|did|does|do we|is it|are they|was|were|has|have you|where|which|who)\b/i

const gateOfClass: Partial<Record<ShellCommand.CommandClass, string>> = {
  test: "tests",
  build: "build",
  typecheck: "typecheck",
  lint: "lint"
}

const gatesOfCommand = (command: string): ReadonlyArray<string> => {
  const classes = ShellCommand.analyze(command).commands.flatMap((simple) => simple.classes)
  const gates = [...new Set(classes.flatMap((name) => gateOfClass[name] ?? []))]
  return gates.includes("typecheck") ? gates.filter((gate) => gate !== "build") : gates
}

const no =
  "(?<!\\b(?:we|they|i|users?|people)\\s)(?:don't|do not|dont|never|without|no need to|need not|needn't|not need to|(?:don't|do not) (?:need|have) to|avoid|stop)"
const between = "(?:(?!(?:and|but|then|forget|until)\\b)[\\w-]{1,15}\\s){0,3}"

const forbidPatterns: ReadonlyArray<{ readonly gate: string; readonly pattern: RegExp }> = [
  ...Object.entries(checks).map(([gate, noun]) => ({
    gate,
    pattern: bounded(
      `\\b${no}\\s${between}(?:re-?)?(?:run(?:ning)?|execut(?:e|ing)|start(?:ing)?)\\s+(?:any |every )?${noun}\\b${notThing}|\\bskip\\s+(?:running\\s+)?${noun}\\b${notThing}`
    )
  })),
  {
    gate: "push",
    pattern: bounded(
      `\\b${no}\\s${between}push(?:ing)?\\b(?!\\s(?:back\\b|notif|(?:[\\w-]{1,12}\\s){0,2}(?:to|on|into|onto)\\s(?:the\\s)?(?:main|master|default|trunk|develop|production|prod|release|queue|list|array|stack)\\b))`
    )
  }
]

/** Two negations ask, and so does what is to be done after the work: "don't forget to push", "once you're done, push". */
const straightened = (sentence: string): string =>
  sentence
    .replace(/\b(?:don't|do not|dont|never)\s(?:forget|fail|neglect|omit)\s(?:to\s)?/i, "please ")
    .replace(
      /\b(?:don't|do not|dont|never)\s(?:[\w-]{1,20}\s){1,6}?without\s(?:first\s)?(?:running|executing)\s/i,
      "please run "
    )
    .replace(
      /\b(?:don't|do not|dont|never)\s(?:stop|finish|give up|quit|end|rest)\b[^.?!,;]{0,20}\b(?:until|before|unless)\s/i,
      "make sure "
    )
    .replace(
      /^(?:and\s|then\s|so\s)?(?:when|once|after|as soon as)\s(?:you(?:'re| are| have|'ve)?\s(?:done|finish|complete|made|implement|fix|change|ready)|that\b|this\b|done|finished|everything\b|it(?:'s| is)?\s(?:done|finish|ready|work|green|fixed|complete)|\w{2,20}ing\b|the (?:tests?|fix|changes?|build|code|work|implementation|lint)\b)[^,.?!]{0,60},\s/i,
      ""
    )

const named = new RegExp(
  `\\b(?:${runVerbs}|(?:verify|check|confirm|validate|prove)(?: it| this| that)? (?:with|by running|using))\\s+(?:a |the |full )?([a-z./][^,;!?\`"()]{1,80})`,
  "i"
)
const endOfCommand =
  /\s(?:and|then|when|until|before|after|afterwards|to|for|once|at|in the end|please|again|so|because|as|if|since|locally|first|must|has|is|should|successfully)\b/i
const wanted = new RegExp(
  `\\b(?:${runVerbs}|must|has to|have to|should|needs? to|pass(?:es)?|verify|make sure|ensure|green|clean)\\b`,
  "i"
)

/** The commands that a sentence tells the agent to run, as a person would type them. */
const commandsIn = (sentence: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const direct = named.exec(sentence)
  if (direct?.[1] !== undefined && runs.test(sentence.slice(0, direct.index)))
    found.push((direct[1].split(endOfCommand)[0] ?? "").replace(/[.:]+$/, "").trim())
  if (wanted.test(sentence))
    for (const span of sentence.matchAll(/`([^`]{2,120})`/g)) if (span[1] !== undefined) found.push(span[1])
  return found.filter((command) => command !== "").slice(0, 4)
}

const namedAsks = (sentence: string): ReadonlyArray<Ask> =>
  hypothetical.test(sentence)
    ? []
    : commandsIn(sentence).flatMap((command) =>
        gatesOfCommand(command).map((gate) => ({ gate, how: "run" as const, quote: sentence.slice(0, 160), command }))
      )

/** "The reviewer wrote: run the tests" reports what somebody else wants. */
const withoutReport = (sentence: string): string => {
  const at = /\b(?:feedback|reviewers?|says?|said|wrote|writes|commented|asked|told me)\b[^:]{0,40}:\s/i.exec(sentence)
  return at === null ? sentence : sentence.slice(0, at.index + at[0].length)
}

/** "Tests are broken anyway, ignore them" wants nothing done about them. */
const dismissed =
  /\b(?:ignore (?:it|them|that|this|those)|never mind|not (?:our|my|your) (?:problem|job|concern)|leave (?:it|them|that) (?:alone|as (?:it is|they are|is)))\b/i

/** What is delivered is asked for by an order; in a description, "then push it" is somebody else's step. */
const delivery: ReadonlySet<string> = new Set(["push", "commit", "pr"])

const asksAgent =
  /\b(?:can|could|would|will) (?:you|we)\b|\b(?:please|i(?:'d| would)? (?:want|like|need)|let's|you (?:should|must|can)|make sure|don't forget)\b/i

/** A sentence that has none of these words, and no command, asks for no gate: most sentences need no closer look. */
const mentions =
  /test|spec|suite|build|compil|type|tsc|mypy|pyright|lint|ruff|clippy|\bci\b|pipeline|actions|checks|workflow|push|commit|\bprs?\b|\bmrs?\b|pull[ -]request|merge[ -]request|vitest|jest|`|\b(?:run|rerun|re-run|execute|launch|try|use|start|using|with)\b/i

/** The gates that a message asks for, and those that it forbids. */
export const asksOf = (
  text: string
): { readonly asks: ReadonlyArray<Ask>; readonly forbids: ReadonlyArray<string> } => {
  const asks = new Map<string, Ask>()
  const forbids = new Set<string>()
  for (const said of spoken(text)) {
    if (!mentions.test(said.slice(0, 600))) continue
    const sentence = straightened(withoutReport(said.slice(0, 600)))
    for (const { gate, pattern } of forbidPatterns) if (pattern.test(sentence)) forbids.add(gate)
    if (dismissed.test(sentence.slice(0, 600))) continue
    const denies = forbidding.test(`${sentence.slice(0, 300).split(/\b(?:run|rerun|execute)\b/i)[0] ?? ""}`)
    for (const ask of denies ? [] : namedAsks(sentence.slice(0, 600))) if (!asks.has(ask.gate)) asks.set(ask.gate, ask)
    for (const { gate, how, pattern } of [...askPatterns, ...otherAsks]) {
      const clipped = sentence.slice(0, 600)
      const match = pattern.exec(clipped)
      if (match === null) continue
      const before = clipped.slice(0, match.index + Math.min(2, match[0].length))
      if (
        how === "run" &&
        checks[gate] !== undefined &&
        startsWithVerb.test(match[0]) &&
        !runs.test(clipped.slice(0, match.index))
      )
        continue
      if (delivery.has(gate) && clipped.length > 60 && !imperative.test(clipped) && !asksAgent.test(clipped)) continue
      if (forbidding.test(clipped.slice(0, match.index))) forbids.add(gate)
      else if (!negated.test(before.trimEnd()) && !hypothetical.test(clipped) && (!asks.has(gate) || how === "fix")) {
        asks.set(gate, { gate, how, quote: clipped.slice(0, 160), command: asks.get(gate)?.command ?? null })
      }
    }
  }
  return { asks: [...asks.values()].filter((ask) => !forbids.has(ask.gate)), forbids: [...forbids] }
}

const failureLines: ReadonlyArray<RegExp> = [
  /^\s{0,40}--- FAIL: /,
  /^FAIL\s+\S/,
  /^\s{0,40}(?:✕|✗|×|●)\s\S/,
  /^=+ .{0,80}\b\d{1,6} failed\b/,
  /^FAILED \S{1,200}::/,
  /^test result: FAILED/,
  /^\s{0,40}Tests:\s{1,10}\d{1,6} failed/
]

/** Whether the message carries the output of a failing test run. */
export const hasFailureReport = (text: string): boolean =>
  text
    .slice(0, 20_000)
    .split("\n")
    .some((line) => failureLines.some((pattern) => pattern.test(line.slice(0, 400))))

const continuation =
  /^(?:(?:ok(?:ay)?|yes|yes to (?:all|both)|y|👍|yep|yeah|yup|sure|please|go|right|good|great|perfect|sounds good|thanks|cool|fine)[,.!\s]{0,3}){0,4}(?:(?:please\s)?(?:continue|go on|go ahead|proceed|carry on|keep going|do (?:it|that|this|these|so)|go for it|resume|try again|retry|let'?s do (?:it|that|this)|next|finish (?:it|up))(?:\s(?:please|then|now|with (?:it|that|this)|again))?)?[.!\s]{0,3}$/i

const failureWanted =
  /(?:\b(?:write|add|create|make|produce|with|want|need|have|first) (?:me )?(?:an?|one|some|the)?\s?(?:\w{1,20} ){0,2}(?:failing|red) tests?\b|\b(?:failing|red) tests? (?:first|that|which|for|to)\b|\btests? (?:that|which) fails?\b|(?:^|\b(?:please|then|and|first|just|only|you|to)\s)reproduce\b|\b(?:write|add|create|make|give me|with) (?:an?|the) (?:\w{1,20} ){0,2}reproduc(?:tion|er|ing)\b|\b(?:don't|do not) fix\b)/i

const described = /\b(?:steps|how|able|unable|way|hard|possible|easy) to reproduce\b/i

/** Whether the agent is told not to stop before everything is done. */
export const wantsAll = (text: string): boolean =>
  /\b(?:keep going|keep working|don't stop|do not stop|without stopping|until (?:it(?:'s| is)|everything(?:'s| is)|you(?:'re| are)|all(?: of (?:it|them))?(?: is| are)?)?\s?(?:done|finished|complete[d]?)|work through (?:all|the whole|the entire))\b/i.test(
    spoken(text).join(" ").slice(0, 2000)
  )

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
  code: "fix|implement|refactor|rename|remove|delete|replace|update|change|add|create|write|build|make|convert|migrate|move|extract|split|merge|simplify|optimi[sz]e|improve|extend|support|handle|use|revert|undo|apply|adjust|set up|setup|wire|integrate|port|clean|address|resolve|correct|rewrite|introduce|drop|enable|disable|bump|upgrade|downgrade|install|generate|format|inline|unify|deduplicate|port|expose|hide|put|debug|reproduce|patch|tweak|do (?:it|this|that|these|both|all|so|the|option|\\d)|turn|switch|append|insert|finish|complete|continue|start|try|translate|configure|parse|validate|log|print|show|store|save|persist|reject|allow|prevent|raise|throw|catch|render|display|sort|filter|load|send|cache|limit|require|connect|group|track|record|skip|ignore|keep|document|reduce|increase|speed up|shorten|adapt|redesign|rework|reorganise|reorganize|localise|localize|hook up|plug in|swap|copy|duplicate|download|mock|stub|benchmark|instrument|annotate|validate|sanitise|sanitize|escape|encrypt|paginate|throttle|debounce|retry",
  ops: "commit|push|rebase|release|deploy|publish|tag|cherry-pick|squash|stash|checkout|check out|run|rerun|execute|open|close|merge|pull|fetch|ship"
}

const imperative = new RegExp(
  `^(?:(?:please|now|then|also|ok(?:ay)?|so|and|next|first|great|yes|yeah|no|nope|nah|good|cool|perfect|right|hey|hi|just|actually|but|alright|thanks|again|finally)[,.!:]?\\s+){0,4}(?:(?:can|could|would|will) (?:you|we)(?: please| also| just| maybe| now| then){0,2}\\s+|let'?s\\s+(?:also\\s+|just\\s+|now\\s+|first\\s+)?|i(?:'d| would) like (?:you )?to\\s+|i (?:want|need) (?:you )?to\\s+|you (?:should|need to|must|can|have to)\\s+|we (?:should|need to|must|have to)\\s+|go ahead and\\s+|try (?:to\\s+|and\\s+))?(?:also\\s+|just\\s+|now\\s+|please\\s+|help me\\s+|quickly\\s+|simply\\s+)?(?:${verbs.code}|${verbs.ops})\\b`,
  "i"
)

/** "… , just fix the import" */
const imperativeLater = new RegExp(
  `[,;:]\\s(?:just|please|then|so|instead)\\s(?:please\\s|go (?:ahead )?and\\s)?(?:${verbs.code}|${verbs.ops})\\b`,
  "i"
)

const askingVerbs =
  /\b(?:can|could|would) (?:you|we) (?:please |also |just |maybe |quickly )?(?:check|explain|tell|look|review|show|describe|summari[sz]e|investigate|find out|figure out|analy[sz]e|list|compare|walk me|give me|help me understand|see|read|verify|confirm|think)\b/i

const asking =
  /^(?:(?:ok(?:ay)?|so|and|but|hm+|well|also|now|wait|ah|oh|actually|btw|question|interesting)[,.!:]?\s+){0,3}(?:what|why|how|when|where|who|which|is|are|was|were|do|does|did|has|have|should|isn't|aren't|doesn't|don't (?:you|we|they|i)|explain|describe|review|investigate|research|analy[sz]e|compare|summari[sz]e|tell me|look|check|find out|figure out|list|any|wondering|i wonder|can this|could this|would this|can we|could we|would it|will)\b/i

/** Nothing is to be changed yet, whatever else the message says. */
const discussing =
  /\b(?:before (?:doing|you do|making|changing|implementing|coding|touching) any|what (?:do|would|should) (?:you|we)|your (?:opinion|thoughts?|take|suggestions?|recommendation)|(?:let me know|tell me) what you think|let'?s discuss|brainstorm|propose|proposal|suggestions? first|give me (?:some )?(?:options|suggestions|ideas)|any (?:ideas|thoughts|suggestions)|thoughts\?|(?:make|write|create|draft|outline|come up with) (?:a|the|me a) plan|plan (?:it|this|how|out)|design (?:a|the) approach|(?:don'?t|do not) (?:write|change|edit|implement|touch) (?:any |the )?(?:code|files?|anything)\b(?!\s(?:else|other|that|in|under|outside|of|from|unless|except|beyond|besides|related))|just (?:research|investigate|analy[sz]e|explain|answer|look|explore|review)|no code|without (?:changing|editing|writing) (?:any |the )?code|(?:^|[(.,:;]\s?|this is |stay |keep (?:it|this) |strictly )read[- ]only|research only)\b/i

/** Thinking aloud: a discussion only where nothing is told to be done. */
const musing = /\b(?:i(?:'m| am) (?:thinking|wondering)|i think|i feel|i guess|wondering|maybe we)\b/i

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
      (imperative.test(sentence.slice(0, 400)) || imperativeLater.test(sentence.slice(0, 400))) &&
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
