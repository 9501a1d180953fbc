/** What the tool calls prove: every run of a gate with its outcome and its place among the edits. */
import { discardsOf, remaining, type Discard } from "./Discards.ts"
import { editsOf, refusedBy } from "./Edits.ts"
import type { FileKind } from "../../ground/system/Paths.ts"
import * as KeyHash from "../../ground/system/KeyHash.ts"
import { mayChange, possibleRuns } from "./possibleRuns.ts"
import { afterWork } from "./failedWork.ts"
import { countLooks, shareOf } from "./looking.ts"
import { countRepeat, noRepeat } from "./repeated.ts"
import * as PlanFiles from "./planFiles.ts"
import * as Deeds from "./deeds.ts"
import { afterFigures } from "./figures.ts"
import { afterSearch } from "./searches.ts"
import { afterWriting } from "./writings.ts"
import { reachOf } from "./reach.ts"
import { runsOf } from "./runsOfCall.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { TodoUpdate, ToolCall, TranscriptEvent } from "../transcript/Transcript.ts"
import type { Deed, Edit, Evidence, EvidenceContext, PossibleRun, Run } from "./model.ts"
import { shownBy } from "./shownChecks.ts"

export type { EvidenceContext } from "./model.ts"

export { type Discard, discardsOf } from "./Discards.ts"

export { FailingTest, Run, Edit, PossibleRun, Push, Deed, Search, Writing, Evidence } from "./model.ts"

/** What a turn begins with. */
const unbegun = {
  edits: [],
  lastEdits: {},
  stashed: [],
  commits: 0,
  actions: 0,
  exercised: 0,
  delegated: 0,
  plans: [],
  opaque: false,
  calls: 0,
  denied: [],
  repeats: noRepeat,
  looking: { looks: 0, other: 0 },
  failedWork: null,
  worked: false,
  issued: [],
  writings: [],
  searches: [],
  refused: [],
  figures: [],
  changedAt: 0
}

export const initial: Evidence = {
  version: 1,
  order: 0,
  turn: -1,
  runs: [],
  pushes: [],
  branch: null,
  list: { order: 0, print: 0 },
  possible: [],
  deeds: [],
  platforms: [],
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
  ...(goesOn && firstEdit !== undefined && { firstEdit })
})

const isSettled = (call: ToolCall): boolean => call.status !== "pending" && call.status !== "running"

const provesNothing = (call: ToolCall): boolean => call.status === "denied" || call.status === "interrupted"

const addEdits = (state: Evidence, edits: ReadonlyArray<Edit>): Pick<Evidence, "edits" | "lastEdits"> => {
  if (edits.length === 0) return { edits: state.edits, lastEdits: state.lastEdits }
  const lastEdits: Record<string, number> = { ...state.lastEdits }
  for (const edit of edits) lastEdits[edit.kind] = edit.order
  const paths = new Set(edits.map((edit) => edit.path))
  return { edits: [...state.edits.filter((edit) => !paths.has(edit.path)), ...edits].slice(-maxEdits), lastEdits }
}

const lastOf = (edits: ReadonlyArray<Edit>): Record<string, number> => {
  const last: Record<string, number> = {}
  for (const edit of edits) last[edit.kind] = Math.max(last[edit.kind] ?? 0, edit.order)
  return last
}

type Edits = Pick<Evidence, "edits" | "lastEdits" | "stashed">

const isProved = (edit: Edit, runs: ReadonlyArray<Run>): boolean =>
  runs.some((run) => run.result === "passed" && run.order > edit.order)

/**
 * Edits that are thrown away were never made, but what passed with them proves nothing about the code without them.
 * Those put aside come back with the stash.
 */
const discard =
  (runs: ReadonlyArray<Run>, order: number) =>
  (state: Edits, discarded: Discard): Edits => {
    if (discarded.kind === "pop") {
      const edits = [...state.stashed, ...state.edits].slice(-maxEdits)
      return { edits, lastEdits: lastOf(edits), stashed: [] }
    }
    const kept = remaining(state.edits, discarded)
    if (discarded.kind === "stash") return { edits: kept, lastEdits: lastOf(kept), stashed: state.edits }
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

/** What goes less far hides nothing that ran before it. */
const isReplaced = (one: PossibleRun, by: PossibleRun): boolean =>
  one.gate === by.gate && (one.gate !== null || reachOf(one.what) === reachOf(by.what))

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
    : [...possible.filter((one) => !added.some((other) => isReplaced(one, other))), ...added]
}

/**
 * Folds one event into the evidence. Pending calls prove nothing; a call counts once, when it is settled.
 *
 * @category folds
 */
