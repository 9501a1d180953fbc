/** Finds the checks and deliveries that a person orders or forbids. If a text is doubtful, it is not an order. */
import { lazy } from "../../base/text/Lazy.ts"
import { asPattern, matchesAny } from "../../base/text/Text.ts"
import { classOf, gateOfCheck, names, speaksOf } from "../vocabulary/GateTable.ts"
import { analyze, type CommandClass } from "../shell/ShellCommand.ts"
import { beginsAsOrder, isImperative, withoutOpening } from "./Intent.ts"
import type { Ask, TaskContext } from "./model.ts"
import { endsOf, ownSentences } from "./OwnSentences.ts"

type Wanted = Pick<Ask, "command" | "gate" | "how" | "whole">

const gateOf: Partial<Record<CommandClass, string>> = gateOfCheck

const gatesOfCommand = (command: string): ReadonlyArray<string> => {
  const gates = new Set(analyze(command).commands.flatMap(({ classes }) => classes.flatMap((one) => gateOf[one] ?? [])))
  return [...gates].filter((gate) => gate !== "build" || !gates.has("typecheck"))
}

const named = (noun: string): RegExp =>
  new RegExp(
    `^(?:(?!(?:no|not|but|how)\\b)[\\w-]+ ){0,4}(?:${noun})(?: (?:errors?|failures?|issues|warnings?|checks?))?$`,
    "i"
  )

/** The name of a check and nothing more. For example, "all the unit tests", but not "the test data". */
const things: ReadonlyArray<readonly [gate: string, name: RegExp]> = [
  ["tests", named("tests?|suite|specs?|test-suite|test:[\\w:-]{1,30}|pytest|jest|vitest")],
  ["build", named("build|compilation")],
  ["typecheck", named("type[ -]?check(?:er|ing|s)?|types|type(?= errors)|tsc|mypy|pyright")],
  ["lint", named("(?:es)?lint(?:er|ing|s)?|ruff|clippy")],
  ["ci", named("ci(?: pipeline| build)?|pipelines?|(?:github|gh) actions|(?:pr|status) checks")]
]

/** After one of these words, the text says how, when or why. */
const aside =
  /(?<=\S) (?:again|locally|please|pls|first|too|now|once|before|after|when|until|if|in|on|at|of|for|by|with|that|so|but|or|then|to|as|because|later|afterwards?|myself)\b.*/i
const now = /(?<=\S) (?:yet|today|here|this time|any ?more|(?:right|just) (?:now|yet))\b.*/i

/** Matches "all the tests", but not "all tests in cart.test.js" or "all unit tests". */
const wholly =
  /^(?:(?:the|our|your) )?(?:full|whole|entire|complete|all|every)(?: (?:of|the|our|your|existing|project|test))* (?:tests?|suite|specs?|test-suite)\b/i
const narrowed = /^ (?:in|of|for|under|from|on|with|within|about|that|which|related|case|file)\b/i

const isWhole = (part: string): boolean => wholly.test(part) && !narrowed.test(part.replace(wholly, ""))

/** Finds a check by its name or command. In the text, `` `0` ``, `` `1` `` and so on stand for code spans. */
const ofThing = (part: string, spans: ReadonlyArray<string>): ReadonlyArray<Omit<Wanted, "how">> => {
  const thing = part
    .replace(/(?:[;:()]| \/ ).*$|[.!?]+\s*$/, "")
    .replace(now, "")
    .replace(aside, "")
    .trim()
  const span = /^(?:[\w-]+ ){0,3}`(\d)`(?: [\w-]+)?$/.exec(thing)?.[1]
  // In "Run npm test and go build me a table", English words follow the command.
  const isWords = thing.split(/ (?:&&|;) /).some((one) => /^(?:\S+ ){3,}[a-z]+(?![-./:\w])/i.test(one))
  const command = span === undefined ? thing : (spans[Number(span)] ?? "")
  const run = span === undefined && isWords ? [] : gatesOfCommand(command)
  if (run.length > 0 || span !== undefined) return run.map((gate) => ({ gate, command }))
  return things.flatMap(([gate, name]) =>
    name.test(thing) ? [{ gate, command: null, ...(isWhole(part) && { whole: true as const }) }] : []
  )
}

