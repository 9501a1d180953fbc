/** What the tool calls prove: every run of a gate with its outcome and its place among the edits. */
import { discardsOf, remaining, type Discard } from "./Discards.ts"
import { editsOf } from "./Edits.ts"
import type { FileKind } from "../../ground/system/Paths.ts"
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { oneLine } from "../../ground/text/Text.ts"
import * as KeyHash from "../../ground/system/KeyHash.ts"
import { possibleRuns, printsOf } from "./possibleRuns.ts"
import { afterWork } from "./failedWork.ts"
import { countLooks, shareOf } from "./looking.ts"
import { foreignRuns } from "./foreignRuns.ts"
import { openedBy, readBy, whenKilled, whenOver, withOutputs } from "./outputs.ts"
import { countRepeat, noRepeat } from "./repeated.ts"
import * as Unseen from "./Unseen.ts"
import { pasted, userCall, userShell } from "./userRuns.ts"
import { type Before, runsOf, startedBy } from "./runsOfCall.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { TodoUpdate, ToolCall, TranscriptEvent, UserMessage } from "../transcript/Transcript.ts"
import type { Edit, Evidence, EvidenceContext, PossibleRun, Run } from "./model.ts"
import { shownBy } from "./shownChecks.ts"

export type { EvidenceContext } from "./model.ts"

export { discardsOf, remaining } from "./Discards.ts"

export { Away, FailingTest, Run, Edit, PossibleRun, Push, Evidence } from "./model.ts"

/** What a turn begins with. */
const unbegun = {
  edits: [],
  lastEdits: {},
  stashed: [],
  commits: 0,
  actions: 0,
  exercised: 0,
  delegated: 0,
  opaque: false,
  calls: 0,
  denied: [],
  repeats: noRepeat,
  looking: { looks: 0, other: 0 },
  failedWork: null,
  worked: false,
  issued: []
}

export const initial: Evidence = {
  version: 1,
  order: 0,
  turn: -1,
  runs: [],
  outputs: [],
  pushes: [],
  branch: null,
  list: { order: 0, print: 0 },
  possible: [],
  codeBefore: 0,
  unseenAt: 0,
  elsewhere: false,
  ...unbegun
}

/** A tool of unknown kind by whose name it may run code. */
const runsThings = /test|run|exec|build|check|task|terminal|script/i

const maxRuns = 32
const maxEdits = 64

/**
 * Begins a turn: what earlier turns ran is kept, what they edited is not, but for the first edit of a task that goes on.
 *
 * @category folds
 */
export const beginTurn = ({ firstEdit, ...state }: Evidence, turn: number, goesOn = false): Evidence => ({
  ...state,
  turn,
  ...unbegun,
  codeBefore: lastCode(state),
  ...(goesOn && firstEdit !== undefined && { firstEdit })
})

const isSettled = (call: ToolCall): boolean => call.status !== "pending" && call.status !== "running"

const provesNothing = (call: ToolCall): boolean => call.status === "denied" || call.status === "interrupted"

const addEdits = (state: Evidence, edits: ReadonlyArray<Edit>): Pick<Evidence, "edits" | "lastEdits"> => {
  if (edits.length === 0) return { edits: state.edits, lastEdits: state.lastEdits }
  const lastEdits: Record<string, number> = { ...state.lastEdits }
  for (const { kind, order } of edits) lastEdits[kind] = Math.max(lastEdits[kind] ?? 0, order)
  const paths = new Set(edits.map((edit) => edit.path))
  return { edits: [...state.edits.filter((edit) => !paths.has(edit.path)), ...edits].slice(-maxEdits), lastEdits }
}

const lastOf = (edits: ReadonlyArray<Edit>): Record<string, number> => {
  const last: Record<string, number> = {}
  for (const edit of edits) last[edit.kind] = Math.max(last[edit.kind] ?? 0, edit.order)
  return last
}

/** The order of the last commit that is on record. */
const lastCommit = ({ runs }: Evidence): number =>
  Math.max(0, ...runs.flatMap(({ gate, order, result }) => (gate === "commit" && result !== "failed" ? [order] : [])))

