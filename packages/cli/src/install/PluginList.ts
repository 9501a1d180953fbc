/**
 * The list of plugins in a file of a host's configuration: each item is a spec, or a pair of a spec and the plugin's
 * options.
 */
import * as Either from "effect/Either"
import { getNodeValue, type Node } from "jsonc-parser"
import type { IsOurs } from "./HooksDocument.ts"
import * as JsonDocument from "./jsonDocument.ts"
import { child, type Result, twice, wrong } from "./jsonDocument.ts"
import * as JsonEdit from "./JsonEdit.ts"
import type { TextProblem } from "./JsonEdit.ts"

/**
 * The key of the list.
 *
 * @category constants
 */
export const key = "plugin"

/** A file that is not there, or was only touched. */
const orEmpty = (text: string): string => (text.trim() === "" ? `${text}{}\n` : text)

/** The host adds its schema to a file that is without it, and so changes what somebody wrote. */
const orNew = (text: string, schema: string): string =>
  text.trim() === "" ? `${text}{\n  "$schema": "${schema}"\n}\n` : text

const shapeProblem = (text: string, root: Node): TextProblem | null => {
  if (root.type !== "object") return wrong(text, root, "the file", "a JSON object")
  const list = child(root, key)
  return list === undefined || list.type === "array" ? twice(text, root) : wrong(text, list, key, "a list")
}

const read = (text: string): Result<Node> => JsonDocument.read(text, shapeProblem)

interface Item {
  readonly node: Node
  readonly spec: Node
}

const items = (root: Node): ReadonlyArray<Item> =>
  (child(root, key)?.children ?? []).flatMap((node): ReadonlyArray<Item> => {
    const spec = node.type === "array" ? node.children?.[0] : node
    return spec?.type === "string" ? [{ node, spec }] : []
  })

const textOf = ({ spec }: Item): string => String(spec.value)

export interface Plugin {
  readonly spec: string
  readonly options: unknown
}

/**
 * Every plugin of a text, in its order.
 *
 * @category reading
 */
export const plugins = (text: string): Result<ReadonlyArray<Plugin>> =>
  Either.map(read(orEmpty(text)), (root) =>
    items(root).map((item) => {
      const options = item.node === item.spec ? undefined : item.node.children?.[1]
      return { spec: textOf(item), options: options === undefined ? undefined : getNodeValue(options) }
    })
  )

export const specs = (text: string): Result<ReadonlyArray<string>> =>
  Either.map(plugins(text), (all) => all.map(({ spec }) => spec))

/**
 * The containers that a text has for plugins: the list, if it is there.
 *
 * @category reading
 */
export const containers = (text: string): Result<ReadonlyArray<string>> =>
  Either.map(read(orEmpty(text)), (root) => (child(root, key) === undefined ? [] : [key]))

const add = (text: string, root: Node, spec: string): string => {
  const list = child(root, key)
  return list === undefined ? JsonEdit.addProperty(text, root, key, [spec]) : JsonEdit.addItem(text, list, spec)
}

/** The next single step from a text to one that has this spec, and none of ours beside it. */
const installStep = (spec: string, isOurs: IsOurs) => (text: string, root: Node) => {
  const [first, second] = items(root).filter((item) => textOf(item) === spec || isOurs(textOf(item)))
  if (first === undefined) return add(text, root, spec)
  if (second !== undefined) return JsonEdit.remove(text, second.node)
  return textOf(first) === spec ? null : JsonEdit.replaceValue(text, first.spec, spec)
}

/**
 * The text with this spec and no other of ours: one of another version is replaced in its place, and keeps its options.
 *
 * @category editing
 */
export const install = (
  text: string,
  options: { readonly spec: string; readonly isOurs: IsOurs; readonly schema: string }
): Result<string> => JsonDocument.repeat(orNew(text, options.schema), read, installStep(options.spec, options.isOurs))

/**
 * The text without our specs and their options, and without the list if it is among the containers `added` and is empty
 * then.
 *
 * @category editing
 */
export const remove = (
  text: string,
  options: { readonly isOurs: IsOurs; readonly added: ReadonlyArray<string> }
): Result<string> =>
  JsonDocument.repeat(orEmpty(text), read, (current, root) => {
    const ours = items(root).find((item) => options.isOurs(textOf(item)))
    if (ours !== undefined) return JsonEdit.remove(current, ours.node)
    const list = child(root, key)
    const isEmpty = list?.children?.length === 0 && options.added.includes(key)
    return list?.parent === undefined || !isEmpty ? null : JsonEdit.remove(current, list.parent)
  })

/** Of any host; none is there in a file that a person began. */
const isSchema = (value: unknown): boolean =>
  value === undefined || (typeof value === "string" && /^https:\/\/[^/]{1,100}\/config\.json$/u.test(value))

/**
 * Whether nothing is left of a text but what is in every new file.
 *
 * @category predicates
 */
export const isBlank = (text: string): boolean =>
  Either.match(read(text), {
    onLeft: () => false,
    onRight: (root) =>
      JsonEdit.isPlain(text) &&
      JsonEdit.children(root).every((property) => JsonDocument.keyOf(property) === "$schema") &&
      isSchema(child(root, "$schema")?.value)
  })
