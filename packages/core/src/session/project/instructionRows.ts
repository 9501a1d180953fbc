/**
 * How instruction files demand something: short rows, each with a text that it takes and one that it must not. They read
 * one sentence or heading, in which code spans stand as `` `0` ``, `` `1` `` and so on.
 */
import { type Row, row } from "../../ground/text/Rows.ts"
import type { InstructedGate } from "./model.ts"

/** The work is about to be handed over: what stands there holds for every task. */
export const moments: ReadonlyArray<Row> = [
  row(
    "before|prior to",
    /\b(?:before|prior to) (?:(?!start|begin|work|run)[\w']+ ){0,5}(?:(?:commit|push|finish|complet|submit|merg|hand|report|claim|declar)\w*|prs?|(?:pull|merge) request|done|moving on|tell)\b/i,
    "before you open a pull request",
    "before you start work on a pr"
  ),
  row(
    "after",
    /\bafter (?:(?:you|your|have|made?|making|each|every|all|any|an?|code|the) ){0,4}(?:changes?|edits?|(?:editing|changing) code|finishing|completing)\b(?! (?:to|in|of|on) (?!(?:the )?code))/i,
    "after every code change",
    "after any change to the schema"
  ),
  row(
    "when|once",
    /\b(?:when|once) (?:(?:[\w']+ ){0,3}?(?:you(?:'re|'ve)?|work|task|changes?|everything|feature)\b[^,.:]{0,20}\b)?(?:done|finished|finish|completed?)\b/i,
    "when a piece of work is complete",
    "once the installation is done"
  )
]

/** It has to be, whenever it may be. */
export const duties: ReadonlyArray<Row> = [
  row(
    "must|to|required|mandatory",
    /\b(?:must|ha(?:s|ve) to|needs? to|(?:is|are) (?:required|mandatory))\b/i,
    "all tests must pass",
    "tests live in a folder"
  ),
  row(
    "always|every time|sure|ensure|remember",
    /\b(?:always|every time|make sure|be sure|ensure|remember to)\b/i,
    "always run the tests",
    "i am sure"
  ),
  row(
    "until",
    /\buntil (?:[\w`]+ ){1,6}(?:pass(?:es)?|green|clean|succeeds?)\b/i,
    "mend it until the whole suite is green",
    "wait until it has started"
  )
]

/** "Not done until": what comes behind it is demanded. */
export const hinges: ReadonlyArray<Row> = [
  row(
    "never|no|n't&without|until|unless|before",
    /(?:\b(?:never|not|no|nothing|cannot)|n't)\b.{0,60}?\b(?:(?:commit|push|finish|merg|submit|mark|complet|claim|tell|hand)\w*|done|pr|over)\b.{0,60}?\b(?:without|until|unless|before)\b/i,
    "never commit without running the tests",
    "never run the tests before committing"
  ),
  row(
    "when|once",
    /\b(?:is|are|counts as|considered)(?: only)? (?:done|finished|complete)(?: only)? (?:when|once)\b/i,
    "a task is done only when the tests pass",
    "you are done"
  )
]

/** What opens a list or a section of things to do, by its name alone. */
export const frames: ReadonlyArray<Row> = [
  row(
    "done|gate|required|mandatory|checklist",
    /\b(?:definition of done|done means|quality gates?|(?:required|mandatory) (?:checks?|validation|verification|commands)|(?:pr|pull request|merge|commit|push) checklist)\b/i,
    "definition of done",
    "checks of the parser"
  ),
  row(
    "every|each",
    /\b(?:every|each) (?:change|pr|pull request|commit|task)\b.{0,20}\b(?:comes with|needs|requires)\b/i,
    "every change needs:",
    "every change is logged"
  )
]

/** Denied. */
export const denials: ReadonlyArray<Row> = [
  row(
    "no|n't|never|avoid|optional|skip|instead",
    /\b(?:(?:do|should|must|need) not|(?:do|should|need)n't|never|no need|nobody|not (?:have to|required|necessary|needed|run)|(?<!to )avoid|optional(?:ly)?|skip|instead of)\b/i,
    "do not run the tests",
    "run the tests now"
  )
]

/** Left open, bound to a case, or done by somebody else: then nothing is demanded. */
export const refusals: ReadonlyArray<Row> = [
  row(
    "if|when|for|unless|case|where",
    /^(?:and |but |also )?if\b|\bif (?:you|your|the|an?|any|needed|necessary|possible)\b|\b(?:only (?:if|when|for)|unless|in case|where (?:possible|applicable))\b/i,
    "if you touch the parser, run the tests",
    "run it, and should it fail, mend it"
  ),
  row(
    "when|while",
    /\b(?:when|whenever|while) (?:you )?(?:add|chang|modif|edit|touch|updat|work|creat|writ)\w*(?! (?:any |the )?(?:code|anything|source|files?)\b)/i,
    "when you add a dependency",
    "when you are done"
  ),
  row(
    "for|in|on|when",
    /^(?:for|in|on) (?!every|each|all|any)[^,]{1,40},|\bwhen the (?!work|task|change)/i,
    "for releases, run the build",
    "for every change, run the build"
  ),
  row(
    "ci|hook|husky|pipeline|workflow|action|bot|maintainer|reviewer|i ",
    /\b(?:ci|hooks?|husky|pipelines?|workflows?|actions?|bots?|maintainers?|reviewers?|i) (?:(?:will|also|then|always|must|should) ){0,2}(?:run|execut|check|open|verif|enforce|build|test|lint|creat)/i,
    "the hook runs the linter",
    "ci must be green"
  ),
  row(
    "run|executed|checked|enforced|handled|done",
    /\b(?:run|executed|checked|enforced|handled|done) (?:automatically|for you|by|in ci|on ci)\b/i,
    "the tests are run by a hook",
    "run the tests"
  ),
  row(
    "you|free|might|example|instance|longer|used to|previous|recommend|ideally|consider|usual|normal|typical",
    /\b(?:you (?:can|may|could)|feel free|might|for (?:example|instance)|no longer|used to|previously|recommended|ideally|consider|usually|normally|typically)\b/i,
    "you can run the linter",
    "you must run the linter"
  )
]

/** With a duty alone this says how a check is run, not that it is. */
export const manners: ReadonlyArray<Row> = [
  row(
    "with|in|from|via|using|through",
    /\b(?:tests?|suite|be run|be executed|`\d+`) (?:with|in|inside|from|via|using|through)\b/i,
    "always run the tests with pnpm",
    "always run the tests"
  )
]

/** A command in a sentence that demands is to be run, or to succeed. */
export const acts: ReadonlyArray<Row> = [
  row(
    "run|execut|invoke|pass|exits|green|succe|clean|happy|no errors",
    /\b(?:re-?run|run|running|execut(?:e|ed|ing)|invoke|pass(?:es|ed|ing)?|exits|green|succeeds?|successful(?:ly)?|clean|happy|no errors)\b/i,
    "run `0`",
    "`0` runs the tests"
  ),
  row(
    "`",
    /\buse (?:the )?`\d+`[^.]{0,20} (?:before|when|once|after)\b|^`\d+`(?:(?:, | and )`\d+`){0,3} (?:before|after|when|once)\b/i,
    "use `0` when you are done",
    "use `0` for tests"
  )
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
export const checks: ReadonlyArray<readonly [gate: InstructedGate, words: string, noun: string]> = [
  ["tests", "test|suite|spec", "(?:tests?(?: suites?)?|suite|specs)"],
  ["lint", "lint|clippy|checkstyle|spotless|ruff", "(?:(?:es)?lint(?:er|ing)?|clippy|checkstyle|spotless|ruff)"],
  ["typecheck", "type|mypy|pyright|tsc", "(?:type-? ?check(?:er|ing|s)?|type(?:script)?(?= errors)|mypy|pyright|tsc)"],
  ["build", "build|compilation", "(?:build|compilation)"],
  ["ci", "ci|pipeline|actions|checks", "(?:ci|pipeline|github actions|(?:required|status|all) checks)"]
]

/** Behind a check's word these make it the name of some other thing. */
const noThing =
  "\\b(?! (?:files?|names?|data|helpers?|cases?|config\\w*|scripts?|steps?|jobs?|rules?|output|artifacts?|tools?|cache)\\b)"

const listed = "(?:tests?|lint(?:er|ing)?|type-? ?check(?:s|ing)?|build|ci)"

type Wording = readonly [words: string, source: (noun: string) => string]

/** "Run the tests": nobody runs CI. */
export const running: Wording = [
  "run|execut",
  (noun) => `\\b(?:re-?run|run|running|execut(?:e|ing))\\b[^.]{0,60}\\b${noun}${noThing}`
]

/** "Tests, lint and build must pass", "pass all tests", "no lint errors". */
export const holding: ReadonlyArray<Wording> = [
  [
    "pass|green|succe|clean|be |without",
    (noun) =>
      `\\b${noun}${noThing}(?:,? (?:and |\\+ )?(?:the )?${listed}\\b){0,4}[^.,;]{0,30}\\b(?:pass(?:es|ing)?|green|succeeds?|clean|be run|without (?:errors|warnings))\\b`
  ],
  [
    "pass|green|clean",
    (noun) =>
      `\\b(?:pass(?:es|ing)?|green|clean) (?:(?:all|the|unit|full|a|every|and|${listed},?) ){0,6}${noun}${noThing}`
  ],
  ["no |zero", (noun) => `\\b(?:no|zero) ${noun} (?:errors|failures|warnings|issues|offenses)\\b`]
]

/** The word for tests in the languages above. */
export const foreignTests = /\b(?:tests?|pruebas)\b|テスト|测试/

export interface GateRow extends Row {
  readonly gate: InstructedGate
}

const gateRow = (gate: InstructedGate, ...rest: Parameters<typeof row>): GateRow => ({ gate, ...row(...rest) })

/** What else a sentence that demands may name. */
export const named: ReadonlyArray<GateRow> = [
  gateRow(
    "build",
    "builds|compile|built",
    /(?:^|\b(?:code|project|everything|it|app|solution) (?:still )?)(?:builds|compiles)\b|\bhaving (?:compiled|built)\b/i,
    "the project still builds",
    "a tool that builds images"
  ),
  gateRow(
    "pr",
    "pr|pull|mr|merge",
    /(?:^|[,:] |\b(?:and|then|always|to|must|please) )(?:open|create|submit|raise|send) (?:an? |the |your )?(?:draft )?(?:pr|(?:pull|merge) request|mr)\b/i,
    "always open a pull request",
    "always open prs against develop"
  ),
  gateRow(
    "pr",
    "pr|pull|merge",
    /\b(?:pr|(?:pull|merge) request) (?:is )?(?:opened|created|submitted)\b|\bmerged (?:through|via|by) an? (?:\w+ )?(?:pr|(?:pull|merge) request)\b/i,
    "merged through a reviewed pr",
    "the pr title"
  ),
  gateRow(
    "ci",
    "wait&ci|checks|pipeline|actions",
    /\bwait (?:for|until) (?:[\w-]+ ){0,2}(?:ci|checks|pipeline|actions)\b/i,
    "wait for ci to pass",
    "wait for the server"
  )
]

/** Sentences that demand by themselves. */
export const policies: ReadonlyArray<GateRow> = [
  gateRow(
    "pr",
    "pr|pull request|merge request",
    /\b(?:all|every|everything|only|any)\b.{0,60}\b(?:through|via|by|as) (?:\w+ ){0,2}(?:prs?|(?:pull|merge) requests?)\b(?=[.,;:()]|$| (?:and|to|from|on|into)\b)|\b(?:prs?|(?:pull|merge) requests?) only\b/i,
    "all changes go through a pull request",
    "all changes are listed in the pull request"
  ),
  gateRow(
    "pr",
    "never|no|n't&push|commit&pr|pull|merge",
    /(?:\b(?:never|not|no)|n't)\b.{0,20}\b(?:push|commit).{0,30}\b(?:main|master|trunk|default branch)\b.{0,30}\b(?:prs?|(?:pull|merge) requests?)\b/i,
    "never push to main; open a pull request",
    "never push to main"
  ),
  gateRow(
    "pr",
    "pr|pull request|merge request|mr",
    /^(?:start|create|use|make|work|push|branch)\b.{0,100}\b(?:and|then) (?:open|create|raise|submit) an? (?:draft )?(?:pr|(?:pull|merge) request|mr)\b/i,
    "create a branch, push it and open a pr",
    "a bot creates a branch and opens a pr"
  ),
  gateRow(
    "pr",
    "request",
    /\b(?:alle?s?|jede\w?|nur)\b.{0,40} (?:über|per|als|via) (?:einen? )?(?:pull|merge)[- ]requests?\b/i,
    "alles läuft über einen merge request",
    "der merge request ist offen"
  ),
  gateRow(
    "ci",
    "merge|not&red|failing",
    /\b(?:(?:nothing|never|no|not)\b.{0,30}\bmerge\w*\b.{0,30}\b(?:red|failing) (?:ci|pipeline|checks?)|not (?:over|done|finished) while\b.{0,40}\b(?:checks?|ci)\b.{0,20}\b(?:red|failing))\b/i,
    "nothing is merged on a red pipeline",
    "not done while the tests are red"
  ),
  gateRow(
    "commit",
    "commit",
    /\b(?:when|once|after)\b[^.,]{0,60}\b(?:completed?|done|finished|pass|change|step|task)\b[^.,]{0,20}, (?:always )?commit (?:it|your|the|all|them)\b/i,
    "when a step is done, commit it",
    "when a step is done, do not commit it"
  )
]

/** Nothing is to go straight to the default branch. */
export const protecting = row(
  "never|not|no|n't&push|commit&main|master|trunk|default",
  /(?:\b(?:never|not|no)|n't)\b.{0,20}\b(?:push|commit)\w*\b.{0,30}\b(?:to|on|onto) (?:the )?(?:main|master|trunk|default branch)\b/i,
  "Do not push to main.",
  "Push to main when it is done."
)
