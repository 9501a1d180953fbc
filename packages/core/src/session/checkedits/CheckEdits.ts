/** What a task's edits did to its checks. This file does not know whether the user wanted these edits. */
import { fileKind } from "../../base/system/Paths.ts"
import { clip } from "../../base/text/Text.ts"
import { callOf, discardsOf, remaining } from "../evidence/Evidence.ts"
import type { Edit, Evidence, EvidenceContext } from "../evidence/model.ts"
import type { TranscriptEvent } from "../transcript/Transcript.ts"
import * as Lines from "./lines.ts"
import { isMark, isSnapshot, rewritesSnapshots } from "./marks.ts"
import type { CheckEdit, CheckEdits } from "./model.ts"
import { isRedAt, isSettings, maxFiles } from "./redGreen.ts"
import { type TextEdit, textEdits } from "./texts.ts"

export { CheckEdit, CheckEdits } from "./model.ts"

export { isSettings, type WeakenedCheck as Weakened, weakened } from "./redGreen.ts"

export const initial: CheckEdits = { entries: [], files: [], sources: { first: 0, last: 0 } }

/** True for a test file, a file next to tests, or a snapshot. */
export const isOfTests = (path: string): boolean =>
  isSnapshot(path) || [path, `${path}.ts`].some((name) => fileKind(name) === "test")

const maxEntries = 24

/**
 * Begins a new task. Earlier changes of checks no longer count.
 *
 * @category folds
 */
export const beginTask = (state: CheckEdits): CheckEdits =>
  state.entries.length === 0 ? state : { ...state, entries: [] }

const withChanges = (
  state: CheckEdits,
  place: Omit<CheckEdit, keyof Lines.Change>,
  changes: ReadonlyArray<Lines.Change>
): CheckEdits => {
  const entries = [...state.entries, ...changes.map((change) => ({ ...change, ...place }))]
  return { ...state, entries: entries.slice(-maxEntries) }
}

const changesIn = (path: string, isTest: boolean, all: Lines.Differences): ReadonlyArray<Lines.Change> => {
  if (isSnapshot(path)) return all.come.length === 0 ? [] : [Lines.change("snapshot", all.gone, all.come)]
  return [
    ...(isTest ? Lines.ofTests(all) : isSettings(path) ? Lines.ofSettings(all) : []),
    ...(/(?:^|\/)package\.json$/.test(path) ? Lines.ofScripts(all) : []),
    ...Lines.silenced(all, isMark)
  ]
}

/** Adds the changes of an edit. Also updates earlier changes, because a later edit may undo them. */
const withEdit = (
  state: CheckEdits,
  edit: Edit,
  text: TextEdit | undefined,
  { cwd, isRed }: { readonly cwd: string | null; readonly isRed: boolean }
): CheckEdits => {
  const path = clip(edit.path, 200)
  const kind = path === "*" ? "source" : fileKind(edit.path, cwd)
  const isTest = kind === "test" || isSnapshot(path)
  if (!isTest && (kind === "outside" || kind === "docs")) return state
  const { callId, order } = edit
  const { after = null, before = null, isGone = false } = text ?? {}
  const all = before === null || after === null ? null : Lines.differences(before, after)
  const old = state.entries
  const entries = all === null ? old : old.flatMap((one) => Lines.settled(one, all, one.path === path) ?? [])
  const whole = isGone ? Lines.change("test", [path]) : Lines.change("other", [])
  const changes = all !== null ? changesIn(path, isTest, Lines.withoutKnown(all, old, entries)) : isTest ? [whole] : []
  // If no check is failing, only edits of settings count, because they may make a check ignore something.
  const kept = isRed ? changes : isSettings(path) ? changes.filter(({ kind }) => kind !== "other") : []
  const place = { path, order, callId, ...(!isRed && { calm: true as const }) }
  const next = withChanges({ ...state, entries }, place, kept)
  const isOfCheck = all !== null && (isSettings(path) ? changes.length > 0 : Lines.isOnlyMarks(all))
  const { files, sources } = state
  if (!isTest) return isOfCheck ? next : { ...next, sources: { first: sources.first || order, last: order } }
  const isKnown = files.length >= maxFiles || files.some((one) => one.path === path)
  return isKnown ? next : { ...next, files: [...files, { path, order }] }
}

const byRuns = (state: CheckEdits, callId: string | null, after: Evidence): CheckEdits =>
  after.runs.reduce((all, { command, gate, order }) => {
    const isIt = callOf(order) === after.order && gate === "tests" && rewritesSnapshots(command)
    const change = Lines.change("snapshot", [], [command])
    return isIt && isRedAt(after, order) ? withChanges(all, { path: "", order, callId }, [change]) : all
  }, state)

/**
 * Adds one event. `before` and `after` are the evidence before and after the event.
 *
 * @category folds
 */
export const step = (
  state: CheckEdits,
  event: TranscriptEvent,
  { after, before }: { readonly before: Evidence; readonly after: Evidence },
  context: EvidenceContext
): CheckEdits => {
  // Only a finished call changes `order`.
  if (event.type !== "tool_call" || after.order === before.order) return state
  const edits = after.edits.filter(({ order }) => order > before.order)
  const cwd = event.cwd ?? context.cwd
  const isOfUse =
    edits.length > 0 &&
    (state.entries.length > 0 || isRedAt(after, after.order) || edits.some(({ path }) => isSettings(path)))
  const texts = isOfUse ? textEdits(event) : []
  const edited = edits.reduce((all, edit) => {
    const text = texts.find(({ path }) => path === edit.path)
    return withEdit(all, edit, text, { cwd, isRed: isRedAt(after, edit.order) })
  }, state)
  const next = byRuns(edited, event.id, after)
  if (next.entries.length === 0) return next
  return discardsOf(event, context).reduce(
    (all, discard) => (discard.kind === "pop" ? all : { ...all, entries: remaining(all.entries, discard) }),
    next
  )
}
