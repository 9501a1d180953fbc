/** What the edits of a task did to its checks: tests, assertions, marks and configuration that are less than they were. */
import { clip } from "../../ground/text/Text.ts"
import { callOf, type Discard, discardsOf } from "../evidence/Evidence.ts"
import type { Evidence, EvidenceContext, Run } from "../evidence/model.ts"
import type { ToolCall, TranscriptEvent } from "../transcript/Transcript.ts"
import { byCommand, mendsItself } from "./commands.ts"
import { isCheckConfig, isTestPath, same } from "./files.ts"
import type { CheckChange, CheckEdits, Delta, TextEdit } from "./model.ts"
import { withOwn } from "./ownLines.ts"
import { printedValues, readable, readWhole } from "./outputs.ts"
import { learned, printOf, readEdit, readInPassing, type Seen } from "./readEdit.ts"
import { isAnyRed, isLookedUp, withReds } from "./reds.ts"
import { textEdits } from "./textEdits.ts"

export { CheckChange, CheckChangeKind, CheckEdits } from "./model.ts"

export { showsWrong } from "./openly.ts"

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
  inputs: [],
  reds: [],
  printed: "",
  frames: [],
  scripts: [],
  lookedUp: 0,
  opaque: 0,
  lost: false
}

const maxChanges = 48
const maxSources = 32
const maxPrints = 24

/**
 * Begins another task: what was taken from its checks before is nobody's now, what was added to them may go again.
 *
 * @category folds
 */
export const beginTask = (state: CheckEdits): CheckEdits =>
  state.changes.length === 0 && state.aside.length === 0 && state.reds.length === 0 && state.lookedUp === 0
    ? state
    : { ...state, changes: state.changes.filter(({ net }) => net < 0), aside: [], reds: [], lookedUp: 0 }

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

const maxPath = 100

/** A path's last folders and its name: what is compared is compared from its end. */
const ending = (path: string): string => {
  const tail = path.slice(-maxPath)
  return tail === path ? path : tail.slice(tail.indexOf("/") + 1)
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

const isOrdered = (call: ToolCall): boolean => call.status !== "denied" && call.status !== "interrupted"

/** Whether a check had failed last when this was changed: a pass of a part leaves the rest as it was. */
const isRed = ({ runs }: Evidence): boolean => {
  const last = new Map<string, Run["result"]>()
  for (const { gate, partial, result } of runs)
    if (result === "failed" || (result === "passed" && !partial)) last.set(gate, result)
  return [...last.values()].includes("failed")
}

const failedTests = (runs: ReadonlyArray<Run>, order: number): boolean =>
  runs.some((run) => callOf(run.order) === order && run.gate === "tests" && run.result === "failed")

const ofTexts: ReadonlySet<string> = new Set(["test", "assert", "expected"])

/** After an edit that nobody sees, what was missing may be back. */
const withoutTexts = (state: CheckEdits, path: string): CheckEdits => ({
  ...state,
  changes: state.changes.filter((one) => !(ofTexts.has(one.kind) && same(one.path, path)))
})

/** What is put back as it was before the last edit of the file was not changed by either. */
const withSource = (
  { sources }: CheckEdits,
  { after, before, path }: TextEdit,
  order: number,
  isTest: boolean
): CheckEdits["sources"] => {
  const isKnown = before !== null && after !== null
  const last = sources.findLastIndex((one) => same(one.path, path))
  if (isKnown && last >= 0 && sources[last]?.print === printOf(path, after, before)) return sources.toSpliced(last, 1)
  const print = isKnown ? printOf(path, before, after) : 0
  return [...sources, { path: ending(path), order, isTest, print }].slice(-maxSources)
}

const withEdit = (state: CheckEdits, edit: TextEdit, call: ToolCall, before: Evidence, seen: Seen): CheckEdits => {
  const { cwd } = seen
  const order = before.order + 1
  const { path } = edit
  const { deltas, isOwn, isReal } = seen.isRed
    ? readEdit(edit, { ...seen, state })
    : readInPassing(edit, { ...seen, state })
  const isTest = isTestPath(path, cwd)
  const isUnseen = isTest && edit.isUnread === true
  const changed = withDeltas(isUnseen ? withoutTexts(state, path) : state, path, deltas, call, order)
  const next = isTest || isOwn === true ? withOwn(changed, edit, isOwn === true || isUnseen) : changed
  const sources = isReal ? withSource(next, edit, order, isTest) : next.sources
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
  const seen = { state, cwd: event.cwd ?? context.cwd, isRed: isTold || isRed(before) || isAnyRed(state) }
  let next = state
  const edits = textEdits(event, context.repo.scripts)
  for (const edit of edits) next = withEdit(next, edit, event, before, seen)
  if (mendsItself(event))
    next = {
      ...next,
      sources: [...next.sources, { path: "*", order: after.order, isTest: false, print: 0 }].slice(-maxSources)
    }
  if (seen.isRed) next = withDeltas(next, "", byCommand(event, before), event, after.order)
  // A test is mostly read before it is run.
  const whole = readWhole(event)
  const isOfUse = whole !== null && (seen.isRed || isTestPath(whole.path, seen.cwd))
  if (whole !== null && isOfUse && !next.ownFiles.some((one) => same(one, whole.path)))
    next = learned(next, whole.path, whole.text, seen.cwd)
  for (const discard of discardsOf(event, context)) next = discarded(next, discard)
  next = withReds(next, event, after)
  if (seen.isRed && edits.length === 0 && isLookedUp(event)) next = { ...next, lookedUp: after.order }
  if (failedTests(after.runs, after.order)) next = { ...next, ...printedValues(readable(event.output ?? "")) }
  return after.opaqueAt !== undefined && after.opaqueAt === after.order ? { ...next, opaque: after.order } : next
}