/** Reads a list such as "the tests, lint and the build". Stops at the first part that is not a check. */
const ofThings = (text: string, spans: ReadonlyArray<string>, how: Wanted["how"]): ReadonlyArray<Wanted> => {
  const parts = text.split(/,? (?:and|&)(?: then| also)? |, (?:then )?/).map((part) => ofThing(part, spans))
  const stop = parts.findIndex((wanted) => wanted.length === 0)
  return parts.slice(0, stop < 0 ? 6 : stop).flatMap((all) => all.map((wanted) => ({ ...wanted, how })))
}

const success =
  "(?:(?:all|still|also|are|is|be|both|to|stay|remain|keep) ){0,3}(?:pass(?:es|ing)?|green|succeeds?|works?|working|clean|compiles?)\\b(?! now)"

/** "The tests must pass." is an order at any place in a message. */
const owing = new RegExp(`^(.{1,80}?) (?:must|has to|have to|needs? to|should) ${success}`, "i")

/** How people order a check. The group is the name of the check. */
const checks: ReadonlyArray<readonly [how: Wanted["how"], order: RegExp]> = [
  ["run", /^(?:(?:re-?)?run|execute|start|(?:verify|check|confirm)(?: \w+){0,3} (?:with|using|by running)) (.+)/i],
  ["fix", /^(?:fix|repair|resolve|address|solve|correct|clean up|sort out) (.+)/i],
  ["run", new RegExp(`^(?:make sure|ensure|verify|confirm|check|get|make|keep)(?: that)? (.{1,80}?) ${success}`, "i")],
  ["run", owing]
]

const stop = "(?:$|[,;!?)]|\\.(?!\\w))"
const object =
  "(?:it|this|that|them|all|everything|anything|changes|your|my|these|and|with|as|to|when|then|once|now|please|too|but)"

const acts: ReadonlyArray<readonly [gate: string, order: RegExp]> = [
  [
    "commit",
    new RegExp(`^(?:git )?commit(?:${stop}| (?:the|yet|with (?:the |a )?(?:commit )?message|${object})\\b)`, "i")
  ],
  ["commit", /^(?:create|make|do) (?:an?|one|a \w+) (?:git )?commit\b/i],
  ["push", new RegExp(`^(?:git |force[- ])?push(?:${stop}| (?!to )${object}\\b)`, "i")],
  [
    "push",
    /^push (?:to (?:the )?(?:remote|origin|main|master|[\w/ -]*branch)|the [\w ]*?(?:branch|commits?|changes?))\b/i
  ],
  [
    "pr",
    /^(?:open|create|make|raise|submit|send|put up)(?: me| (?:it|this) as)?(?: an?)?(?: new| draft)? (?:pr|mr|(?:pull|merge)[ -]request)\b/i
  ],
  ["ci", /^(?:wait (?:for|until)|watch|monitor) (?:(?:the|all|github|pr) ){0,2}(?:ci|checks|pipelines?|workflows?)\b/i],
  ["tests", /^(?:re-?)?test(?: it| this| them| everything| the change)?(?=$|[,.!?]| (?:and|then|again)\b)/i],
  ["build", /^(?:make sure|ensure|verify|check)(?: that)? (?:[\w-]+ ){1,3}(?:builds|compiles)\b/i]
]

/** If one of these words follows, the order is about something else, as in "create a PR template". */
const another =
  /^[ -](?:descriptions?|titles?|templates?|body|checks?|buttons?|reviews?|comments?|summary|graph|labels?|links?|hooks?|messages?|ready|forms?|transactions?|offsets?)\b|\b(?:into|onto|down)\b/i

const ofClause = (clause: string, spans: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  const head = withoutOpening(clause).replace(/^do (?=(?:commit|push|open|create|(?:re-?)?run)\b)/i, "")
  const act = acts.find(([, order]) => order.test(head) && !another.test(head.replace(order, "").slice(0, 60)))
  if (act !== undefined) return [{ gate: act[0], how: "run", command: null }]
  const found = checks.map(([how, order]) => ofThings(order.exec(head)?.[1] ?? "", spans, how))
  return found.find((wanted) => wanted.length > 0) ?? []
}

