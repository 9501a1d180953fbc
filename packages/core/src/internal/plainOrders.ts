/**
 * Which sentences of a message order something in plain words of its author's own: not what a plan, a log, a heading, a
 * title, a skill's name or a narrative says.
 */
import { guarded } from "./guarded.ts"
import { plain, proseLines, sentences } from "./text.ts"

/** From here on a message is a document that somebody wrote before. */
const opensDocument = /^\s{0,3}#{1,6}\s\S|^\s{0,3}(?:-{3,}|={3,}|\*{3,})\s*$|^\s{0,8}<[a-z][\w-]{0,40}[\s/>]/i

const closesTag = /^\s{0,8}<\/[a-z][\w-]{0,40}>/i

const listItem = /^\s{0,20}(?:[-*+•]|\d{1,3}[.)]|\[[ x]\])\s/

/** "Title: run the tests on Windows", "**Steps**", "> run the tests", "| run | the tests |" */
const notSpoken =
  /^\s{0,20}(?:title|subject|summary|description|goal|problem|context|background|steps|expected|actual|todo|task|name|step \d{1,3})\s{0,3}:|^\s{0,20}\*\*[^*]{1,80}\*\*:?\s*$|^\s{0,20}[>|]|^\s{0,40}\[?\d{4}-\d{2}-\d{2}/i

/** A longer list is a plan or a paste, whoever wrote it. */
const longestList = 10

/** The lines that are the author's own prose, and the items of a short list of orders. */
const ownLines = (text: string): ReadonlyArray<string> => {
  const lines = proseLines(text)
  const items = lines.filter((line) => listItem.test(line.slice(0, 60))).length
  const own: Array<string> = []
  let document = false
  for (const line of lines) {
    const head = line.slice(0, 200)
    if (opensDocument.test(head)) document = true
    if (!document && !notSpoken.test(head) && (items <= longestList || !listItem.test(head))) own.push(line)
    if (closesTag.test(head)) document = false
  }
  return own
}

/** `/review the tests`, "use the test-repo skill" */
const namesSkill = guarded("/|skill|slash command", () => /^\s{0,3}\/[a-z]|\bskills?\b|\bslash commands?\b/i)

/** The sentences of a message that its author says himself. */
export const ownSentences = (text: string): ReadonlySet<string> =>
  new Set(
    ownLines(text)
      .flatMap((line) => sentences(plain(line)))
      .filter((sentence) => !namesSkill.test(sentence.slice(0, 600)))
  )

/** How a sentence begins that tells, asks or supposes: "We build, run the tests and deploy", "On every commit …". */
const tells =
  /^(?:\W{0,3}(?:and|but|so|ok(?:ay)?|well|then|now|also|hm+)[,.]?\s){0,3}(?:i|we|they|he|she|it|you|one|there|the|this|that|these|those|a|an|our|my|your|his|her|its|their|every|each|some|all|any|no|both|most|many|on|in|at|for|with|by|during|since|because|while|as|from|to|if|when|whenever|once|until|usually|normally|currently|always|sometimes|often|today|yesterday|last|users?|people|everyone|nobody|somebody|what|which|who|why|how|where|is|are|was|were|do|does|did|has|have|had|(?!(?:speed|seed|feed|embed|proceed|need)\b)\w{2,20}ed)\b/i

/** "When you are done, …", "After that, …", "For the last step …" open an order as well. */
const opensOrder =
  /^(?:when|once|after|before|until)\b[^,]{1,60},\s|^(?:(?:and|but|so|also|then|now) ){0,2}you (?:must|should|have to|need to)\b/i

/** A clause that is an order wherever it stands. */
const ordersHere =
  /(?:^|[,;:.(]\s{0,2}|\b(?:and|then|but)\s)(?:then |also |now )?(?:please|make sure|ensure|(?:can|could|would|will) you|you (?:must|should|have to|need to)|i (?:want|need|expect) you to|i(?:'d| would) like you to|don't forget|remember to|fix (?:it|them|this|that|these|those))\b[^,;:.]{0,80}$/i

/** "The tests must pass", "CI has to be green" */
const duty = /\b(?:must|have to|has to|should|shall|needs? to)\b/i

const mending = /\b(?:fix|repair|resolve|mend|solve) (?:it|them|this|that|these|those)\b/i

/** How the words of an order begin, or what they say of what was just written. */
const isVerbal =
  /^\W{0,4}(?:(?:and|then|please|now|also|just|to|you|commit)\s)?(?:run|rerun|re-run|execute|launch|try|use|start|fix|repair|resolve|address|unbreak|solve|correct|get|clean|handle|sort|make|ensure|verify|confirm|check|validate|see|keep|be sure|test|build|compile|rebuild|recompile|open|create|raise|submit|file|put|send|prepare|cut|push|git|force|commit|wait|watch|monitor|give|write|add|update|extend|lint)\b|\b(?:run|execute) (?:them|it|those|these)\b/i

/** "build failing: lint", "test:ci is failing" */
const isReport = /^(?:build|test|compil|lint|check)\S{0,20}\s[^.?!]{0,40}\b(?:fail(?:s|ed|ing)?|broken|red)$/i

/** "Fix my unit test issue" names a problem, no check. */
const isCompound =
  /^['’]?s?\s(?!and\b|in\b|on\b|of\b|for\b|that\b|which\b|so\b|then\b|first\b|again\b|now\b|please\b|before\b|after\b|to\b|with\b|from\b|by\b|errors?\b|failures?\b|warnings?\b|too\b)\w/i

/** Whether a sentence orders what stands in it at `index`, in these words. */
export const isOrdered = (sentence: string, index: number, words: string): boolean => {
  if (!isVerbal.test(words) || isReport.test(words)) return duty.test(words) || mending.test(sentence)
  if (fixes.test(words) && isCompound.test(sentence.slice(index + words.length))) return false
  return !tells.test(sentence) || opensOrder.test(sentence) || ordersHere.test(sentence.slice(0, index + 1))
}

const fixes = /^\W{0,4}(?:fix|repair|resolve|address|unbreak|solve|correct|clean|handle|sort)\b/i

/** Whether a sentence orders that the command which stands in it at `index` is run, or has to succeed. */
export const isCommandOrdered = (sentence: string, index: number): boolean =>
  isOrdered(sentence, index, "run") || duty.test(sentence.slice(index))
