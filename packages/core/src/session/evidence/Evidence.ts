/** Collects what the tool calls prove: every run of a gate, with its outcome and the edits before and after it. */
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import type { FileKind } from "../../base/system/Paths.ts"
import { isCheck, isDelivered } from "../vocabulary/GateTable.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { TodoUpdate, ToolCall, TranscriptEvent, UserMessage } from "../transcript/Transcript.ts"
import { type Discard, discardsOf, remaining } from "./Discards.ts"
import { shareOf } from "./Calls.ts"
import { editsOf, isCode, mayBeCode, takesBack } from "./Edits.ts"
import { foreignRuns } from "./foreign.ts"
import { showsNone } from "./deliveries.ts"
import type { Edit, Evidence, EvidenceContext, Output, Run } from "./model.ts"
import { printsHook, withPossible } from "./opaque.ts"
import { openedBy, readBy, withOutputs } from "./outputs.ts"
import { noProgress, progressOf } from "./progress.ts"
import { type EarlierFacts, runBy, runsOf } from "./runs.ts"
import { pasted, userCall } from "./userRuns.ts"
import { isGenuine } from "../task/TaskContext.ts"

export type { EvidenceContext } from "./model.ts"

export { discardsOf, remaining } from "./Discards.ts"

export { callOf, isCode } from "./Edits.ts"

export { nothingSent } from "./deliveries.ts"

export { onlyLooks } from "./progress.ts"

export { Away, FailingTest, Run, Edit, PossibleRun, Push, Evidence } from "./model.ts"

