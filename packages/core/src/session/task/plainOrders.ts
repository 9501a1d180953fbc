/**
 * Which sentences of a message order something in plain words of its author's own: not what a plan, a log, a heading, a
 * title, a skill's name or a narrative says.
 */
import { guarded } from "../../ground/text/Guarded.ts"
import { plain, proseLines, sentences } from "../../ground/text/Text.ts"

/** From here on a message is a document that somebody wrote before. */
const opensDocument = /^\s{0,3}#{1,6}\s\S|^\s{0,3}(?:-{3,}|={3,}|\*{3,})\s*$|^this session is being continued\b/i

/** A line under a heading. */
const underlines = /^\s{0,3}(?:-{3,}|={3,})\s*$/

const opensTag = /^\s{0,8}<[a-z][\w-]{0,40}[\s/>](?!.*<\/)/i

const closesTag = /^\s{0,8}<\/[a-z][\w-]{0,40}>/i

/** "Implement the following plan", "Translate this into German:": what comes next is a text to work on. */
const handsOver =
  /\b(?:following|attached|below|pasted) (?:[\w-]+ )?(?:plan|spec|steps?|list|text|mail|message|issue|ticket|log|output|review)\b|\bthis (?:plan|log|output)\b|\b(?:translate|rephrase|proofread|summari[sz]e|answer|reply to|steps to reproduce|to reproduce|(?:step|part) \d{1,3} of (?:this|these)|writes|wrote|says|said|from)\b[^:]{0,60}:\s*$|\bto reproduce\s*$/i

/** A line that introduces what comes below it, down to the next empty one. */
const introduces = /:\s*$/

/** "Do this:", "Please:" */
const ordersBelow = /^\s{0,8}(?:please|also|now|then|so|ok)?[,\s]{0,2}(?:do (?:this|these|the following)|please)\b/i

/** "anna: please run the tests" */
const speaker =
  /^\s{0,8}(?!(?:please|task|also|now|then|finally|first|note|important|and|todo)\b)(?:@?[\w.-]{1,30}|[^:]{0,40}@[\w.-]{1,30}):\s+\S/i

const listItem = /^\s{0,20}(?:[-*+•]|\d{1,3}[.)]|\[[ x]\])\s/

/** "Title: run the tests on Windows", "**Steps**", "> run the tests", "| run | the tests |" */
const notSpoken =
  /^\s{0,20}(?:title|subject|summary|description|goal|problem|context|background|steps|expected|actual|todo|name|step \d{1,3})\s{0,3}:|^\s{0,20}\*\*[^*]{1,80}\*\*:?\s*$|^\s{0,20}[>|]|^\s{0,40}\[?\d{4}-\d{2}-\d{2}/i

/** A longer list is a plan or a paste, whoever wrote it. */
const longestList = 10

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
    const isOwn = within === "prose" && !notSpoken.test(head) && !speaker.test(head)
    if (isOwn && (items <= longestList || !listItem.test(head))) own.push(line)
    if (within === "tag" && closesTag.test(head)) within = "prose"
    if (within === "prose" && handsOver.test(head)) break
    if (within === "prose" && introduces.test(head) && !ordersBelow.test(head)) within = "block"
  }
  return own
}

/** So much of a message is looked through: an order in the middle of a longer one is a paste. */
const mostRead = 20_000

/** `/review the tests`, "use the test-repo skill" */
const namesSkill = guarded("/|skill|slash command", () => /^\s{0,3}\/[a-z]|\bskills?\b|\bslash commands?\b/i)

/** The sentences of a message that its author says himself. */
export const ownSentences = (text: string): ReadonlySet<string> => {
  const said = ownLines(text)
    .flatMap((line) => sentences(plain(line)))
    .slice(0, mostSentences)
  const given = said.findIndex((sentence) => handsOver.test(sentence.slice(0, 600)))
  return new Set(
    (given < 0 ? said : said.slice(0, given + 1)).filter((sentence) => !namesSkill.test(sentence.slice(0, 600)))
  )
}

const mostSentences = 60

/** How a sentence begins that tells, asks or supposes: "We build, run the tests and deploy", "On every commit …". */
const tells =
  /^(?:\W{0,3}(?:and|but|so|ok(?:ay)?|well|then|now|also|hm+)[,.]?\s){0,3}(?:i|we|they|he|she|it|you|one|there|the|this|that|these|those|a|an|our|my|your|his|her|its|their|every|each|some|all|any|no|both|most|many|on|in|at|for|with|by|during|since|because|while|as|from|to|if|when|whenever|once|until|usually|normally|currently|always|sometimes|often|today|yesterday|last|users?|people|everyone|nobody|somebody|what|which|who|why|how|where|is|are|was|were|do|does|did|has|have|had|here|(?!(?:speed|seed|feed|embed|proceed|need)\b)\w{2,20}ed)\b/i

/** "When you are done, …", "After that, …", "For the last step …" open an order as well. */
const opensOrder =
  /^(?:when|once|after|before|until)\b[^,]{1,60},\s|^(?:(?:and|but|so|also|then|now) ){0,2}you (?:must|should|have to|need to)\b/i

