/** Reads records of the column `record`. */
import { decode, isEvent, type MemoryEvent } from "@reflexion/core/internal/memory/store/MemoryLine"
import type { Results } from "@reflexion/core/internal/memory/store/Queries"
import type { Reflection } from "@reflexion/core/Reflection"
import { fromJson } from "./text.ts"

export interface Line {
  readonly line: string
}

export const lessonIn = ({ line }: Line): ReadonlyArray<Reflection> => {
  const row = decode(fromJson(line))
  return row === null || isEvent(row) ? [] : [row]
}

export const eventIn = ({ line }: Line): ReadonlyArray<MemoryEvent> => {
  const row = decode(fromJson(line))
  return row !== null && isEvent(row) ? [row] : []
}

export const whatOf = (event: MemoryEvent): keyof Results =>
  event.event === "use" ? event.kind : event.success ? "succeeded" : "failed"
