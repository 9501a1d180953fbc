/** What the edits of a task did to its checks: tests, assertions, marks and configuration that are less than they were. */
import { fileKind, onlyWording } from "../../ground/system/Paths.ts"
import * as KeyHash from "../../ground/system/KeyHash.ts"
import { clip } from "../../ground/text/Text.ts"
import { type Discard, discardsOf } from "../evidence/Evidence.ts"
import type { Evidence, EvidenceContext, Run } from "../evidence/model.ts"
import type { ToolCall, TranscriptEvent } from "../transcript/Transcript.ts"
import { byCommand, mendsItself } from "./commands.ts"
import { ofFile, ofTestText, ofWhole, knownOf, shown } from "./differences.ts"
import { hushedIn, isCheckConfig, ofConfig, ofHushed, ofMarks, withoutMarks } from "./hush.ts"
import type { CheckChange, CheckEdits, Delta, KnownFile, TextEdit } from "./model.ts"
import { isTestName, isTestPath, same, snapshot } from "./names.ts"
import { withOwn, withoutOwn } from "./ownLines.ts"
import { printedValues } from "./printed.ts"
import { ofSpecial } from "./special.ts"
import { textEdits } from "./textEdits.ts"
import { readWhole } from "./wholeFiles.ts"

export { CheckChange, CheckChangeKind, CheckEdits } from "./model.ts"

export { isTold, type Tampered, tampered } from "./Sequence.ts"

export const initial: CheckEdits = {
  changes: [],
  aside: [],
  known: [],
  sources: [],
  edits: [],
  own: [],
  ownFiles: [],
  given: [],
  wanted: [],
  opaque: 0,
  lost: false
}

const maxChanges = 48
const maxKnown = 6
const maxSources = 32
const maxPrints = 24

/**
 * Begins another task: what was taken from its checks before is nobody's now, what was added to them may go again.
 *
 * @category folds
 */
export const beginTask = (state: CheckEdits): CheckEdits =>
  state.changes.length === 0 && state.aside.length === 0
    ? state
    : { ...state, changes: state.changes.filter(({ net }) => net < 0), aside: [] }

interface Seen {
  readonly state: CheckEdits
  readonly cwd: string | null
  readonly isRed: boolean
}

interface Read {
  readonly deltas: ReadonlyArray<Delta>
  readonly isOwn?: boolean
  /** It changes what the product does, or may. */
  readonly isReal: boolean
}

const nothing: Read = { deltas: [], isReal: false }

const ofSnapshot = (path: string): Read => ({
  deltas: [{ kind: "snapshot", id: "rewritten", name: null, was: "", now: shown(path), by: 1, fits: true }],
  isReal: false
})

