/** Recommended actions as JSON at the end of an answer, with the keys that models give them. */
import * as Predicate from "effect/Predicate"
import * as JsonRepair from "./jsonRepair.ts"
import * as JsonScan from "./jsonScan.ts"

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

const saidIn = (value: unknown): ReadonlyArray<Said> => {
  if (typeof value === "string") return value.trim() === "" ? [] : [{ target: null, change: value, reason: "" }]
  const change = textOf(value, keys.change)
  if (change === null) return []
  return [{ target: textOf(value, keys.target), change, reason: textOf(value, keys.reason) ?? "" }]
}

const listIn = (value: unknown): ReadonlyArray<unknown> | null => {
  const list = under(value, keys.list)
  if (Array.isArray(list)) return list
  return Predicate.isRecord(list) ? [list] : null
}

interface Read {
  readonly observations: string | null
  readonly actions: ReadonlyArray<Said>
}

/** Null for JSON that is about something else. Bare words in brackets are prose. */
const readingOf = (value: unknown): Read | null => {
  if (Array.isArray(value)) {
    const actions = value.filter(Predicate.isRecord).flatMap(saidIn)
    return actions.length === 0 ? null : { observations: null, actions }
  }
  const list = listIn(value)
  const observations = textOf(value, keys.observations)
  if (list !== null) return { observations, actions: list.flatMap(saidIn) }
  const actions = textOf(value, keys.target) === null ? [] : saidIn(value)
  return observations === null && actions.length === 0 ? null : { observations, actions }
}

const valueOf = (text: string): unknown => {
  const parsed = JsonScan.parse(text)
  return parsed === JsonScan.failed ? JsonRepair.repair(text) : parsed
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
    const read = span.end < 0 ? null : readingOf(valueOf(text.slice(at, span.end)))
    from = read === null ? at + 1 : span.end
    if (read === null) continue
    const follows = end >= 0 && between.test(text.slice(end, at).slice(0, 100))
    found = joined(follows ? found : { ...nothing(text), at }, read)
    end = span.end
  }
  return found
}
