/**
 * The sentences of a message that its author says in words of his own: not what a plan, a log, a heading, a title, a
 * skill's name or a text to work on says.
 */
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { plain, proseLines, sentences } from "../../ground/text/Text.ts"

/** From here on a message is a document that somebody wrote before. */
const opensDocument = /^\s{0,3}#{1,6}\s\S|^\s{0,3}(?:-{3,}|={3,}|\*{3,})\s*$|^this session is being continued\b/i

/** A line under a heading. */
const underlines = /^\s{0,3}(?:-{3,}|={3,})\s*$/

const opensTag = /^\s{0,8}<[a-z][\w-]{0,40}[\s/>](?!.*<\/)/i

const closesTag = /^\s{0,8}<\/[a-z][\w-]{0,40}>/i

/** What comes next is a text to work on. */
const handingOver: ReadonlyArray<Row> = [
  row(
    "following|attached|below|pasted|this",
    /\b(?:(?:following|attached|below|pasted) (?:[\w-]+ )?(?:plan|spec|steps?|list|text|mail|message|issue|ticket|log|output|review)|this (?:plan|log|output))\b/i,
    "Implement the following plan.",
    "Implement it in the following way."
  ),
  row(
    ":",
    /\b(?:translate|rephrase|proofread|summari[sz]e|answer|reply to|reproduce|(?:step|part) \d{1,3} of (?:this|these)|writes|wrote|says|said|from)\b[^:]{0,60}:\s*$/i,
    "Translate this into German:",
    "Do this:"
  ),
  row(
    "folgendes|the following|this",
    /(?:schreib|schrieb|sagt|meint|schickt|writes?|wrote|says|said|sent|told)[^.:]{0,60}\s(?:folgendes|the following|this)[.:]?\s*$/i,
    "Mein Chef schreibt mir Folgendes.",
    "Mach Folgendes.",
    "de"
  ),
  row(
    "folgend|siguiente|suivant|seguinte",
    /\b(?:folgenden?|siguientes?|suivante?s?|seguintes?) (?:plan|text|schritte|liste|nachricht|mail|texto|pasos|lista|mensaje|texte|étapes|liste|message|plano|passos|mensagem)\b/i,
    "Setze den folgenden Plan um.",
    "Setze es auf folgende Weise um.",
    "de"
  ),
  row(
    "suivant|siguiente|ci-dessous|de abajo",
    /\b(?:plan|texte|étapes|liste|message|texto|pasos|lista|mensaje) (?:suivante?s?|siguientes?|ci-dessous|de abajo)\b/i,
    "Applique le plan suivant.",
    "Applique le plan.",
    "fr"
  ),
  row(
    ":|：",
    /(?:übersetz|formulier|korrekturles|beantwort|fass|traduc|traduis|traduz|resum|résume|respond|répond|reformul)[^:：]{0,60}[:：]\s*$/i,
    "Übersetze das ins Englische:",
    "Mach das:",
    "de"
  ),
  row(
    ":|：",
    /corrig[^:：]{0,30}(?:est[oa]|cec?i|cela|ça|ce\s|cette|isto|text|mail|mensa|messag|[fp]h?rase)[^:：]{0,60}[:：]\s*$/i,
    "Corrige este texto:",
    "Corrige el fallo:",
    "es"
  ),
  row(
    "翻译|总结|润色|改写|回复|翻訳|要約|添削|返信",
    /(?:翻译|总结|润色|改写|回复|翻訳|要約|添削|返信).{0,40}[:：]\s*$/,
    "翻译以下内容：",
    "翻译这个页面。",
    "zh"
  ),
  row(
    "以下|下面|次",
    /(?:以下|下面)的?这?(?:个|段|些)?的?(?:计划|文本|内容|步骤|消息|邮件|日志|话|句子|文字)|(?:以下|次)(?:を|の(?:計画|手順|文|テキスト|メール|ログ))/,
    "执行以下计划。",
    "以下是原因。",
    "zh"
  )
]

/** The paragraph or list below is a text that is written, or that somebody else said. */
const givesText: ReadonlyArray<RegExp> = [
  /(?:^|[\s,])(?:write|put|insert|append|paste|sent|told|asked|got|reads)\s/i,
  /\b(?:add|include|change|copy)\b[^:]{0,40}\b(?:this|these|following|readme|docs?|changelog|comment|\w{1,30}\.md)\b/i,
  /\s(?:texte?|texto|sentence|satz|absatz|paragraph|e?-?mail|message|nachricht|mensaje|phrase|frase)\s?:\s*$/i,
  /(?:^|[\s,])(?:schreib|geschrieben|geschickt|gesagt|steht|sagt|meint|trage?\s|(?:füge?|ergänze?)\s(?:das|dies|folgend|in\s|im\s))/i,
  /(?:^|[\s,])(?:escri[bt]|écri|pon\s|dijo|(?:agreg|añad|adicion|acrescent|ajout)\w{0,3}\s(?:est[oae]|isto|ceci|cela|ça|ce\s|cette))/i,
  /[把将].{0,30}[加写放贴添]|写[入进到道]|说/
]

