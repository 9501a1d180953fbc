/** Whether a person stops the agent in the middle of its work. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { clauses } from "../../ground/text/UserSentences.ts"
import { isImperative } from "./Imperative.ts"

/** What may stand before a word that stops the agent, and behind it. */
const before = /^(?:(?:ok(?:ay)?|no|hey|please|actually|sorry|alright|and|just|now|thanks|wait|oh|you can) ){1,3}/i
const behind = /(?: (?:please|now|thanks|thank you|today|for (?:now|today)))+$/i

/** A clause that stops the agent, as a whole. */
const halting: ReadonlyArray<Row> = [
  row(
    "stop|halt|abort|cancel|pause|wait|hold|hang",
    /^(?:stop|halt|abort|cancel|pause|wait|hold(?: (?:on|it|off))?|hang on)(?: (?:it|that|this|here|there|everything|right|working|editing|for|a|one|the|moment|minute|second|sec|bit|work|task)){0,4}$/i,
    "stop here",
    "stop the loop"
  ),
  row(
    "forget|never|nvm|enough|leave",
    /^(?:forget (?:about )?(?:it|that|this|everything|the (?:task|rest))|never ?mind|nvm|(?:that's |this is )?enough|leave (?:it|that|everything)(?: (?:there|here|alone|be|as (?:it is|is)|like that))?)$/i,
    "forget it",
    "leave it as a string"
  ),
  row(
    "more|further|not|n't",
    /^(?:no (?:more|further) (?:edits|changes|work)|not (?:now|yet)|(?:don't|do not) (?:do|touch|change|start|continue|proceed|go on)(?: (?:anything|any more|more|with it|else|yet|any ?more)){0,2})$/i,
    "don't change anything",
    "don't change the footer"
  ),
  row(
    "tomorrow|later|another|next",
    /^(?:let's |(?:i|we)(?:'ll| will)? )(?:continue|go on|resume|carry on|finish)(?: (?:it|this|that))? (?:tomorrow|later|another (?:day|time)|next (?:week|time))$/i,
    "let's continue tomorrow",
    "let's continue"
  ),
  row(
    "myself|from here|later|over",
    /^(?:i|we)(?:'ll| will| can)? (?:(?:do|finish|handle|take care of|fix) (?:it|this|that|the rest|everything) (?:myself|from here|later)|take (?:it from here|over(?: from here)?))$/i,
    "I do the rest myself",
    "I do the tests"
  ),
  row(
    "stop|halt|wart|hör auf|nicht weiter",
    /^(?:stopp|halte? an|warte?|hör auf|nicht weiter)(?: (?:mal|kurz|bitte|damit)){0,2}$/i,
    "warte kurz",
    "warte auf den Server",
    "de"
  ),
  row(
    "para|espera|detente|pausa|sigas",
    /^(?:para|parad|espera|detente|pausa|no sigas)(?: por favor)?$/i,
    "espera",
    "para ti",
    "es"
  ),
  row("arr|attend|pause", /^(?:arr[êe]te[sz]?|attends|attendez|pause)(?: tout)?$/i, "arrête", "attends-toi", "fr"),
  row("pare|espere|aguarde", /^(?:pare|espere|aguarde)(?: por favor)?$/i, "pare", "pare de usar", "pt"),
  row("停|等", /^(?:先)?(?:停止?|停下|停一下|暂停|等等|等一下)[。！]?$/, "停一下", "停止服务器", "zh"),
  row(
    "待|止|ストップ",
    /^(?:ちょっと)?(?:待って|止めて|止まって|ストップ)(?:ください)?[。！]?$/,
    "待って",
    "待ってから直して",
    "ja"
  )
]

const halts = (clause: string): boolean =>
  takes(halting, clause) || takes(halting, clause.replace(before, "").replace(behind, ""))

const opening = /^(?:ok(?:ay)?|no|hey|please|actually|sorry|alright|thanks|oh)$/i

/** Whether a message stops the agent and orders nothing else. */
export const isHalt = (text: string): boolean => {
  const said = clauses(text.slice(0, 500))
  const rest = said.filter((clause) => !halts(clause))
  return (
    text.length <= 300 &&
    rest.length < said.length &&
    halts(said.slice(0, 2).find((clause) => !opening.test(clause)) ?? "") &&
    !rest.some(
      (clause) => isImperative(clause) || /\b(?:but|instead|should|must|need|also|first|not|run)\b/i.test(clause)
    )
  )
}
