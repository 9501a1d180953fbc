/** Reads an output with the recogniser tables: a fold of the lines into counts, failing items and an outcome. */
import { lazy } from "../../../ground/text/Lazy.ts"
import type { OutputText } from "../../../ground/text/OutputLines.ts"
import { redactedHead } from "../../../ground/redaction/RedactedHead.ts"
import type { LineRule, Outcome, Recogniser } from "./row.ts"

export interface Item {
  readonly name: string
  readonly file: string | null
  readonly line: number | null
}

/** `doubt`: the output contradicts itself, or a filter may have hidden a failure. */
export interface Reading {
  readonly recogniser: Recogniser
  readonly outcome: Outcome | "doubt" | null
  readonly passed: number | null
  readonly failed: number | null
  readonly skipped: number | null
  readonly failing: ReadonlyArray<Item>
  readonly note: string | null
}

interface Counts {
  passed: number | null
  failed: number | null
  skipped: number | null
  total: number | null
}

interface State extends Counts {
  readonly proved: Set<Outcome>
  readonly items: Map<string, { name: string; file: string | null; line: number | null }>
  weakAt: number | null
  cleanAt: number | null
  open: string | null
  /** The item named last, where it was named for the first time. */
  added: string | null
  next: { file: string | null; line: number | null }
  blankSeen: boolean
  note: string | null
  readonly asTests: boolean
}

const maxItems = 10
const maxName = 200

const wordsOf: ReadonlyArray<readonly [keyof Counts, string]> = [
  ["passed", "passed,pass,passing,passes,succeeded,success,successes,xpassed,flaky"],
  ["failed", "failed,fail,fails,failing,failure,failures,error,errors,subtests failed,unexpected successes"],
  [
    "skipped",
    "skipped,skip,skips,pending,pendings,todo,todos,ignored,xfailed,excluded,omissions,incomplete,canceled,expected failures"
  ],
  [
    "total",
    "total,tests,test,tests run,doctest,doctests,property,properties,examples,example,runs,run,specs,spec,scenario,scenarios"
  ]
]

const words: ReadonlyMap<string, keyof Counts> = new Map(
  wordsOf.flatMap(([key, list]) => list.split(",").map((word): [string, keyof Counts] => [word, key]))
)

const before = /(\d{1,9}) ([a-z]{3,12}(?: failed)?)\b/g
const after =
  /\b((?:[Tt]ests run|[Uu]nexpected successes|[Ee]xpected failures)|[A-Za-z]{4,12})(?:[:=]| )\s{0,9}(\d{1,9})\b/g

const tally = (line: string, rule: LineRule): Counts => {
  const counts: Counts = { passed: null, failed: 0, skipped: null, total: null }
  for (const match of line.matchAll(rule.tally === "before" ? before : after)) {
    const [number, word] = rule.tally === "before" ? [match[1], match[2]] : [match[2], match[1]]
    const key = words.get((word ?? "").toLowerCase())
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + Number(number)
  }
  if (counts.total === null && rule.tally === "before") counts.passed ??= 0
  return counts
}

const keys = ["passed", "failed", "skipped", "total"] as const

const countsOf = (match: RegExpExecArray, line: string, rule: LineRule): Counts => {
  if (rule.tally !== undefined) return tally(line, rule)
  const counts: Counts = { passed: null, failed: null, skipped: null, total: null }
  for (const key of keys) {
    const group = match.groups?.[key]
    if (group !== undefined) counts[key] = Number(group)
  }
  if (match.groups?.["ok"] !== undefined) counts.passed = 1
  return counts
}

const add = (state: State, counts: Counts, rule: LineRule): void => {
  for (const key of keys) {
    const count = counts[key]
    if (count !== null) state[key] = rule.replaces === true ? count : (state[key] ?? 0) + count
  }
}

const initial = (asTests: boolean): State => ({
  passed: null,
  failed: null,
  skipped: null,
  total: null,
  proved: new Set(),
  items: new Map(),
  weakAt: null,
  cleanAt: null,
  open: null,
  added: null,
  next: { file: null, line: null },
  blankSeen: false,
  note: null,
  asTests
})

/** Without secrets, before anything is cut off: half a token would no longer be known as one. */
const clean = (name: string): string => redactedHead(name.replace(/\s{1,2000}/g, " ").trim(), 2000).slice(0, maxName)

/** The same test may be written `suite::name` in one place and `suite.name` in another. */
const testKey = (name: string): string => name.replaceAll("::", ".")

const addItem = (state: State, name: string, file: string | null, line: number | null): void => {
  const key = state.asTests ? testKey(name) : `${name} ${file}:${line}`
  const known = state.items.get(key)
  const place = { file: file ?? state.next.file, line: line ?? state.next.line }
  state.next.line = null
  state.added = known === undefined ? key : null
  if (known === undefined) {
    state.open = key
    if (name !== "" && state.items.size < maxItems) state.items.set(key, { name, ...place })
  } else if (known.line === null && (known.file === null || place.line !== null)) {
    Object.assign(known, { file: place.file ?? known.file, line: place.line })
  }
}

const sameFile = (left: string, right: string): boolean =>
  left === right || left.endsWith(`/${right}`) || right.endsWith(`/${left}`)

