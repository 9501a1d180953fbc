/** Recommended actions as JSON at the end of an answer, with the keys that models give them. */
import * as Predicate from "effect/Predicate"
import * as JsonAnswer from "../../base/json/JsonAnswer.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"

/** An action as it was said. */
export interface Said {
  readonly target: string | null
  readonly change: string
  readonly reason: string
}

/** `at` is where the JSON begins, the text's length where there is none; `observations` is what it says of them. */
export interface Tail {
  readonly at: number
  readonly observations: string | null
  readonly actions: ReadonlyArray<Said>
}

const keys = {
  list: ["actions", "recommended_actions", "recommendedActions", "skill_actions", "SKILL_ACTIONS", "SKILL_ACTION"],
  observations: ["observations", "observation", "analysis", "summary"],
  target: ["target", "skill", "skill_name", "skillName", "file", "task", "name", "subject"],
  change: ["change", "action", "recommendation", "description", "instruction", "suggestion", "SKILL_ACTION"],
  reason: ["reason", "why", "rationale", "because"]
} as const

const under = (value: unknown, names: ReadonlyArray<string>): unknown => {
  for (const name of names) if (Predicate.hasProperty(value, name)) return value[name]
  return undefined
}

const textOf = (value: unknown, names: ReadonlyArray<string>): string | null => {
  const found = under(value, names)
  if (Array.isArray(found)) return found.filter(Predicate.isString).join("\n")
  return typeof found === "string" && found.trim() !== "" ? found : null
}

/** In whatever language. */
const listKey =
  /recom|empfehl|ma(?:ß|ss)nahm|aktion|acci[oó]n|azion|aç(?:ão|ões)|aanbevel|acties|zalece|działa|рекоменд|действ|建议|建議|行动|行動|操作|推奨|アクション|対応|권장|조치/iu

const isKnown = (key: string): boolean => Object.values(keys).some((names) => names.some((name) => name === key))

/** The texts under keys that are of no language known here, in their order. */
const otherTexts = (value: unknown): ReadonlyArray<string> =>
  Predicate.isRecord(value)
    ? Object.entries(value).flatMap(([key, text]) =>
        Predicate.isString(text) && text.trim() !== "" && !isKnown(key) ? [text] : []
      )
    : []

/** A path, or one word of letters that no sentence is of. */
const name = /^[\w./@+-]{1,200}$/

const longestName = 200

/** A sign that is a word says as much as several letters. */
const weightOf = (text: string): number => text.replaceAll(/[\u2e80-\uffff]/g, "---").length

const isNameOf = (text: string, others: ReadonlyArray<string>): boolean =>
  name.test(text) ||
  (!others.some((other) => name.test(other)) &&
    text.length <= longestName &&
    others.some((other) => weightOf(other) >= weightOf(text)))

/** By their order, as they were asked for: what is to be changed, how, and why; but what cannot be a name is none. */
const saidInOrder = (value: unknown): ReadonlyArray<Said> => {
  const known = textOf(value, keys.target)
  const [first, second, ...others] = otherTexts(value)
  if (first === undefined) return []
  const reason = (texts: ReadonlyArray<string>): string => textOf(value, keys.reason) ?? texts.join("\n")
  if (known !== null || second === undefined)
    return [{ target: known, change: first, reason: reason(second === undefined ? [] : [second, ...others]) }]
  return [
    isNameOf(first, [second, ...others])
      ? { target: first, change: second, reason: reason(others) }
      : { target: second, change: first, reason: reason(others) }
  ]
}

const saidIn = (value: unknown): ReadonlyArray<Said> => {
  if (typeof value === "string") return value.trim() === "" ? [] : [{ target: null, change: value, reason: "" }]
  const change = textOf(value, keys.change)
  if (change === null) return []
  return [{ target: textOf(value, keys.target), change, reason: textOf(value, keys.reason) ?? "" }]
}

const underListKey = (value: unknown): unknown =>
  Predicate.isRecord(value) ? Object.entries(value).find(([key]) => !isKnown(key) && listKey.test(key))?.[1] : undefined

const listIn = (value: unknown): ReadonlyArray<unknown> | null => {
  const list = under(value, keys.list) ?? underListKey(value)
  if (Array.isArray(list)) return list
  return Predicate.isRecord(list) ? [list] : null
}

interface Read {
  readonly observations: string | null
  readonly actions: ReadonlyArray<Said>
}

/** What is said of a list of actions is one of them, whatever its keys. */
const listed = (value: unknown): ReadonlyArray<Said> => {
  const said = saidIn(value)
  return said.length > 0 ? said : saidInOrder(value)
}

/** Null for JSON that is about something else, or that cannot be read. Bare words in brackets are prose. */
const readingOf = (value: unknown): Read | null => {
  if (Array.isArray(value)) {
    const actions = value.filter(Predicate.isRecord).flatMap(saidIn)
    return actions.length === 0 ? null : { observations: null, actions }
  }
  const list = listIn(value)
  const observations = textOf(value, keys.observations)
  if (list !== null) {
    const actions = list.flatMap(listed)
    if (list.length > 0 && actions.length === 0) return null
    const others = otherTexts(value)
    return { observations: observations ?? (others.length === 0 ? null : others.join("\n\n")), actions }
  }
  const actions = textOf(value, keys.target) === null ? [] : saidIn(value)
  return observations === null && actions.length === 0 ? null : { observations, actions }
}

/** Brackets that are tried: prose has some, an answer of thousands is none. */
const maxTries = 100

const begins = /[{[]/g

/** What may stand between two values of one list, and around it. */
const between = /^[\s,;`]*(?:json)?[\s,;`]*$/i

const nothing = (text: string): Tail => ({ at: text.length, observations: null, actions: [] })

const joined = (before: Tail, read: Read): Tail => ({
  at: before.at,
  observations: read.observations ?? before.observations,
  actions: [...before.actions, ...read.actions]
})

/** The last JSON that says what to do: one value, or several that follow each other. */
export const tail = (text: string): Tail => {
  let found = nothing(text)
  let end = -1
  let from = 0
  for (let tries = 0; tries < maxTries; tries += 1) {
    begins.lastIndex = from
    const at = begins.exec(text)?.index ?? -1
    if (at < 0) return found
    const span = JsonScan.valueEnd(text, at)
    const read = span.end < 0 ? null : readingOf(JsonAnswer.repaired(text.slice(at, span.end)))
    from = read === null ? at + 1 : span.end
    if (read === null) continue
    const follows = end >= 0 && between.test(text.slice(end, at).slice(0, 100))
    found = joined(follows ? found : { ...nothing(text), at }, read)
    end = span.end
  }
  return found
}
