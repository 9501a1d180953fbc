/** Lines of the outcome log as what they say, known by their shape alone: a hook that reads them loads no schema. */
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"
import * as Shape from "../log/Shape.ts"
import { clean } from "./AttemptOutcome.ts"
import type { AttemptOutcome, Loaded } from "./model.ts"
import { isTime, limits, statuses, timeWanted } from "./outcomeText.ts"

const { amount, listOf, oneOf, orNull, text, word } = Shape

const loaded: Shape.Shape<Loaded> = { kind: oneOf(["skill", "file"]), name: word }

const shape: Shape.Shape<AttemptOutcome> = {
  id: word,
  taskId: orNull(word),
  sessionId: text,
  objective: text,
  status: oneOf(statuses),
  durationMs: amount,
  tools: listOf(text),
  loaded: listOf({
    is: (value) => Json.isObject(value) && Shape.is(value, loaded),
    wanted: "a skill or file with its name is expected"
  }),
  resultLength: orNull(amount),
  backend: text,
  at: { is: (value) => typeof value === "string" && isTime(value), wanted: timeWanted }
}

const fields = Object.keys(shape).length

/** Whether it is as `clean` leaves one; in one that is not, secrets are looked for as well. */
const isKept = (one: AttemptOutcome): boolean =>
  Object.keys(one).length === fields &&
  [one.id, one.taskId ?? "", one.sessionId].every(({ length }) => length <= limits.id) &&
  one.objective.length <= limits.objective &&
  [one.durationMs, one.resultLength ?? 0].every(Number.isSafeInteger) &&
  one.tools.length <= limits.tools &&
  one.loaded.length <= limits.loaded &&
  [one.backend, ...one.tools, ...one.loaded.map(({ name }) => name)].every(({ length }) => length <= limits.name) &&
  one.loaded.every((of) => Object.keys(of).length === 2)

const filled = (value: Json.Json): Json.Json => {
  const { loaded = [], taskId = null, tools = [] } = value
  return { ...value, loaded, taskId, tools }
}

export const problemIn = (value: Json.Json): string | null => Shape.problemIn(filled(value), shape)

/** What a line says, bounded, null for one that is no outcome. */
export const read = (line: string): AttemptOutcome | null => {
  const value = JsonScan.parse(line)
  if (!Json.isObject(value)) return null
  if (Shape.is(value, shape) && isKept(value)) return value
  const one = filled(value)
  return Shape.is(one, shape) ? clean(one) : null
}
