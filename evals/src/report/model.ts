/** The floors below which a suite may not fall. */

/** What must not be lost. */
export interface RetryFloor {
  /** Tasks of which the prompt is known to lack a fact, to name a wrong one, or to misjudge the second failure. */
  readonly known: ReadonlyArray<string>
  /** The share of facts that the prompt names. */
  readonly minNamed: number
}

/** What must hold of the scores. */
export interface ScoreFloor {
  /** Sessions that are known to be scored otherwise. */
  readonly known: ReadonlyArray<string>
  /** The share of 4 and 5 among the stops that both readers call complete. */
  readonly minGoodOfComplete: number
  /** The share of 4 and 5 among the stops at which both readers would push. */
  readonly maxGoodOfPush: number
}