/** Words that begin an order at any place in a sentence, even after a clause such as "I ran it" (`tells`). */
const explicit =
  /^(?:(?:and|but|then|also|now) )*(?:so|just|please|make sure|ensure|verify|check|remember to|wait for|(?:can|could|would) you|you (?:must|should|have to)|i (?:want|need|expect) you)\b/i
const tells = /^(?:i|we|they|he|she)(?:'\w{1,2})?\b(?! (?:want|need|expect) you)/i

/** Matches if the order is for somebody else or for another time, or if the agent may decide. */
const elsewhere: ReadonlyArray<RegExp> = [
  /\b(?:add|create|write|make|draft|set up)\b[^:.]{0,60}\b(?:workflow|job|script|hook|pipeline|prompt|guide|section|target|command|bot) (?:to|that|which)\b/i,
  /^(?:and |but |so |then )?(?:if|unless|whenever|maybe|perhaps|should|in case|would|could (?!you|we)|might)\b/i,
  /\b(?:only (?:when|if|after|once)|(?:once|when|after|until) i|(?:if|once|when|after) [^.?!,;]{1,40}\b(?:pass(?:es)?|green|works?|succeeds?))\b/i,
  /\b(?:if (?:needed|necessary|possible|required|you \w+)|where possible|later|unless|or don't|on (?:every|each) \w+)\b/i
]

/** Sentences whose later parts are no orders, such as "Teach the bot to build and push" or "tell me when you push". */
const forOthers = [
  /^(?:please )?(?:allow|ask|enable|help|instruct|permit|prompt|remind|teach|tell|train) (?![^,;.]{1,80} to [^,;.]{1,80}, and $)[^;.]{1,80} to [^;.]{1,80}$/i,
  /^(?:please )?(?:describe|document|explain|list|show|say|summari[sz]e|tell) .{0,60}\b(?:how|what|when|whether|which|why)\b/i
]

/** Returns the words before a condition: "Run it" for "Run it, and only if it is green, commit". May be empty. */
const unconditioned = (sentence: string): string => {
  if (!matchesAny(elsewhere, sentence)) return sentence
  const at = sentence.search(/,? (?:and|but|then) (?:then |only )?(?:if|when|once|unless|after) /i)
  const before = at < 0 ? "" : sentence.slice(0, at)
  return matchesAny(elsewhere, before) ? "" : before
}

/** "Can you run the tests?" is an order. "Can the agent run them?" is not. */
const politely = /\bplease\b|^\W{0,3}(?:\w+,? ){0,2}(?:can|could|would|will) (?:you|we)\b/i

const ofSentence = (sentence: string, spans: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  if (sentence.endsWith("?") && !politely.test(sentence)) return []
  if (/\bhow to\b/i.test(sentence)) return []
  // The words after a colon only explain the words before it.
  const text = sentence.split(/(?<!^(?:[\w']{1,12} )?[\w']{1,12}): /, 1)[0] ?? ""
  const joints = [...text.matchAll(/[,;:.(] (?:and |then )?|,? (?:and|then|but|&) (?:then )?| - /g)].slice(0, 24)
  let orders = isImperative(sentence) || beginsAsOrder(sentence)
  return [0, ...joints.map(({ index, 0: joint }) => index + joint.length)].flatMap((at) => {
    const clause = text.slice(at)
    orders = explicit.test(clause) || (orders && !tells.test(clause) && !matchesAny(forOthers, text.slice(0, at)))
    const wanted = orders || owing.test(clause) ? ofClause(clause, spans) : []
    return wanted.filter(
      ({ gate }) =>
        gate !== "commit" || !/\b(?:in|inside|open|begin|start) (?:an?|one|the) (?:\w+ )?transaction\b/i.test(text)
    )
  })
}

const fixing =
  /^(?:fix|repair|resolve|solve)(?: (?:it|them|this|that))?$|^(?:make|get) (?:it|them|this|all)\b.{0,20} (?:pass|green|succeed)\b/i
const failing = /^(.{1,60}?) (?:(?:is|are|keeps?|still|currently) ){0,2}(?:fail(?:s|ed|ing)?|broken|red)\b/i

/** Finds an order such as "The tests fail. Please make them pass." */
const ofFailing = (clause: string, before: string): ReadonlyArray<Wanted> =>
  fixing.test(withoutOpening(clause)) ? ofThings(failing.exec(before)?.[1] ?? "", [], "fix") : []

/** Matches a sentence in another language. `negating` matches negations in other languages. */
const foreign = lazy(
  () => /(?![a-z])\p{L}|(?<!\p{L})(?:bitte|und|die|das|mit|el|los|las|con|y|et|les|le|la|os|com)(?!\p{L})/iu
)
const negating = lazy(
  () =>
    /[不别勿没]|ない|ません|(?<!\p{L})(?:nicht|kein\p{L}*|ohne|nie|no|sin|nunca|ne|pas|sans|não|sem|non|не|без)(?!\p{L})/iu
)
const conditional = lazy(() => /[?？吗]|(?<!\p{L})(?:wenn|falls|si|cuando|quand|se|если)(?!\p{L})/iu)
const command =
  /`\d`|\b(?:(?:npm|pnpm|yarn|bun|npx|cargo|go|make|mvn|dotnet|gradle)(?: run)? [a-z][\w:.-]*|pytest|vitest|jest|tsc|eslint|ruff|mypy)\b/g

/** A command is an order in any language. For example, "lance `npm test`". */
const ofCommand = (sentence: string, spans: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  const named = [...sentence.matchAll(command)]
  return named.length > 0 && foreign().test(sentence) && ![negating, conditional].some((one) => one().test(sentence))
    ? named.flatMap(({ 0: found }) => ofThings(found, spans, "run"))
    : []
}

/** Turns double negations and "when done, …" into plain orders. Removes long quotations, which are texts to work on. */
const straightened = (sentence: string): string =>
  sentence
    .replaceAll(/"[^"]{8,400}"|“[^”]{8,400}”|(?<=[\s:(])'[^']{8,400}'(?=[\s.,;:!?)]|$)/g, '""')
    .replace(
      /\bthen (?=(?:re)?(?:lint|test|build|type-?check)(?:(?:,| and|, and) (?:lint|test|build|type-?check)){0,3}(?: it)?(?:[,.;!]|$))/i,
      "then run "
    )
    .replace(/^(?:when|once) (?:(?:you(?:'re| are)|it(?:'s| is)|all) )?(?:done|finished),? (?=[a-z])/i, "")
    .replace(/\bcommit ?[/+] ?push\b/i, "commit and push")
    .replace(/\b(?:don't|do not|never) (?:forget|fail) to /i, "please ")
    .replace(/\b(?:don't|do not|never|no) (?:[\w-]{1,20} ){1,6}?without (?:first )?running /i, "please run ")
    .replace(/\b(?:don't|do not|never) (?:stop|finish|end)\b[^.?!,;]{0,20} (?:until|before) /i, "make sure ")
    .replace(/\bhold off on /i, "without ")
    .replace(/^(?:and |then |so )?(?:when|once|after|before|based on) (?!i\b)[^,.:?!]{1,60}[,:] /i, "")

const forbidding =
  /(?:(?<!\b(?:we|they|i|users?) )\b(?:don't|do not|never|without|skip|leave)(?! need)|n't need(?: to)?|\b(?:no need \w+|need not|i(?:'| wi)ll|no more|worry about|bother with))(?: (?:ever|just))? /gi

/** Matches "No tests needed". But "No new tests needed" says nothing about the existing tests. */
const needless =
  /\b(?:no ([\w -]{1,40}?)(?: (?:is|are))?|([\w -]{1,40}?) (?:is|are)(?:n't| not)) (?:needed|necessary|required)\b/gi
const delivery = /^(?:(?:an?|the|any) )?(?:commit|push|pr|pull request)s?$/i
const some = /\b(?:of|in|for|to|new|more|other|further|extra|additional|old|such|these|those)\b/i

/** "Leave the tests as they are" does not forbid a run. "Do not push to main" says where not to push. */
const sparing = [
  /^[^,;]{0,30}\b(?:as|alone|in(?! (?:this|the (?:session|meantime)))|there|un(?!til (?:i|we)\b)\w+)\b/i,
  /^(?:commit|push) (?:when|once|with)\b/i,
  /^commit (?:to\b|(?:the|your|my|these) (?!changes?\b|work\b|code\b|fix\b))/i,
  /^push\b[^,;]{0,30} (?:to|on|onto) (?!origin|the remote|github)/i
]

/** Says that a check is not wanted. For example, "No tests please." This is not a report. */
const unwanted = /(?:^|[,;] (?:but |and )?)no ([\w -]{1,30}?),? (?:please|pls|here|now)\b|^no ([\w -]{1,30}?)[.!]*$/gi

/** Matches in "Don't run anything", but not in "Don't run anything that writes". */
const runsAny =
  /^(?:run|execute|start) (?:anything|(?:any |(?:any of )?the |all )?(?:commands?|checks?))(?=\W*$| ?[,;.!]| (?:at all|here|now|please|yet|for now|today|in this|until|before)\b)/i

const deliveriesIn = (text: string): ReadonlyArray<string> =>
  ["pr", "push", "commit"].filter((gate) => speaksOf(text, gate))

const needlessIn = (sentence: string): ReadonlyArray<string> =>
  [...sentence.matchAll(needless), ...sentence.matchAll(unwanted)].flatMap(([, denied, noun = denied ?? ""]) =>
    some.test(noun)
      ? []
      : [
          ...things.flatMap(([gate, name]) => (name.test(noun) ? gate : [])),
          ...(delivery.test(noun) ? deliveriesIn(noun) : [])
        ]
  )

/** Returns what a sentence forbids. Each item begins with its verb. For example, "run npm test here". */
const forbiddenDeeds = (sentence: string): ReadonlyArray<readonly [how: string, deed: string]> =>
  [...sentence.matchAll(forbidding)].flatMap(({ index, 0: how }) => {
    const deed = sentence.slice(index + how.length).replace(/^(?:re-?)?(\w*?(\w))\2?ing\b/i, "$1")
    return sparing.some((one) => one.test(deed)) ? [] : [[how, deed] as const]
  })

const forbiddenIn = (sentence: string, spans: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...needlessIn(sentence),
  ...forbiddenDeeds(sentence).flatMap(([how, deed]) => {
    if (runsAny.test(deed)) return Object.keys(classOf)
    if (!/(?:skip|leave|more|for|with|about) $/i.test(how))
      return deed.split(/,? n?or /).flatMap((one) => ofClause(one, spans).map(({ gate }) => gate))
    return [...ofThings(deed, spans, "run").map(({ gate }) => gate), ...deliveriesIn(deed.split(" ", 2).join(" "))]
  })
]

/** Returns the negated clauses. A command at a clause's start is its subject: "npm test läuft nicht" only reports. */
const negatedIn = (sentence: string): ReadonlyArray<string> =>
  foreign().test(sentence)
    ? sentence.split(/[,;:.](?= |$)/).filter((clause) => negating().test(clause) && !conditional().test(clause))
    : []

/** The last sentence that names the command, or forbids all commands, decides. */
export const forbidsRun = (texts: ReadonlyArray<string>, run: string): boolean => {
  const [program = "", ...rest] = run.split(/\s+/)
  // For example, `check` in `make check`, but not `npm` in `npm test`.
  const own = (rest.length === 0 ? [program] : rest).filter((word) => /^[\w./][\w./:@-]{2,}$/.test(word))
  const whole = new RegExp(`(?<![\\w./:-])${asPattern(run)}(?![\\w/:-]|\\.\\w)`, "i")
  const begins = new RegExp(
    `^(?:run|execute|start) (?:the |our |my )?(?:${[run, ...own].map(asPattern).join("|")})(?![\\w/:-]|\\.\\w)`,
    "i"
  )
  const isDenied = (sentence: string): boolean =>
    forbiddenDeeds(sentence).some(
      ([, deed]) =>
        runsAny.test(deed) ||
        begins.test(deed) ||
        (/^(?:run|execute|start|use)\b/i.test(deed) && whole.test(deed.replace(/[;.!] .*/, "")))
    ) || negatedIn(sentence).some((clause) => clause.search(whole) > 0)
  return texts
    .flatMap((text) => ownSentences(text, endsOf))
    .map((sentence) => straightened(sentence.slice(0, 600)).replaceAll("`", ""))
    .reduce((before, sentence) => isDenied(sentence) || (before && !whole.test(sentence)), false)
}

/** Words that make a ban last for the rest of the session. */
const lasting =
  /\b(?:never|here|from now on)\b|\b(?:in|for|during) (?:this|the (?:whole|entire|rest of the)) session\b/i

export const lastingIn = (text: string): ReadonlyArray<string> =>
  ownSentences(text, endsOf).filter(
    (sentence) => lasting.test(sentence) && forbiddenDeeds(straightened(sentence)).length > 0
  )

export const asksOf = (text: string): Pick<TaskContext, "asks" | "forbids"> => {
  const asks = new Map<string, Ask>()
  const forbids = new Set<string>()
  const negated = new Set<string>()
  let last = ""
  for (const sentence of ownSentences(text, endsOf)) {
    const spans: Array<string> = []
    const whole = straightened(sentence.slice(0, 600))
    const words = whole.replace(/`([^`]{1,200})`/g, (_, code: string) => `\`${spans.push(code) - 1}\``)
    for (const gate of forbiddenIn(words, spans)) forbids.add(gate)
    for (const clause of negatedIn(words))
      for (const { index, 0: found } of clause.matchAll(command))
        if (index > 0) for (const { gate } of ofThings(found, spans, "run")) negated.add(gate)
    const clauses = [last, ...words.split(/[,.;!] ?| and (?=please|fix)/).filter((clause) => clause.trim() !== "")]
    last = clauses.at(-1) ?? ""
    const fixed = clauses.flatMap((clause, at) => ofFailing(clause, clauses[at - 1] ?? ""))
    const sure = unconditioned(words)
    const ordered = [...ofSentence(sure, spans), ...(sure === words ? fixed : [])]
    for (const wanted of [...ordered, ...ofCommand(words, spans)]) {
      const old = asks.get(wanted.gate) ?? { ...wanted, quote: whole.slice(0, 160) }
      const how = wanted.how === "fix" ? "fix" : old.how
      const amount = wanted.whole === true ? { whole: true as const } : {}
      asks.set(wanted.gate, { ...old, ...amount, how, command: old.command ?? wanted.command })
    }
  }
  for (const gate of negated) if (!asks.has(gate)) forbids.add(gate)
  return { asks: [...asks.values()].filter(({ gate }) => !forbids.has(gate)), forbids: [...forbids] }
}

/** The name of the gate in any form, in every language that uses that word. */
const stems: Readonly<Record<string, RegExp>> = { tests: /\btest/i, commit: /commit/i, push: /\bpush/i }

/** A sentence that orders to write tests, or that says what a commit or pull request must contain. */
const elaborates =
  /^(?:add|write|create|extend|cover|include|rename|update|fix|use|put|mention)\b(?!.*\b(?:not|no|never|n't)\b)/i

/** Returns the gates that a text mentions. Orders to write tests, and descriptions of a commit or PR, do not count. */
export const spokenOf = (text: string): ReadonlyArray<string> => {
  const said = ownSentences(text, endsOf)
    .map((sentence) => sentence.slice(0, 600))
    .filter((sentence) => matchesAny(elsewhere, sentence) || !elaborates.test(withoutOpening(sentence)))
    .map((sentence) => sentence.replaceAll("`", ""))
  const run = said.flatMap((sentence) => [...sentence.matchAll(command)].flatMap(([found]) => gatesOfCommand(found)))
  return names.filter((gate) => run.includes(gate) || said.some((one) => speaksOf(one, gate) || stems[gate]?.test(one)))
}
