/** Whether a person orders work on a pull request or an issue, or only names it. */

const verbs =
  "(?:re-?)?review|fix|close|resolve|implement|address|tackle|handle|finish|complete|solve|update|rebase|merge|reopen|land|investigate|triage|debug|work(?:ing)? on|continue|(?:continue|keep going|keep working|go on|carry on|proceed|start|pick up|take over|take on|take care|comment) (?:with|on|of)|pick up|take over|reply|respond|answer|push(?: to)?|ship|revise|do|start|make|incorporate|integrate|work in|" +
  "(?:mach|mache|arbeite) weiter (?:mit|an)|weiter mit|prüfe|überprüfe|behebe|bearbeite|löse|schließe|fixe|übernimm|" +
  "revisa|corrige|arregla|resuelve|implementa|cierra|continúa con|sigue con|trabaja en|relis|vérifie|résous|traite|implémente|continue avec|poursuis|corrija|resolva"

/** What may stand between the verb and the number: "the review comments on", "and", another number. */
const between =
  "the|a|an|this|that|these|those|our|my|open|github|gitlab|upstream|bugs?|crash|error|failure|feature|requests?|issues?|tickets?|tasks?|pull|merge|prs?|mrs?|reviews?|reviewers?|reviewer's|comments?|feedback|remarks|findings|suggestions|requested|changes|conflicts?|ci|checks|build|tests|description|title|on|in|from|of|for|to|at|and|all|failing|red|green|passing|work|code|reported|described|please|number|no|das|die|den|der|auf|und|la|le|el|et|y"

const token = new RegExp(`^(?:${between}|[#!]?\\d{1,7}|https?://\\S{1,300})$`, "i")
const verb = new RegExp(`(?:^|[^\\p{L}\\p{N}_-])(?:${verbs})$`, "iu")
const cjk = /(?:修复|修正|修改|解决|处理|完成|实现|关闭|审查|评审|审阅|対応|修復|解決)\s{0,3}(?:了?一下)?$/u

/** "don't fix", "they fix", "did this fix" */
const other =
  /(?:n't|n’t|\b(?:not|never|no|without|cannot|they|he|she|it|this|that|which|who|did|does|didn't|upstream|pr|commit|nicht|no))$/i

interface Order {
  readonly verb: string
  readonly said: string
}

const maxBack = 300

const sentenceBefore = (text: string, from: number): string => {
  const back = text.slice(Math.max(0, from - maxBack), from)
  return back.split(/[.!?;](?=\s)|\n\s*\n/).at(-1) ?? ""
}

/** Back from the number over what may stand between, to the verb. */
const orderBefore = (text: string, from: number): Order | null => {
  const before = sentenceBefore(text, from)
  let head = before.trimEnd()
  for (let words = 0; words < 16 && head !== ""; words += 1) {
    const bare = head.replace(/[,:&(\s"'`*-]{1,10}$/, "")
    if (cjk.test(bare)) return { verb: "", said: before.slice(bare.length) }
    const found = verb.exec(bare)
    if (found !== null && !isBetween(bare, found.index)) {
      const subject = bare.slice(0, found.index).trimEnd()
      return other.test(subject) ? null : { verb: found[0].trim(), said: before.slice(found.index) }
    }
    const last = /\S{1,320}$/.exec(bare)?.[0] ?? ""
    if (last === "" || !token.test(last.replace(/^\(/, ""))) return null
    head = bare.slice(0, bare.length - last.length).trimEnd()
  }
  return null
}

/** "address the review on": a noun that is also a verb, where its article says so. */
const isBetween = (text: string, at: number): boolean =>
  /\b(?:the|a|an|this|that|our|my|of|code|pull)$/i.test(text.slice(0, at).trimEnd())

/** A bare "#12" that is to be merged, rebased or reviewed is a pull request. */
export const ordersPull = (text: string, from: number): boolean => {
  const order = orderBefore(text, from)
  return order !== null && /\b(?:review\w*|rebase|merge|conflicts?|pull)\b/i.test(order.said)
}

const goesOn =
  /^\S{0,40}\s{0,3},?\s{0,3}(?:and|then|&)\s{1,3}(?:then |please )?(?:fix|solve|resolve|address|close|finish|handle)\s(?:it|this|that|them)\b/i
const looks =
  /(?:^|[^\p{L}])(?:see|read|view|open|check|check out|look at|look into|take|take a look at)(?: the| github| issue| pr)*\s*$/iu
const opens = /^\s*(?:please\s+)?(?:the |github )?(?:issue|pr|ticket|task)?\s*$/i

/** The whole message, its heading ("#42: the total is wrong"), or set in brackets behind an order ("Fix the total (#42)"). */
const standsForTask = (text: string, from: number, to: number): boolean => {
  const [before, after] = [text.slice(0, from), text.slice(to, to + 200)]
  if (opens.test(before.slice(0, 60)) && before.length < 60) return /^\S{0,60}[.!]?\s*$|^:\s/.test(after)
  const inner = sentenceBefore(text, from)
  return /\((?:issue |closes |fixes )?$/i.test(inner) && after.startsWith(")") && starts.test(inner)
}

const starts = new RegExp(`^\\s*(?:please |now |then )?(?:${verbs})\\s`, "iu")

/** Whether the number at `from` to `to` is what a person orders work on. */
export const isOrdered = (text: string, from: number, to: number): boolean =>
  orderBefore(text, from) !== null ||
  standsForTask(text, from, to) ||
  (looks.test(sentenceBefore(text, from)) && goesOn.test(text.slice(to, to + 120))) ||
  /^\s{0,2}(?:を|号)?\s?(?:の?レビュー|修正|直し|対応|解決)/u.test(text.slice(to, to + 12))

const reviews = /^(?:\P{L}{0,3})(?:re-)?(?:review|überprüfe|prüfe|begutachte|revisa|relis|vérifie)$/iu
const starting = /^\P{L}{0,3}(?:do|make|start|continue|finish|complete)(?: with)?$/iu
const aReview = /\breview\b(?! (?:comments?|feedback|remarks))/i
const reviewsBefore = /(?:审查|评审|审阅)\s{0,3}(?:了?一下)?\s{0,3}(?:PR|MR)?\s{0,3}[#!]?$/iu
const reviewsAfter = /^\s{0,2}(?:を|の)?\s?レビュー/u
/** "fix what you find", "push the fixes", and not "fix #12" */
const works =
  /^\s{0,3}(?:(?:then|also|please|directly|just) ){0,2}(?:fix|address|solve|resolve|apply|correct|push|implement|update|improve|change)\b(?!\s(?:the )?(?:issue |bug |ticket )?[#!]?\d)/i

/** Whether what was to be read is also to be changed, by the rest of that sentence or what follows. */
const goesToWork = (after: string): boolean => {
  const [same = "", ...next] = after.split(/[.!?;](?=\s)/)
  return [...same.split(/,|\s(?:and|then|und|dann|y|et|e)(?=\s)/), ...next].some((part) => works.test(part))
}

const maxAhead = 300

/** Whether what is ordered of a pull request at `from` to `to` is to read it and to say what one finds. */
export const isReviewed = (text: string, from: number, to: number): boolean => {
  const order = orderBefore(text, from)
  const [before, after] = [text.slice(Math.max(0, from - 30), from), text.slice(to, to + maxAhead)]
  const review = order !== null && (reviews.test(order.verb) || (starting.test(order.verb) && aReview.test(order.said)))
  return (review || reviewsBefore.test(before) || reviewsAfter.test(after)) && !goesToWork(after)
}
