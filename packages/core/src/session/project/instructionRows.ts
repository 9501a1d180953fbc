/**
 * How instruction files demand something: short rows, each with a text that it takes and one that it must not. They read
 * one sentence or heading, in which code spans stand as `` `0` ``, `` `1` `` and so on.
 */
import type { InstructedGate } from "./model.ts"

/** The work is about to be handed over: what stands there holds for every task. */
export const moments: ReadonlyArray<RegExp> = [
  /\b(?:before|prior to) (?:(?!start|begin|work|run)[\w']+ ){0,5}(?:(?:commit|push|finish|complet|submit|merg|hand|report|claim|declar)\w*|prs?|(?:pull|merge) request|done|moving on|tell)\b/i,
  /\bafter (?:(?:you|your|have|made?|making|each|every|all|any|an?|code|the) ){0,4}(?:changes?|edits?|(?:editing|changing) code|finishing|completing)\b(?! (?:to|in|of|on) (?!(?:the )?code))/i,
  /\b(?:when|once) (?:(?:[\w']+ ){0,3}?(?:you(?:'re|'ve)?|work|task|changes?|everything|feature)\b[^,.:]{0,20}\b)?(?:done|finished|finish|completed?)\b/i
]

/** It has to be, whenever it may be. */
export const duties: ReadonlyArray<RegExp> = [
  /\b(?:must|ha(?:s|ve) to|needs? to|(?:is|are) (?:required|mandatory))\b/i,
  /\b(?:always|every time|make sure|be sure|ensure|remember to)\b/i,
  /\buntil (?:[\w`]+ ){1,6}(?:pass(?:es)?|green|clean|succeeds?)\b/i
]

/** "Not done until": what comes behind it is demanded. */
export const hinges: ReadonlyArray<RegExp> = [
  /(?:\b(?:never|not|no|nothing|cannot)|n't)\b.{0,60}?\b(?:(?:commit|push|finish|merg|submit|mark|complet|claim|tell|hand)\w*|done|pr|over)\b.{0,60}?\b(?:without|until|unless|before)\b/i,
  /\b(?:is|are|counts as|considered)(?: only)? (?:done|finished|complete)(?: only)? (?:when|once)\b/i
]

/** What opens a list or a section of things to do, by its name alone. */
export const frames: ReadonlyArray<RegExp> = [
  /\b(?:definition of done|done means|quality gates?|(?:required|mandatory) (?:checks?|validation|verification|commands)|(?:pr|pull request|merge|commit|push) checklist)\b/i,
  /\b(?:every|each) (?:change|pr|pull request|commit|task)\b.{0,20}\b(?:comes with|needs|requires)\b/i
]

/** Denied. */
export const denials: ReadonlyArray<RegExp> = [
  /\b(?:(?:do|should|must|need) not|(?:do|should|need)n't|never|no need|nobody|not (?:have to|required|necessary|needed|run)|(?<!to )avoid|optional(?:ly)?|skip|instead of)\b/i
]

/** Left open, bound to a case, or done by somebody else: then nothing is demanded. */
export const refusals: ReadonlyArray<RegExp> = [
  /^(?:and |but |also )?if\b|\bif (?:you|your|the|an?|any|needed|necessary|possible)\b|\b(?:only (?:if|when|for)|unless|in case|where (?:possible|applicable))\b/i,
  /\b(?:when|whenever|while) (?:you )?(?:add|chang|modif|edit|touch|updat|work|creat|writ)\w*(?! (?:any |the )?(?:code|anything|source|files?)\b)/i,
  /^(?:for|in|on) (?!every|each|all|any)[^,]{1,40},|\bwhen the (?!work|task|change)/i,
  /\b(?:ci|hooks?|husky|pipelines?|workflows?|actions?|bots?|maintainers?|reviewers?|i) (?:(?:will|also|then|always|must|should) ){0,2}(?:run|execut|check|open|verif|enforce|build|test|lint|creat)/i,
  /\b(?:run|executed|checked|enforced|handled|done) (?:automatically|for you|by|in ci|on ci)\b/i,
  /\b(?:you (?:can|may|could)|feel free|might|for (?:example|instance)|no longer|used to|previously|recommended|ideally|consider|usually|normally|typically)\b/i
]

/** With a duty alone this says how a check is run, not that it is. */
export const manners: ReadonlyArray<RegExp> = [
  /\b(?:tests?|suite|be run|be executed|`\d+`) (?:with|in|inside|from|via|using|through)\b/i
]

/** A command in a sentence that demands is to be run, or to succeed. */
export const acts: ReadonlyArray<RegExp> = [
  /\b(?:re-?run|run|running|execut(?:e|ed|ing)|invoke|pass(?:es|ed|ing)?|exits|green|succeeds?|successful(?:ly)?|clean|happy|no errors)\b/i,
  /\buse (?:the )?`\d+`[^.]{0,20} (?:before|when|once|after)\b|^`\d+`(?:(?:, | and )`\d+`){0,3} (?:before|after|when|once)\b/i
]

/** A language in which a sentence with a command, or with the word for a check, may demand it. */
interface Language {
  readonly language: string
  readonly demand: RegExp
  readonly act: RegExp
  readonly refusal: RegExp
  readonly yes: string
  readonly no: string
}

export const languages: ReadonlyArray<Language> = [
  {
    language: "de",
    demand: /\b(?:(?:vor|nach) (?:jede\w|allen)|bevor du|muss|müssen|immer|stets)\b/,
    act: /ausführ|ausgeführt|\b(?:durch)?laufen\b|\bgrün|erfolgreich|\bbestehen\b/,
    refusal: /\b(?:nicht|keine?\w?|niemals|nie|falls|wenn|optional|kann|können)\b/,
    yes: "Vor jedem Push müssen alle Tests grün sein.",
    no: "Vor jedem Push müssen die Tests nicht ausgeführt werden."
  },
  {
    language: "es",
    demand: /\b(?:antes de (?:cada|hacer|dar|abrir|subir|confirmar|terminar)|siempre|deben?)\b/,
    act: /\b(?:ejecut\w+|corre[rn]?|pas(?:a|an|ar|en)|verdes?)\b/,
    refusal: /\b(?:no (?!falla|haya)|nunca|si |opcional|puedes?)/,
    yes: "Antes de abrir un PR ejecuta `npm test`.",
    no: "Nunca ejecutes `npm test` antes de abrir un PR."
  },
  {
    language: "fr",
    demand: /\b(?:avant (?:de (?:commit|pousser|termin|soumettre|fusionner)|chaque|tout)|toujours|doi(?:t|vent))/,
    act: /\blanc(?:e|er|ez)\b|exécut|\bpass(?:e|er|ent)\b|\bverte?s?\b/,
    refusal: /\b(?:pas|jamais|si|facultati\w+|peux|peut|pouvez)\b/,
    yes: "Avant chaque commit, lancez `npm test`.",
    no: "Avant chaque commit, ne lancez pas `npm test`."
  },
  {
    language: "ja",
    demand: /必ず|必須|(?:コミット|プッシュ|完了|マージ)[^。、]{0,12}前/,
    act: /実行|通[りるっす]|パス|成功/,
    refusal: /しない|するな|せず|禁止|不要|場合|任意/,
    yes: "コミットする前に `npm test` を実行すること。",
    no: "コミットする前に `npm test` を実行しないこと。"
  },
  {
    language: "zh",
    demand: /必须|務必|务必|(?:提交|推送|合并)[^。，]{0,6}前|每次(?:修改|更改)[^。，]{0,4}后|后才[能可]/,
    act: /运行|执行|跑|通过|成功/,
    refusal: /不要|不必|不需|无需|禁止|如果|可以|可选|请勿/,
    yes: "提交代码前必须运行 `npm test`。",
    no: "提交代码前不要运行 `npm test`。"
  }
]

/** What says when or why, or only quotes, and names no check that is wanted. */
export const asides: ReadonlyArray<RegExp> = [
  /"[^"]{1,200}"/g,
  /\((?:e\.g\.|for example|such as)[^)]{0,200}\)/gi,
  /\b(?:before|after|prior to|while|for) (?:you )?(?:re)?(?:run(?:ning)?\b|execut\w+|`\d+`)[^,.;:]{0,120}/gi,
  /(?<!\b(?:needs?|have|has|sure|remember|want you) )\bto (?:run|execute)\b[^,.;:]{0,120}/gi
]

/** The words for a check. */
export const checks: ReadonlyArray<readonly [gate: InstructedGate, noun: string]> = [
  ["tests", "(?:tests?(?: suites?)?|suite|specs)"],
  ["lint", "(?:(?:es)?lint(?:er|ing)?|clippy|checkstyle|spotless|ruff)"],
  ["typecheck", "(?:type-? ?check(?:er|ing|s)?|type(?:script)?(?= errors)|mypy|pyright|tsc)"],
  ["build", "(?:build|compilation)"],
  ["ci", "(?:ci|pipeline|github actions|(?:required|status|all) checks)"]
]

/** Behind a check's word these make it the name of some other thing. */
const noThing =
  "\\b(?! (?:files?|names?|data|helpers?|cases?|config\\w*|scripts?|steps?|jobs?|rules?|output|artifacts?|tools?|cache)\\b)"

const listed = "(?:tests?|lint(?:er|ing)?|type-? ?check(?:s|ing)?|build|ci)"

type Wording = (noun: string) => string

/** "Run the tests": nobody runs CI. */
export const running: Wording = (noun) => `\\b(?:re-?run|run|running|execut(?:e|ing))\\b[^.]{0,60}\\b${noun}${noThing}`

/** "Tests, lint and build must pass", "pass all tests", "no lint errors". */
export const holding: ReadonlyArray<Wording> = [
  (noun) =>
    `\\b${noun}${noThing}(?:,? (?:and |\\+ )?(?:the )?${listed}\\b){0,4}[^.,;]{0,30}\\b(?:pass(?:es|ing)?|green|succeeds?|clean|be run|without (?:errors|warnings))\\b`,
  (noun) =>
    `\\b(?:pass(?:es|ing)?|green|clean) (?:(?:all|the|unit|full|a|every|and|${listed},?) ){0,6}${noun}${noThing}`,
  (noun) => `\\b(?:no|zero) ${noun} (?:errors|failures|warnings|issues|offenses)\\b`
]

/** The word for tests in the languages above. */
export const foreignTests = /\b(?:tests?|pruebas)\b|テスト|测试/

export interface GateRow {
  readonly gate: InstructedGate
  readonly pattern: RegExp
}

/** What else a sentence that demands may name. */
export const named: ReadonlyArray<GateRow> = [
  {
    gate: "build",
    pattern:
      /(?:^|\b(?:code|project|everything|it|app|solution) (?:still )?)(?:builds|compiles)\b|\bhaving (?:compiled|built)\b/i
  },
  {
    gate: "pr",
    pattern:
      /(?:^|[,:] |\b(?:and|then|always|to|must|please) )(?:open|create|submit|raise|send) (?:an? |the |your )?(?:draft )?(?:pr|(?:pull|merge) request|mr)\b/i
  },
  {
    gate: "pr",
    pattern:
      /\b(?:pr|(?:pull|merge) request) (?:is )?(?:opened|created|submitted)\b|\bmerged (?:through|via|by) an? (?:\w+ )?(?:pr|(?:pull|merge) request)\b/i
  },
  { gate: "ci", pattern: /\bwait (?:for|until) (?:[\w-]+ ){0,2}(?:ci|checks|pipeline|actions)\b/i }
]

/** Sentences that demand by themselves. */
export const policies: ReadonlyArray<GateRow> = [
  {
    gate: "pr",
    pattern:
      /\b(?:all|every|everything|only|any)\b.{0,60}\b(?:through|via|by|as) (?:\w+ ){0,2}(?:prs?|(?:pull|merge) requests?)\b(?=[.,;:()]|$| (?:and|to|from|on|into)\b)/i
  },
  { gate: "pr", pattern: /\b(?:prs?|(?:pull|merge) requests?) only\b/i },
  {
    gate: "pr",
    pattern:
      /(?:\b(?:never|not|no)|n't)\b.{0,20}\b(?:push|commit).{0,30}\b(?:main|master|trunk|default branch)\b.{0,30}\b(?:prs?|(?:pull|merge) requests?)\b/i
  },
  {
    gate: "pr",
    pattern:
      /^(?:start|create|use|make|work|push|branch)\b.{0,100}\b(?:and|then) (?:open|create|raise|submit) an? (?:draft )?(?:pr|(?:pull|merge) request|mr)\b/i
  },
  {
    gate: "pr",
    pattern: /\b(?:alle?s?|jede\w?|nur)\b.{0,40} (?:über|per|als|via) (?:einen? )?(?:pull|merge)[- ]requests?\b/i
  },
  {
    gate: "ci",
    pattern:
      /\b(?:(?:nothing|never|no|not)\b.{0,30}\bmerge\w*\b.{0,30}\b(?:red|failing) (?:ci|pipeline|checks?)|not (?:over|done|finished) while\b.{0,40}\b(?:checks?|ci)\b.{0,20}\b(?:red|failing))\b/i
  },
  {
    gate: "commit",
    pattern:
      /\b(?:when|once|after)\b[^.,]{0,60}\b(?:completed?|done|finished|pass|change|step|task)\b[^.,]{0,20}, (?:always )?commit (?:it|your|the|all|them)\b/i
  }
]

/** Nothing is to go straight to the default branch. */
export const protecting =
  /(?:\b(?:never|not|no)|n't)\b.{0,20}\b(?:push|commit)\w*\b.{0,30}\b(?:to|on|onto) (?:the )?(?:main|master|trunk|default branch)\b/i
