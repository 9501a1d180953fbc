/**
 * Orders in languages other than English. A clause is one only where it has the plainest form of an order as a whole, and
 * where all that stands before it in its sentence orders, too: whatever is unsure orders nothing.
 */
import { isDelivered } from "../gates/GateTable.ts"
import { namedCheck } from "./foreignChecks.ts"
import { type Order, type Speech, speeches } from "./foreignSpeech.ts"
import * as Japanese from "./japaneseOrders.ts"
import type { Wanted } from "./model.ts"

/** What a sentence orders. `changes`: something else is to be done, too. */
export interface Reading {
  readonly wanted: ReadonlyArray<Wanted>
  readonly changes: boolean
}

const none: Reading = { wanted: [], changes: false }

/** Quotations, questions, what breaks off, and what a colon introduces. */
const unclear = /["«»„“”‘‚「」『』?？¿…]|\.{3}|[:：](?!\w)/

interface Part {
  readonly joint: string
  readonly text: string
}

const partsOf = (sentence: string, { conjunction, joints }: Speech): ReadonlyArray<Part> => {
  const [head = ""] = sentence.split(" ", 1)
  const begun = conjunction.test(` ${head} `) ? sentence.slice(head.length + 1) : sentence
  const pieces = begun.split(joints).slice(0, 48)
  return pieces.flatMap((text, at) => (at % 2 === 0 ? [{ joint: pieces[at - 1] ?? "", text: text.trim() }] : []))
}

const bare = (text: string, { fillers }: Speech): string => text.replaceAll(fillers, "").trim()

/** The checks that are named one behind the other, if all of it is known. */
const thingsIn = (text: string, { determiners }: Speech, spans: ReadonlyArray<string>) => {
  const found = text.split(/, | (?:und|y|e|et) |[和与及、]| & /i).map((one) => {
    const words = one
      .trim()
      .split(" ")
      .filter((word) => !determiners.has(word.toLowerCase()))
    return namedCheck(words.join(" ").replace(/^l'/i, ""), spans)
  })
  return found.some((one) => one.length === 0) ? [] : found.flat()
}

const ordered = (text: string, speech: Speech, spans: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  const read = ({ gate, how, pattern }: Order): ReadonlyArray<Wanted> => {
    const match = pattern.exec(text)
    if (match === null) return []
    if (gate !== null) return [{ gate, how, command: null }]
    return thingsIn(match[1] ?? "", speech, spans).map((thing) => ({ ...thing, how }))
  }
  return speech.orders.map(read).find((wanted) => wanted.length > 0) ?? []
}

const begins = (text: string, { language }: Speech, words: ReadonlySet<string>): boolean => {
  if (language === "zh") return [...words].some((word) => text.startsWith(word))
  const [first = "", second = ""] = text.toLowerCase().split(/[ -]/, 2)
  return words.has(first) || (second === "sie" && first.endsWith("n") && words.has(first.slice(0, -1)))
}

/** How many parts one order may have: "run the tests, the linter and the build". */
const mostParts = 4

/** The longest order of checks that begins with a part, and the part behind it. */
const checksAt = (parts: ReadonlyArray<Part>, from: number, speech: Speech, spans: ReadonlyArray<string>) => {
  for (let end = Math.min(from + mostParts, parts.length); end > from; end--) {
    const text = parts
      .slice(from, end)
      .map((part, at) => (at === 0 ? part.text : `${part.joint}${part.text}`))
      .join("")
    const found = ordered(bare(text, speech), speech, spans)
    if (found.length > 0) return { end, found }
  }
  return null
}

/** What the part before was: an order of a check, another order, what says more of that, or nothing that is known. */
type Before = "begin" | "check" | "other" | "more" | "unknown"

/** An order stands at the beginning, or behind another; a free clause may lie between only before a conjunction. */
const mayFollow = (before: Before, part: Part, speech: Speech): boolean =>
  (before !== "more" && before !== "unknown") ||
  (before === "more" && speech.conjunction.test(part.joint)) ||
  speech.polite.test(part.text)

const afterFree = (before: Before, part: Part, speech: Speech): Before =>
  before === "begin" ? "unknown" : before === "other" && !speech.conjunction.test(part.joint) ? "more" : before

const readWith = (sentence: string, speech: Speech, spans: ReadonlyArray<string>): Reading => {
  const parts = partsOf(sentence, speech).filter(({ text }) => bare(text, speech) !== "")
  const wanted: Array<Wanted> = []
  let changes = false
  let first = parts.length
  let before: Before = "begin"
  let at = 0
  for (let part = parts[at]; part !== undefined; part = parts[at]) {
    const text = bare(part.text, speech)
    const follows = mayFollow(before, part, speech)
    const checks = follows ? checksAt(parts, at, speech, spans) : null
    const isChange = follows && checks === null && begins(text, speech, speech.changes)
    const isOrder = checks !== null || isChange || (follows && begins(text, speech, speech.reports))
    // What is said of a check's outcome tells of it.
    if (!isOrder && before === "check") return none
    wanted.push(...(checks?.found ?? []))
    changes ||= isChange
    first = isOrder ? Math.min(first, at) : first
    before = checks !== null ? "check" : isOrder ? "other" : afterFree(before, part, speech)
    at = checks?.end ?? at + 1
  }
  const said = parts.slice(first).map(({ text }) => bare(text, speech))
  return wanted.length === 0 || speech.denying.test(said.join(" ")) ? none : { wanted, changes }
}

const agents =
  /\b(?:job|script|workflow|hook|pipeline|ci|cron|bot|makefile|plugin|comando|tarea|tarefa|botón|programa|servicio|paso|étape|commande|tâche|bouton|service)\b|脚本|工作流|流水线|钩子|步骤|流程/i

/** The sentence before tells of what does it, or asks for it: "We have a nightly job. Runs the tests." */
const tellsOfAnother = (before: string, speech: Speech): boolean =>
  before.endsWith("?") ||
  before.endsWith("？") ||
  (agents.test(before) && !begins(bare(before, speech), speech, speech.changes))

/** What steps are told after: the last sentence that has no word of one. */
const introduction = (before: ReadonlyArray<string>): string =>
  before.map((sentence) => sentence.slice(0, 600)).findLast((sentence) => !mayOrder(sentence)) ?? ""

/**
 * What a sentence orders in the plainest forms of German, Spanish, French, Portuguese, Chinese or Japanese; `before` are the
 * sentences before it.
 */
export const read = (sentence: string, before: ReadonlyArray<string>): Reading => {
  const spans: Array<string> = []
  const marked = sentence
    .replaceAll('""', "")
    .replace(/`([^`]{1,200})`/g, (_, code: string) => `\`${spans.push(code) - 1}\``)
  if (unclear.test(marked)) return none
  const text = marked.replace(/[\s.!。！]{1,8}$/, "")
  for (const speech of speeches) {
    if (!speech.orders.some(({ pattern }) => pattern.admits(text))) continue
    if (speech.conditional.test(bare(text, speech)) || (speech.tells && tellsOfAnother(introduction(before), speech)))
      continue
    const found = readWith(text, speech, spans)
    if (found.wanted.length > 0) return found
  }
  return Japanese.admits(text) ? Japanese.read(text, spans) : none
}

/** Whether a sentence has a word of such an order. */
export const mayOrder = (sentence: string): boolean =>
  Japanese.admits(sentence) || speeches.some(({ orders }) => orders.some(({ pattern }) => pattern.admits(sentence)))

/** Whether a sentence orders checks to be run, so that what they print is the answer. */
export const onlyRuns = ({ changes, wanted }: Reading): boolean =>
  wanted.length > 0 && !changes && wanted.every(({ gate, how }) => how === "run" && !isDelivered(gate))

/** Whether a sentence orders something to be changed or delivered. */
export const wantsChange = (sentence: string, reading: Reading): boolean =>
  reading.changes ||
  reading.wanted.some(({ gate, how }) => how === "fix" || isDelivered(gate)) ||
  Japanese.wantsChange(sentence) ||
  speeches.some((speech) => begins(bare(sentence, speech), speech, speech.changes))
