/** Reads claims about checks and deliveries from a final text in English. A model reads other languages. */
import type { Prose } from "../../base/text/Sentences.ts"
import { isHeading, isListItem, matchesAny, plain, sentences } from "../../base/text/Text.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { empty } from "../shell/Scripts.ts"
import { gateOfCheck, isCheck } from "../vocabulary/GateTable.ts"
import type { Claim } from "./model.ts"

export type { Claim } from "./model.ts"

type Words = ReadonlyArray<readonly [gate: string, pattern: RegExp]>

/** "The build directory" does not mean a build. "Test" counts only in a sentence such as "the test passes". */
const nouns: Words = [
  [
    "tests",
    /\b(?:test|spec)(?= (?:(?:now|also|still|again) )?(?:pass(?:es|ed)|succeeds|is (?:now )?(?:green|passing))(?: (?:now|again|too|as well))?(?:[.,;:!)]|$))/i
  ],
  ["tests", /\b(?:tests|test (?:suite|results?|files|run|cases)|suite|specs)\b(?! (?:data|director|fixture|helper))/i],
  ["tests", /\b(?:pytest|jest|vitest|mocha|rspec|phpunit|ctest|junit)\b(?!\.|-\w| (?:config|plugin|rule))/i],
  ["tests", /\b(?:npm|yarn|pnpm|bun|go|cargo|mvn|gradle|dotnet|swift|mix|deno|make|rake)(?: run)? test\b/i],
  ["build", /\b(?:build|compilation)\b(?! (?:director|folder|file|script|config|output|step))/i],
  ["typecheck", /\b(?:type[ -]?check(?:s|ing|er)?|tsc|types|mypy|pyright|phpstan)\b(?!\.|-\w| (?:config|rule))/i],
  [
    "lint",
    /\b(?:(?:es|ox|golangci-|py)?lint(?:er|ing|s)?|ruff|clippy|rubocop|biome|go vet)\b(?! (?:config|rule|file))/i
  ],
  [
    "ci",
    /(?<![:./-]|npm )\b(?:ci|pipeline|workflow|github actions|(?:pr|status) checks)\b(?![=/])(?! (?:file|config))/i
  ],
  ["checks", /\b(?:all|the|both|these) (?:the )?checks\b|^checks\b/i]
]