export const step = (state: Evidence, event: TranscriptEvent, context: EvidenceContext): Evidence => {
  if (event.type === "todo_update") return onTodos(state, event)
  if (event.type === "user_message" || event.type === "notice") return onEvent(state, event)
  if (event.type !== "tool_call" || (!isSettled(event) && !event.background)) return state
  if (!isSettled(event)) return onIssued(state, event, context)
  const order = state.order + 1
  if (provesNothing(event)) {
    if (event.status !== "denied") return { ...state, order, calls: state.calls + 1 }
    const gates = runsOf(event, { order, turn: state.turn }, context).runs.map((run) => run.gate)
    return { ...state, order, calls: state.calls + 1, denied: [...state.denied, { callId: event.id, gates }].slice(-8) }
  }
  const edits = editsOf(event, order, context)
  const shown = state.shown ?? shownBy(event)
  const gathered = runsOf(event, { order, turn: state.turn }, { ...context, branch: state.branch })
  const discards = discardsOf(event, context)
  const sawBase =
    discards.some(({ kind }) => kind === "stash") ||
    (state.stashed.length > 0 && discards.length === 0) ||
    addsWorktree(event)
  const runs = sawBase ? gathered.runs.map((run) => ({ ...run, base: true })) : gathered.runs
  const begun = edits.length > 0 ? { firstEdit: state.firstEdit ?? order } : {}
  const isOpaque = gathered.opaque || (toolKind(event.tool) === "other" && runsThings.test(event.tool.slice(0, 200)))
  return {
    ...state,
    order,
    calls: state.calls + 1,
    ...discards.reduce<Edits>(discard(state.runs, order), {
      ...addEdits(state, edits),
      stashed: state.stashed
    }),
    runs: addRuns({ ...state, ...begun }, runs),
    ...begun,
    pushes: [...state.pushes, ...gathered.pushes].slice(-16),
    commits: state.commits + gathered.commits,
    actions: state.actions + (edits.some((edit) => edit.kind !== "outside") || gathered.acts ? 1 : 0),
    delegated: toolKind(event.tool) === "agent" ? order : state.delegated,
    plans: PlanFiles.after(state.plans, event),
    opaque: state.opaque || isOpaque,
    ...(isOpaque && { opaqueAt: order }),
    exercised: gathered.exercises ? order : state.exercised,
    possible: withPossible(state, event, order, gathered.runs, context),
    repeats: countRepeat(state.repeats, event, {
      edited: edits.length > 0,
      looks: shareOf(event, context) === "look"
    }),
    ...afterWork(state, event, context),
    looking: countLooks(state.looking, event, context),
    deeds: Deeds.afterCall(state.deeds, event, context, {
      order,
      turn: state.turn,
      exercises: gathered.exercises,
      code: edits.some(({ kind }) => isCode(kind))
    }),
    writings: afterWriting(state.writings, event, order),
    searches: afterSearch(state.searches, event, order, context),
    refused: afterEdits(state.refused, edits, refusedBy(event, order, context)),
    changedAt: mayChange(event, context) ? order : state.changedAt,
    figures: afterFigures(state.figures, event, order),
    platforms: Deeds.withPlatforms(state.platforms, event),
    branch: gathered.branch ?? state.branch,
    ...(shown !== null && { shown })
  }
}

/** Code is checked out beside the working copy, and looked at in the same call. */
const addsWorktree = (call: ToolCall): boolean => /\bgit worktree add\b/.test(shellCommand(call)?.slice(0, 4000) ?? "")

const isOf = (edits: ReadonlyArray<Edit>, { path }: Edit): boolean =>
  edits.some((edit) => edit.path === path || edit.path === "*")

const afterEdits = (
  refused: ReadonlyArray<Edit>,
  made: ReadonlyArray<Edit>,
  failed: ReadonlyArray<Edit>
): ReadonlyArray<Edit> =>
  failed.length === 0 && refused.length === 0
    ? refused
    : [...refused.filter((edit) => !isOf(made, edit) && !isOf(failed, edit)), ...failed].slice(-8)

const isCode = (kind: Edit["kind"]): boolean => kind === "source" || kind === "test" || kind === "conflict"

const onEvent = (state: Evidence, event: TranscriptEvent): Evidence => {
  const deeds = Deeds.afterEvent(state.deeds, event, { order: state.order, turn: state.turn })
  return deeds === state.deeds ? state : { ...state, deeds }
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
  return issued.length === 0 && possible === state.possible
    ? state
    : { ...state, issued: [...state.issued, ...issued].slice(-8), possible }
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

export { figuresIn } from "./figures.ts"

export { onlyLooks } from "./looking.ts"

export { type Reach, reachOf } from "./reach.ts"

/**
 * The last deed of a kind, of whatever turn.
 *
 * @category accessors
 */
export const deed = (state: Evidence, kind: Deed["kind"]): Deed | undefined =>
  state.deeds.find((one) => one.kind === kind)

/**
 * The plan files of this turn that have open boxes.
 *
 * @category accessors
 */
export const openPlans = ({ plans }: Evidence): Evidence["plans"] => plans.filter(({ open }) => open > 0)

/**
 * The order of the last call that could have been a run of any check or of this one, 0 if there is none.
 *
 * @category accessors
 */
export const lastPossible = (state: Evidence, gate: string): number =>
  Math.max(0, ...state.possible.flatMap((run) => (run.gate === null || run.gate === gate ? [run.order] : [])))
