/** Reads an output. Each row says what the lines of a runner mean. One walk over the lines sums everything up. */
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import { lazy } from "../../base/text/Lazy.ts"
import { literalsOf } from "../../base/text/Literals.ts"
import type { OutputLine, OutputText } from "../../base/text/OutputLines.ts"

export type Kind = "tests" | "build" | "typecheck" | "lint"

/** `script`: a script around the work. `broken`: a command that could not start. `absent`: a missing program. */
export type Source = Kind | "script" | "broken" | "absent"

/**
 * The groups `passed`, `failed`, `skipped` and `total` are numbers. Without them, the words in the line decide.
 * - `none`: nothing ran.
 * - `total`: the numbers of the whole run.
 * - `count`: the numbers of a part of the run.
 * - `item`: something failed.
 * - `name`: a name, which proves nothing by itself. A `file` without a name belongs to the next names.
 */
const meanings = ["none", "total", "count", "passed", "failed", "item", "name"] as const
type Meaning = (typeof meanings)[number]

/** What the lines of a runner mean. Each pattern matches from the start of a line. */
type Rules = Readonly<Partial<Record<Meaning, ReadonlyArray<RegExp>>>> & {
  /** True if the last total counts the whole run and replaces the totals before it. */
  readonly last?: true
  /** If this matches the output, another row reads the output better. */
  readonly unless?: RegExp
}

interface Pattern {
  readonly meaning: Meaning
  readonly on: RegExp
  readonly literals: () => ReadonlyArray<string> | null
}

export interface Row {
  readonly runner: string
  readonly sources: ReadonlyArray<Source>
  readonly rules: Rules
  readonly patterns: ReadonlyArray<Pattern>
}

export const rowOf = (runner: string, sources: ReadonlyArray<Source>, rules: Rules): Row => {
  const patterns = meanings.flatMap((meaning) =>
    (rules[meaning] ?? []).map((on) => ({ meaning, on, literals: lazy(() => literalsOf(on)) }))
  )
  return { runner, sources, rules, patterns }
}

export interface Item {
  readonly name: string
  readonly file: string | null
  readonly line: number | null
}

const keys = ["passed", "failed", "skipped", "total"] as const
type Counts = Partial<Record<(typeof keys)[number], number>>

export interface Reading extends Pick<Row, "runner" | "sources"> {
  /** `doubt`: the output contradicts itself, or a filter may have hidden a failure. Null if it proves nothing. */
  readonly outcome: "passed" | "failed" | "none" | "doubt" | null
  readonly counts: Counts
  readonly failing: ReadonlyArray<Item>
  readonly note: string | null
}

const words: Readonly<Record<(typeof keys)[number], RegExp>> = {
  passed: /^(?:pass(?:ed|ing)?|succe(?:eded|ss|sses)|xpassed|flaky)$/,
  failed: /^(?:(?:subtests )?fail(?:ed|ing|s|ures?)?|errors?|cancelled|undefined|invalid|unexpected successes)$/,
  skipped: /^(?:skip(?:ped|s)?|pendings?|todos?|ignored|xfailed|excluded|omissions|incomplete|expected failures)$/,
  total: /^(?:total|tests?(?: run)?|doctests?|propert(?:y|ies)|examples?|runs?|specs?|scenarios?)$/
}

/** Forms of counts: "3 passed, 1 failed", or else "Passed: 3, Failures: 1". */
const forms = [
  /(?<number>\d{1,9}) (?<word>(?:subtests )?[a-z]{3,12})/gi,
  /(?<word>(?:(?:un)?expected )?[a-z]{4,12}(?: run)?)(?:[:=]| ) {0,9}(?<number>\d{1,9})/gi
]

const ofWords = (line: string): Counts => {
  const counts: Counts = {}
  for (const form of forms)
    if (Object.keys(counts).length === 0)
      for (const { groups: { number, word = "" } = {} } of line.matchAll(form)) {
        const key = keys.find((one) => words[one].test(word.toLowerCase()))
        if (key !== undefined) counts[key] = (counts[key] ?? 0) + Number(number)
      }
  return counts
}

