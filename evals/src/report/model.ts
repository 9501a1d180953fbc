/** The floors below which a suite may not fall. */

/** What must not be lost. */
export interface RetryFloor {
  /** Tasks of which the prompt is known to lack a fact, to name a wrong one, or to misjudge the second failure. */
  readonly known: ReadonlyArray<string>
  /** The share of facts that the prompt names. */
  readonly minNamed: number
}