/** What a call is read with; an edit that the call itself made is one before its runs. */
const beforeOf = (state: Evidence, edits: ReadonlyArray<Edit>, order: number): Before => {
  const code = edits.filter(({ kind }) => isCode(kind) || kind === "unknown")
  return {
    branch: state.branch,
    away: state.away ?? null,
    edits: [...state.edits.filter(({ kind }) => isCode(kind) || kind === "unknown"), ...code],
    editedAt: code.length > 0 ? order : lastCode(state),
    committedAt: lastCommit(state)
  }
}

type Edits = Pick<Evidence, "edits" | "lastEdits" | "stashed">

const isProved = (edit: Edit, runs: ReadonlyArray<Run>): boolean =>
  runs.some((run) => run.result === "passed" && run.order > edit.order)

/**
 * Edits that are thrown away were never made, but what passed with them proves nothing about the code without them.
 * Those put aside come back with the stash.
 */
const discard =
  (runs: ReadonlyArray<Run>, order: number, committedAt: number) =>
  (state: Edits, discarded: Discard): Edits => {
    if (discarded.kind === "pop") {
      const edits = [...state.stashed, ...state.edits].slice(-maxEdits)
      return { edits, lastEdits: lastOf(edits), stashed: [] }
    }
    const keptUntil = discarded.kind === "all" && discarded.commits === true ? 0 : committedAt
    const left = remaining(state.edits, discarded)
    const kept = state.edits.filter((edit) => edit.order <= keptUntil || left.includes(edit))
    if (discarded.kind === "stash") {
      const stashed = state.edits.filter((edit) => !kept.includes(edit))
      return { edits: kept, lastEdits: lastOf(kept), stashed }
    }
    const undone = state.edits.filter((edit) => !kept.includes(edit) && isProved(edit, runs))
    const edits = [...kept, ...undone.map((edit) => ({ ...edit, order }))]
    return { edits, lastEdits: lastOf(edits), stashed: state.stashed }
  }

/**
 * The newest runs, and of each gate always the last of every result, before the task's first edit and after it; only those last
 * ones keep their failing tests.
 */
const addRuns = (
  { firstEdit = Infinity, runs }: Pick<Evidence, "firstEdit" | "runs">,
  added: ReadonlyArray<Run>
): ReadonlyArray<Run> => {
  if (added.length === 0) return runs
  const all = [...runs.filter((run) => !added.some((other) => replaces(other, run))), ...added]
  const keyOf = ({ base, gate, order, result }: Run): string =>
    `${gate}:${result}:${base === true || order < firstEdit}`
  const last = new Map(all.map((run) => [keyOf(run), run]))
  const isLast = (run: Run): boolean => last.get(keyOf(run)) === run
  const recent = all.length - maxRuns
  return all
    .filter((run, index) => index >= recent || isLast(run))
    .map((run) => (run.failing.length === 0 || isLast(run) ? run : { ...run, failing: [] }))
}

const replaces = (added: Run, old: Run): boolean =>
  added.callId !== null && added.callId === old.callId && added.gate === old.gate

/** The last possible run of each gate. */
const withPossible = (
  { issued, possible, turn }: Evidence,
  call: ToolCall,
  order: number,
  runs: ReadonlyArray<Run>,
  context: EvidenceContext
): ReadonlyArray<PossibleRun> => {
  const mayRun = possible.length > 0 || issued.length > 0
  const added = possibleRuns(call, { order, turn }, context, { runs, mayRun })
  return added.length === 0
    ? possible
    : [...possible.filter((one) => !added.some(({ gate }) => gate === one.gate)), ...added]
}

/**
 * Folds one event into the evidence. Pending calls prove nothing; a call counts once, when it is settled.
 *
 * @category folds
 */