type Groups = Readonly<Record<string, string | undefined>>

/** A total without failures means 0 failures. If a total names only other results, it means 0 passes. */
const countsOf = (meaning: Meaning, groups: Groups, line: string): Counts => {
  const named: Counts = groups["ok"] === undefined ? {} : { passed: 1 }
  for (const key of keys) if (groups[key] !== undefined) named[key] = Number(groups[key])
  if ((meaning !== "total" && meaning !== "count") || Object.keys(named).length > 0) return named
  const counts = ofWords(line)
  if (meaning === "count") return counts
  const isNoPass = counts.total === undefined && Object.keys(counts).length > 0 && /\d [a-z]/i.test(line)
  return { failed: 0, ...(isNoPass && { passed: 0 }), ...counts }
}

interface State {
  readonly row: Row
  readonly counts: Counts
  readonly proved: Set<Meaning>
  readonly items: Map<string, Item>
  /** The key of the item that was named last. Null as soon as another subject starts. */
  open: string | null
  /** The file, and maybe the line, of the next items. With a line number, it belongs only to the next item. */
  ahead: Groups
  note: string | null
}

export const isOfTests = ({ sources }: Pick<Row, "sources">): boolean => sources[0] === "tests"

const fresh = (row: Row): State => ({
  row,
  counts: {},
  proved: new Set(),
  items: new Map(),
  open: null,
  ahead: {},
  note: null
})

/** Redacts secrets before the text is cut or changed, because half a token would not be recognised as a secret. */
const clean = (name: string): string => redactedHead(name, 2000).replaceAll(/\s+/g, " ").trim().slice(0, 200)

const maxItems = 300

/** Adds a failed item. One test may be written as `suite::name` in one place and `suite.name` in another. */
const addItem = (state: State, groups: Groups): void => {
  if (groups["name"] === undefined && groups["file"] === undefined) return
  const { ahead, items, row } = state
  const { file = ahead["file"], line = ahead["line"], name = file } = groups
  const one = clean(name ?? "")
  const key = isOfTests(row) ? one.replaceAll("::", ".") : `${one} ${file}:${line}`
  const known = items.get(key)
  state.open = key
  if (groups["name"] === undefined) state.ahead = groups
  else if (ahead["line"] !== undefined) state.ahead = {}
  if (one === "" || (known === undefined && items.size >= maxItems)) return
  const place = line === undefined ? (known?.line ?? null) : Number(line)
  items.set(key, { name: known?.name ?? one, file: file ?? known?.file ?? null, line: place })
}

