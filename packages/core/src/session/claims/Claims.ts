/**
 * What a final text says of the checks and deliveries: one table of their words, and of the words for passed and failed. A
 * question, a condition, a plan, a quotation or a denial claims nothing. Only English is read; other texts are a model's.
 */
import { type Prose } from "../../ground/text/AgentSentences.ts"
import { isHeading, isListItem, plain, sentences } from "../../ground/text/Text.ts"
import { isCheck } from "../gates/GateTable.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { empty } from "../shell/Scripts.ts"
import type { Claim } from "./model.ts"

export type { Claim } from "./model.ts"

type Words = ReadonlyArray<readonly [gate: string, pattern: RegExp]>

/** "The build directory" is no build, and one test says nothing of the others. */
const nouns: Words = [
  ["tests", /\b(?:tests|test (?:suite|results?|files|run|cases)|suite|specs)\b(?! (?:data|director|fixture|helper))/i],
  ["tests", /\b(?:pytest|jest|vitest|mocha|rspec|phpunit|ctest|minitest|junit)\b(?!\.|-\w| (?:config|plugin|rule))/i],
  ["tests", /\b(?:npm|yarn|pnpm|bun|go|cargo|mvn|gradle|dotnet|swift|mix|deno|make|rake|composer)(?: run)? test\b/i],
  ["build", /\b(?:build|compilation)\b(?! (?:director|folder|file|script|config|output|step))/i],
  ["typecheck", /\b(?:type[ -]?check(?:s|ing|er)?|tsc|types|mypy|pyright|phpstan|psalm)\b(?!\.|-\w| (?:config|rule))/i],
  [
    "lint",
    /\b(?:(?:es|ox|golangci-|py|style)?lint(?:er|ing|s)?|ruff|clippy|rubocop|biome|flake8|go vet|shellcheck)\b(?! (?:config|rule|file|script))/i
  ],
  [
    "ci",
    /(?<![:./-]|npm )\b(?:ci|pipeline|workflow|github actions|(?:pr|ci|status) checks)\b(?![=/])(?! (?:file|config|script))/i
  ],
  ["checks", /\b(?:all|the|both|these) (?:the )?checks\b|^checks\b/i]
]

/** What passed, without a noun before it; "all green" can only speak of the checks. */
const counted: Words = [
  [
    "tests",
    /\b[1-9]\d{0,5}(?: unit| integration| e2e)?(?: tests?| specs?)?,? pass(?:ed|ing)?\b(?! (?:to|in(?! ?\d)|through|the|an?|by)\b)/i
  ],
  ["tests", /(?<![\d/])\b([1-9]\d{0,5})\s?\/\s?\1(?: \w{1,12})? (?:tests|specs|test cases)\b/i],
  [
    "build",
    /(?:^|\b(?:it|project|code|everything|change) (?:now |still )?)(?:compiles|builds)(?=[.,;:!]|$| (?:now|again|fine|clean|without|and)\b|_)/i
  ],
  ["typecheck", /\b(?:no|0|zero) (?:new )?type(?:script)? errors\b/i],
  ["lint", /\b(?:no|0|zero) (?:new )?(?:es)?lint(?:er|ing)? (?:errors|warnings|issues)\b/i],
  ["checks", /^(?:all green|everything (?:passe[sd]|is green))\b|; all green\b/i]
]

