/** The gates that a person orders in plain words, and those that he forbids. */
import type { Ask, Wanted } from "./model.ts"
import { gatesOfCommand } from "./commandGates.ts"
import { speaksOf } from "../gates/GateTable.ts"
import { type Row, takes } from "../../ground/text/Rows.ts"
import { guarded } from "../../ground/text/Guarded.ts"
import { isImperative, seemsImperative, withoutOpening } from "./Imperative.ts"
import { ownSentences } from "./ownSentences.ts"
import * as rows from "./RequestPatterns.ts"
import { spoken } from "../../ground/text/UserSentences.ts"

/** What begins with one of these says how, when or why, and is no part of a thing's name. */
const asides: ReadonlySet<string> = new Set(
  (
    "again locally please pls first too now once twice before after when until if in on at of for from by with without that which " +
    "so but or only then to as because since unless there later myself yourself successfully"
  ).split(" ")
)

const nameIn = (part: string): string => {
  const words = part
    .replace(/(?:[;:()]| \/ ).*$|[.!?]+\s*$/, "")
    .replace(/\b(all|any|each) of /i, "$1 ")
    .trim()
    .split(" ")
  const end = words.findIndex((word, at) => at > 0 && asides.has(word.toLowerCase()))
  return words.slice(0, end < 0 ? words.length : end).join(" ")
}

/** "Run npm test and go build me a table" goes on in English. */
const isEnglish = (command: string): boolean =>
  command.split(/ (?:&&|;) /).some((one) =>
    one
      .split(" ")
      .slice(3)
      .some((word) => /^[a-z]+$/i.test(word))
  )

const ofThing = (part: string, spans: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  const thing = nameIn(part)
  const span = /^(?:[\w-]+ ){0,3}`(\d)`(?: [\w-]+)?$/.exec(thing)?.[1]
  const named = span === undefined ? rows.things.filter(({ pattern }) => pattern.test(thing)) : []
  const command = span === undefined ? thing : (spans[Number(span)] ?? "")
  const run = span !== undefined || !isEnglish(thing) ? gatesOfCommand(command) : []
  if (run.length > 0) return run.map((gate) => ({ gate, how: "run", command }))
  return named.map(({ gate }) => ({ gate, how: "run", command: null }))
}

/** "the tests, lint and the build": as far as one check's name follows another. */
const ofThings = (text: string, spans: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  const found: Array<Wanted> = []
  for (const part of text.split(/,? (?:and|&)(?: then| also)? |, (?:then )?/).slice(0, 6)) {
    const wanted = ofThing(part, spans)
    if (wanted.length === 0) break
    found.push(...wanted)
  }
  return found
}

/** Subject and success, one behind the other: "lint and the tests pass and the build is green". */
const ofSuccess = (text: string, spans: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  const match = rows.succeeding.pattern.exec(text)
  return match === null
    ? []
    : [...ofThings(match[1] ?? "", spans), ...ofSuccess(text.slice(match.index + match[0].length), spans)]
}

/** What stands behind a row's match, or within its group. */
const behind = (text: string, ...of: ReadonlyArray<Row>): string | null => {
  for (const { pattern } of of) {
    const match = pattern.exec(text)
    if (match !== null) return match[1] ?? text.slice(match.index + match[0].length)
  }
  return null
}

/** What a clause orders, by its first words. */
const ofClause = (clause: string, spans: ReadonlyArray<string>, isLater: boolean): ReadonlyArray<Wanted> => {
  const head = withoutOpening(clause)
  const act = [...rows.acts, ...(isLater ? rows.laterActs : [])].find(({ pattern }) => {
    const match = pattern.exec(head)
    return match !== null && !rows.another.test(head.slice(match[0].length))
  })
  if (act !== undefined) return [{ gate: act.gate, how: "run", command: null }]
  const run = behind(head, ...rows.running, rows.owing, rows.passing)
  if (run !== null) return ofThings(run, spans)
  const failing = behind(head, rows.fixing, rows.mending)
  if (failing !== null) return ofThings(failing, spans).map((wanted) => ({ ...wanted, how: "fix" }))
  const sure = behind(head, rows.ensuring)
  return sure === null ? [] : ofSuccess(sure, spans)
}