const unbegun = {
  edits: [],
  commits: 0,
  actions: 0,
  exercised: 0,
  delegated: 0,
  opaque: false,
  changing: false,
  calls: 0,
  denied: [],
  issued: [],
  ...noProgress
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

const maxRuns = 32
const maxEdits = 64

/**
 * Begins a turn. Keeps the earlier runs and drops the earlier edits. Keeps `firstEdit` if the task continues.
 *
 * @category folds
 */
export const beginTurn = (before: Evidence, turn: number, goesOn = false): Evidence => {
  const { cleanAt: _, firstEdit, sentAt: __, ...state } = before
  return {
    ...state,
    turn,
    begunAt: state.order,
    ...unbegun,
    codeBefore: lastCode(state),
    ...(goesOn && firstEdit !== undefined && { firstEdit })
  }
}

/**
 * Records that a part of the session was not read.
 *
 * @category folds
 */
export const unread = (state: Evidence): Evidence => {
  const order = state.order + 1
  // A call in the unread part may have repaired an earlier failure.
  return { ...state, order, unreadAt: order, unreadIn: state.turn, ...noProgress, worked: true }
}

/**
 * The `order` of the last unread part since the turn `since`. Null if everything since that turn was read.
 *
 * @category accessors
 */
export const unreadOf = ({ unreadAt, unreadIn = -1 }: Evidence, since: number): number | null =>
  unreadAt !== undefined && unreadIn >= since ? unreadAt : null

const lastCode = ({ codeBefore, edits }: Pick<Evidence, "codeBefore" | "edits">): number =>
  Math.max(codeBefore, ...edits.filter(isCode).map(({ order }) => order))

const lastCommit = ({ runs }: Evidence): number =>
  Math.max(0, ...runs.flatMap(({ gate, order, result }) => (gate === "commit" && result !== "failed" ? [order] : [])))

/** Returns the newest items, and always the last item of each kind. */
const newest = <A>(all: ReadonlyArray<A>, most: number, kindOf: (one: A) => string): ReadonlyArray<A> => {
  const last = new Map(all.map((one) => [kindOf(one), one]))
  return all.filter((one, index) => index >= all.length - most || last.get(kindOf(one)) === one)
}

const keyOf = ({ kind, path }: Edit): string => `${kind}:${path}`

/** For each file, keeps only the last edit of each kind. So a change of wording does not hide a change of code. */
const addEdits = (edits: ReadonlyArray<Edit>, added: ReadonlyArray<Edit>): ReadonlyArray<Edit> => {
  if (added.length === 0) return edits
  const before = new Map(edits.map((edit) => [keyOf(edit), edit.order]))
  const again = new Set(added.map(keyOf))
  const all = added.map((edit) => {
    const prior = before.get(keyOf(edit))
    return prior === undefined ? edit : { ...edit, prior }
  })
  return newest([...edits.filter((edit) => !again.has(keyOf(edit))), ...all], maxEdits, ({ kind }) => kind)
}

/** If a check passed after a discarded edit, the pass proves nothing now. The edit stays with the discard's `order`. */
const discard =
  (runs: ReadonlyArray<Run>, order: number, committedAt: number) =>
  (edits: ReadonlyArray<Edit>, discarded: Discard): ReadonlyArray<Edit> => {
    if (discarded.kind === "pop" || discarded.kind === "stash") return edits
    const keptUntil = discarded.kind === "all" && discarded.commits === true ? 0 : committedAt
    const left = remaining(edits, discarded)
    return edits.flatMap((edit) => {
      if (edit.order <= keptUntil || left.includes(edit)) return [edit]
      if (runs.some((run) => run.result === "passed" && run.order > edit.order)) return [{ ...edit, order }]
      // The discard restores the committed file, which contains the earlier edit.
      return edit.prior !== undefined && edit.prior <= keptUntil ? [{ ...edit, order: edit.prior }] : []
    })
  }

/** True if a check passed between the previous edit of the same file and this edit. */
const passedBefore = ({ order, prior = 0 }: Edit, runs: ReadonlyArray<Run>, gate?: string): boolean =>
  runs.some(
    (run) =>
      isCheck(run.gate) &&
      (gate === undefined || run.gate === gate) &&
      run.result === "passed" &&
      run.order > prior &&
      run.order < order
  )

/** If the call reverses a trial edit, the file is again as it was when a check passed. Null without such an edit. */
const takeBack = (
  { edits, runs }: Pick<Evidence, "edits" | "runs">,
  call: ToolCall
): Pick<Evidence, "edits" | "runs"> | null => {
  const isBack = takesBack(call)
  const trial = edits.find((edit) => isBack(edit) && passedBefore(edit, runs))
  if (trial === undefined) return null
  const { callId, kind, path, prior } = trial
  return {
    edits: edits.flatMap((edit) =>
      edit !== trial ? [edit] : prior === undefined ? [] : [{ callId, kind, path, order: prior }]
    ),
    runs: besideTrials(runs, [trial], call)
  }
}

/** Marks failures on trial code. These failures say nothing about the restored code, on which the check passed. */
const besideTrials = (runs: ReadonlyArray<Run>, trials: ReadonlyArray<Edit>, { id }: ToolCall): ReadonlyArray<Run> =>
  runs.map((run) =>
    run.result === "failed" &&
    run.besides === undefined &&
    (id === null || run.callId !== id) &&
    trials.some((trial) => run.order > trial.order && passedBefore(trial, runs, run.gate))
      ? { ...run, besides: "what was edited before it was taken back" }
      : run
  )

const replaces = (added: Run, old: Run): boolean =>
  added.callId !== null && added.callId === old.callId && added.gate === old.gate

/** Also keeps the last run of each gate and result, before and after the first edit. Only these keep failing tests. */
const addRuns = (
  { firstEdit = Infinity, runs }: Pick<Evidence, "firstEdit" | "runs">,
  added: ReadonlyArray<Run>
): ReadonlyArray<Run> => {
  if (added.length === 0) return runs
  const kindOf = ({ besides, gate, order, result }: Run): string =>
    `${gate}:${result}:${besides !== undefined || order < firstEdit}`
  const all = [...runs.filter((run) => !added.some((other) => replaces(other, run))), ...added]
  const last = new Map(all.map((run) => [kindOf(run), run]))
  return newest(all, maxRuns, kindOf).map((run) =>
    run.failing.length === 0 || last.get(kindOf(run)) === run ? run : { ...run, failing: [] }
  )
}

/** True if a call only reports a task's end, and earlier output of the task showed a failure. The failure stays. */
const isOutranked = (run: Run, call: ToolCall, runs: ReadonlyArray<Run>): boolean =>
  run.result !== "failed" &&
  (call.output ?? "").trim() === "" &&
  runs.some((old) => old.result === "failed" && replaces(run, old))

/** If a call edits files and runs a check, the edit counts as earlier than the check. */
const beforeOf = (state: Evidence, edits: ReadonlyArray<Edit>, order: number): EarlierFacts => {
  return {
    branch: state.branch,
    away: state.away ?? null,
    edits: [...state.edits, ...edits].filter(mayBeCode),
    editedAt: edits.some(mayBeCode) ? order : lastCode(state),
    committedAt: lastCommit(state)
  }
}

const runsThings = /test|run|exec|build|check|task|terminal|script/i

const forges = /\b(?:gh|glab|hub|jj|hg|svn|curl|wget|act|az|jenkins\S*|circleci|buildkite|woodpecker\S*)\b/

const history = /\bgit\b.{0,80}\b(?:merge|rebase|cherry-pick|revert|am|pull|stash|subtree)\b/

const tidying =
  /\bgit\b.{0,80}(?<!-)\b(?:restore|checkout|switch|reset|stash|revert|rm|clean|merge|rebase|am|apply|cherry-pick|pull)\b|\b(?:rm|unlink|trash|mv)\b/

const tidies = (call: ToolCall, edits: ReadonlyArray<Edit>): boolean =>
  toolKind(call.tool) === "agent" ||
  tidying.test(shellCommand(call)?.slice(0, 4000) ?? "") ||
  (call.output ?? "").slice(0, 8000).includes("working tree clean") ||
  edits.some(takesBack(call))

const looksElsewhere = (call: ToolCall, runs: ReadonlyArray<Run>): boolean => {
  const command = shellCommand(call)?.slice(0, 4000) ?? ""
  const isOther = (forges.test(command) || history.test(command)) && !runs.some(({ gate }) => isDelivered(gate))
  return toolKind(call.tool) === "fetch" || isOther
}

/**
 * Adds one event to the evidence. A pending call proves nothing. A call counts once, when it is finished.
 *
 * @category folds
 */
export const step = (state: Evidence, event: TranscriptEvent, context: EvidenceContext): Evidence => {
  switch (event.type) {
    case "todo_update":
      return onTodos(state, event)
    case "user_message":
      return onMessage(state, event, context)
    case "notice":
      if (event.kind === "unread") return unread(state)
      return event.kind === "compacted" ? { ...state, unseenAt: state.order } : state
    case "tool_call":
      if (event.status !== "pending" && event.status !== "running") return onSettled(state, event, context)
      return event.background ? onIssued(state, event, context) : state
    default:
      return state
  }
}

const onSettled = (before: Evidence, call: ToolCall, context: EvidenceContext): Evidence => {
  const order = before.order + 1
  const place = { order, turn: before.turn }
  const tidied = tidies(call, before.edits) ? { tidiedAt: order } : {}
  const command = call.exitCode === null || call.output === null ? null : shellCommand(call)
  const shows = (gate: "commit" | "push"): boolean => command !== null && showsNone(gate, command, call.output ?? "")
  const none = { ...(shows("commit") && { cleanAt: order }), ...(shows("push") && { sentAt: order }) }
  const state = { ...before, order, calls: before.calls + 1, ...tidied, ...none }
  const isOwn = ({ run }: Output): boolean => call.id !== null && run.callId === call.id
  // An interrupted call may have printed anything, so its outputs are dropped.
  if (call.status === "interrupted") return { ...state, outputs: state.outputs.filter((one) => !isOwn(one)) }
  if (call.status === "denied") {
    const gates = runsOf(call, place, context).runs.map((run) => run.gate)
    return { ...state, denied: [...state.denied, { callId: call.id, gates }].slice(-8) }
  }
  const back = takeBack(before, call)
  if (back !== null) return { ...state, ...back, actions: state.actions + 1 }
  const edits = editsOf(call, order, context)
  const gathered = runsOf(call, place, context, beforeOf(state, edits, order))
  const kind = toolKind(call.tool)
  const over = state.outputs.map((one) => (call.background && isOwn(one) ? { ...one, started: false } : one))
  const outputs = withOutputs(over, openedBy(call, gathered, place, context))
  const begun = edits.length > 0 ? { firstEdit: state.firstEdit ?? Math.min(...edits.map((edit) => edit.order)) } : {}
  const runs = addRuns({ ...state, ...begun }, [
    ...gathered.runs.filter((run) => !isOutranked(run, call, state.runs)),
    ...foreignRuns(call, place, context, { known: gathered.runs, runs: state.runs })
  ])
  const edit = lastEdit(state, ["source", "test", "conflict", "unknown"])
  const read = readBy({ outputs, runs }, call, { ...place, edit }, context)
  const isOpaque = gathered.opaque || (kind === "other" && runsThings.test(call.tool.slice(0, 200)))
  const { away: _, ...rest } = state
  const added = addEdits(state.edits, edits)
  const left = discardsOf(call, context).reduce(discard(state.runs, order, lastCommit(state)), added)
  const gone = added.filter(
    (edit) => edit.callId !== call.id && !left.some(({ order: at, path }) => path === edit.path && at >= edit.order)
  )
  return {
    ...rest,
    // An edit of code by a tool shows that the working copy has the change.
    ...(gathered.away !== null && !(kind === "edit" && edits.some(isCode)) && { away: gathered.away }),
    edits: left,
    runs: besideTrials(read ?? runs, gone, call),
    outputs,
    ...begun,
    pushes: [...state.pushes, ...gathered.pushes].slice(-16),
    commits: state.commits + gathered.commits,
    actions: state.actions + (edits.some((one) => one.kind !== "outside") || gathered.acts ? 1 : 0),
    delegated: kind === "agent" ? order : state.delegated,
    opaque: state.opaque || isOpaque,
    changing: state.changing || isOpaque || (gathered.acts && edits.length === 0),
    ...(isOpaque && { opaqueAt: order }),
    exercised: gathered.exercised ?? state.exercised,
    possible:
      // If a call only reads the output of a known run, the call is not a new possible run.
      read !== null && (kind !== "shell" || shareOf(call, context) === "look")
        ? state.possible
        : withPossible(state, call, order, context, gathered.runs),
    ...(printsHook(call) && { unseenAt: order }),
    ...progressOf(state, call, edits.length > 0, context),
    elsewhere: state.elsewhere || looksElsewhere(call, gathered.runs),
    branch: gathered.branch ?? state.branch
  }
}

const onIssued = (state: Evidence, call: ToolCall, context: EvidenceContext): Evidence => {
  const place = { order: state.order + 0.5, turn: state.turn }
  const gathered = runsOf(call, place, context)
  const issued = gathered.runs.map(({ command, gate }) => ({ gate, command }))
  const possible = withPossible(state, call, place.order, context, gathered.runs)
  const outputs = withOutputs(state.outputs, openedBy(call, { runs: gathered.runs, started: [] }, place, context))
  return issued.length === 0 && possible === state.possible && outputs === state.outputs
    ? state
    : { ...state, issued: [...state.issued, ...issued].slice(-8), possible, outputs }
}

const isUnseen = (text: string): boolean =>
  /<local-command-stdout>|\bcontinued from a previous (?:conversation|session)\b|\bran out of context\b/i.test(text)

const maxTyped = 2000

/** If the user's command is only a check, it counts as a run. Any other command may have changed anything. */
const onMessage = (state: Evidence, event: UserMessage, context: EvidenceContext): Evidence => {
  const isHandedOver = state.commits > 0 || state.pushes.some(({ turn }) => turn === state.turn)
  const told = isHandedOver && isGenuine(event) ? { ...state, spokenAt: state.order } : state
  const unseen = isUnseen(event.text.slice(0, 4000)) ? { ...told, unseenAt: state.order } : told
  const seen = userCall(event, state.typed ?? null)
  if (seen === null) return onPasted(unseen, event)
  const { typed: _, ...rest } = unseen
  const order = state.order + 1
  const { exercised, runs } = runsOf(seen.call, { order, turn: state.turn }, context)
  const possible = withPossible(state, seen.call, order, context, runs)
  const known = { ...rest, ...((runs.length === 0 || possible !== state.possible) && { unseenAt: state.order }) }
  if (!seen.isOver) return { ...known, typed: redactedHead(seen.command, maxTyped) }
  return {
    ...known,
    order,
    runs: addRuns(
      state,
      runs.map((run) => ({ ...run, byUser: true }))
    ),
    possible,
    exercised: exercised ?? state.exercised
  }
}

/** Test output that was pasted before the first code edit describes the task, so it does not count. */
const onPasted = (state: Evidence, event: UserMessage): Evidence => {
  const code = lastCode(state)
  const found = code === 0 ? null : pasted(event)
  // A failure elsewhere, for example in CI, does not disprove a run that passed here on the same code.
  const isGreen = state.runs.some(({ gate, order, result }) => gate === "tests" && result === "passed" && order >= code)
  if (found === null || (found.outcome.result === "failed" && isGreen)) return state
  const order = state.order + 1
  const run = { ...runBy("tests", found.call, { order, turn: state.turn }, found.outcome), masked: true, byUser: true }
  return { ...state, order, runs: addRuns(state, [run]), exercised: order }
}

const onTodos = (state: Evidence, { todos }: TodoUpdate): Evidence => {
  const told = todos.slice(0, 100).map(({ content, status }) => `${status} ${content.slice(0, 200)}`)
  const print = KeyHash.ofText(told.join("\n"))
  return print === state.list.print ? state : { ...state, list: { order: state.order, print } }
}

/**
 * The `order` of this turn's last edit of one of these kinds. 0 if there is no such edit.
 *
 * @category accessors
 */
export const lastEdit = (
  { edits }: Evidence,
  kinds: ReadonlyArray<FileKind | "unknown" | "wording" | "conflict">
): number => Math.max(0, ...edits.flatMap(({ kind, order }) => (kinds.includes(kind) ? [order] : [])))

/**
 * The `order` of the last call that could have run this check. 0 if there is no such call.
 *
 * @category accessors
 */
export const lastPossible = (state: Evidence, gate: string): number =>
  Math.max(0, ...state.possible.flatMap((run) => (run.gate === null || run.gate === gate ? [run.order] : [])))
