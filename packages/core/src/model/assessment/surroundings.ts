/** Describes the facts around a turn, without a verdict: checks, edits, git, the agent's plan, and the turn's end. */
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"
import { clip, oneLine } from "../../base/text/Text.ts"
import { hasFailed } from "../../session/evidence/Calls.ts"
import { clean, type Turn } from "./TurnRecord.ts"

/** The kinds of files that a check may cover. `wording` is a text in code. */
const code = ["source", "test", "script", "conflict", "unknown", "wording"] as const

const line = (text: string, limit: number): string => oneLine(clean(text.slice(0, limit * 8)), limit)

const placed = (order: number, edit: number): string =>
  edit === 0 ? "no code was edited" : order >= edit ? "after the last edit of code" : "before the last edit of code"

const commands = ({ known: { gates, repo } }: Turn): ReadonlyArray<string> => {
  const own = {
    tests: repo.testCommand,
    build: repo.buildCommand,
    typecheck: repo.typecheckCommand,
    lint: repo.lintCommand
  }
  const found = Object.entries(own).flatMap(([name, command]) =>
    command === null ? [] : [`${name} \`${line(command, 80)}\``]
  )
  const declared = gates
    .filter(({ untrusted, why }) => !untrusted && why === "declared")
    .map(({ gate }) => `${gate} (the user's configuration asks for it)`)
  const all = [...found, ...declared]
  return all.length === 0 ? [] : [`Checks that the project has: ${all.join(", ")}`]
}

const runs = ({ known: { evidence, task } }: Turn): ReadonlyArray<string> => {
  const edit = Evidence.lastEdit(evidence, code)
  const unreadAt = Evidence.unreadOf(evidence, task.since)
  const left =
    unreadAt === null ? [] : ["A part of the session was not read: what ran and what was changed in it is not known."]
  const mine = evidence.runs.filter(({ turn }) => turn >= task.since)
  const last = [...new Map(mine.map((run) => [run.gate, run])).values()]
  const told = last.map(({ command, detail, exitCode, gate, order, partial }) => {
    const exit = exitCode === null ? "exit status not known" : `exit ${exitCode}`
    return `- ${gate}: \`${line(command, 120)}\` → ${exit}${partial ? ", a part only" : ""} (${line(detail, 120)}), ${placed(order, edit)}`
  })
  if (edit === 0) return told.length === 0 ? left : [...left, "The last run of each check:", ...told]
  const since =
    evidence.exercised > edit
      ? "After the last edit of code something ran that could show a defect."
      : evidence.delegated > 0 || evidence.opaque || edit < (unreadAt ?? 0)
        ? "Whether anything ran after the last edit of code that could show a defect cannot be seen."
        : "After the last edit of code nothing ran that could show a defect."
  const none = `No run of a known check is on record${unreadAt === null ? "" : " in what was read"}.`
  return [...left, ...(told.length === 0 ? [none] : ["The last run of each check:", ...told]), since]
}

const maxFiles = 10

const edits = ({ known: { evidence } }: Turn): ReadonlyArray<string> => {
  const inside = evidence.edits.filter(({ kind }) => kind !== "outside")
  const files = [...new Map(inside.map(({ kind, path }) => [path, kind]))]
  const outside = new Set(evidence.edits.filter(({ kind }) => kind === "outside").map(({ path }) => path)).size
  const named = files.slice(-maxFiles).map(([path, kind]) => `${line(path.slice(-90), 90)} (${kind})`)
  return [
    `Edited in this turn: ${files.length === 0 ? "nothing of the project" : `${files.length} files: ${named.join(", ")}`}${outside > 0 ? `; outside of the project: ${outside}` : ""}`
  ]
}

const maxCheckEdits = 8

const did: Readonly<Record<Turn["known"]["checkEdits"][number]["kind"], string>> = {
  test: "a test taken out",
  skip: "a test left out",
  assertion: "another assertion",
  literal: "another value",
  snapshot: "snapshots written again",
  silenced: "a check silenced",
  threshold: "another number demanded",
  script: "another script",
  other: "changed in another way, or nobody can see in which"
}

