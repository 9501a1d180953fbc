import type { Run } from "./model.ts"

/** How one run of a gate went, as far as its call tells. */
export interface Outcome {
  readonly result: Run["result"]
  readonly detail: string
  readonly failing: Run["failing"]
  /** What it looked at has not finished. */
  readonly pending?: boolean
}
