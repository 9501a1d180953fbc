/** Folds the sequences of other agents' tests and compares what is found with the table of expectations. */
import * as Loops from "@reflexion/core/internal/judge/loops/Loops"
import { mostRepeated } from "../measure/Baselines.ts"
import * as LoopPeers from "./LoopPeers.ts"
import { type Expected, table } from "./table.ts"
import * as Times from "../measure/Times.ts"

export interface LoopRow {
  readonly peer: string
  readonly id: string
  readonly peerFlags: boolean
  readonly found: ReadonlyArray<string>
  /** Null for a case that the table does not know. */
  readonly expected: Expected | null
  readonly asExpected: boolean
  readonly repeatedCalls: number
}

/** Every pattern found after any event of the sequence. */
const patternsIn = ({ events }: LoopPeers.PeerCase): ReadonlyArray<string> => {
  const found = new Set<string>()
  let state = Loops.initial
  for (const event of events) {
    state = Loops.step(state, event)
    for (const { pattern } of Loops.read(state)) found.add(pattern)
  }
  return [...found]
}

const isSame = (found: ReadonlyArray<string>, expected: ReadonlyArray<string>): boolean =>
  found.length === expected.length && expected.every((pattern) => found.includes(pattern))

const rowOf = (self: LoopPeers.PeerCase): LoopRow => {
  const found = patternsIn(self)
  const expected = Object.hasOwn(table, self.id) ? (table[self.id] ?? null) : null
  return {
    peer: self.peer,
    id: self.id,
    peerFlags: self.flagged,
    found,
    expected,
    asExpected: expected !== null && isSame(found, expected.loops),
    repeatedCalls: mostRepeated(self.events)
  }
}

/** Every case of the corpus, beside its expectation. */
export const run = (root: string): ReadonlyArray<LoopRow> =>
  LoopPeers.load(root).map((self) => Times.measure("loops", self.id, () => rowOf(self)))

export interface LoopSummary {
  readonly cases: number
  readonly asExpected: number
  /** Cases on which the peer and we agree whether there is a loop. */
  readonly agree: number
  /** Cases that differ from the peer without a reason in the table; a new case counts as one. */
  readonly unexplained: ReadonlyArray<string>
}

export const summary = (rows: ReadonlyArray<LoopRow>): LoopSummary => ({
  cases: rows.length,
  asExpected: rows.filter((row) => row.asExpected).length,
  agree: rows.filter((row) => row.peerFlags === row.found.length > 0).length,
  unexplained: rows
    .filter((row) => row.peerFlags !== row.found.length > 0 && row.expected?.why === undefined)
    .map(({ id }) => id)
})
