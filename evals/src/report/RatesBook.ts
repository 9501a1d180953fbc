/** Collects the measures of the suites as they are run. */
import type { Baseline } from "../measure/Baselines.ts"
import { type Measured, suiteRates, type SuiteRates } from "../measure/Rates.ts"

export type Rate = (suite: string, rows: ReadonlyArray<Measured>, baselines: ReadonlyArray<Baseline>) => void

export interface RatesBook {
  readonly rate: Rate
  /** By suite, in the order in which they were run. */
  readonly results: () => Readonly<Record<string, SuiteRates>>
}

export const make = (): RatesBook => {
  const book: Record<string, SuiteRates> = {}
  return {
    rate: (suite, rows, baselines) => {
      book[suite] = suiteRates(rows, baselines)
    },
    results: () => book
  }
}
