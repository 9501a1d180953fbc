/** What one edit does to the checks of a project, by the kind of its file. */
import { fileKind, onlyWording } from "../../ground/system/Paths.ts"
import * as KeyHash from "../../ground/system/KeyHash.ts"
import { clip } from "../../ground/text/Text.ts"
import { basename, isCheckConfig, isTestName, isTestPath, mayBeScript, same, snapshot } from "./files.ts"
import { delta, shown } from "./deltas.ts"
import { knownOf, ofFile, ofTestText, ofWhole } from "./differences.ts"
import { hushedIn, ofConfig, ofHushed, ofMarks, ofNewConfig, ofRepeats, ofTeeth, withoutMarks } from "./hush.ts"
import type { CheckEdits, Delta, KnownFile, TextEdit } from "./model.ts"
import { withoutOwn } from "./ownLines.ts"
import { ofSpecial, ofSwallowed } from "./special.ts"

const maxKnown = 6

export interface Seen {
  readonly state: CheckEdits
  readonly cwd: string | null
  readonly isRed: boolean
}

export interface Read {
  readonly deltas: ReadonlyArray<Delta>
  readonly isOwn?: boolean
  /** It changes what the product does, or may. */
  readonly isReal: boolean
}

const nothing: Read = { deltas: [], isReal: false }

const ofSnapshot = (path: string): Read => ({
  deltas: [delta("snapshot", 1, "rewritten", { now: shown(path), fits: true })],
  isReal: false
})