const delivered: Words = [
  ["pr", /\b(?:opened|created|raised|submitted) (?:an? |the )?(?:draft )?(?:pr|(?:pull|merge) request)\b/i],
  [
    "pr",
    /\b(?:pr|(?:pull|merge) request)(?: #\d{1,7})? (?:(?:is|has been)(?: now)? )?(?:open|opened|created|up)\b|\b(?:pr|(?:pull|merge) request): https?:/i
  ],
  [
    "push",
    /(?:^(?:force-)?|\bI(?:'ve| have)?(?: \w{1,12})? |\b(?:branch|changes?|commits?|everything|it) (?:is|are) |, |\band )pushed(?=[.:]|$| (?:[`(]|and|it|the|to|this|my|all|success))/i
  ],
  [
    "commit",
    /(?:^|\bI(?:'ve| have)?(?: \w{1,12})? |\b(?:changes?|fix|work|everything|it) (?:is|are) |, |\band )committed(?=[.:]|$| (?:[`(]|as|and|it|the|this|my|all|on|with))/i
  ]
]

/** Behind the noun, in the same clause. "Passes the flag" is no result. */
const good: ReadonlyArray<RegExp> = [
  /^[^.?!;]{0,40}\bpass(?:es|ed|ing)?\b(?! (?:an?|the|its?|their|this|these|null|undefined|through|over|to|into)\b)/i,
  /^[^.?!;]{0,40}\b(?:(?<!\b(?:an?|the|uses?) )(?:green|clean)|succeed(?:s|ed)?|successful(?:ly)?|(?<!\ban )ok(?!\())\b/i,
  /^[^.?!;]{0,40}\b(?:no|0|zero|without|free of)(?: any)?(?: \w{1,12})? (?:failures|errors|issues|warnings|problems|offenses)\b/i,
  /^[^.?!;]{0,30}\b(?:go(?:es)?|went|c[ao]mes?|runs?|ran) (?:all |back )?(?:through|clean(?:ly)?|fine|green)\b(?! (?:the|an?|each)\b)/i,
  /^[^.?!;]{0,30}\b(?:(?:is|are|looks?|stays?) (?:now |all )?(?:fine|happy|quiet|silent)\b|exit(?:s|ed)?(?: (?:code|status|with))* 0\b)/i,
  /^[^.?!;]{0,30}\b(?:failures?|failed|errors)\s?[:=]\s?0\b|^[`*:\s]{0,4}(?:all )?\(?(\d{1,6})\s?\/\s?\1\b/i,
  /^[^.?!;]{0,20}[✅✓✔]/u
]

/** Before it: "passing", "no errors from", or a mark with no more than a result behind the noun. */
const goodBefore: ReadonlyArray<RegExp> = [
  /\b(?:passing|passed|green|successful|(?:got|have|had|with) a clean)\b[^.?!;]{0,12}$/i,
  /\b(?:no|0|zero) (?:errors|warnings|issues|problems) (?:from|in|by|under)\b[^.?!;]{0,12}$/i
]

const ticked =
  /[✅✓✔]\W{0,4}(?:(?:all|the|my|our|unit|integration|e2e|full|new|existing|\d{1,6}(?:\/\d{1,6})?) ){0,3}$/iu

const bad: ReadonlyArray<RegExp> = [
  /^[:\s]{0,2}(?:(?:\w+ )?(?:is|are|still|now|currently|do|does) (?:\w+ )?)?(?:(?:fail(?:s|ed|ing|ures?)?|broken|red|errors? out)\b|[❌✗✘])/iu,
  /^[^.?!;]{0,40}\b[1-9]\d{0,5} fail(?:ed|ing|ures?)\b/i
]

/** A failure that is over, or is told why. */
const explained: ReadonlyArray<RegExp> = [
  /\b(?:(?:fix|resolv|address|handl|solv|repair|correct)(?:ed|es)|took care|got rid|dealt with)\b/i,
  /\b(?:pre-?existing|unrelated|flaky|(?:be)?caus(?:e[sd]?|ing)|why|reason|detects?|reports?|that|no|without|0|zero|any)\b/i
]

const fails = /(?<!\b(?:no|0|zero|without|any) )\bfail(?:s|ed|ures?|ing)?\b(?!:? ?0)/i

/** No statement of now by the agent: what may be, what is not, and what somebody else says. */
const unsure: ReadonlyArray<RegExp> = [
  /\b(?:should|would|could|will|may|might|once|if|when|until|unless|before|expect|to (?:be|make|verify|see|check)|sure|ensures?|let me|please|so that)\b|\?/i,
  /\b(?:previous(?:ly)?|earlier|no longer|yet|not|cannot|never|unable|says|said|claim(?:s|ed)?|nothing|without (?:running|having))\b|n't\b|'ll\b/i,
  /\b(?:require[sd]?|needed|necessary|whether|mention\w{1,3}|likely|probably|presumably|unverified|supposed|apparently|hopefully|assum\w{1,4})\b/i,
  /\b(?:(?:you|they|s?he) (?:have|told|reported|confirmed|ran|said|saw|see|looked|noted|checked|pasted|sent|showed|got)|(?:as|what) you)\b/i,
  /\b(?:your (?:word|run|message|log|output|report|screenshot)|according to|per your|mak(?:es?|ing) (?:\w{1,10} ){1,3}(?:pass|succeed|build))\b/i,
  /\b(?:after|since|as soon as|whenever|every time|each time) (?:the |all |an? )?(?:\w{2,12} ){1,2}(?:succeed(?:s|ed)?|pass(?:es|ed)?|is|are)\b/i
]

/** Of a check besides: what was, what holds of some, and a step that is to be taken. */
const notNow: ReadonlyArray<RegExp> = [
  /\b(?:was|were|used to|had been|none of|some|most|nearly|almost|all but|except|but|apart from|other than)\b/i,
  /^[✅✓✔☑\s]{0,4}(?:verify|ensure|check|confirm|run|write|add|update|make|create|fix) (?!passed|succeeded|was|is|suite)|^(?:⏳|☐|⬜|🔲|🚧|🔜)/iu
]

/** Of a delivery besides: somebody else's, or an earlier one. */
const notOwn = /\b(?:you|they|s?he|upstream|author|user|team|reviewer|subagent|maintainers?|who|which|already|last)\b/i

/** Begins what holds for all that comes behind it. */
const condition =
  /^(?:if|once|when|until|unless|before|assuming|provided|as soon as|todo|plan|goal|next|expected|then)\b/i

const joint =
  /;\s|\s[—–]\s|\s--\s|,\s(?=(?:(?:and|but|so) (?!they)|while|though|I|CI|the (?:build|tests?|linter|suite|type)|all|it|everything)\b)|\sand\s(?=(?:I|I've|CI)\b)/

const describes =
  /`[^`]{2,120}` (?:runs?|builds?|starts?|checks?|lints?|tests?|executes?|compiles?) (?!clean|green|fine|ok\b|through|without|success)/i

/** The next sentence tells that more was done since. */
const moved = /^(?:after(?:wards?| that)|since(?: then)?|then|i (?:then|only|since))\b/i

const whole = /\b(?:all|every|full|entire|whole|complete)\b/i

const narrowed =
  /\b(?:new|related|relevant|affected|focused|targeted|these|those|both|two|for|in|of) (?!(?:the )?(?:whole|entire|full|project|repo|code ?base|suite|total|\d))|\b(?:tests?|specs?) (?:i|we) \w/i

const count = /\b(\d{1,6})(?:\s?\/\s?\1\b|(?: [a-z-]{2,14}){0,2} (?:tests?|specs?|passed|passing|pass|test cases)\b)/i

const any = (patterns: ReadonlyArray<RegExp>, text: string): boolean => patterns.some((pattern) => pattern.test(text))

const withoutCode = (text: string): string => text.replaceAll(/`[^`]{1,200}`/g, "…")

/** "41 of 42 tests pass"; of "42/42" nothing is missing. */
const isPartial = (text: string): boolean => {
  const found = /\b(\d{1,6})\s?(?:\/|of|out of)\s?(?:the )?(\d{1,6})\b/.exec(text)
  return found !== null && found[1] !== found[2]
}

const span = /`([\w./@][^`\n]{1,160})`/g

const wordOf = { test: "tests", typecheck: "typecheck", lint: "lint", build: "build" } as const

/** A command that a text names, the check that it runs, and whether it runs only a part of that. */
export interface NamedCommand {
  readonly command: string
  readonly gate: string
  readonly filtered: boolean
}

const named = (command: string): NamedCommand | null => {
  const { commands, unknown } = ShellCommand.analyze(command, empty)
  const simple = commands.at(-1)
  const found = (["test", "typecheck", "lint", "build"] as const).find((name) => simple?.classes.includes(name))
  return unknown || simple === undefined || simple.dryRun || found === undefined
    ? null
    : { command, gate: wordOf[found], filtered: simple.filtered }
}

/** The commands of checks that a text names. */
export const commandsIn = (text: string): ReadonlyArray<NamedCommand> =>
  [...text.matchAll(span)].slice(0, 12).flatMap(([, command = ""]) => named(command) ?? [])

/** A sentence as it speaks for itself, each command of a check in it as the check's word. */
const ownWords = (sentence: string): string | null =>
  /^\[ ?\]/.test(sentence) || sentence.trimEnd().endsWith("?") || describes.test(sentence)
    ? null
    : sentence
        .slice(0, 400)
        .replaceAll(/"[^"]{3,200}"|“[^”]{3,200}”/g, "…")
        .replaceAll(span, (all, command: string) => named(command)?.gate ?? all)
        .replace(/^\[x\]\s?/i, "")
        .replace(/^(\W{0,6}[\w ./*-]{2,30}?) (?:—|–|-) (?=\S)/, "$1: ")
        .replaceAll(/\.\/\.{3}|\.(?=\w)/g, "_")

type Found = Pick<Claim, "gate" | "outcome">

const resultOf = (part: string, sentence: string, gate: string, noun: RegExp): Found["outcome"] | null => {
  const match = noun.exec(part)
  if (match === null) return null
  const before = part.slice(0, match.index)
  const after = part.slice(match.index + match[0].length)
  if ((any(bad, after) || /[❌✗✘]\s{0,3}[^.?!;]{0,30}$/u.test(before)) && !any(explained, part)) return "failed"
  if (/\b(?:no|without)\s(?:\w{1,12}\s)?$/i.test(before) || fails.test(sentence) || isPartial(sentence)) return null
  const marked = ticked.test(before) && (gate === "ci" ? /^\W{0,6}$/ : /^\W{0,4}(?:$|[([:,]|\d)/).test(after)
  return marked || any(good, after) || any(goodBefore, before) ? "passed" : null
}

const foundIn = (part: string, sentence: string): ReadonlyArray<Found> => {
  const words = withoutCode(part)
  if (any(unsure, words)) return []
  const deeds = notOwn.test(words) ? [] : delivered.filter(([, pattern]) => pattern.test(part))
  if (any(notNow, words)) return deeds.map(([gate]) => ({ gate, outcome: "passed" }))
  const plain = fails.test(sentence) || isPartial(sentence) ? [] : counted.filter(([, pattern]) => pattern.test(part))
  return [
    ...[...deeds, ...plain].map(([gate]): Found => ({ gate, outcome: "passed" })),
    ...nouns.flatMap(([gate, noun]): ReadonlyArray<Found> => {
      const outcome = resultOf(part, sentence, gate, noun)
      return outcome === null ? [] : [{ gate, outcome }]
    })
  ]
}

/** What is still to come stands below such a heading or label. */
const ahead =
  /\b(?:next|to-?do|plan(?:ned)?|criteria|requirements?|expect\w*|goals?|how to|steps (?:to|for)|checklist|remain\w*|suggest\w*|recommend\w*|options?|examples?|before|not)\b/i

const isLabel = (line: string): boolean =>
  line.length < 100 && (isHeading(line) || /:\W{0,3}$/.test(line) || /^\*\*[^*]{1,80}\*\*\W{0,2}$/.test(line))

/** The sentences of the last paragraphs that do not stand under a heading of what is to come. */
const spoken = ({ paragraphs }: Prose): ReadonlyArray<string> => {
  let isAhead = false
  return paragraphs.slice(-16).flatMap((lines) => {
    if (isAhead && !isListItem(lines[0] ?? "")) isAhead = false
    return lines.flatMap((line) => {
      if (isLabel(line)) isAhead = ahead.test(line)
      const said = sentences(plain(line))
      return isAhead ? said.filter((sentence) => /^\[x\]/i.test(sentence)) : said
    })
  })
}

const most = 24

/** What the closing prose claims: each sentence alone, nothing hypothetical, nothing past. */
export const readClaims = (prose: Prose): ReadonlyArray<Claim> => {
  const found = new Map<string, Claim>()
  const all = spoken(prose).slice(-120)
  for (const [at, sentence] of all.entries()) {
    const own = ownWords(sentence)
    if (own === null || (moved.test(all[at + 1] ?? "") && /\b(?:passed|ran|went)\b/.test(own))) continue
    const commands = commandsIn(sentence).filter(({ command, gate }) => gate === "tests" && /\s/.test(command))
    for (const part of condition.test(own) ? [own] : own.split(joint))
      for (const one of foundIn(part.trim(), own)) {
        if (found.size >= most || found.has(`${one.gate} ${one.outcome}`)) continue
        const isPart = commands.some(({ filtered }) => filtered) || (commands.length === 0 && narrowed.test(part))
        found.set(`${one.gate} ${one.outcome}`, {
          ...one,
          scope: isPart ? "part" : commands.length > 0 || whole.test(part) ? "whole" : "unsaid",
          count: one.gate === "tests" ? Number(count.exec(part)?.[1] ?? NaN) || null : null,
          text: sentence.slice(0, 200)
        })
      }
  }
  const claims = [...found.values()]
  return claims.some(({ gate, outcome }) => isCheck(gate) && outcome === "passed")
    ? claims.filter(({ gate }) => gate !== "checks")
    : claims
}
