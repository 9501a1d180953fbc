/** Reads records of the column `record`. */
import { decode, isEvent, type MemoryEvent } from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Results } from "@reflexion/core/internal/memory/store/Queries"
import type { Reflection } from "@reflexion/core/Reflection"
import { fromJson } from "./text.ts"

export interface Line {
  readonly line: string
}

/** Returns the lesson of a row. Empty if it cannot be read. */
export const lessonIn = ({ line }: Line): ReadonlyArray<Reflection> => {
  const row = decode(fromJson(line))
  return row === null || isEvent(row) ? [] : [row]
}

/** Returns the event of a row. Empty if it cannot be read. */
export const eventIn = ({ line }: Line): ReadonlyArray<MemoryEvent> => {
  const row = decode(fromJson(line))
  return row !== null && isEvent(row) ? [row] : []
}

/** Returns the column `what` of an event. */
export const whatOf = (event: MemoryEvent): keyof Results =>
  event.event === "use" ? event.kind : event.success ? "succeeded" : "failed"
