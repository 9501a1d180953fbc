/** What ran that could have been a gate of which no run is on record since it mattered. */
import type { Evidence, Run } from "../evidence/Evidence.ts"

/** A compiler that checks types builds, most builds check types, and CI runs them all. */
const close: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["tests", ["ci"]],
  ["build", ["typecheck", "ci"]],
  ["typecheck", ["build", "ci"]],
  ["lint", ["ci"]]
])

interface Since {
  /** The order of the last edit that the gate depends on. */
  readonly edit: number
  /** The turn in which the task began. */
  readonly turn: number
}

const quoted = ({ command }: Run): string => `\`${command.length > 120 ? `${command.slice(0, 119)}…` : command}\``

/** The last such run, as a person would call it; null where nothing could have been one. */
export const possibleRun = (gate: string, evidence: Evidence, since: Since): string | null => {
  const others = close.get(gate) ?? []
  const found = [
    ...evidence.possible
      .filter((run) => run.gate === null || run.gate === gate)
      .map(({ behind, order, turn, what }) => ({ after: behind ? order + 1 : order, turn, what })),
    ...evidence.runs
      .filter((run) => others.includes(run.gate))
      .map((run) => ({ after: run.order, turn: run.turn, what: quoted(run) }))
  ].filter(({ after, turn }) => after > since.edit && turn >= since.turn)
  return found.toSorted((one, other) => other.after - one.after)[0]?.what ?? null
}