/** The model decides whether the order allows these changes to failing checks. */
const checkEdits = ({ known: { checkEdits: known, task } }: Turn): ReadonlyArray<string> => {
  const all = known.filter(({ calm }) => calm !== true)
  if (all.length === 0) return []
  const told = all.slice(-maxCheckEdits).map(({ kind, now, path, was }) => {
    const [old, fresh] = [was, now].map((text) => (text === "" ? "nothing" : `\`${line(text, 160)}\``))
    return `- ${did[kind]}${path === "" ? "" : ` in ${line(path, 90)}`}${old === fresh ? "" : `: ${old} became ${fresh}`}`
  })
  return [
    `While a check failed, these were changed. The order was "${line(task.message, 200)}": a pass that rests on a change which it does not allow shows nothing.`,
    ...told
  ]
}

const claims = ({ known: { held } }: Turn): ReadonlyArray<string> => {
  const told = held.flatMap(({ claim, fact, standing }) =>
    standing === "contradicted" || standing === "unfounded" ? [`- "${line(claim.text, 160)}": ${line(fact, 200)}`] : []
  )
  return told.length === 0 ? [] : ["Claims of the last words that the record does not bear out:", ...told.slice(0, 6)]
}

const commitCommand = /\bgit\b(?: -\S{1,40}(?: [^\s-]\S{0,200})?){0,4} commit\b(?!.{0,200}--dry-run)/

const lastCommit = ({ entries }: Turn): number =>
  entries.findLast(
    ({ event }) =>
      event.type === "tool_call" &&
      toolKind(event.tool) === "shell" &&
      !hasFailed(event) &&
      commitCommand.test((shellCommand(event) ?? "").slice(0, 4000))
  )?.at ?? -1

const placeOf = ({ entries }: Turn, callId: string | null): number =>
  callId === null ? -1 : (entries.find(({ event }) => event.id === callId)?.at ?? -1)

const git = (turn: Turn): ReadonlyArray<string> => {
  const { evidence } = turn.known
  const at = lastCommit(turn)
  const open = evidence.edits.filter(
    ({ callId, kind }) => kind !== "outside" && (at < 0 || callId === null || placeOf(turn, callId) > at)
  )
  const pushes = evidence.pushes.filter((push) => push.turn === evidence.turn)
  const push = pushes.at(-1)
  const pushed =
    push === undefined
      ? "no push in this turn"
      : `${pushes.length} pushes, the last ${placeOf(turn, push.callId) >= at ? "after" : "before"} the last commit`
  const branch = evidence.branch === null ? "" : `; branch ${line(evidence.branch, 60)}`
  const files = new Set(open.map(({ path }) => path)).size
  return [
    `Git, as far as the record shows: ${evidence.commits} commits in this turn; files edited since and not committed: ${files}; ${pushed}${branch}`
  ]
}

const plan = ({ known: { stop } }: Turn): ReadonlyArray<string> =>
  stop.todosTouched && stop.todos.length > 0
    ? [
        `The agent's plan: ${clip(stop.todos.map(({ content, status }) => `[${status}] ${line(content, 90)}`).join("; "), 600)}`
      ]
    : []

const endOf = ({ known: { attended, stop } }: Turn): ReadonlyArray<string> => {
  const host =
    stop.completed === null
      ? ""
      : stop.completed
        ? "; the host calls its last message whole"
        : "; the host calls its last message cut off"
  const notes = [
    stop.spokeLast
      ? `the agent ended with its last words${host}`
      : "the agent ended without a word after its last call",
    ...(stop.asked === "open" ? ["a dialogue with the user is open"] : []),
    ...(stop.refused === null ? [] : [`the user refused a call (${line(stop.refused, 40)})`]),
    ...(stop.notice === null ? [] : [`the host says: ${stop.notice.kind.replaceAll("_", " ")}`]),
    ...(stop.pending.length > 0 ? [`${stop.pending.length} calls are still open`] : []),
    ...(stop.background.length > 0 ? [`${stop.background.length} calls run in the background`] : []),
    ...(stop.queued ? ["the user's next message waits"] : []),
    ...(attended ? [] : ["nobody is there to answer"])
  ]
  return [`How it ended: ${notes.join("; ")}.`]
}

export const lines = (turn: Turn): ReadonlyArray<string> => [
  ...commands(turn),
  ...runs(turn),
  ...edits(turn),
  ...checkEdits(turn),
  ...claims(turn),
  ...git(turn),
  ...plan(turn),
  ...endOf(turn)
]