const locate = (state: State, file: string, line: number | null, name: string | null): void => {
  const item = state.items.get(name === null ? (state.open ?? "") : testKey(name))
  if (item === undefined || item.line !== null) return
  if (item.file !== null && !sameFile(item.file, file)) return
  item.file ??= file
  item.line = line
}

const withdraw = (state: State, which: "last" | "unplaced"): void => {
  for (const [key, { line }] of state.items)
    if (which === "last" ? key === state.added : line === null) state.items.delete(key)
}

const describe = (state: State, match: RegExpExecArray, rule: LineRule): void => {
  const file = match.groups?.["file"] ?? null
  const line = match.groups?.["line"] === undefined ? null : Number(match.groups["line"])
  const name = match.groups?.["name"] === undefined ? null : clean(match.groups["name"])
  if (rule.locates === "next") state.next = { file, line }
  if (rule.locates === "last" && file !== null) locate(state, file, line, name)
  else if (name !== null) addItem(state, name, file, line)
  else if (file !== null && rule.proves === "failed") addItem(state, file, file, line)
}

const apply = (state: State, rule: LineRule, match: RegExpExecArray, line: string, at: number): void => {
  const counts = countsOf(match, line, rule)
  add(state, counts, rule)
  const seen = rule.afterBlank !== true || state.blankSeen
  if (rule.weak === true) state.weakAt = at
  else if (rule.proves !== undefined && seen) state.proved.add(rule.proves)
  if (counts.failed === 0 || (rule.proves === "passed" && seen)) state.cleanAt = at
  if (rule.note === true) state.note ??= clean(line)
  if (rule.withdraws !== undefined) withdraw(state, rule.withdraws)
  else if (rule.closes === true) state.open = null
  else describe(state, match, rule)
}

const ranSomething = (state: State): boolean =>
  (state.passed ?? 0) > 0 || (state.total ?? 0) - (state.skipped ?? 0) - (state.failed ?? 0) > 0

/** A plan whose every test passed needs no word on failures. */
const settle = (state: State): void => {
  const planned = state.total !== null && state.total > 0 && (state.passed ?? 0) >= state.total
  if (state.failed === null && planned) state.failed = 0
  if (state.passed === null && state.total !== null && state.failed !== null) {
    state.passed = Math.max(0, state.total - state.failed - (state.skipped ?? 0))
  }
}

const countedOutcome = (state: State, recogniser: Recogniser): Outcome | null => {
  if (state.failed === 0 && !recogniser.kinds.includes("tests")) return "passed"
  if (state.failed === 0 && ranSomething(state)) return "passed"
  const counts = state.passed !== null || state.total !== null
  if (state.proved.has("passed")) return counts && !ranSomething(state) ? "none" : "passed"
  const nothing = counts && !ranSomething(state) && (state.failed === 0 || state.total === 0)
  return nothing || state.proved.has("none") ? "none" : null
}

const outcomeOf = (state: State, recogniser: Recogniser, partial: boolean): Reading["outcome"] => {
  if ((state.failed ?? 0) > 0 || state.proved.has("failed")) return "failed"
  const outcome = countedOutcome(state, recogniser)
  if (state.weakAt !== null) return outcome === "passed" && (state.cleanAt ?? -1) > state.weakAt ? "doubt" : "failed"
  if (partial && outcome !== null && recogniser.whole !== true) return "doubt"
  return outcome
}

/** A failing file is not worth an item of its own beside its failing tests. */
const itemsOf = (state: State): ReadonlyArray<Item> => {
  const items = [...state.items.values()]
  return items.filter(
    (item) => item.name !== item.file || !items.some((other) => other !== item && other.file === item.file)
  )
}

const readOne = (recogniser: Recogniser, text: OutputText, partial: boolean): Reading | null => {
  const state = initial(recogniser.kinds.includes("tests"))
  let matched = false
  for (const [at, line] of text.lines.entries()) {
    if (line.raw === "") state.blankSeen = true
    else
      for (const rule of recogniser.rules) {
        const match = rule.on.exec(line.raw) ?? (line.bare === line.raw ? null : rule.on.exec(line.bare))
        if (match === null) continue
        matched = true
        apply(state, rule, match, line.bare, at)
      }
  }
  if (!matched) return null
  settle(state)
  const { failed, skipped, note } = state
  const passed = state.asTests ? state.passed : null
  const outcome = outcomeOf(state, recogniser, partial)
  return { recogniser, outcome, passed, failed, skipped, failing: itemsOf(state), note }
}

const applies = (recogniser: Recogniser, present: ReadonlySet<string>): boolean =>
  recogniser.needles.some((needle) => present.has(needle)) &&
  recogniser.unless?.some((needle) => present.has(needle)) !== true

/** A reader of one table: what each of its recognisers that finds anything makes of an output. */
export const reader = (
  table: () => ReadonlyArray<Recogniser>
): ((text: OutputText, partial: boolean) => ReadonlyArray<Reading>) => {
  const recognisers = lazy(table)
  const words = lazy(() => new Set(recognisers().flatMap(({ needles, unless }) => [...needles, ...(unless ?? [])])))
  return (text, partial) => {
    const present = new Set([...words()].filter((word) => text.text.includes(word)))
    return recognisers()
      .filter((recogniser) => applies(recogniser, present))
      .map((recogniser) => readOne(recogniser, text, partial))
      .filter((reading) => reading !== null)
  }
}
