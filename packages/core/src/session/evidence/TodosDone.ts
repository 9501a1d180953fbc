/** Finds open todos that are done according to the record. Agents tick their lists late or not at all. */
import { names, speaksOf } from "../vocabulary/GateTable.ts"
import { hasKnownEnding } from "../../base/system/Paths.ts"
import type { Edit, Evidence } from "./model.ts"

/** Matches an order to check or to deliver, but not "the push API". */
const orders =
  /(?:^|\b(?:and|then|git) |, )(?:re-?)?(?:run|execute|verify|validate|check|test|lint|build|type-?check|commit|push|open|create|raise|submit)\b/i

const kinds: ReadonlyArray<readonly [kind: Edit["kind"], pattern: RegExp]> = [
  ["docs", /\b(?:docs?|documentation|document|readme|changelog|guides?|wiki)\b/i],
  ["test", /\b(?:add|write|create|update|extend|adapt|port)\b.{0,60}\b(?:tests?|specs?)\b/i]
]

const pathsIn = (todo: string): ReadonlyArray<string> =>
  todo
    .split(/[\s"'`(),;]+/)
    .map((word) => word.replace(/[.:!?]$/, "").replace(/^\.\//, ""))
    .filter((word) => word.length > 2 && (word.endsWith("/") || (word.includes(".") && hasKnownEnding(word))))

const isAt = (path: string, name: string): boolean =>
  name.endsWith("/") ? `/${path}`.includes(`/${name}`) : path === name || path.endsWith(`/${name}`)

/**
 * The open todos of a list. A todo is left out if everything that it names happened after the last change of the list.
 *
 * @category accessors
 */
export const undone = (todos: ReadonlyArray<string>, { edits, list, runs }: Evidence): ReadonlyArray<string> => {
  const edited = edits.filter(({ order }) => order > list.order)
  return todos.filter((todo) => {
    const ordered = orders.test(todo) ? names.filter((gate) => speaksOf(todo, gate)) : []
    const paths = pathsIn(todo)
    const kind = kinds.find(([, pattern]) => pattern.test(todo))?.[0]
    const happened = [
      ...ordered.map((gate) =>
        runs.some((run) => run.gate === gate && run.result === "passed" && run.order > list.order)
      ),
      ...(paths.length > 0
        ? [edited.some(({ path }) => paths.some((name) => isAt(path, name)))]
        : kind === undefined
          ? []
          : [edited.some((edit) => edit.kind === kind)])
    ]
    return happened.length === 0 || happened.includes(false)
  })
}