/** Where the clauses of a sentence begin; what follows a colon says more of what stands before it. */
const clausesOf = (sentence: string): ReadonlyArray<string> => {
  const text = sentence.split(/(?<!^(?:[\w']{1,12} )?[\w']{1,12}): /, 1)[0] ?? ""
  const starts = [...text.matchAll(/[,;:.(] (?:and |then )?|,? (?:and|then|but|&) (?:then )?| - /g)].map(
    ({ index, 0: separator }) => index + separator.length
  )
  return [0, ...starts].slice(0, 24).map((at) => text.slice(at))
}

/** "Write tests and run them" */
const runsThem = /^(?:then )?(?:run|execute) (?:them|it|those|these)\b/i

const ofSentence = (sentence: string, spans: ReadonlyArray<string>): ReadonlyArray<Wanted> => {
  if (takes(rows.conditions, sentence) || (sentence.endsWith("?") && !politely.test(sentence))) return []
  const isAnothers = rows.instructs.pattern.test(sentence)
  let orders = (isImperative(sentence) || seemsImperative(sentence)) && !isAnothers
  return clausesOf(sentence).flatMap((clause, at) => {
    orders = takes(rows.explicit, clause) || (orders && !tells.test(clause))
    const owes = !isAnothers && takes([rows.owing, rows.passing, rows.mending], clause)
    if (!orders && !owes) return []
    const before = sentence.slice(0, sentence.length - clause.length)
    if (runsThem.test(clause) && /(?<![-\w])tests?\b/i.test(before))
      return [{ gate: "tests", how: "run" as const, command: null }]
    return ofClause(clause, spans, at > 0)
  })
}

/** "…, and I'll review and commit" says what somebody else does, down to the end of the sentence. */
const tells = /^(?:i|we|they|he|she)(?:'\w{1,2})?\b(?! (?:want|need|expect|would like) you)/i

/** "Can you run the tests?" is an order; "Can the agent run them?" is not. */
const politely = /\bplease\b|^\W{0,3}(?:\w+,? ){0,2}(?:can|could|would|will) (?:you|we)\b/i

const quotation = guarded(`"|“|'`, () => /"[^"]{8,400}"|“[^”]{8,400}”|(?<=[\s:(])'[^']{8,400}'(?=[\s.,;:!?)]|$)/g)

/** Two negations order, and so does what is to be done after the work: "don't forget to push", "once you're done, push". */
const straightened = (sentence: string): string =>
  [...rows.doubled, ["", rows.leads] as const].reduce(
    (text, [by, { pattern }]) => pattern.replace(text, by),
    // What stands in quotation marks is a text to work on.
    quotation.replace(sentence, '""')
  )

/** Not to push to main is how to push. */
const pushesElsewhere = /^push\b[^,;]{0,30} (?:to|on|onto) (?!origin|the remote|github)/i

const delivered: ReadonlyArray<string> = ["pr", "push", "commit"]

const droppedIn = (rest: string): ReadonlyArray<string> => [
  ...ofThings(rest, []).map(({ gate }) => gate),
  ...delivered.filter((gate) => speaksOf(rest.split(" ", 3).join(" "), gate))
]

/** The gates that stand behind a prohibition: what is not to be done, or what is dropped. */
const forbiddenBy = (row: Row, sentence: string): ReadonlyArray<string> => {
  const rest = behind(sentence, row)
  if (rest === null) return []
  const act = rest.replace(/^(?:re-?)?(\w+?)n?ing\b/i, "$1")
  const isDropped = rows.dropping.includes(row)
  const found = isDropped
    ? droppedIn(rest.replace(/^(?:running|doing|opening) /i, ""))
    : pushesElsewhere.test(act)
      ? []
      : ofClause(act, [], false).map(({ gate }) => gate)
  return [...found, ...forbiddenBy(row, rest)]
}

/** A sentence that has none of these words, and no command, asks for no gate: most sentences need no closer look. */
const mentions =
  /test|spec|suite|build|compil|type|tsc|mypy|pyright|lint|ruff|clippy|\bci\b|pipeline|actions|checks|workflow|push|commit|pr\b|\bmr\b|[- ]request|jest|`|run\b|execut|verify/i

const mayAsk = (sentence: string): boolean => mentions.test(sentence)

const madeToPass =
  /^(?:(?:please|then|now|so|and) ){0,2}(?:make|get) (?:them|it|this|that|these|those|both|all)(?: of them)?(?: all)? (?:pass|green|succeed)\b/i

const failing = /\b(?:fails?|failed|failing|red|broken)\b/i

/** What a clause before it says to fail: "The tests fail. Please make them pass." */
const ofFailing = (text: string): ReadonlyArray<Ask> => {
  const clauses = straightened(text.slice(0, 2000))
    .split(/[.;!?\n,]/)
    .map((clause) => clause.trim())
  const at = clauses.findIndex((clause) => madeToPass.test(clause))
  const report = clauses.slice(Math.max(0, at - 3), Math.max(0, at)).findLast((clause) => failing.test(clause))
  if (report === undefined) return []
  const found = [
    ["tests", /\b(?:tests?|specs?|suite)\b/i],
    ["lint", /\blint(?:er|ing)?\b/i],
    ["build", /\bbuild\b/i],
    ["typecheck", /\btype ?-?check|\btypes\b/i]
  ] as const
  return found
    .filter(([, noun]) => noun.test(report))
    .map(([gate]) => ({ gate, how: "fix", quote: `${report}. ${clauses[at] ?? ""}`.slice(0, 160), command: null }))
}

/** The gates that a message asks for, and those that it forbids. */
export const asksOf = (
  text: string
): { readonly asks: ReadonlyArray<Ask>; readonly forbids: ReadonlyArray<string> } => {
  const asks = new Map<string, Ask>()
  const forbids = new Set<string>()
  const said = spoken(text).filter((sentence) => mayAsk(sentence.slice(0, 600)))
  const own = said.length === 0 ? new Set<string>() : ownSentences(text)
  for (const sentence of said) {
    const spans: Array<string> = []
    const whole = straightened(sentence.slice(0, 600))
    const words = whole.replace(/`([^`]{1,200})`/g, (_, code: string) => `\`${spans.push(code) - 1}\``)
    for (const row of [...rows.prohibiting, ...rows.dropping])
      for (const gate of forbiddenBy(row, words)) forbids.add(gate)
    if (!own.has(sentence)) continue
    for (const { command, gate, how } of ofSentence(words, spans)) {
      const old = asks.get(gate)
      asks.set(gate, {
        gate,
        how: how === "fix" || old?.how === "fix" ? "fix" : "run",
        quote: old?.quote ?? whole.slice(0, 160),
        command: old?.command ?? command
      })
    }
  }
  for (const ask of ofFailing(text)) if (!asks.has(ask.gate)) asks.set(ask.gate, ask)
  return { asks: [...asks.values()].filter((ask) => !forbids.has(ask.gate)), forbids: [...forbids] }
}