const place =
  /(?:^|[\s("'❯])(?:file:\/\/)?(?<file>[^\s:"'()]{1,200}\.[a-z]{1,5})(?:", line |:line |:)(?<line>\d{1,7})(?!\w)/
/** A path in quotes may contain spaces. */
const quoted = /^\s*location: '(?<file>[^'"]{1,300}):(?<line>\d{1,7}):\d+'$/
const foreign = /node_modules|node:internal|site-packages|\/lib\/python|\/usr\/lib/
const over = /^(?:=== | {2}\d+\) |\s{0,40}(?:--- |[✓✔] ))/

const locate = (state: State, line: string): void => {
  const item = state.items.get(state.open ?? "")
  if (item === undefined || item.line !== null || over.test(line)) state.open = null
  else {
    const { file, line: at } = (quoted.exec(line) ?? place.exec(line))?.groups ?? {}
    const isOwn = file !== undefined && !foreign.test(file) && (item.file ?? file).endsWith(file)
    if (isOwn) state.items.set(state.open ?? "", { ...item, file: item.file ?? file, line: Number(at) })
  }
}

const apply = (state: State, meaning: Meaning, { groups = {}, input }: RegExpExecArray): void => {
  const counts = countsOf(meaning, groups, input)
  const isAnew = state.row.rules.last === true && meaning === "total"
  for (const key of keys) {
    const count = counts[key]
    if (count !== undefined) state.counts[key] = (isAnew ? 0 : (state.counts[key] ?? 0)) + count
  }
  if (meaning === "failed" || meaning === "item" || meaning === "name") addItem(state, groups)
  const isWord = meaning === "failed" || (meaning === "item" && groups["name"] === undefined)
  if (isWord && /\s/.test(input)) state.note ??= clean(input)
}

interface Candidates {
  readonly row: Row
  readonly patterns: ReadonlyArray<Pattern>
}

const mayFit = ({ literals }: Pattern, text: string): boolean =>
  literals()?.some((literal) => text.includes(literal)) ?? true

const candidatesOf = (rows: ReadonlyArray<Row>, text: string): ReadonlyArray<Candidates> =>
  rows.flatMap((row) => {
    const patterns = row.patterns.filter((pattern) => mayFit(pattern, text))
    return patterns.length === 0 ? [] : [{ row, patterns }]
  })

const fit = (pattern: Pattern, { bare, raw }: OutputLine): RegExpExecArray | null =>
  mayFit(pattern, raw) ? (pattern.on.exec(raw) ?? (bare === raw ? null : pattern.on.exec(bare))) : null

export const isTelling = (rows: ReadonlyArray<Row>, line: OutputLine): boolean =>
  rows.some(({ patterns }) => patterns.some((pattern) => fit(pattern, line) !== null))

/** Tries lines with and without the prefix of a monorepo tool, because the prefix may be part of the message. */
const statesOf = (rows: ReadonlyArray<Row>, { lines, text }: OutputText): ReadonlyArray<State> => {
  const states = new Map<Row, State>()
  const candidates = candidatesOf(rows, text)
  for (const line of candidates.length === 0 ? [] : lines) {
    let isKnown = false
    for (const { patterns, row } of candidates)
      for (const pattern of patterns) {
        const match = fit(pattern, line)
        if (match === null) continue
        isKnown = true
        const state = states.get(row) ?? fresh(row)
        states.set(row, state)
        apply(state, pattern.meaning, match)
        state.proved.add(pattern.meaning)
      }
    if (!isKnown) for (const state of states.values()) if (state.open !== null) locate(state, line.raw)
  }
  return rows.flatMap((row) => {
    const state = states.get(row)
    return state === undefined || row.rules.unless?.test(text) === true ? [] : [state]
  })
}

/** If every planned test passed, the number of failures is 0. */
const settled = (counts: Counts): Counts => {
  const { passed = 0, skipped = 0, total = 0 } = counts
  const failed = counts.failed ?? (total > 0 && passed >= total ? 0 : undefined)
  if (failed === undefined) return counts
  return { ...(total > 0 && { passed: Math.max(0, total - failed - skipped) }), ...counts, failed }
}

const outcomeOf = ({ proved, row }: State, counts: Counts, partial: boolean): Reading["outcome"] => {
  const { failed = 0, passed, skipped = 0, total } = counts
  if (failed > 0 || proved.has("failed")) return "failed"
  const isSome = (passed ?? 0) > 0 || (total ?? 0) > skipped
  const isNone = !isSome && (passed !== undefined || total !== undefined)
  const isClean = counts.failed === 0 && (isSome || !isOfTests(row))
  const isPassed = isClean || (proved.has("passed") && !isNone)
  const isIdle = proved.has("none") || (isNone && (proved.has("passed") || counts.failed === 0 || total === 0))
  if (proved.has("item")) return isPassed ? "doubt" : "failed"
  if (partial && isPassed && !proved.has("total")) return "doubt"
  return isPassed ? "passed" : isIdle ? "none" : null
}

/** Reads an output with each row. `partial` is true if lines about failures may be missing. */
export const read = (rows: ReadonlyArray<Row>, text: OutputText, partial = false): ReadonlyArray<Reading> =>
  statesOf(rows, text).map((state) => {
    const counts = isOfTests(state.row) ? settled(state.counts) : state.counts
    const items = [...state.items.values()]
    // If the failing tests of a file are named, the file is not listed too.
    const named = items.filter(({ file, name }) => name !== file)
    const failing = named.length > 0 ? named : items
    return { ...state.row, outcome: outcomeOf(state, counts, partial), counts, failing, note: state.note }
  })
