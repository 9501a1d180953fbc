/**
 * Lines of the outcome log as what they say, known by their shape alone: a hook that reads them loads no schema, and it takes
 * a fraction of the time. The test holds it against the schema.
 */
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"
import { clean } from "./AttemptOutcome.ts"
import type { AttemptOutcome } from "./model.ts"
import { isTime, limits, statuses } from "./outcomeText.ts"

const isWord = (value: unknown): value is string => typeof value === "string" && value !== ""

const isCount = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= 0

const isLoaded = (value: unknown): boolean =>
  Json.isObject(value) && (value["kind"] === "skill" || value["kind"] === "file") && isWord(value["name"])

const isList = (value: unknown, isOne: (one: unknown) => boolean): boolean => Array.isArray(value) && value.every(isOne)

const known: ReadonlySet<unknown> = new Set(statuses)

const isOutcome = (value: object): value is AttemptOutcome => {
  const one: Partial<Record<keyof AttemptOutcome, unknown>> = value
  return (
    isWord(one.id) &&
    (one.taskId === null || isWord(one.taskId)) &&
    typeof one.sessionId === "string" &&
    typeof one.objective === "string" &&
    known.has(one.status) &&
    isCount(one.durationMs) &&
    isList(one.tools, (tool) => typeof tool === "string") &&
    isList(one.loaded, isLoaded) &&
    (one.resultLength === null || isCount(one.resultLength)) &&
    typeof one.backend === "string" &&
    typeof one.at === "string" &&
    isTime(one.at)
  )
}

const fields = 11

/** Whether it is as `clean` leaves one; in one that is not, secrets are looked for as well. */
const isKept = (one: AttemptOutcome): boolean =>
  Object.keys(one).length === fields &&
  one.id.length <= limits.id &&
  (one.taskId?.length ?? 0) <= limits.id &&
  one.sessionId.length <= limits.id &&
  one.objective.length <= limits.objective &&
  Number.isSafeInteger(one.durationMs) &&
  one.tools.length <= limits.tools &&
  one.tools.every(({ length }) => length <= limits.name) &&
  one.loaded.length <= limits.loaded &&
  one.loaded.every((loaded) => loaded.name.length <= limits.name && Object.keys(loaded).length === 2) &&
  (one.resultLength === null || Number.isSafeInteger(one.resultLength)) &&
  one.backend.length <= limits.name

/**
 * What a line says, bounded, null for one that is no outcome.
 *
 * @category decoding
 */
export const read = (line: string): AttemptOutcome | null => {
  const value = JsonScan.parse(line)
  if (!Json.isObject(value)) return null
  if (isOutcome(value) && isKept(value)) return value
  const { loaded = [], taskId = null, tools = [] } = value
  const filled = { ...value, loaded, taskId, tools }
  return isOutcome(filled) ? clean(filled) : null
}
