/** What a person takes back in the middle of the work: all of it, or a check of it. */
import { clauses } from "../../ground/text/UserSentences.ts"
import { gates } from "../gates/GateTable.ts"
import { guarded } from "../../ground/text/Guarded.ts"
import { imperative } from "./Intent.ts"

/** A clause that stops the agent: "stop here", "forget it", "hold on", "I do the rest myself". */
const halting = guarded(
  "stop|halt|abort|cancel|forget|never|nvm|wait|hold|hang|pause|enough|leave|more|further|myself|over|from here|later|not |n't |tomorrow|another|next ",
  () =>
    /^(?:(?:ok(?:ay)?|no|hey|please|actually|sorry|alright|and|just|now|thanks|wait|oh|you can) ){0,3}(?:(?:stop|halt|abort|cancel|pause|wait|hold(?: (?:on|it|off))?|hang on)(?: (?:it|that|this|here|there|now|everything|please|right|working|editing|for|a|one|the|today|moment|minute|second|sec|bit|work|task|what you(?:'re| are) doing)){0,4}|forget (?:about )?(?:it|that|this|everything|the (?:task|whole thing|rest))|never ?mind|nvm|(?:that's|that is|this is)? ?enough(?: for (?:now|today))?|leave (?:it|that|everything)(?: (?:there|here|alone|be|as (?:it is|is)|for (?:now|today)|like that)){0,2}|no (?:more|further) (?:edits|changes|work)|not (?:now|yet|today)|(?:don't|do not) (?:do|touch|change|start|continue|proceed|go on)(?: (?:anything|any more|more|on|it|that|this|else|with it)){0,2}(?: (?:yet|now|for now|any ?more|today))?|(?:let's |(?:i|we)(?:'ll| will)? )(?:continue|go on|resume|carry on|finish)(?: (?:it|this|that|with it|here))? (?:tomorrow|later|another (?:day|time)|next (?:week|time))|(?:i|we)(?:'ll| will| can)? (?:do|finish|handle|take care of|fix) (?:it|this|that|the rest|everything) (?:myself|from here|later)|(?:i|we)(?:'ll| will)? take (?:it from here|over(?: from here)?))(?: (?:please|now|thanks|thank you))?$/i
)

/** The same in a word or two of other languages, where it is the whole clause. */
const haltingElsewhere =
  /^(?:(?:stopp|halte|warte|wart|hör auf|nicht weiter|moment|arr[êe]te[sz]?|attends|attendez|espera|espere|para|pare|parad|detente|no sigas|no continúes|não continues?|pausa|ferma|fermati|aspetta|wacht|hou op|vänta|stopp?|стоп|стой|подожди|подождите|остановись|хватит)(?: (?:mal|kurz|bitte|noch|damit|tout|un moment(?:o|ito)?|por favor|s'il (?:te|vous) pla[îi]t|even|lite|пожалуйста)){0,2}|(?:ちょっと)?(?:待って|待て|止めて|やめて|止まって|ストップ)(?:ください)?|(?:先)?(?:停|停止|停下|停一下|等等|等一下|暂停|别做了)|멈춰|멈춰줘|잠깐|잠깐만|기다려|그만)[!！。]?$/iu

const halts = (clause: string): boolean => halting.test(clause) || haltingElsewhere.test(clause)

/** Whether a message stops the agent and orders nothing else. */
export const isHalt = (text: string): boolean => {
  const said = clauses(text.slice(0, 500))
  const rest = said.filter((clause) => !halts(clause))
  return (
    said.length > 0 &&
    text.length <= 300 &&
    rest.length < said.length &&
    halts(said.slice(0, 2).find((clause) => !opening.test(clause)) ?? "") &&
    !rest.some(
      (clause) => imperative.test(clause) || /\b(?:but|instead|should|must|need|also|first|not|run)\b/i.test(clause)
    )
  )
}

const opening = /^(?:ok(?:ay)?|no|hey|please|actually|sorry|alright|thanks|oh)$/i

/** "leave the tests", "no need for the linter", not "leave the tests as they are" */
const dropping = guarded(
  "leave|skip|forget|drop|never|no |bother|worry|hold off|omit|stop",
  () =>
    /(?<!n't |\bnot |\bnever )\b(?:(?:leave|skip|forget|drop|omit)(?: about)?|never ?mind(?: about)?|no (?:need|more)(?: (?:for|of|to (?:run|do|open|make)))?|(?:don't|do not) (?:bother|worry)(?: about| with)?|hold off(?: on)?|stop)\s(?:running |doing |with )?(?:the |any |that |this |a |all )?(?:\w+ )?$/i
)

const kept = /^\S{1,20}(?: \w+)? (?:as|alone|in|there|where|like|un\w+|out of)\b/i

/** "I'll run the tests myself" */
const ownDoing = guarded(
  "i'll|i will|going to|myself",
  () =>
    /^(?:(?:and|no|ok(?:ay)?|because|since|then) )?(?:i(?:'ll| will|'m going to) (?:run|do|push|commit|open|handle|check|build|lint|test|take care of)\b|i (?:run|do|push|commit|open|handle|check|build|lint|test)\b.{0,80}\bmyself\b)/i
)

const takesBack = (clause: string, word: RegExp): boolean => {
  const at = clause.search(word)
  if (at < 0) return false
  return ownDoing.test(clause) || (dropping.test(clause.slice(0, at)) && !kept.test(clause.slice(at)))
}

/** The gates that a message typed into the work takes back. */
export const withdrawn = (text: string): ReadonlyArray<string> => {
  const said = clauses(text)
  return Object.entries(gates).flatMap(([gate, { words: word }]) =>
    said.some((clause) => takesBack(clause, word)) ? [gate] : []
  )
}