export const step = (state: Evidence, event: TranscriptEvent, context: EvidenceContext): Evidence => {
  if (event.type === "todo_update") return onTodos(state, event)
  if (event.type === "user_message") return onMessage(state, event, context)
  if (event.type === "notice") return onEvent(state, event)
  if (event.type !== "tool_call" || (!isSettled(event) && !event.background)) return state
  if (!isSettled(event)) return onIssued(state, event, context)
  const order = state.order + 1
  if (provesNothing(event)) {
    if (event.status !== "denied")
      return { ...state, order, calls: state.calls + 1, outputs: whenKilled(state.outputs, event.id) }
    const gates = runsOf(event, { order, turn: state.turn }, context).runs.map((run) => run.gate)
    return { ...state, order, calls: state.calls + 1, denied: [...state.denied, { callId: event.id, gates }].slice(-8) }
  }
  const edits = editsOf(event, order, context)
  const shown = state.shown ?? shownBy(event)
  const { away: _, ...rest } = state
  const committedAt = lastCommit(state)
  const place = { order, turn: state.turn }
  const gathered = runsOf(event, place, context, beforeOf(state, edits, order))
  const isWorkedOn = toolKind(event.tool) === "edit" && edits.some(({ kind }) => isCode(kind))
  const discards = discardsOf(event, context)
  const sawBase =
    discards.some(({ kind }) => kind === "stash") ||
    (state.stashed.length > 0 && discards.length === 0) ||
    addsWorktree(event)
  const own = sawBase ? gathered.runs.map((run) => ({ ...run, base: true })) : gathered.runs
  const shownRuns = foreignRuns(event, place, context, { known: gathered.runs, runs: state.runs })
  const started = startedBy(event, place, context)
  const outputs = withOutputs(
    whenOver(state.outputs, event),
    openedBy(event, { known: gathered.runs, started }, place, context)
  )
  const begun = edits.length > 0 ? { firstEdit: state.firstEdit ?? Math.min(...edits.map((edit) => edit.order)) } : {}
  const runs = addRuns({ ...state, ...begun }, [
    ...own.filter((run) => !isOutranked(run, event, state.runs)),
    ...shownRuns
  ])
  const edit = lastEdit(state, ["source", "test", "conflict", "unknown"])
  const read = readBy({ outputs, runs }, event, { ...place, edit }, context)
  const isOpaque = gathered.opaque || (toolKind(event.tool) === "other" && runsThings.test(event.tool.slice(0, 200)))
  return {
    ...rest,
    ...(gathered.away !== null && !isWorkedOn && { away: gathered.away }),
    order,
    calls: state.calls + 1,
    ...discards.reduce<Edits>(discard(state.runs, order, committedAt), {
      ...addEdits(state, edits),
      stashed: state.stashed
    }),
    runs: read?.runs ?? runs,
    outputs,
    ...begun,
    pushes: [...state.pushes, ...gathered.pushes].slice(-16),
    commits: state.commits + gathered.commits,
    actions: state.actions + (edits.some((edit) => edit.kind !== "outside") || gathered.acts ? 1 : 0),
    delegated: toolKind(event.tool) === "agent" ? order : state.delegated,
    opaque: state.opaque || isOpaque,
    ...(isOpaque && { opaqueAt: order }),
    exercised: gathered.exercised ?? state.exercised,
    possible:
      read?.isNew === true && !isWork(event, context)
        ? state.possible
        : withPossible(state, event, order, gathered.runs, context),
    repeats: countRepeat(state.repeats, event, {
      edited: edits.length > 0,
      looks: shareOf(event, context) === "look"
    }),
    ...afterWork(state, event, context),
    looking: countLooks(state.looking, event, context),
    ...(Unseen.hasHook(event) && { unseenAt: order }),
    elsewhere: state.elsewhere || Unseen.looksElsewhere(event, gathered.runs),
    branch: gathered.branch ?? state.branch,
    ...(shown !== null && { shown })
  }
}

/** A shell command that does more than to show something. */
const isWork = (call: ToolCall, context: EvidenceContext): boolean => {
  const kind = toolKind(call.tool)
  return kind === "shell" && printsOf(call, kind, context) === "work"
}

/** The word that a task is over says less than what it was seen to print. */
const isOutranked = (run: Run, call: ToolCall, runs: ReadonlyArray<Run>): boolean =>
  run.result !== "failed" &&
  (call.output ?? "").trim() === "" &&
  runs.some((old) => old.result === "failed" && replaces(run, old))

/** Code is checked out beside the working copy, and looked at in the same call. */
const addsWorktree = (call: ToolCall): boolean => /\bgit worktree add\b/.test(shellCommand(call)?.slice(0, 4000) ?? "")

const isCode = (kind: Edit["kind"]): boolean => kind === "source" || kind === "test" || kind === "conflict"