/** Somebody else's words are in question. */
const asksMeaning: ReadonlyArray<Row> = [
  row(
    "what&?",
    /\bwhat (?:does|did) (?:it|this|that|he|she|they) (?:mean|say|want)(?: (?:by|with) (?:it|this|that))?\?/i,
    "What does he mean by that?",
    "What does this flag mean?"
  ),
  row(
    "was&?",
    /\bwas (?:steht (?:da|hier|dort)|(?:meint|will|sagt) (?:er|sie)|(?:heißt|bedeutet) (?:das|dies))(?: (?:damit|genau|eigentlich|hier|von mir))?\?/i,
    "Was meint er damit?",
    "Was bedeutet das Feld?",
    "de"
  ),
  row(
    "decir|significa|dire|signifie&?",
    /\bqu(?:[ée]|'est-ce que) (?:ça |cela )?(?:quiere decir|significa|veut dire|signifie)(?: (?:eso|esto|ça|cela|isso))?\s?\?/i,
    "¿Qué quiere decir eso?",
    "¿Qué significa el campo?",
    "es"
  ),
  row("意思", /什么意思/, "这是什么意思？", "意思不对。", "zh")
]

/** A line that introduces what comes below it, down to the next empty one. */
const introduces = /[:：]\s*$/

/** What is to be mended, or was done: a list below says how to go on. */
const listsOrders: ReadonlyArray<RegExp> = [
  /^\s{0,8}(?:please )?(?:fix|solve|repair|resolve|correct|finish)\s/i,
  /^\s{0,8}based on (?:the |these )?(?:above |current )?changes:/i,
  /^\s{0,8}(?:bitte )?(?:behebe?|korrigiere?|repariere?|löse?|fixe)\s/i,
  /^\s{0,8}(?:por favor )?(?:corrige|arregla|repara|soluciona|répare|corrija|conserte)\s/i,
  /^\s{0,8}请?(?:修复|修正|解决)/
]

/** What a list may be about instead. */
const ofSteps =
  /\b(?:job|script|workflow|hook|pipeline|step|schritt|paso|étape|guide|docs?\b|readme|list|order|text|grammar|wording|spelling|typo|sentence)/i

const leadsOn = (line: string, below: string): boolean =>
  listItem.test(below.slice(0, 60)) && listsOrders.some((pattern) => pattern.test(line)) && !ofSteps.test(line)

/** "Do this:", "Please:" */
const ordersBelow = /^\s{0,8}(?:please|also|now|then|so|ok)?[,\s]{0,2}(?:do (?:this|these|the following)|please)\b/i

const listItem = /^\s{0,20}(?:[-*+•]|\d{1,3}[.)]|\[[ x]\])\s/

/** A longer list is a plan or a paste, whoever wrote it. */
const longestList = 10

/** A line that somebody else says, or that names something rather than says it. */
const notSpoken: ReadonlyArray<Row> = [
  row(
    ":",
    /^\s{0,8}(?!(?:please|task|also|now|then|finally|first|note|important|and|todo)\b)(?:@?[\w.-]{1,30}|[^:]{0,40}@[\w.-]{1,30}|step \d{1,3}):\s+\S/i,
    "anna: please run the tests",
    "Please: run the tests"
  ),
  row("**", /^\s{0,20}\*\*[^*]{1,80}\*\*:?\s*$/, "**Run the tests**", "**Run** the tests")
]

/** What the line introduces is fenced, and over where the fence ends. */
const introducesFence = /([:：][ \t]{0,8}\n)(?=\s{0,20}(?:```|~~~))/g

/** The lines that are the author's own prose, and the items of a short list of orders. */
const ownLines = (text: string): ReadonlyArray<string> => {
  const lines = proseLines(text.slice(0, mostRead).replace(introducesFence, "$1\u2063\n\n"))
  const items = lines.filter((line) => listItem.test(line.slice(0, 60))).length
  const own: Array<string> = []
  let within: "prose" | "block" | "given" | "tag" = "prose"
  for (const [at, line] of lines.entries()) {
    const head = line.slice(0, 300)
    if (opensDocument.test(head)) {
      if (underlines.test(head)) own.pop()
      break
    }
    // What is given may begin behind an empty line.
    if (within === "given" && line.trim() !== "") within = "block"
    if (within === "block" && line.trim() === "") within = "prose"
    if (within === "prose" && opensTag.test(head)) within = "tag"
    const isOwn = within === "prose" && !takes(notSpoken, head)
    if (isOwn && (items <= longestList || !listItem.test(head))) own.push(line)
    if (within === "tag" && closesTag.test(head)) within = "prose"
    if (within === "prose" && takes(handingOver, head)) break
    if (within !== "prose" || !introduces.test(head) || ordersBelow.test(head)) continue
    if (givesText.some((pattern) => pattern.test(head))) within = "given"
    else if (!leadsOn(head, lines[at + 1] ?? "")) within = "block"
  }
  return own
}

/** So much of a message is looked through: an order in the middle of a longer one is a paste. */
const mostRead = 20_000

const mostSentences = 60

/** `/review the tests`, "use the test-repo skill" */
const namesSkill = /^\s{0,3}\/[a-z]|\bskills?\b|\bslash commands?\b/i

/** The sentences of a message that its author says himself. */
export const ownSentences = (text: string): ReadonlySet<string> => {
  const said = ownLines(text)
    .flatMap((line) => sentences(plain(line)))
    .slice(0, mostSentences)
  if (said.some((sentence) => takes(asksMeaning, sentence.slice(0, 600)))) return new Set()
  const given = said.findIndex((sentence) => takes(handingOver, sentence.slice(0, 600)))
  return new Set(
    (given < 0 ? said : said.slice(0, given + 1)).filter((sentence) => !namesSkill.test(sentence.slice(0, 600)))
  )
}
