/** The sentences of a report: what stands in lists and tables is read with the words above it as well. */
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { row } from "../../ground/text/Rows.ts"
import { clip, isHeading, isListItem, plain, sentences } from "../../ground/text/Text.ts"

/** A heading or a label above what is still to come. */
const ahead = row(
  "next|todo|to-do|plan|criteria|requirement|expect|goal|how to|steps|checklist|remain|follow|suggest|recommend|option|propos|example|instruct|before|not",
  /\b(?:next|to-?do|plan(?:ned)?|criteria|requirements?|expect(?:ed|ations?)|goals?|how to|steps (?:to|for)|checklist|remain|follow|suggest|recommend|options?|propos|examples?|instruct|before|not\b)/i,
  "## Next steps",
  "## Summary"
)

/** The head of a table of what is to come: other heads are of what was measured before and after. */
const planned = /\b(?:expect(?:ed|ation)s?|planned|todo|to-do|goals?|criteri(?:a|on)|to check|next)\b/i

const isLabel = (line: string): boolean =>
  line.length < 100 && (isHeading(line) || /:\W{0,3}$/.test(line) || /^\*\*[^*]{1,80}\*\*\W{0,2}$/.test(line))

/** A label that says how its items are: "All green:", "It comes out right under". */
const tells = row(
  "verif|test|check|ran|pass|green|right|clean|confirm|✅|works|document|updat|añad|geprüft|vérifi|通过|更新",
  /\b(?:verified|tested|checked|ran|pass(?:es|ed|ing)?|green|right|clean|confirmed|works|document(?:ed|ation)|updated|geprüft|vérifié\w?)\b|✅|通过|更新/iu,
  "It comes out right under",
  "The files"
)

const isOpenLabel = (line: string): boolean => {
  const text = line.trim()
  return text.length < 160 && !isListItem(line) && !text.startsWith("|") && !/[.!?;]["')*\s]{0,3}$/.test(text)
}

/** A label with its items, in a sentence. */
const joined = (label: string, items: ReadonlyArray<string>): ReadonlyArray<string> => {
  const said = plain(label)
  return items.length === 0 || !tells.pattern.test(said)
    ? []
    : [clip(`${said} ${items.slice(0, 10).map(plain).join(", ")}`, 390)]
}

const isRow = (line: string): boolean => /^\s{0,8}\|/.test(line)

const cells = (line: string): string => line.replaceAll(/\s{0,20}\|\s{0,20}/g, " ").trim()

const measures = /\d\s?(?:ns|µs|us|ms|s|ops|req|rps|qps|MB\/s|x|×|%)(?:\/|\b|\s|$)/i

/** Each row of figures behind its table's head; other heads are often conditions. */
const rowsOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const rows = lines.filter((line) => isRow(line) && !/^[\s|:-]{3,200}$/.test(line.slice(0, 200)))
  const [top, ...rest] = rows
  return top === undefined
    ? []
    : rest
        .filter((line) => measures.test(line.slice(0, 400)))
        .slice(0, 20)
        .map((line) => clip(`${cells(top)}: ${cells(line)}`, 300))
}

/** The sentences of a text's last paragraphs that do not stand under a heading of what is to come. */
export const spoken = ({ paragraphs }: Prose): ReadonlyArray<string> => {
  const kept: Array<string> = []
  let isAhead = false
  let label: string | null = null
  for (const lines of paragraphs.slice(-16)) {
    const top = lines.find(isRow)
    if (top !== undefined && top === lines[0] && planned.test(top)) continue
    const isList = isListItem((lines[0] ?? "").slice(0, 200))
    if (isAhead && !/^\s{0,8}(?:[-*•\d]|\[)/.test((lines[0] ?? "").slice(0, 40))) isAhead = false
    if (!isList) label = null
    let items: Array<string> = []
    for (const line of lines) {
      if (isLabel(line)) isAhead = ahead.pattern.test(line)
      if (isListItem(line)) items.push(line)
      else {
        if (label !== null && !isAhead) kept.push(...joined(label, items))
        items = []
        label = isOpenLabel(line) ? line : null
      }
      const said = sentences(plain(line))
      kept.push(...(isAhead ? said.filter((sentence) => /^\[x\]/i.test(sentence)) : said))
    }
    if (label !== null && !isAhead) kept.push(...joined(label, items))
    if (!isAhead) kept.push(...rowsOf(lines))
  }
  return kept.slice(-120)
}
