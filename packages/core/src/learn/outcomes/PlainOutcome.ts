/** Outcomes known by their shape alone, without a schema: a few times as fast, and a hook that reads them loads none. */
import * as JsonScan from "../../base/json/JsonScan.ts"
import type { AttemptOutcome } from "./model.ts"
import { clean } from "./AttemptOutcome.ts"
import * as Json from "../../base/json/Json.ts"
import { isTime, limits, statuses } from "./outcomeText.ts"

/** What a shape allows: the lengths of texts and lists, and which numbers count. */
interface Most {
  readonly lengths: Readonly<Record<keyof typeof limits, number>>
  readonly isNumber: (value: number) => boolean
}

const kept: Most = { lengths: limits, isNumber: Number.isSafeInteger }

const { POSITIVE_INFINITY: unbounded } = Number

const whatever: Most = {
  lengths: { id: unbounded, objective: unbounded, name: unbounded, tools: unbounded, loaded: unbounded },
  isNumber: Number.isFinite
}

const isText = (value: unknown, most: number): value is string => typeof value === "string" && value.length <= most

const isWord = (value: unknown, most: number): value is string => isText(value, most) && value !== ""

const isLoaded = (value: unknown, most: number): boolean =>
  Json.isObject(value) &&
  (value["kind"] === "skill" || value["kind"] === "file") &&
  isWord(value["name"], most) &&
  Object.keys(value).length === 2

const isList = (value: unknown, most: number, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= most && value.every(isOne)

const known: ReadonlySet<unknown> = new Set(statuses)

const isFilled = (value: object, { isNumber, lengths }: Most): value is AttemptOutcome => {
  const one: Partial<Record<keyof AttemptOutcome, unknown>> = value
  const isCount = (count: unknown): boolean => typeof count === "number" && isNumber(count) && count >= 0
  return (
    isWord(one.id, lengths.id) &&
    (one.taskId === null || isWord(one.taskId, lengths.id)) &&
    isText(one.sessionId, lengths.id) &&
    isText(one.objective, lengths.objective) &&
    known.has(one.status) &&
    isCount(one.durationMs) &&
    isList(one.tools, lengths.tools, (tool) => isText(tool, lengths.name)) &&
    isList(one.loaded, lengths.loaded, (loaded) => isLoaded(loaded, lengths.name)) &&
    (one.resultLength === null || isCount(one.resultLength)) &&
    isText(one.backend, lengths.name) &&
    typeof one.at === "string" &&
    isTime(one.at)
  )
}

const fields = 11

/**
 * What `Schema` says of an outcome with every field, where nothing is too long, a few times as fast: a log may have a
 * million. The test holds one against the other.
 */
export const isOutcome = (value: object): value is AttemptOutcome =>
  isFilled(value, kept) && Object.keys(value).length === fields

const withoutMore = (value: unknown): unknown =>
  Json.isObject(value) ? { kind: value["kind"], name: value["name"] } : value

/** What a line of the log says, as `OutcomeLine.parse` reads it; null for one that is no outcome. */
export const read = (line: string): AttemptOutcome | null => {
  try {
    const value: unknown = JsonScan.strict(line)
    if (!Json.isObject(value)) return null
    if (isOutcome(value)) return value
    const { loaded = [], taskId = null, tools = [] } = value
    const filled = { ...value, taskId, tools, loaded: Array.isArray(loaded) ? loaded.map(withoutMore) : loaded }
    return isFilled(filled, whatever) ? clean(filled) : null
  } catch {
    return null
  }
}
