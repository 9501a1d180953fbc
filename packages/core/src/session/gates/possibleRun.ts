/** What ran that could have been a gate of which no run is on record since it mattered. */
import type { Evidence } from "../evidence/Evidence.ts"

interface Since {
  /** The order of the last edit that the gate depends on. */
  readonly edit: number
  /** The turn in which the task began. */
  readonly turn: number
}

/** The last such run, as a person would call it; null where nothing could have been one. */
export const possibleRun = (gate: string, { possible }: Evidence, since: Since): string | null => {
  const found = possible.filter(
    (run) => (run.gate === null || run.gate === gate) && run.turn >= since.turn && run.order > since.edit
  )
  return found.toSorted((one, other) => other.order - one.order)[0]?.what ?? null
}