/** The order of the last edit of code, of whatever turn. */
const lastCode = ({ codeBefore, edits }: Pick<Evidence, "codeBefore" | "edits">): number =>
  Math.max(codeBefore, ...edits.filter(({ kind }) => isCode(kind)).map(({ order }) => order))

const onEvent = (state: Evidence, event: TranscriptEvent): Evidence =>
  Unseen.isUnseen(event) ? { ...state, unseenAt: state.order } : state

const maxTyped = 2000

/** A command of the user's that is a check and nothing else is a run like any other; of another one anything may have come. */
const onMessage = (state: Evidence, event: UserMessage, context: EvidenceContext): Evidence => {
  const { call, typed } = userShell(event, state.typed ?? null)
  if (call === null && typed === null) return onPasted(onEvent(state, event), event)
  const { typed: _typed, ...rest } = state
  const seen = call ?? userCall(event, typed ?? "")
  const order = state.order + 1
  const { exercised, runs } = runsOf(seen, { order, turn: state.turn }, context)
  const possible = withPossible(state, seen, order, runs, context)
  const isKnown = runs.length > 0 && possible === state.possible
  if (call === null) return { ...(isKnown ? rest : onEvent(rest, event)), typed: redactedHead(typed ?? "", maxTyped) }
  return {
    ...(isKnown ? rest : onEvent(rest, event)),
    order,
    runs: addRuns(
      state,
      runs.map((run) => ({ ...run, byUser: true }))
    ),
    possible,
    exercised: exercised ?? state.exercised
  }
}

/** What the user pastes before there was any work to test is what the task is about. */
const onPasted = (state: Evidence, event: UserMessage): Evidence => {
  const code = lastCode(state)
  const found = code === 0 ? null : pasted(event)
  if (found === null) return state
  // What fails elsewhere, as in CI, disproves no run that passed here on the same code.
  const isGreen = state.runs.some(({ gate, order, result }) => gate === "tests" && result === "passed" && order >= code)
  if (found.failed && isGreen) return state
  const order = state.order + 1
  const run: Run = {
    gate: "tests",
    callId: event.id,
    command: "what the user ran",
    exitCode: null,
    at: event.at,
    turn: state.turn,
    order,
    result: found.failed ? "failed" : "passed",
    completed: true,
    partial: false,
    masked: true,
    detail: oneLine(redactedHead(found.detail, 2000), 300),
    failing: [],
    byUser: true
  }
  return { ...state, order, runs: addRuns(state, [run]), exercised: order }
}

/** A list that is only shown again has not moved. */
const onTodos = (state: Evidence, { todos }: TodoUpdate): Evidence => {
  const told = todos.slice(0, 100).map(({ content, status }) => `${status} ${content.slice(0, 200)}`)
  const print = KeyHash.ofText(told.join("\n"))
  return print === state.list.print ? state : { ...state, list: { order: state.order, print } }
}

const onIssued = (state: Evidence, call: ToolCall, context: EvidenceContext): Evidence => {
  const gathered = runsOf(call, { order: state.order, turn: state.turn }, context)
  const issued = gathered.runs.map((run) => ({ gate: run.gate, command: run.command }))
  const possible = withPossible(state, call, state.order, gathered.runs, context)
  const place = { order: state.order, turn: state.turn }
  const outputs = withOutputs(state.outputs, openedBy(call, { known: gathered.runs, started: [] }, place, context))
  return issued.length === 0 && possible === state.possible && outputs === state.outputs
    ? state
    : { ...state, issued: [...state.issued, ...issued].slice(-8), possible, outputs }
}

/**
 * The order of the last edit in this turn to a file of one of these kinds, 0 if there is none.
 *
 * @category accessors
 */
export const lastEdit = (
  state: Evidence,
  kinds: ReadonlyArray<FileKind | "unknown" | "wording" | "conflict">
): number => Math.max(0, ...kinds.map((kind) => state.lastEdits[kind] ?? 0))

export { nothingSent } from "./deliveryOutcomes.ts"

export { callOf } from "./Places.ts"

export { onlyLooks } from "./looking.ts"

/**
 * The order of the last call that could have been a run of any check or of this one, 0 if there is none.
 *
 * @category accessors
 */
export const lastPossible = (state: Evidence, gate: string): number =>
  Math.max(0, ...state.possible.flatMap((run) => (run.gate === null || run.gate === gate ? [run.order] : [])))