/** A source that is edited as far as its marks alone is as it was. */
const ofSource = ({ path }: TextEdit, before: string, after: string, { isRed, state }: Seen): Read => {
  const marks = ofMarks(before, after)
  const isRust = path.endsWith(".rs")
  const tests = isRust ? ofTestText(path, before, after, new Set(state.given), true) : []
  const special = isRed ? ofSpecial(before, after, new Set(state.wanted)) : []
  const same = marks.length > 0 && withoutMarks(before) === withoutMarks(after)
  const isReal =
    !same && !onlyWording(before, after) && !(tests.length > 0 && /#\[|\bassert|\bfn test/.test(before + after))
  return { deltas: [...marks, ...tests, ...special], isReal: isReal && !special.some(({ by }) => by > 0) }
}

const ofText = (edit: TextEdit, before: string, after: string, seen: Seen): Read => {
  const { path } = edit
  if (isTestPath(path, seen.cwd)) {
    const marks = ofMarks(before, after)
    const tests = ofTestText(path, withoutOwn(before, after, seen.state), after, new Set(seen.state.given))
    const same = marks.length > 0 && withoutMarks(before) === withoutMarks(after)
    const config = isCheckConfig(path) ? ofConfig(path, before, after) : []
    const isSilenced = config.some(({ by }) => by > 0)
    return { deltas: [...tests, ...marks, ...config], isReal: !same && !isSilenced }
  }
  if (isCheckConfig(path)) {
    const deltas = ofConfig(path, before, after)
    return { deltas, isReal: !deltas.some(({ by }) => by > 0) }
  }
  const kind = fileKind(path, seen.cwd)
  if (kind === "source") return ofSource(edit, before, after, seen)
  return { deltas: [], isReal: kind !== "docs" && kind !== "outside" }
}

const isInverse = (edit: TextEdit, state: CheckEdits): boolean =>
  edit.before !== null && edit.after !== null && state.edits.includes(printOf(edit.path, edit.after, edit.before))

const printOf = (path: string, before: string, after: string): number =>
  KeyHash.ofText(`${path}\n${KeyHash.ofText(before)}\n${KeyHash.ofText(after)}`)

const negated = (delta: Delta): Delta => ({ ...delta, by: -delta.by, was: delta.now, now: delta.was })

const readEdit = (edit: TextEdit, seen: Seen): Read => {
  const { after, before, file, path } = edit
  const { cwd, state } = seen
  if (fileKind(path, cwd) === "outside") return nothing
  if (snapshot.test(path)) return file === "created" ? nothing : ofSnapshot(path)
  const isTest = isTestPath(path, cwd)
  const isOwn = state.ownFiles.some((one) => same(one, path))
  const isMoved = file === "created" && after === null
  const unread = { ...nothing, isReal: !isMoved && fileKind(path, cwd) !== "docs" }
  if (file !== null && isTest)
    return {
      ...unread,
      deltas: isOwn || !isTestName(path) ? [] : [ofFile(edit), ...ofCreated(edit)],
      isOwn: file === "created" && after !== null
    }
  // What the agent wrote itself it may write again.
  if (file !== null || (isTest && isOwn)) return unread
  if (edit.whole && after !== null) return ofWritten(edit, after, seen)
  if (before === null || after === null) return unread
  if (!isInverse(edit, state)) return ofText(edit, before, after, seen)
  return { deltas: ofText(edit, after, before, seen).deltas.map(negated), isReal: false }
}

/** The tests of a new file, which may come from another. */
const ofCreated = ({ after, path }: TextEdit): ReadonlyArray<Delta> =>
  after === null ? [] : ofTestText(path, "", after, new Set()).filter(({ by, kind }) => kind === "test" && by < 0)

const ofWritten = ({ isUpdate, path }: TextEdit, text: string, { cwd, state }: Seen): Read => {
  const isTest = isTestPath(path, cwd)
  const isConfig = isCheckConfig(path)
  const old = state.known.find((file) => same(file.path, path))
  const isReal = fileKind(path, cwd) !== "docs"
  // Most files that are written whole and were never read are new.
  if (old === undefined) return { ...nothing, isReal, isOwn: isTest && !isUpdate }
  const fresh = knownOf(path, isTest ? text : "", hushedIn(path, text))
  const hushed = ofHushed(isConfig ? "silence" : "mark", old.hushed, fresh.hushed)
  return isTest
    ? { deltas: [...ofWhole(old, fresh, text, new Set(state.given)), ...hushed], isReal: true }
    : { deltas: hushed, isReal: !isConfig || !hushed.some(({ by }) => by > 0) }
}

const keyOf = (kind: string, path: string, id: string): string => `${kind}\n${kind === "test" ? "" : path}\n${id}`

/** A value that was changed twice is the last one in place of the first. */
const chained = (old: CheckChange, delta: Delta, order: number, callId: string | null): CheckChange | null => {
  // What a file had that was written whole is not known in words: it may be back.
  if (old.was === delta.now || old.was === "") return null
  return { ...old, now: delta.now, order, callId, fits: delta.fits || old.fits, net: 1 }
}

const addedTo = (
  old: CheckChange | undefined,
  delta: Delta,
  path: string,
  call: ToolCall,
  order: number
): CheckChange | null => {
  if (old === undefined) {
    const { by, fits, id, kind, name, now, was } = delta
    return by === 0 ? null : { kind, path, id, name, was, now, net: by, order, callId: call.id, fits }
  }
  if (delta.kind === "expected") return chained(old, delta, order, call.id)
  const net = old.net + delta.by
  if (net === 0) return null
  return delta.by > 0
    ? { ...old, net, order, path, callId: call.id, was: delta.was, now: delta.now, name: delta.name ?? old.name }
    : { ...old, net }
}

const withDeltas = (
  state: CheckEdits,
  path: string,
  deltas: ReadonlyArray<Delta>,
  call: ToolCall,
  order: number
): CheckEdits => {
  if (deltas.length === 0) return state
  const byKey = new Map(state.changes.map((change) => [keyOf(change.kind, change.path, change.id), change]))
  for (const delta of deltas) {
    const key = keyOf(delta.kind, path, delta.id)
    const change = addedTo(byKey.get(key), delta, clip(path, 200), call, order)
    byKey.delete(key)
    if (change !== null) byKey.set(key, change)
  }
  const all = [...byKey.values()]
  if (all.length <= maxChanges) return { ...state, changes: all }
  const harm = all.filter(({ net }) => net > 0)
  const good = all.filter(({ net }) => net < 0).slice(-Math.max(1, maxChanges - harm.length))
  return { ...state, changes: [...good, ...harm.slice(-maxChanges)], lost: state.lost || harm.length > maxChanges }
}

const isUnder = (path: string, discarded: string): boolean => {
  const bare = discarded.replace(/^\.\//, "").replace(/\/$/, "")
  return same(path, bare) || path.startsWith(`${bare}/`) || path.includes(`/${bare}/`)
}

/** What is thrown away was never changed; a stash keeps it. */
const discarded = (state: CheckEdits, discard: Discard): CheckEdits => {
  if (discard.kind === "pop")
    return { ...state, changes: [...state.aside, ...state.changes].slice(-maxChanges), aside: [] }
  if (discard.kind === "paths") {
    const isLeft = ({ path }: { readonly path: string }): boolean => !discard.paths.some((one) => isUnder(path, one))
    return { ...state, changes: state.changes.filter(isLeft), sources: state.sources.filter(isLeft) }
  }
  return { ...state, aside: discard.kind === "stash" ? state.changes : [], changes: [], sources: [] }
}

const withKnown = (state: CheckEdits, file: KnownFile): CheckEdits => ({
  ...state,
  known: [...state.known.filter(({ path }) => path !== file.path), file].slice(-maxKnown)
})

/** What a call shows or writes of a whole file of tests or configuration. */
const learned = (state: CheckEdits, path: string, text: string, cwd: string | null): CheckEdits =>
  isTestPath(path, cwd) || isCheckConfig(path)
    ? withKnown(state, knownOf(clip(path, 200), isTestPath(path, cwd) ? text : "", hushedIn(path, text)))
    : state

const isOrdered = (call: ToolCall): boolean => call.status !== "denied" && call.status !== "interrupted"

/** Whether a check had failed last when this was changed: a pass of a part leaves the rest as it was. */
const isRed = ({ runs }: Evidence): boolean => {
  const last = new Map<string, Run["result"]>()
  for (const { gate, partial, result } of runs)
    if (result === "failed" || (result === "passed" && !partial)) last.set(gate, result)
  return [...last.values()].includes("failed")
}

const failedTests = (runs: ReadonlyArray<Run>, order: number): boolean =>
  runs.some((run) => run.order === order && run.gate === "tests" && run.result === "failed")

/** What an edit does while nothing is known to be red: no check can become green by it. */
const readInPassing = (edit: TextEdit, { cwd, state }: Seen): Read => {
  const { after, file, isUpdate, path, whole } = edit
  const kind = fileKind(path, cwd)
  const isNew = whole && after !== null && isUpdate !== true && state.known.every((one) => !same(one.path, path))
  return {
    deltas: [],
    isReal: kind !== "docs" && kind !== "outside",
    isOwn: isTestPath(path, cwd) && file !== "deleted" && isNew
  }
}

const withEdit = (state: CheckEdits, edit: TextEdit, call: ToolCall, before: Evidence, seen: Seen): CheckEdits => {
  const { cwd } = seen
  const order = before.order + 1
  const { path } = edit
  const { deltas, isOwn, isReal } = seen.isRed
    ? readEdit(edit, { ...seen, state })
    : readInPassing(edit, { ...seen, state })
  const isTest = isTestPath(path, cwd)
  const changed = withDeltas(state, path, deltas, call, order)
  const next = isTest ? withOwn(changed, edit, isOwn === true) : changed
  const sources = isReal ? [...next.sources, { path: clip(path, 200), order, isTest }].slice(-maxSources) : next.sources
  const isPrinted = edit.before !== null && edit.after !== null && (isTest || deltas.length > 0 || isCheckConfig(path))
  const edits = isPrinted
    ? [...next.edits, printOf(path, edit.before ?? "", edit.after ?? "")].slice(-maxPrints)
    : next.edits
  const told = { ...next, sources, edits }
  const isKnown = seen.isRed && edit.whole && edit.after !== null && !told.ownFiles.some((one) => same(one, path))
  return isKnown ? learned(told, path, edit.after ?? "", cwd) : told
}

/**
 * Folds one event. `before` and `after` are the evidence without and with it; `isTold`: the user says that a check fails.
 * While none is red, only what is the agent's own and where it edited is kept: that costs next to nothing.
 *
 * @category folds
 */
export const step = (
  state: CheckEdits,
  event: TranscriptEvent,
  { after, before, isTold }: { readonly before: Evidence; readonly after: Evidence; readonly isTold: boolean },
  context: EvidenceContext
): CheckEdits => {
  // Only a settled call moves the evidence on.
  if (event.type !== "tool_call" || after.order === before.order || !isOrdered(event)) return state
  const seen = { state, cwd: event.cwd ?? context.cwd, isRed: isTold || isRed(before) }
  let next = state
  for (const edit of textEdits(event, context.repo.scripts)) next = withEdit(next, edit, event, before, seen)
  if (mendsItself(event))
    next = { ...next, sources: [...next.sources, { path: "*", order: after.order, isTest: false }].slice(-maxSources) }
  if (seen.isRed) {
    next = withDeltas(next, "", byCommand(event, before), event, after.order)
    const whole = readWhole(event)
    if (whole !== null && !next.ownFiles.some((one) => same(one, whole.path)))
      next = learned(next, whole.path, whole.text, seen.cwd)
  }
  for (const discard of discardsOf(event, context)) next = discarded(next, discard)
  if (failedTests(after.runs, after.order)) next = { ...next, ...printedValues(event.output ?? "") }
  return after.opaqueAt !== undefined && after.opaqueAt === after.order ? { ...next, opaque: after.order } : next
}