/** A clause that is an order wherever it stands. */
const ordersHere =
  /(?:^|[,;:.(]\s{0,2}|\b(?:and|then|but)\s)(?:then |also |now )?(?:please|make sure|ensure|(?:can|could|would|will) you|you (?:must|should|have to|need to)|i (?:want|need|expect) you to|i(?:'d| would) like you to|don't forget|remember to|fix (?:it|them|this|that|these|those))\b[^,;:.]{0,80}$/i

/** "The tests must pass", "CI has to be green" */
const duty = /\b(?:must|have to|has to|should|shall|needs? to)\b/i

const mending = /\b(?:fix|repair|resolve|mend|solve) (?:it|them|this|that|these|those)\b/i

/** How the words of an order begin, or what they say of what was just written. To use a tool or to build a thing is none. */
const isVerbal =
  /^\W{0,4}(?:(?:and|then|please|now|also|just|to|you|commit)\s)?(?:run|rerun|re-run|execute|fix|repair|resolve|address|unbreak|solve|correct|get|clean|handle|sort|make|ensure|verify|confirm|check|validate|see|keep|be sure|test|open|create|raise|submit|file|put|send|prepare|cut|push|git|force|commit|wait|watch|monitor|give|write|add|update|extend|lint)\b|^(?:and|then)\s(?:re)?(?:build|compile)\b|\b(?:run|execute) (?:them|it|those|these)\b/i

/** "build failing: lint", "test:ci is failing" */
const isReport = /^(?:build|test|compil|lint|check)\S{0,20}\s[^.?!]{0,40}\b(?:fail(?:s|ed|ing)?|broken|red)$/i

/** "Fix my unit test issue" names a problem, no check. */
const isCompound =
  /^['’]?s?\s(?!and\b|in\b|on\b|of\b|for\b|that\b|which\b|so\b|then\b|first\b|again\b|now\b|please\b|before\b|after\b|to\b|with\b|from\b|by\b|errors?\b|failures?\b|warnings?\b|too\b)\w/i

/** "Create pull request button", "Keep the build output clean" name a thing. */
const things =
  "(?:button|list|view|page|notifications?|template|titles?|descriptions?|comments?|output|badge|counts?|status|history|logs?|messages?|hooks?|scripts?|config|data|folders?|files?|menu|icon|links?|form|section|guide|docs|job|step|stage|to using|to a later|pages?)\\b"
const isThing = new RegExp(`^['’]?s?[\\s-]${things}`, "i")
const holdsThing = new RegExp(`\\b(?:tests?|build|lint|ci|pr|type ?check)[\\s-]${things}`, "i")

/** "Only when I say so", "if needed": not now, or as the agent sees fit. */
const isConditional =
  /\b(?:only (?:when|if|after|once)|once i\b|when i\b|after i\b|if (?:needed|necessary|possible|required|you (?:can|like|want|think|changed))|where possible|at your discretion|later|unless|or don't|on (?:every|each) \w+)\b/i

/** "Dependabot will open a PR", "it will run the tests and open a PR" */
const ofAnother =
  /\b(?!(?:you|we|that|which|please|and|then)\b)[\w-]+ (?:will|would|should|can|could|may|might|must) (?:[\w'-]+ ){0,8}$/i

/** "Add a workflow: install, run the tests", "Make the CLI …, then run the tests on every change" say what a thing does. */
const ofThing =
  /\b(?:add|create|write|make|draft|document|set up|generate|describe)\b[^:]{0,80}\b(?:workflow|job|script|hook|pipeline|prompt|line|section|steps|guide|readme|agents\.md|claude\.md|makefile|target|command|action|bot|checklist|template|docs?)\b[^:]{0,40}:/i

/** Whether a sentence orders what stands in it at `index`, in these words. */
export const isOrdered = (sentence: string, index: number, words: string): boolean => {
  const before = sentence.slice(0, index + 1)
  const after = sentence.slice(index + words.length)
  if (isConditional.test(after) || isThing.test(after) || holdsThing.test(words)) return false
  if (handsOver.test(before) || ofAnother.test(sentence.slice(0, index)) || ofThing.test(before)) return false
  if (sentence.trimEnd().endsWith("?") && !politely.test(sentence)) return false
  if (!isVerbal.test(words) || isReport.test(words)) return duty.test(words) || mending.test(sentence)
  if (fixes.test(words) && isCompound.test(after)) return false
  return !tells.test(sentence) || opensOrder.test(sentence) || ordersHere.test(before)
}

/** "Can you run the tests?" is an order; "Can the agent run them?" is not. */
const politely = /\bplease\b|^\W{0,3}(?:\w+,? ){0,2}(?:can|could|would|will) (?:you|we)\b/i

const fixes = /^\W{0,4}(?:fix|repair|resolve|address|unbreak|solve|correct|clean|handle|sort)\b/i

/** Whether a sentence orders that the command which stands in it at `index` is run, or has to succeed. */
export const isCommandOrdered = (sentence: string, index: number): boolean =>
  (running.test(sentence.slice(0, index)) && isOrdered(sentence, index, "run")) || duty.test(sentence.slice(index))

/** To use a tool is not to run it. */
const running = /\b(?:run|rerun|re-run|execute|verify|check|confirm|validate|make sure|ensure)\b/i