/** Phrases that name a check and say that it passed. "All green" can only mean the checks. */
const stated: Words = [
  [
    "tests",
    /\b[1-9]\d{0,5}(?: unit| e2e)?(?: tests?| specs?)?,? pass(?:ed|ing)\b(?! (?:to|in(?! ?\d)|through|the|an?|by)\b)/i
  ],
  ["tests", /(?<![\d/])\b([1-9]\d{0,5})\s?\/\s?\1(?: \w{1,12})? (?:tests|specs|test cases)\b/i],
  [
    "build",
    /(?:^|\b(?:it|project|code|everything) (?:now |still )?)(?:compiles|builds)(?=[.,;:!_]|$| (?:now|fine|clean|without|and))/i
  ],
  ["typecheck", /\b(?:no|0|zero) (?:new )?type(?:script)? errors\b/i],
  ["lint", /\b(?:no|0|zero) (?:new )?(?:es)?lint(?:er|ing)? (?:errors|warnings|issues)\b/i],
  ["checks", /^(?:all green|everything (?:passe[sd]|is green))\b/i],
  ["pr", /\b(?:opened|created|raised|submitted) (?:an? |the )?(?:draft )?(?:pr|(?:pull|merge) request)\b/i],
  [
    "pr",
    /\b(?:pr|(?:pull|merge) request)(?:(?: #\d{1,7})?(?: (?:is|has been)(?: now)?)? (?:open|opened|created|up)\b|: https?:)/i
  ],
  [
    "push",
    /(?:^(?:force-)?|\bI(?:'ve)? |\b(?:branch|changes?|everything|it) (?:is|are) |, |\band )pushed(?=[.:,]|$| (?:[`(]|and|it|the|to|my|all))/i
  ],
  [
    "commit",
    /(?:^|\bI(?:'ve)? |\b(?:changes?|everything|it) (?:is|are) |, |\band )committed(?=[.:,]|$| (?:[`(]|as|and|it|the|my|all|on))/i
  ]
]

/** `§` stands for the name of a check. "Passes the flag" is not a result. A ✅ before the name must be next to it. */
const passed: ReadonlyArray<RegExp> = [
  /§[^.?!;]{0,40}\bpass(?:es|ed|ing)?\b(?! (?:an?|the|its?|their|this|these|null|undefined|through|over|to|into)\b)/i,
  /§[^.?!;]{0,40}\b(?:(?<!\b(?:an?|the|uses?) )(?:green|clean)|succeed(?:s|ed)?|successful(?:ly)?|(?<!\ban )ok(?!\())\b/i,
  /§[^.?!;]{0,40}\b(?:no|0|zero|without|free of)(?: any)?(?: \w{1,12})? (?:failures|errors|issues|warnings|problems|offenses)\b/i,
  /§[^.?!;]{0,30}\b(?:go(?:es)?|went|c[ao]mes?|runs?|ran) (?:all |back )?(?:through|clean(?:ly)?|fine|green)\b(?! (?:the|an?)\b)/i,
  /§[^.?!;]{0,30}\b(?:(?:is|are|looks?) (?:now |all )?(?:fine|happy|quiet)\b|exit(?:s|ed)?(?: (?:code|status|with))* 0\b)/i,
  /§(?:[^.?!;]{0,30}\b(?:failures?|failed|errors)\s?[:=]\s?0\b|[`*:\s]{0,4}(?:all )?\(?(\d{1,6})\s?\/\s?\1\b|[^.?!;]{0,20}[✅✓✔])/iu,
  /\b(?:passing|passed|green|successful|(?:no|0|zero) (?:errors|warnings|issues) (?:from|in|by))\b[^.?!;]{0,12}§/i,
  /[✅✓✔]\W{0,4}(?:(?:all|the|unit|integration|e2e|full|existing|\d{1,6}(?:\/\d{1,6})?) ){0,3}§/iu
]

const failed: ReadonlyArray<RegExp> = [
  /§[:\s]{0,2}(?:(?:\w+ )?(?:is|are|still|now|do|does) (?:\w+ )?)?(?:(?:fail(?:s|ed|ing|ures?)?|broken|red|errors? out)\b|[❌✗✘])/iu,
  /§[^.?!;]{0,40}\b[1-9]\d{0,5} fail(?:ed|ing|ures?)\b|[❌✗✘]\s{0,3}[^.?!;]{0,30}§/iu
]

const fails = /(?<!\b(?:no|0|zero|without|any) )\bfail(?:s|ed|ures?|ing)?\b(?!:? ?0)/i

/** True if a clause reports a failure that is not repaired. Then the sentence does not claim a pass. */
const tellsOfFailure = (clause: string): boolean =>
  fails.test(clause) && (/\bfails?\b/i.test(clause) || !/\b(?:was|were|had|came|gone|no longer)\b/i.test(clause))

/** A clause with these words may be a plan, a condition, a past result, or another person's statement. */
const unsure: ReadonlyArray<RegExp> = [
  /\b(?:should|would|could|will|may|might|once|if|when|until|unless|before|expect|to (?:be|make|verify|see|check)|sure|ensures?|let me|please|so that)\b|\?/i,
  /\b(?:previous(?:ly)?|earlier|no longer|yet|not|cannot|never|unable|says|said|claim(?:s|ed)?|nothing|without (?:running|having))\b|n't\b|'ll\b/i,
  /\b(?:require[sd]?|needed|necessary|whether|mention\w{1,3}|likely|probably|presumably|unverified|supposed|apparently|hopefully|assum\w{1,4})\b/i,
  /\b(?:you (?:have|told|ran|said|saw|pasted|sent|showed|got)|what you|your (?:run|log|output|report)|(?:they|s?he) (?:have|told|ran|said|saw)|according to|reviewer|upstream|author)\b/i,
  /\b(?:after|since|as soon as|whenever|each time) (?:the |all |an? )?(?:\w{2,12} ){1,2}(?:succeed(?:s|ed)?|pass(?:es|ed)?|is|are)\b/i,
  /\b(?:was|were|used to|had been|none of|some|most|nearly|almost|all but|except|but|apart from|other than|mak(?:es?|ing) (?:\w{1,10} ){1,3}(?:pass|succeed|build))\b/i,
  /^[✅✓✔☑\s]{0,4}(?:verify|ensure|check|confirm|run|write|add|update|make|create|fix) (?!passed|suite)|^(?:⏳|☐|⬜|🔲|🚧|🔜)/iu
]

/** If a sentence starts like this, all of it is a condition or a plan. */
const condition =
  /^(?:if|once|when|until|unless|before|assuming|provided|as soon as|todo|plan|goal|next|expected|then)\b/i

const joint =
  /;\s|\s[—–]\s|\s--\s|,\s(?=(?:(?:and|but|so) (?!they)|while|though|I|CI|the (?:build|tests?|linter|suite)|all|it)\b)|\sand\s(?=(?:I|I've|CI)\b)/

/** The start of a sentence about later work, such as "Then I …". */
const moved = /^(?:after(?:wards?| that)|since(?: then)?|then|i (?:then|only|since))\b/i

const narrowed =
  /\b(?:new|related|relevant|affected|targeted|these|those|both|two|three)(?: \w{2,14}){0,2} (?:tests?|specs?)\b|\b(?:tests?|specs?) (?:i|we|(?:for|in|of) (?!the (?:whole|entire|full|project|repo)))\b/i

const count = /\b(\d{1,6})(?:\s?\/\s?\1\b|(?: [a-z-]{2,14}){0,2} (?:tests?|specs?|passed|passing|pass|test cases)\b)/i

/** Words in a heading or label above things that are not done yet. */
const ahead =
  /\b(?:next|to-?do|plan(?:ned)?|criteria|requirements?|expect\w*|goals?|how to|checklist|remain\w*|suggest\w*|options?|before|not)\b/i

/** True for "41 of 42 tests pass". False for "42/42". */
const isPartial = (text: string): boolean => {
  const found = /\b(\d{1,6})\s?(?:\/|of|out of)\s?(?:the )?(\d{1,6})\b/.exec(text)
  return found !== null && found[1] !== found[2]
}

const span = /`([\w./@][^`\n]{1,160})`/g

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
    : { command, gate: gateOfCheck[found], filtered: simple.filtered }
}

export const commandsIn = (text: string): ReadonlyArray<NamedCommand> =>
  [...text.matchAll(span)].slice(0, 12).flatMap(([, command = ""]) => named(command) ?? [])

/** A denied failure, such as "no tests fail", becomes a pass. A past failure is removed. */
const settled: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /\b(?:no|0|zero|none of the) (?:(?:unit|single) )?(?:tests?|specs?) (?:(?:is|are|still|now) )*fail(?:s|ed|ing)?(?= (?:now|any ?more)\b|[.,;:!)]|$)/gi,
    "all tests pass"
  ],
  [/\bnothing (?:(?:is|still|now) )*fail(?:s|ed|ing)?(?= ?[:;,–—])/gi, "…"],
  [/\b((?:fix|repair|resolv|address|solv|correct)(?:ed|ing) (?:\w+ ){0,3})fail(?:ing|ed|ures?)\b/gi, "$1"],
  [/\b(?:(?:previously|formerly|once) )?fail(?:ing|ed) (?=(?:\w+ )?(?:tests?|specs?) (?:\w+ )?pass)/gi, ""]
]

/** Returns a sentence without quotations. Each command of a check is replaced by the name of the check. */
const ownWords = (sentence: string): string =>
  settled
    .reduce((text, [pattern, word]) => text.replaceAll(pattern, word), sentence.slice(0, 400))
    .replaceAll(/"[^"]{3,200}"|“[^”]{3,200}”/g, "…")
    .replaceAll(span, (all, command: string) => named(command)?.gate ?? all)
    .replace(/^\[x\]\s?/i, "")
    .replace(/^(\W{0,6}[\w ./*-]{2,30}?) (?:—|–|-) (?=\S)/, "$1: ")
    .replaceAll(/\.\/\.{3}|\.(?=\w)/g, "_")

type Found = Pick<Claim, "gate" | "outcome">

/** Returns what a clause claims. `isSound` is true if the clause's sentence reports no failure. */
const foundIn = (part: string, isSound: boolean): ReadonlyArray<Found> => {
  if (matchesAny(unsure, part.replaceAll(/`[^`]{1,200}`/g, "…"))) return []
  const isPlain = isSound && !fails.test(part)
  const resultOf = (noun: RegExp): Found["outcome"] | null => {
    const around = part.replace(noun, "§")
    if (around === part || /\b(?:no|without|0|any)\s(?:\w{1,12}\s)?§/i.test(around)) return null
    return matchesAny(failed, around) ? "failed" : isPlain && matchesAny(passed, around) ? "passed" : null
  }
  return [
    ...stated.flatMap(([gate, pattern]) => (isPlain && pattern.test(part) ? { gate, outcome: "passed" as const } : [])),
    ...nouns.flatMap(([gate, noun]) => {
      const outcome = resultOf(noun)
      return outcome === null ? [] : { gate, outcome }
    })
  ]
}

const isLabel = (line: string): boolean =>
  line.length < 100 && (isHeading(line) || /:\W{0,3}$/.test(line) || /^\*\*[^*]{1,80}\*\*\W{0,2}$/.test(line))

/** Texts for others, such as a commit message. A text ends at the next label or at the end of its line. */
const forOthers =
  "\\b(?:commit|pr|(?:pull|merge) request|release|changelog) (?:messages?|description|title|body|text|notes?|entry)\\b"
const textLabel = new RegExp(forOthers, "i")
const inlineText = new RegExp(`${forOthers}[^.:]{0,20}:`, "i")

/** Returns the sentences of the last paragraphs. Leaves out plans under a heading, and texts for others. */
const spoken = ({ paragraphs }: Prose): ReadonlyArray<string> => {
  let [isAhead, isText] = [false, false]
  return paragraphs.slice(-16).flatMap((lines) => {
    isAhead &&= isListItem(lines[0] ?? "")
    return lines.flatMap((line) => {
      if (isLabel(line)) [isAhead, isText] = [ahead.test(line), textLabel.test(line)]
      const own = isText ? "" : (line.split(inlineText, 1)[0] ?? "")
      return sentences(plain(own)).filter((sentence) => !isAhead || /^\[x\]/i.test(sentence))
    })
  })
}

export const readClaims = (prose: Prose): ReadonlyArray<Claim> => {
  const found = new Map<string, Claim>()
  const all = spoken(prose).slice(-120)
  for (const [at, sentence] of all.entries()) {
    const isOver = moved.test(all[at + 1] ?? "") && /\b(?:passed|ran|went)\b/.test(sentence)
    if (isOver || /^\[ ?\]|\?\s*$/.test(sentence)) continue
    const own = ownWords(sentence)
    const commands = commandsIn(sentence).filter(({ command, gate }) => gate === "tests" && /\s/.test(command))
    const parts = condition.test(own) ? [own] : own.split(joint)
    const isSound = !parts.some(tellsOfFailure) && !isPartial(own)
    for (const part of parts)
      for (const one of foundIn(part.trim(), isSound)) {
        const key = `${one.gate} ${one.outcome}`
        if (found.size > 23 || found.has(key)) continue
        const isPart = commands.length === 0 ? narrowed.test(part) : commands.some(({ filtered }) => filtered)
        const isWhole = commands.length > 0 || /\b(?:all|every|full|entire|whole|complete)\b/i.test(part)
        found.set(key, {
          ...one,
          scope: isPart ? "part" : isWhole ? "whole" : "unsaid",
          count: one.gate === "tests" ? Number(count.exec(part)?.[1] ?? 0) || null : null,
          text: sentence.slice(0, 200)
        })
      }
  }
  const claims = [...found.values()]
  const isNamed = claims.some(({ gate, outcome }) => isCheck(gate) && outcome === "passed")
  return isNamed ? claims.filter(({ gate }) => gate !== "checks") : claims
}