/** A source that is edited as far as its marks alone is as it was. */
const ofSource = ({ path }: TextEdit, before: string, after: string, { isRed, state }: Seen): Read => {
  const marks = ofMarks(before, after)
  const isRust = path.endsWith(".rs")
  const tests = isRust ? ofTestText(path, before, after, new Set(state.given), true) : []
  const special = isRed ? ofSpecial(before, after, new Set(state.wanted), new Set(state.inputs)) : []
  const swallowed = ofSwallowed(basename(path), before, after, state.frames)
  const same = marks.length > 0 && withoutMarks(before) === withoutMarks(after)
  const isReal =
    !same && !onlyWording(before, after) && !(tests.length > 0 && /#\[|\bassert|\bfn test/.test(before + after))
  return {
    deltas: [...marks, ...tests, ...special, ...swallowed],
    isReal: isReal && ![...special, ...swallowed].some(({ by }) => by > 0)
  }
}

const ofText = (edit: TextEdit, before: string, after: string, seen: Seen): Read => {
  const { path } = edit
  if (isTestPath(path, seen.cwd)) {
    const marks = ofMarks(before, after)
    const tests = ofTestText(path, withoutOwn(before, after, seen.state), after, new Set(seen.state.given))
    const same = marks.length > 0 && withoutMarks(before) === withoutMarks(after)
    const config = [...(isCheckConfig(path) ? ofConfig(path, before, after) : []), ...ofRepeats(before, after)]
    const isSilenced = config.some(({ by }) => by > 0)
    return { deltas: [...tests, ...marks, ...config], isReal: !same && !isSilenced }
  }
  if (isChecking(path, seen.state)) {
    const deltas = [...ofConfig(path, before, after), ...ofTeeth(path, before, after)]
    return { deltas, isReal: !deltas.some(({ by }) => by > 0) }
  }
  const kind = fileKind(path, seen.cwd)
  if (kind === "source") return ofSource(edit, before, after, seen)
  return { deltas: [], isReal: kind !== "docs" && kind !== "outside" }
}

/** A configuration of checks, or a script that one of them ran. */
const isChecking = (path: string, { ownFiles, scripts }: CheckEdits): boolean =>
  (isCheckConfig(path) || scripts.some((one) => same(one, path))) && !ownFiles.some((one) => same(one, path))

const isInverse = (edit: TextEdit, state: CheckEdits): boolean =>
  edit.before !== null && edit.after !== null && state.edits.includes(printOf(edit.path, edit.after, edit.before))

export const printOf = (path: string, before: string, after: string): number =>
  KeyHash.ofText(`${path}\n${KeyHash.ofText(before)}\n${KeyHash.ofText(after)}`)

const negated = (delta: Delta): Delta => ({ ...delta, by: -delta.by, was: delta.now, now: delta.was })

/** What an edit does to checks while one of them is red. */
export const readEdit = (edit: TextEdit, seen: Seen): Read => {
  const { after, before, file, path } = edit
  const { cwd, state } = seen
  if (fileKind(path, cwd) === "outside") return nothing
  if (snapshot.test(path)) return file === "created" ? nothing : ofSnapshot(path)
  const isTest = isTestPath(path, cwd)
  if (file !== null && !isTest && isChecking(path, state)) return ofCheckFile(edit, seen)
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

/** A script that the failed check ran was there, and could fail. */
const unread = (path: string, { scripts }: CheckEdits): KnownFile | undefined =>
  scripts.some((one) => same(one, path)) ? knownOf(path, "", { teeth: -1 }) : undefined

/** The tests of a new file, which may come from another. */
const ofCreated = ({ after, path }: TextEdit): ReadonlyArray<Delta> =>
  after === null ? [] : ofTestText(path, "", after, new Set()).filter(({ by, kind }) => kind === "test" && by < 0)

const ofKnown = (state: CheckEdits, path: string): KnownFile | undefined =>
  state.known.find((one) => same(one.path, path))

/** A configuration or a check's script that is there no more, or new; one that is put in the place of another is a change of it. */
const ofCheckFile = (edit: TextEdit, seen: Seen): Read => {
  const { after, file, path } = edit
  const { state } = seen
  const isRan = state.scripts.some((one) => same(one, path))
  const old = ofKnown(state, path)
  const hasTeeth = isRan || (old?.hushed["teeth"] ?? 0) < 0
  if (file === "deleted") return { deltas: hasTeeth ? [ofGone(path, 1)] : [], isReal: !hasTeeth }
  if (after === null) return { ...nothing, isReal: true }
  const wasGone = state.changes.some((one) => one.kind === "silence" && one.id === "teeth" && same(one.path, path))
  if (old === undefined && !wasGone) {
    const deltas = ofNewConfig(path, after)
    return { deltas, isReal: deltas.length === 0, isOwn: mayBeScript(path) }
  }
  const fresh = hushedIn(path, after, true)
  const back = wasGone && (fresh["teeth"] ?? 0) < 0 ? [ofGone(path, -1)] : []
  const deltas =
    old === undefined ? back : [...ofHushed("silence", { ...old.hushed, teeth: 0 }, { ...fresh, teeth: 0 }), ...back]
  return { deltas, isReal: !wasGone || back.length > 0 }
}

/** A check's script that can fail by nothing any more. */
const ofGone = (path: string, by: number): Delta =>
  delta("silence", by, "teeth", {
    ...(by > 0 ? { was: shown(`${basename(path)} could fail`) } : { now: shown(path) }),
    fits: true
  })

const ofWritten = ({ isUpdate, path }: TextEdit, text: string, { cwd, state }: Seen): Read => {
  const isTest = isTestPath(path, cwd)
  const isConfig = isChecking(path, state)
  const old = ofKnown(state, path) ?? (isConfig && !isTest ? unread(path, state) : undefined)
  const isReal = fileKind(path, cwd) !== "docs"
  // Most files that are written whole and were never read are new.
  if (old === undefined) {
    const deltas = isConfig && isUpdate !== true ? ofNewConfig(path, text) : []
    return { deltas, isReal: isReal && deltas.length === 0, isOwn: !isUpdate && (isTest || mayBeScript(path)) }
  }
  const fresh = knownOf(path, isTest ? text : "", hushedIn(path, text, isConfig))
  const hushed = ofHushed(isConfig ? "silence" : "mark", old.hushed, fresh.hushed)
  return isTest
    ? { deltas: [...ofWhole(old, fresh, text, new Set(state.given)), ...hushed], isReal: true }
    : { deltas: hushed, isReal: !isConfig || !hushed.some(({ by }) => by > 0) }
}

/** What an edit does while nothing is known to be red: no check can become green by it. */
export const readInPassing = (edit: TextEdit, { cwd, state }: Seen): Read => {
  const { after, file, isUpdate, path, whole } = edit
  const kind = fileKind(path, cwd)
  const isNew = whole && after !== null && isUpdate !== true && state.known.every((one) => !same(one.path, path))
  return {
    deltas: [],
    isReal: kind !== "docs" && kind !== "outside",
    isOwn: (isTestPath(path, cwd) || mayBeScript(path)) && file !== "deleted" && isNew
  }
}

const withKnown = (state: CheckEdits, file: KnownFile): CheckEdits => ({
  ...state,
  known: [...state.known.filter(({ path }) => path !== file.path), file].slice(-maxKnown)
})

/** What a call shows or writes of a whole file of tests or configuration. */
export const learned = (state: CheckEdits, path: string, text: string, cwd: string | null): CheckEdits =>
  isTestPath(path, cwd) || isChecking(path, state)
    ? withKnown(
        state,
        knownOf(clip(path, 200), isTestPath(path, cwd) ? text : "", hushedIn(path, text, isChecking(path, state)))
      )
    : state
