/**
 * Which open todos the record shows to be done. A list goes stale: agents tick it late or not at all, so what an item names
 * and what happened after the list last moved was only not ticked.
 */
import { isCheck, names, speaksOf } from "../gates/GateTable.ts"
import { hasKnownEnding } from "../../ground/system/Paths.ts"
import type { Edit, Evidence, Run } from "./model.ts"

type Kind = Edit["kind"]

/** The commit and the push are named by an order to make them: "the push API" is no push. */
const deliveries: Readonly<Record<string, RegExp>> = {
  commit: /(?:^|\b(?:and|then|git) |, )commit\b/i,
  push: /(?:^|\b(?:and|then|git) |, )push\b/i,
  pr: /(?:^|\b(?:and|then) |, )(?:open|create|raise|submit)\b.{0,30}\b(?:pr|pull request|merge request)\b/i
}

const runs = /(?:^|\b(?:and|then) |, )(?:re-?)?(?:run|execute|verify|validate|check|test|lint|build|type-?check)\b/i

const kinds: ReadonlyArray<readonly [kind: Kind, pattern: RegExp]> = [
  ["docs", /\b(?:docs?|documentation|document|readme|changelog|guides?|wiki)\b/i],
  ["test", /\b(?:add|write|create|update|extend|adapt|port)\b.{0,60}\b(?:tests?|specs?)\b/i],
  ["config", /\b(?:add|write|update|change|adapt|edit)\b.{0,60}\b(?:config(?:uration)?|settings|workflow)\b/i]
]

/** Files and folders, without the marks around them. */
const pathsIn = (todo: string): ReadonlyArray<string> =>
  todo
    .split(/[\s"'`(),;]+/)
    .map((word) => word.replace(/[.:!?]$/, "").replace(/^\.\//, ""))
    .filter((word) => word.length > 2 && (word.endsWith("/") || (word.includes(".") && hasKnownEnding(word))))

const isAt = (path: string, name: string): boolean =>
  name.endsWith("/") ? `/${path}`.includes(`/${name}`) : path === name || path.endsWith(`/${name}`)

const kindOf = (todo: string): Kind | null =>
  pathsIn(todo).length > 0 ? null : (kinds.find(([, pattern]) => pattern.test(todo))?.[0] ?? null)

interface Since {
  readonly edits: ReadonlyArray<Edit>
  readonly passed: (gate: string) => boolean
}

const since = ({ edits, list, runs: all }: Evidence): Since => {
  const passes = ({ order, result }: Run): boolean => result === "passed" && order > list.order
  const passed = new Set(all.filter(passes).map(({ gate }) => gate))
  return { edits: edits.filter(({ order }) => order > list.order), passed: (gate) => passed.has(gate) }
}

/** As many files of a kind were edited as items name no more of it than the kind. */
const editedFor = (kind: Kind, todos: ReadonlyArray<string>, { edits }: Since): boolean =>
  edits.filter((edit) => edit.kind === kind).length >= todos.filter((todo) => kindOf(todo) === kind).length

const isDone = (todo: string, todos: ReadonlyArray<string>, happened: Since): boolean => {
  const delivered = Object.keys(deliveries).filter((gate) => deliveries[gate]?.test(todo))
  const named = runs.test(todo) ? names.filter((gate) => isCheck(gate) && speaksOf(todo, gate)) : []
  const paths = pathsIn(todo)
  const kind = kindOf(todo)
  const others = [
    ...(named.length > 0 ? [named.every(happened.passed)] : []),
    ...(paths.length > 0 ? [happened.edits.some(({ path }) => paths.some((name) => isAt(path, name)))] : []),
    ...(kind === null ? [] : [editedFor(kind, todos, happened)])
  ]
  return delivered.every(happened.passed) && (others.length === 0 ? delivered.length > 0 : others.includes(true))
}

/**
 * The todos of a list's open ones for which nothing that they name happened after the list last moved.
 *
 * @category accessors
 */
export const undone = (todos: ReadonlyArray<string>, evidence: Evidence): ReadonlyArray<string> => {
  const happened = since(evidence)
  return todos.filter((todo) => !isDone(todo, todos, happened))
}
