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
    /(?:übersetz|formulier|korrekturles|beantwort|fass|traduc|traduis|traduz|resum|résume|respond|répond|reformul|corrig)[^:：]{0,60}[:：]\s*$/i,
    "Übersetze das ins Englische:",
    "Mach das:",
    "de"
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

/** A line that introduces what comes below it, down to the next empty one. */
const introduces = /[:：]\s*$/

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

/** The lines that are the author's own prose, and the items of a short list of orders. */
const ownLines = (text: string): ReadonlyArray<string> => {
  const lines = proseLines(text.slice(0, mostRead))
  const items = lines.filter((line) => listItem.test(line.slice(0, 60))).length
  const own: Array<string> = []
  let within: "prose" | "block" | "tag" = "prose"
  for (const line of lines) {
    const head = line.slice(0, 300)
    if (opensDocument.test(head)) {
      if (underlines.test(head)) own.pop()
      break
    }
    if (within === "block" && line.trim() === "") within = "prose"
    if (within === "prose" && opensTag.test(head)) within = "tag"
    const isOwn = within === "prose" && !takes(notSpoken, head)
    if (isOwn && (items <= longestList || !listItem.test(head))) own.push(line)
    if (within === "tag" && closesTag.test(head)) within = "prose"
    if (within === "prose" && takes(handingOver, head)) break
    if (within === "prose" && introduces.test(head) && !ordersBelow.test(head)) within = "block"
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
  const given = said.findIndex((sentence) => takes(handingOver, sentence.slice(0, 600)))
  return new Set(
    (given < 0 ? said : said.slice(0, given + 1)).filter((sentence) => !namesSkill.test(sentence.slice(0, 600)))
  )
}
