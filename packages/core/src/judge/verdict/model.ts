/** What the facts and the findings of a stop come to. */
import type { Found } from "../rules/model.ts"
import type { Status, StopKind, StopPattern } from "./Verdict.ts"

/** `stuck`: what is said to an agent that is stuck rather than done too early. */
export interface Outcome {
  readonly status: Status
  readonly kind: StopKind
  readonly pattern: StopPattern | null
  readonly push: boolean
  readonly reason: string
  readonly confidence: number
  readonly human: ReadonlyArray<string>
  readonly stuck?: ReadonlyArray<Found>
}
